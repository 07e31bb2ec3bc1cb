// Package settings says what one simulated node is: its name, addresses, listeners and folders.
package settings

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/netip"
	"time"

	"github.com/siderolabs/talos/pkg/machinery/config/validation"
)

// Settings of one node. The first address is the node address.
type Settings struct {
	Name         string
	Addresses    []netip.Addr
	Talos        string
	Kubernetes   string
	Trustd       string
	StateDir     string
	DataDir      string
	TalosVersion string
	Platform     string
	Schematic    string
	RoutesFile   string
	NodeTimeout  time.Duration
	// KnobsFile is JSON: node name or * to knobs. Need not exist.
	KnobsFile string
	// UserData is the platform's config: base64 of YAML, gzipped or not. Read only while STATE holds none.
	UserData string
}

// Parse reads the arguments of `simnode run`.
func Parse(args []string, usage io.Writer) (Settings, error) {
	s := Settings{}
	set := flag.NewFlagSet("simnode run", flag.ContinueOnError)
	set.SetOutput(usage)
	set.StringVar(&s.Name, "name", "", "hostname")
	set.Func("address", "own address, repeatable; the first is the node address", func(text string) error {
		address, err := netip.ParseAddr(text)
		if err == nil {
			s.Addresses = append(s.Addresses, address)
		}

		return err
	})
	set.StringVar(&s.Talos, "talos", "127.0.0.1:50000", "host:port of the Talos API")
	set.StringVar(&s.Kubernetes, "kubernetes", "", "host:port of the Kubernetes API (control planes)")
	set.StringVar(&s.Trustd, "trustd", "", "host:port of trustd (control planes)")
	set.StringVar(&s.StateDir, "state", "", "folder of STATE")
	set.StringVar(&s.DataDir, "data", "", "folder of EPHEMERAL")
	set.StringVar(&s.TalosVersion, "talos-version", "v1.13.9", "version the node says it runs")
	set.StringVar(&s.Platform, "platform", "container", "container or hcloud")
	set.StringVar(&s.Schematic, "schematic", "", "schematic id of the image")
	set.StringVar(&s.RoutesFile, "routes", "", "JSON file: how to reach other nodes' host:port")
	set.StringVar(&s.KnobsFile, "knobs", "", "JSON file: what makes nodes slow or broken, by node name or *")
	set.DurationVar(&s.NodeTimeout, "node-timeout", 10*time.Second, "time without heartbeat until a node is not ready")

	if err := set.Parse(args); err != nil {
		return s, err
	}

	return s, s.check()
}

func (s Settings) check() error {
	switch {
	case s.Name == "":
		return errors.New("--name: missing; give the node's hostname")
	case len(s.Addresses) == 0:
		return errors.New("--address: missing; give the node's own address")
	case s.StateDir == "" || s.DataDir == "":
		return errors.New("--state and --data: missing; give two folders")
	case s.Platform != "container" && s.Platform != "hcloud":
		return fmt.Errorf("--platform: %s: not simulated; use container or hcloud", s.Platform)
	}

	return nil
}

// NodeAddress is the address by which the cluster knows the node.
func (s Settings) NodeAddress() netip.Addr { return s.Addresses[0] }

// InContainer says whether the node behaves as Talos in a container.
func (s Settings) InContainer() bool { return s.Platform == "container" }

// Mode is the runtime mode that configs are validated for.
func (s Settings) Mode() validation.RuntimeMode { return mode(s.Platform) }

type mode string

func (m mode) String() string {
	if m == "container" {
		return "container"
	}

	return "cloud"
}

func (m mode) RequiresInstall() bool { return false }
func (m mode) InContainer() bool     { return m == "container" }
