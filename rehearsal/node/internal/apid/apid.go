// Package apid is the node's Talos API on the network: open in maintenance mode, mutual TLS afterwards.
package apid

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log"
	"net"
	"slices"
	"sync/atomic"
	"time"

	grpcproxy "github.com/siderolabs/grpc-proxy/proxy"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/test/bufconn"

	"github.com/siderolabs/talos/pkg/machinery/constants"

	"talos-fleet/rehearsal/node/internal/api"
	"talos-fleet/rehearsal/node/internal/authz"
	"talos-fleet/rehearsal/node/internal/machine"
	"talos-fleet/rehearsal/node/internal/pki"
	"talos-fleet/rehearsal/node/internal/proxy"
)

// Apid passes calls to the local services or to other nodes.
type Apid struct {
	Node  *machine.Node
	inner *bufconn.Listener
	local grpcproxy.Backend
	// certificate is that of configured mode.
	certificate atomic.Pointer[tls.Certificate]
	remotes     proxy.Pool
}

// New starts the inner server, which checks each call's roles.
func New(ctx context.Context, node *machine.Node, services *api.Server) (*Apid, error) {
	a := &Apid{Node: node, inner: bufconn.Listen(1 << 20)}

	server := grpc.NewServer(append(authz.Inject(authz.FromMetadata, true), grpc.MaxRecvMsgSize(constants.GRPCMaxMessageSize))...)
	services.Register(server)

	go func() { _ = server.Serve(a.inner) }()

	context.AfterFunc(ctx, server.Stop)

	var err error

	a.local, err = proxy.Local(func(ctx context.Context, _ string) (net.Conn, error) { return a.inner.DialContext(ctx) })
	a.remotes = proxy.Pool{Dial: node.Settings.Dial, TLS: a.clientTLS}

	return a, err
}

// Certificate that the node shows in configured mode.
func (a *Apid) Certificate() *tls.Certificate { return a.certificate.Load() }

// Run serves in maintenance mode until there is a config, then with mutual TLS.
func (a *Apid) Run(ctx context.Context) error {
	changed := a.Node.Changed()

	if a.Node.Config() == nil {
		if err := a.maintenance(ctx, changed); err != nil || ctx.Err() != nil {
			return err
		}
	}

	if !a.obtain(ctx) {
		return nil
	}

	go a.keepCertificate(ctx, changed)

	return a.configured(ctx)
}

func (a *Apid) maintenance(ctx context.Context, changed <-chan struct{}) error {
	certificate, err := pki.SelfSigned(pki.NamesOf(a.Node.Settings.Addresses, "127.0.0.1", a.Node.Settings.Name))
	if err != nil {
		return err
	}

	serving, stop := context.WithCancel(ctx)
	defer stop()

	go func() {
		defer stop()

		for serving.Err() == nil && a.Node.Config() == nil {
			select {
			case <-serving.Done():
			case <-changed:
			}
		}
	}()

	return a.serve(serving, authz.FixedReader, &proxy.Router{Local: a.local, Ignore: true}, &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{certificate},
	})
}

func (a *Apid) configured(ctx context.Context) error {
	router := &proxy.Router{Local: a.local, IsLocal: a.Node.IsLocal}
	if a.Node.ControlPlane() {
		router.Remotes = a.remotes.Get
	}

	log.Print("Talos API: configured mode")

	return a.serve(ctx, authz.FromCertificate, router, &tls.Config{
		MinVersion: tls.VersionTLS13,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			return &tls.Config{
				MinVersion:            tls.VersionTLS13,
				NextProtos:            []string{"h2"},
				Certificates:          []tls.Certificate{*a.certificate.Load()},
				ClientAuth:            tls.RequireAndVerifyClientCert,
				ClientCAs:             pki.Pool(a.authorities()...),
				VerifyPeerCertificate: clientOnly,
			}, nil
		},
	})
}

// serve listens until the context ends; answers that are under way get a moment.
func (a *Apid) serve(ctx context.Context, roles authz.Extract, router *proxy.Router, settings *tls.Config) error {
	listener, err := listen(ctx, a.Node.Settings.Talos)
	if err != nil {
		return err
	}

	options := authz.Inject(roles, false)
	options = append(options,
		grpc.Creds(credentials.NewTLS(settings)),
		grpc.ForceServerCodecV2(grpcproxy.Codec()),
		grpc.MaxRecvMsgSize(constants.GRPCMaxMessageSize),
		grpc.UnknownServiceHandler(grpcproxy.TransparentHandler(router.Direct, grpcproxy.WithStreamedDetector(proxy.Streamed))))

	server := grpc.NewServer(options...)
	stopped := make(chan struct{})

	context.AfterFunc(ctx, func() {
		defer close(stopped)

		hard := time.AfterFunc(150*time.Millisecond, server.Stop)
		defer hard.Stop()

		server.GracefulStop()
	})

	if err = server.Serve(listener); ctx.Err() == nil {
		return err
	}

	<-stopped

	return nil
}

// listen waits out the moment in which the port is still taken by the listener before.
func listen(ctx context.Context, address string) (net.Listener, error) {
	var (
		listener net.Listener
		err      error
	)

	for range 50 {
		if listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", address); err == nil || ctx.Err() != nil {
			return listener, err
		}

		time.Sleep(20 * time.Millisecond)
	}

	return nil, fmt.Errorf("cannot listen: %w", err)
}

func clientOnly(_ [][]byte, chains [][]*x509.Certificate) error {
	if len(chains) == 0 {
		return errors.New("no verified chains")
	}

	leaf := chains[0][0]
	if !slices.Equal(leaf.ExtKeyUsage, []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}) {
		return fmt.Errorf("certificate %q is missing the client auth extended key usage", leaf.Subject)
	}

	return nil
}
