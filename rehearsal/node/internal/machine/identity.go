package machine

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
)

// Identity of the node in its cluster, kept in STATE.
func (n *Node) Identity() string {
	n.mu.Lock()
	defer n.mu.Unlock()

	if n.identity != "" {
		return n.identity
	}

	path := filepath.Join(n.Settings.StateDir, "node-identity")
	if text, err := os.ReadFile(path); err == nil {
		n.identity = strings.TrimSpace(string(text))

		return n.identity
	}

	n.identity = rand.Text() + rand.Text()[:18]
	_ = os.WriteFile(path, []byte(n.identity+"\n"), 0o600)

	return n.identity
}
