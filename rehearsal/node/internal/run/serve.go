package run

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/siderolabs/talos/pkg/machinery/config"

	"talos-fleet/rehearsal/node/internal/peers"
	"talos-fleet/rehearsal/node/internal/pki"
	"talos-fleet/rehearsal/node/internal/trustd"
)

// serveKubernetes listens while this control plane is a member of etcd, as the real API server does.
func (p *parts) serveKubernetes(ctx context.Context) error {
	if !p.untilConfigured(ctx) || !p.node.ControlPlane() || p.node.Settings.Kubernetes == "" {
		return nil
	}

	for ctx.Err() == nil {
		if p.etcd.Store() == nil {
			pause(ctx, 20*time.Millisecond)

			continue
		}

		if err := p.kubernetesOnce(ctx); err != nil {
			return err
		}
	}

	return nil
}

func (p *parts) kubernetesOnce(ctx context.Context) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", p.node.Settings.Kubernetes)
	if err != nil {
		return err
	}

	certificates := &serving{}
	server := &http.Server{
		Handler:           p.kube,
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          log.New(io.Discard, "", 0),
		TLSConfig: &tls.Config{
			MinVersion: tls.VersionTLS12,
			NextProtos: []string{"h2", "http/1.1"},
			GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
				// Without a kubelet there is no API server; etcd and discovery of the simulation still use this port.
				// An engine's published port takes the connection and drops it, so that is what the others see.
				if p.kubelet.Failure() != "" && !slices.Contains(hello.SupportedProtos, peers.Protocol) {
					_ = hello.Conn.Close()

					return nil, errNoAPIServer
				}

				return certificates.current(p)
			},
		},
	}

	done, finish := context.WithCancel(ctx)
	defer finish()

	go func() {
		for done.Err() == nil && p.etcd.Store() != nil {
			pause(done, 50*time.Millisecond)
		}

		_ = server.Close()
	}()

	log.Print("Kubernetes API: listening")

	if err = server.ServeTLS(listener, "", ""); errors.Is(err, http.ErrServerClosed) {
		return nil
	}

	return err
}

var errNoAPIServer = errors.New("no API server runs")

// serving makes the API server's TLS settings anew after each change of the config.
type serving struct {
	mu     sync.Mutex
	madeOf config.Provider
	config *tls.Config
}

func (s *serving) current(p *parts) (*tls.Config, error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	cfg := p.node.Config()
	if s.config != nil && s.madeOf == cfg {
		return s.config, nil
	}

	cluster := cfg.Cluster()
	texts := append([]string{
		"127.0.0.1", "localhost", p.node.Hostname(), cluster.Endpoint().Hostname(), "kubernetes", "kubernetes.default",
		"kubernetes.default.svc", "kubernetes.default.svc." + cluster.Network().DNSDomain(),
	}, cluster.CertSANs()...)

	certificate, err := pki.Server(cluster.IssuingCA(), pki.NamesOf(p.node.Settings.Addresses, texts...))
	if err != nil {
		return nil, err
	}

	s.madeOf = cfg
	s.config = &tls.Config{
		MinVersion:   tls.VersionTLS12,
		NextProtos:   []string{"h2", "http/1.1"},
		Certificates: []tls.Certificate{certificate},
		ClientAuth:   tls.VerifyClientCertIfGiven,
		ClientCAs:    pki.Pool(peers.Authorities(cluster)...),
	}

	return s.config, nil
}

func (p *parts) serveTrustd(ctx context.Context) error {
	if !p.untilConfigured(ctx) || !p.node.ControlPlane() || p.node.Settings.Trustd == "" {
		return nil
	}

	for ctx.Err() == nil && p.apid.Certificate() == nil {
		pause(ctx, 10*time.Millisecond)
	}

	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", p.node.Settings.Trustd)
	if err != nil {
		return err
	}

	return trustd.Serve(ctx, listener, p.node, p.apid.Certificate)
}

func pause(ctx context.Context, delay time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(delay):
	}
}
