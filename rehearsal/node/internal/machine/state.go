package machine

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
)

func (n *Node) configPath() string { return filepath.Join(n.Settings.StateDir, "config.yaml") }

func (n *Node) load() (config.Provider, error) {
	text, err := os.ReadFile(n.configPath())
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil //nolint:nilnil
	}

	if err != nil {
		return nil, err
	}

	cfg, err := configloader.NewFromBytes(text)
	if err != nil {
		return nil, fmt.Errorf("config.yaml in STATE: %w", err)
	}

	return cfg, nil
}

// Persist keeps a config in STATE for the next start.
func (n *Node) Persist(cfg config.Provider) error {
	text, err := cfg.Bytes()
	if err != nil {
		return err
	}

	if err = os.MkdirAll(n.Settings.StateDir, 0o700); err != nil {
		return err
	}

	if err = os.WriteFile(n.configPath()+".new", text, 0o600); err != nil {
		return err
	}

	if err = os.Rename(n.configPath()+".new", n.configPath()); err != nil {
		return err
	}

	n.Resources.setPersistent(cfg)

	return nil
}

// Use makes a config the one in use, at once.
func (n *Node) Use(cfg config.Provider) {
	n.CancelRollback()
	n.activate(cfg)
	log.Print("applied config")
}

// Try uses a config and goes back to the present one after a while.
func (n *Node) Try(cfg config.Provider, timeout time.Duration) {
	n.CancelRollback()

	before := n.Config()

	n.mu.Lock()
	n.rollback = time.AfterFunc(timeout, func() {
		if before != nil {
			n.activate(before)
			log.Print("config tried: went back to the one before")
		}
	})
	n.mu.Unlock()

	n.activate(cfg)
	log.Print("applied config to try it")
}

// CancelRollback keeps the config that was being tried.
func (n *Node) CancelRollback() {
	n.mu.Lock()
	defer n.mu.Unlock()

	if n.rollback != nil {
		n.rollback.Stop()
		n.rollback = nil
	}
}

// Reboot ends this run of the node; the next start takes the config from STATE.
func (n *Node) Reboot() {
	log.Print("config needs a reboot: rebooting")
	n.requestReboot()
}
