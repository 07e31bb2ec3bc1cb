//go:build tools

// Package tools pins the Pulumi CLI that the rehearsal builds from its published module.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
