package proxy

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/siderolabs/grpc-proxy/proxy"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	"github.com/siderolabs/talos/pkg/machinery/constants"

	"talos-fleet/rehearsal/node/internal/authz"
)

// Dial opens a connection to a host:port.
type Dial func(ctx context.Context, target string) (net.Conn, error)

type backend struct {
	target string
	local  bool
	conn   *grpc.ClientConn
}

func (b *backend) String() string { return b.target }

// GetConnection passes the caller's roles on in the metadata.
func (b *backend) GetConnection(ctx context.Context, _ string) (context.Context, *grpc.ClientConn, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	md = md.Copy()
	authz.SetMetadata(md, authz.Roles(ctx))

	if !b.local {
		md.Set("proxyfrom", append(md[":authority"], "unknown")[0])
		delete(md, "nodes")
		delete(md, "node")
	}

	delete(md, ":authority")

	return metadata.NewOutgoingContext(ctx, md), b.conn, nil
}

func (b *backend) AppendInfo(streaming bool, resp []byte) ([]byte, error) {
	if b.local {
		return resp, nil
	}

	return appendHostname(b.target, streaming, resp)
}

func (b *backend) BuildError(streaming bool, err error) ([]byte, error) {
	if b.local {
		return nil, nil
	}

	return errorMessage(b.target, streaming, err)
}

func options(dial func(context.Context, string) (net.Conn, error), creds credentials.TransportCredentials) []grpc.DialOption {
	retry := backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.5, MaxDelay: time.Second}

	return []grpc.DialOption{
		grpc.WithTransportCredentials(creds),
		grpc.WithContextDialer(dial),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: retry, MinConnectTimeout: 5 * time.Second}),
		grpc.WithDefaultCallOptions(
			grpc.MaxCallRecvMsgSize(constants.GRPCMaxMessageSize), grpc.ForceCodecV2(proxy.Codec())),
	}
}

// Local is the backend that answers here, over a connection in memory.
func Local(dial func(context.Context, string) (net.Conn, error)) (proxy.Backend, error) {
	conn, err := grpc.NewClient("passthrough:///machined", options(dial, insecure.NewCredentials())...)

	return &backend{target: "machined", local: true, conn: conn}, err
}

const drained = time.Minute

// Pool keeps one connection to each other node.
type Pool struct {
	Dial Dial
	TLS  func() (*tls.Config, error)

	mu    sync.Mutex
	known map[string]*backend
}

// Get implements Remotes: a target is an address or name without a port.
func (p *Pool) Get(target string) (proxy.Backend, error) {
	if target == "" || hasPort(target) {
		return nil, fmt.Errorf("invalid target %q", target)
	}

	p.mu.Lock()
	defer p.mu.Unlock()

	if found, ok := p.known[target]; ok {
		return found, nil
	}

	config, err := p.TLS()
	if err != nil {
		return nil, err
	}

	config.ServerName = target
	address := net.JoinHostPort(target, fmt.Sprint(constants.ApidPort))

	conn, err := grpc.NewClient("passthrough:///"+address, options(p.Dial, credentials.NewTLS(config))...)
	if err != nil {
		return nil, err
	}

	if p.known == nil {
		p.known = map[string]*backend{}
	}

	p.known[target] = &backend{target: target, conn: conn}

	return p.known[target], nil
}

// Flush forgets all connections, after a change of certificates; calls under way may end.
func (p *Pool) Flush() {
	p.mu.Lock()
	defer p.mu.Unlock()

	for _, old := range p.known {
		time.AfterFunc(drained, func() { _ = old.conn.Close() })
	}

	p.known = nil
}

func hasPort(target string) bool {
	if net.ParseIP(target) != nil {
		return false
	}

	_, _, err := net.SplitHostPort(target)

	return err == nil || strings.HasPrefix(target, "[")
}
