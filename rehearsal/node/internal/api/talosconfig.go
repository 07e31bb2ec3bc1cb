package api

import (
	"context"
	"encoding/base64"
	"fmt"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	machineapi "github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/role"

	"talos-fleet/rehearsal/node/internal/pki"
)

// GenerateClientConfiguration makes a client certificate with the roles asked for.
func (s *Server) GenerateClientConfiguration(
	_ context.Context, in *machineapi.GenerateClientConfigurationRequest,
) (*machineapi.GenerateClientConfigurationResponse, error) {
	if err := s.controlPlaneOnly("client configuration"); err != nil {
		return nil, err
	}

	roles, unknown := role.Parse(in.Roles)
	if len(unknown) > 0 {
		return nil, status.Errorf(codes.InvalidArgument, "unknown roles: %v", unknown)
	}

	if len(roles.Strings()) != 1 {
		return nil, status.Error(codes.InvalidArgument, "the simulated node gives exactly one role")
	}

	life := 24 * time.Hour
	if in.CrtTtl != nil {
		life = in.CrtTtl.AsDuration()
	}

	cfg := s.Node.Config()

	pem, err := pki.ClientPEM(cfg.Machine().Security().IssuingCA(), pki.Client{Organization: roles.Strings()[0], Lifetime: life})
	if err != nil {
		return nil, err
	}

	ca := cfg.Machine().Security().IssuingCA().Crt
	name, encode := cfg.Cluster().Name(), base64.StdEncoding.EncodeToString
	text := fmt.Sprintf("context: %[1]s\ncontexts:\n    %[1]s:\n        endpoints: []\n        ca: %[2]s\n        crt: %[3]s\n        key: %[4]s\n",
		name, encode(ca), encode(pem.Crt), encode(pem.Key))

	return &machineapi.GenerateClientConfigurationResponse{Messages: []*machineapi.GenerateClientConfiguration{
		{Ca: ca, Crt: pem.Crt, Key: pem.Key, Talosconfig: []byte(text)},
	}}, nil
}
