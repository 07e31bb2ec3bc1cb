package settings

import (
	"context"
	"encoding/json"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Routes reads the table of host:port -> host:port anew, so that it may change while nodes run.
func (s Settings) Routes() map[string]string {
	table := map[string]string{}
	if s.RoutesFile == "" {
		return table
	}

	if text, err := os.ReadFile(s.RoutesFile); err == nil {
		_ = json.Unmarshal(text, &table)
	}

	return table
}

// RoutedHosts lists the hosts that the routes file reaches at a port.
func (s Settings) RoutedHosts(port string) []string {
	var hosts []string

	for target := range s.Routes() {
		if host, ok := strings.CutSuffix(target, ":"+port); ok {
			hosts = append(hosts, strings.Trim(host, "[]"))
		}
	}

	slices.Sort(hosts)

	return hosts
}

// Dial reaches a host:port through the routes; own addresses lead to the own listeners.
// With routes nothing but loopback is ever dialled: the addresses of a rehearsal may belong to somebody else's network.
func (s Settings) Dial(ctx context.Context, target string) (net.Conn, error) {
	resolved := s.resolve(target)
	if s.RoutesFile != "" && !isLoopback(resolved) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.EHOSTUNREACH)}
	}

	dialer := net.Dialer{Timeout: 5 * time.Second}

	return dialer.DialContext(ctx, "tcp", resolved)
}

func isLoopback(target string) bool {
	address, err := netip.ParseAddrPort(target)

	return err == nil && address.Addr().Unmap().IsLoopback()
}

func (s Settings) resolve(target string) string {
	if routed, ok := s.Routes()[target]; ok {
		return routed
	}

	host, port, err := net.SplitHostPort(target)
	if err != nil || !s.isOwn(host) {
		return target
	}

	switch port {
	case "50000":
		return s.Talos
	case "50001":
		return s.Trustd
	case "6443":
		return s.Kubernetes
	default:
		return target
	}
}

func (s Settings) isOwn(host string) bool {
	address, err := netip.ParseAddr(host)

	return err == nil && slices.Contains(s.Addresses, address)
}
