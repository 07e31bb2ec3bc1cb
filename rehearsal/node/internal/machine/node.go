// Package machine is the node itself: its config, its resources and its stage.
package machine

import (
	"crypto/rand"
	"fmt"
	"log"
	"net/netip"
	"sync"
	"time"

	"github.com/siderolabs/talos/pkg/machinery/config"

	"talos-fleet/rehearsal/node/internal/settings"
)

// Node is one simulated machine.
type Node struct {
	Settings  settings.Settings
	Resources *Resources
	Events    *Events
	BootID    string

	mu        sync.Mutex
	active    config.Provider
	listeners []chan struct{}
	rollback  *time.Timer
	identity  string
	started   time.Time
	// restarted: the config was in STATE when this run began.
	restarted bool

	reboot     chan struct{}
	rebootOnce sync.Once
}

// New makes a node and reads the config that an earlier run kept in STATE.
func New(s settings.Settings) (*Node, error) {
	resources, err := newResources(s)
	if err != nil {
		return nil, err
	}

	n := &Node{Settings: s, Resources: resources, Events: newEvents(), BootID: bootID(), started: time.Now(),
		reboot: make(chan struct{}),
	}

	kept, err := n.load()
	if err != nil {
		return nil, err
	}

	given, err := n.userData(kept)
	if err != nil {
		return nil, err
	}

	switch {
	case kept != nil:
		n.restarted = true
		n.activate(kept)
		log.Print("found a config in STATE")
	case given != nil:
		n.activate(given)
		log.Print("took the config from USERDATA")
	default:
		resources.SetStage(stageMaintenance, true)
		log.Print("no config: maintenance mode")
	}

	return n, nil
}

// Config in use; nil in maintenance mode.
func (n *Node) Config() config.Provider {
	n.mu.Lock()
	defer n.mu.Unlock()

	return n.active
}

// ControlPlane says whether the config makes this node a control plane.
func (n *Node) ControlPlane() bool {
	cfg := n.Config()

	return cfg != nil && cfg.Machine() != nil && cfg.Machine().Type().IsControlPlane()
}

// Changed gives a channel that receives after each change of the config.
func (n *Node) Changed() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()

	channel := make(chan struct{}, 1)
	n.listeners = append(n.listeners, channel)

	return channel
}

// activate makes a config the one in use.
func (n *Node) activate(cfg config.Provider) {
	n.mu.Lock()
	first := n.active == nil
	n.active = cfg

	if first {
		n.started = time.Now()
	}

	listeners := n.listeners
	n.mu.Unlock()

	n.Resources.setConfig(n, cfg)

	for _, listener := range listeners {
		select {
		case listener <- struct{}{}:
		default:
		}
	}
}

// Configured says how long the node has had a config in this run.
func (n *Node) Configured() time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()

	if n.active == nil {
		return 0
	}

	return time.Since(n.started)
}

// Settling says that this run is not the node's first and has not lasted long enough to have a ready kubelet.
func (n *Node) Settling() bool {
	return n.restarted && n.Configured() < n.Settings.Knobs().Settle.Duration
}

// Hostname is the config's static one, else the platform's.
func (n *Node) Hostname() string { return hostname(n.Settings.Name, n.Config()) }

func hostname(platform string, cfg config.Provider) string {
	if cfg != nil {
		if document := cfg.NetworkHostnameConfig(); document != nil && document.Hostname() != "" {
			return document.Hostname()
		}
	}

	return platform
}

// NodeIP is the address that kubelet and etcd use: the first one in the config's subnets.
func (n *Node) NodeIP() netip.Addr {
	cfg := n.Config()
	if cfg == nil || cfg.Machine() == nil {
		return n.Settings.NodeAddress()
	}

	for _, address := range n.Settings.Addresses {
		for _, subnet := range cfg.Machine().Kubelet().NodeIP().ValidSubnets() {
			if prefix, err := netip.ParsePrefix(subnet); err == nil && prefix.Contains(address) {
				return address
			}
		}
	}

	return n.Settings.NodeAddress()
}

// IsLocal says whether a target names this node.
func (n *Node) IsLocal(target string) bool {
	for _, address := range n.Settings.Addresses {
		if address.String() == target {
			return true
		}
	}

	return target == n.Hostname()
}

func bootID() string {
	var b [16]byte

	_, _ = rand.Read(b[:])

	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:16])
}
