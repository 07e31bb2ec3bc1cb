package settings

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"strings"
	"time"
)

// FromContainer takes the settings of a node that is /sbin/init of a container.
func FromContainer() (Settings, error) {
	s := Settings{
		Talos: "0.0.0.0:50000", Kubernetes: "0.0.0.0:6443", Trustd: "0.0.0.0:50001",
		StateDir: "/system/state", DataDir: "/var", Platform: "container",
		TalosVersion: "v1.13.9", NodeTimeout: 10 * time.Second,
		UserData: os.Getenv("USERDATA"),
	}

	var err error
	if s.Name, err = os.Hostname(); err != nil {
		return s, err
	}

	if text, readErr := os.ReadFile("/etc/talos-version"); readErr == nil {
		s.TalosVersion = strings.TrimSpace(string(text))
	}

	if s.Addresses, err = interfaceAddresses(); err != nil {
		return s, err
	}

	return s, s.check()
}

func interfaceAddresses() ([]netip.Addr, error) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil, err
	}

	var own []netip.Addr

	for _, item := range all {
		prefix, parseErr := netip.ParsePrefix(item.String())
		if parseErr == nil && prefix.Addr().Is4() && !prefix.Addr().IsLoopback() {
			own = append(own, prefix.Addr())
		}
	}

	if len(own) == 0 {
		return nil, errors.New("the container has no address: attach it to a network")
	}

	return own, nil
}
