package trustd

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"time"

	"github.com/siderolabs/crypto/x509"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"

	"github.com/siderolabs/talos/pkg/machinery/api/security"

	"talos-fleet/rehearsal/node/internal/machine"
	"talos-fleet/rehearsal/node/internal/pki"
)

const port = "50001"

// Request gets this worker's server certificate from the first control plane that gives one.
func Request(ctx context.Context, node *machine.Node, names pki.Names) (tls.Certificate, error) {
	csr, identity, err := x509.NewEd25519CSRAndIdentity(
		x509.CommonName(node.Hostname()), x509.DNSNames(names.DNS), x509.IPAddresses(names.IPs))
	if err != nil {
		return tls.Certificate{}, err
	}

	failure := errors.New("no control plane is known")

	for _, host := range hosts(node) {
		signed, err := ask(ctx, node, host, csr.X509CertificateRequestPEM)
		if err == nil {
			return tls.X509KeyPair(signed, identity.Key)
		}

		failure = err
	}

	return tls.Certificate{}, failure
}

// hosts: that of the cluster's endpoint, then all that the routes reach at trustd's port.
func hosts(node *machine.Node) []string {
	var all []string
	if endpoint := node.Config().Cluster().Endpoint(); endpoint != nil {
		all = append(all, endpoint.Hostname())
	}

	for _, host := range node.Settings.RoutedHosts(port) {
		if len(all) == 0 || host != all[0] {
			all = append(all, host)
		}
	}

	return all
}

func ask(ctx context.Context, node *machine.Node, host string, csr []byte) ([]byte, error) {
	secrets := node.Config().Machine().Security()

	var authorities [][]byte
	if ca := secrets.IssuingCA(); ca != nil {
		authorities = append(authorities, ca.Crt)
	}

	for _, ca := range secrets.AcceptedCAs() {
		authorities = append(authorities, ca.Crt)
	}

	target := net.JoinHostPort(host, port)

	conn, err := grpc.NewClient("passthrough:///"+target,
		grpc.WithContextDialer(node.Settings.Dial),
		grpc.WithTransportCredentials(credentials.NewTLS(&tls.Config{
			MinVersion: tls.VersionTLS13, RootCAs: pki.Pool(authorities...), ServerName: host,
		})))
	if err != nil {
		return nil, err
	}

	defer conn.Close() //nolint:errcheck

	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()

	ctx = metadata.AppendToOutgoingContext(ctx, "token", secrets.Token())

	response, err := security.NewSecurityServiceClient(conn).Certificate(ctx, &security.CertificateRequest{Csr: csr})
	if err != nil {
		return nil, err
	}

	return response.Crt, nil
}
