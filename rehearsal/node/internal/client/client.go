// Package client speaks to nodes as the Talos provider does: one JSON request in, one JSON answer out.
package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"google.golang.org/grpc/status"

	"github.com/siderolabs/talos/pkg/machinery/client"
)

// Request is one operation on one node.
type Request struct {
	Op                  string              `json:"op"`
	Endpoint            string              `json:"endpoint"`
	Endpoints           []string            `json:"endpoints"`
	Node                string              `json:"node"`
	ClientConfiguration ClientConfiguration `json:"clientConfiguration"`
	Config              string              `json:"config"`
	Mode                string              `json:"mode"`
	DryRun              bool                `json:"dryRun"`

	// For health.
	ControlPlaneNodes    []string `json:"controlPlaneNodes"`
	WorkerNodes          []string `json:"workerNodes"`
	SkipKubernetesChecks bool     `json:"skipKubernetesChecks"`
}

// ClientConfiguration is base64 of PEM, as the provider has it.
type ClientConfiguration struct {
	CACertificate     string `json:"caCertificate"`
	ClientCertificate string `json:"clientCertificate"`
	ClientKey         string `json:"clientKey"`
}

// Answer holds a result or an error.
type Answer struct {
	OK     bool   `json:"ok"`
	Result any    `json:"result,omitempty"`
	Error  *Fault `json:"error,omitempty"`
}

// Fault is a gRPC error: the name of its code and the whole text.
type Fault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Main answers one request; the exit code is 0 also when the node refused.
func Main(ctx context.Context, in io.Reader, out io.Writer) int {
	var request Request

	answer := Answer{OK: true}

	err := json.NewDecoder(in).Decode(&request)
	if err == nil {
		answer.Result, err = Do(ctx, request)
	}

	if err != nil {
		answer = Answer{Error: &Fault{Code: status.Code(err).String(), Message: err.Error()}}
	}

	if json.NewEncoder(out).Encode(answer) != nil {
		return 1
	}

	return 0
}

// Do runs one attempt; the caller retries.
func Do(ctx context.Context, request Request) (any, error) {
	operation, known := operations[request.Op]
	if !known {
		return nil, fmt.Errorf("op: %q: unknown; use apply, bootstrap, kubeconfig, disks, version or health", request.Op)
	}

	if request.Endpoint == "" {
		request.Endpoint = request.Node
	}

	if len(request.Endpoints) == 0 {
		request.Endpoints = []string{request.Endpoint}
	}

	if !mutualOnly[request.Op] {
		open, err := client.New(ctx, client.WithEndpoints(request.Endpoint),
			client.WithTLSConfig(&tls.Config{InsecureSkipVerify: true})) //nolint:gosec
		if err != nil {
			return nil, err
		}

		defer open.Close() //nolint:errcheck

		if _, err = open.Disks(client.WithNode(ctx, request.Node)); err == nil { //nolint:staticcheck
			return operation(client.WithNode(ctx, request.Node), open, request)
		}
	}

	settings, err := mutualTLS(request.ClientConfiguration)
	if err != nil {
		return nil, err
	}

	closed, err := client.New(ctx, client.WithEndpoints(request.Endpoints...), client.WithTLSConfig(settings))
	if err != nil {
		return nil, err
	}

	defer closed.Close() //nolint:errcheck

	if request.Node != "" {
		ctx = client.WithNode(ctx, request.Node)
	}

	return operation(ctx, closed, request)
}

func mutualTLS(c ClientConfiguration) (*tls.Config, error) {
	ca, err := base64.StdEncoding.DecodeString(c.CACertificate)
	if err != nil {
		return nil, fmt.Errorf("clientConfiguration.caCertificate: not base64: %w", err)
	}

	certificate, err := base64.StdEncoding.DecodeString(c.ClientCertificate)
	if err != nil {
		return nil, fmt.Errorf("clientConfiguration.clientCertificate: not base64: %w", err)
	}

	key, err := base64.StdEncoding.DecodeString(c.ClientKey)
	if err != nil {
		return nil, errors.New("clientConfiguration.clientKey: not base64")
	}

	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, err
	}

	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)

	return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: pool, Certificates: []tls.Certificate{pair}}, nil
}
