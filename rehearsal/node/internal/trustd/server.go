// Package trustd signs the server certificates of workers, against the machine token.
package trustd

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	stdx509 "crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log"
	"net"

	"github.com/siderolabs/crypto/x509"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/siderolabs/talos/pkg/machinery/api/security"

	"talos-fleet/rehearsal/node/internal/machine"
)

type server struct {
	security.UnimplementedSecurityServiceServer

	node *machine.Node
}

// Serve answers on a listener until the context ends.
func Serve(ctx context.Context, listener net.Listener, node *machine.Node, certificate func() *tls.Certificate) error {
	s := &server{node: node}
	g := grpc.NewServer(
		grpc.Creds(credentials.NewTLS(&tls.Config{
			MinVersion:     tls.VersionTLS13,
			GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return certificate(), nil },
		})),
		grpc.UnaryInterceptor(s.authenticate),
	)
	security.RegisterSecurityServiceServer(g, s)

	stop := context.AfterFunc(ctx, g.Stop)
	defer stop()

	return g.Serve(listener)
}

func (s *server) authenticate(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	md, _ := metadata.FromIncomingContext(ctx)

	given := md.Get("token")
	if len(given) == 0 {
		return nil, status.Error(codes.Unauthenticated, "missing token")
	}

	got := sha256.Sum256([]byte(given[0]))
	want := sha256.Sum256([]byte(s.node.Config().Machine().Security().Token()))

	if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
		return nil, status.Error(codes.Unauthenticated, "invalid token")
	}

	return next(ctx, req)
}

// Certificate signs a request for a server certificate, never one for a client.
func (s *server) Certificate(_ context.Context, in *security.CertificateRequest) (*security.CertificateResponse, error) {
	block, _ := pem.Decode(in.Csr)
	if block == nil {
		return nil, status.Error(codes.InvalidArgument, "failed to decode CSR")
	}

	if _, err := stdx509.ParseCertificateRequest(block.Bytes); err != nil {
		return nil, status.Errorf(codes.InvalidArgument, "failed to parse CSR: %s", err)
	}

	secrets := s.node.Config().Machine().Security()

	signed, err := x509.NewCertificateFromCSRBytes(secrets.IssuingCA().Crt, secrets.IssuingCA().Key, in.Csr,
		x509.KeyUsage(stdx509.KeyUsageDigitalSignature),
		x509.ExtKeyUsage([]stdx509.ExtKeyUsage{stdx509.ExtKeyUsageServerAuth}),
		x509.OverrideSubject(func(subject *pkix.Name) { subject.Organization = nil }))
	if err != nil {
		return nil, status.Errorf(codes.Internal, "failed to sign CSR: %s", err)
	}

	accepted := [][]byte{secrets.IssuingCA().Crt}
	for _, ca := range secrets.AcceptedCAs() {
		accepted = append(accepted, ca.Crt)
	}

	log.Print("signed a worker's certificate")

	return &security.CertificateResponse{Ca: bytes.Join(accepted, nil), Crt: signed.X509CertificatePEM}, nil
}
