//go:build tools

// Package tools pins the talosctl that the rehearsal builds from its published module.
package tools

import _ "github.com/siderolabs/talos/cmd/talosctl"
