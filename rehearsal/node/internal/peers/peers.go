// Package peers reaches the Kubernetes APIs of a cluster: as a control plane with a certificate, as a node with the token.
package peers

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/siderolabs/talos/pkg/machinery/config"
	talosconfig "github.com/siderolabs/talos/pkg/machinery/config/config"

	"talos-fleet/rehearsal/node/internal/machine"
	"talos-fleet/rehearsal/node/internal/pki"
)

// Protocol marks, in the TLS handshake, a connection of a simulated node.
const Protocol = "simnode"

// Peers of a node, by its config in use.
type Peers struct {
	Node *machine.Node

	mu     sync.Mutex
	madeOf config.Provider
	client *http.Client
	peer   bool
}

// Client speaks as a control plane when the config holds the Kubernetes CA's key, else without a certificate.
func (p *Peers) Client() (*http.Client, error) {
	cfg := p.Node.Config()
	if cfg == nil || cfg.Cluster() == nil {
		return nil, errors.New("no config yet")
	}

	p.mu.Lock()
	defer p.mu.Unlock()

	peer := p.Node.ControlPlane()
	if p.client != nil && p.madeOf == cfg && p.peer == peer {
		return p.client, nil
	}

	settings := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: pki.Pool(Authorities(cfg.Cluster())...), NextProtos: []string{Protocol, "http/1.1"}}

	if peer {
		pair, err := pki.ClientPair(cfg.Cluster().IssuingCA(), pki.Client{Name: "simnode", Organization: "system:masters"})
		if err != nil {
			return nil, err
		}

		settings.Certificates = []tls.Certificate{pair}
	}

	if p.client != nil {
		p.client.CloseIdleConnections()
	}

	p.madeOf, p.peer = cfg, peer
	p.client = &http.Client{Transport: &http.Transport{
		TLSClientConfig:     settings,
		MaxIdleConnsPerHost: 2,
		IdleConnTimeout:     30 * time.Second,
		DialContext: func(ctx context.Context, _, target string) (net.Conn, error) {
			return p.Node.Settings.Dial(ctx, target)
		},
	}}

	return p.client, nil
}

// Authorities are the CA certificates of the Kubernetes API.
func Authorities(cluster talosconfig.ClusterConfig) [][]byte {
	var all [][]byte
	if ca := cluster.IssuingCA(); ca != nil {
		all = append(all, ca.Crt)
	}

	for _, ca := range cluster.AcceptedCAs() {
		all = append(all, ca.Crt)
	}

	return all
}

// Endpoint of the cluster as a base URL.
func (p *Peers) Endpoint() string {
	cfg := p.Node.Config()
	if cfg == nil || cfg.Cluster() == nil || cfg.Cluster().Endpoint() == nil {
		return ""
	}

	endpoint := cfg.Cluster().Endpoint()
	if endpoint.Port() == "" {
		endpoint = &url.URL{Scheme: endpoint.Scheme, Host: net.JoinHostPort(endpoint.Hostname(), "443")}
	}

	return "https://" + endpoint.Host
}

// Candidates are the cluster's endpoint and every other host that the routes reach at 6443.
func (p *Peers) Candidates() []string {
	var bases []string
	if endpoint := p.Endpoint(); endpoint != "" {
		bases = append(bases, endpoint)
	}

	for _, host := range p.Node.Settings.RoutedHosts("6443") {
		if base := p.URL(host); !p.Node.IsLocal(host) && base != p.Endpoint() {
			bases = append(bases, base)
		}
	}

	return bases
}

// URL of the Kubernetes API of a control plane.
func (p *Peers) URL(address string) string { return "https://" + net.JoinHostPort(address, "6443") }
