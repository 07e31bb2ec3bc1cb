package api

import (
	"context"
	"errors"
	"fmt"

	"github.com/cosi-project/runtime/pkg/safe"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	machineapi "github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/resources/block"

	"talos-fleet/rehearsal/node/internal/etcd"
	"talos-fleet/rehearsal/node/internal/machine"
)

// Bootstrap founds etcd, once, on a control plane.
func (s *Server) Bootstrap(context.Context, *machineapi.BootstrapRequest) (*machineapi.BootstrapResponse, error) {
	if s.Node.Configured() < s.Node.Settings.Knobs().BootstrapAfter.Duration {
		return nil, status.Error(codes.FailedPrecondition, "bootstrap is not available yet")
	}

	if err := s.controlPlaneOnly("bootstrap"); err != nil {
		return nil, err
	}

	if err := s.Etcd.Bootstrap(); err != nil {
		if errors.Is(err, etcd.ErrNotEmpty) {
			return nil, status.Error(codes.AlreadyExists, err.Error())
		}

		return nil, err
	}

	return &machineapi.BootstrapResponse{Messages: []*machineapi.Bootstrap{{}}}, nil
}

func refuse(node *machine.Node) error {
	if node.Settings.InContainer() {
		return status.Error(codes.FailedPrecondition, "method is not supported in container mode")
	}

	return status.Error(codes.Unimplemented, "the simulated node does not do this yet")
}

// Reboot is refused in a container.
func (s *Server) Reboot(context.Context, *machineapi.RebootRequest) (*machineapi.RebootResponse, error) {
	return nil, refuse(s.Node)
}

// Shutdown is refused in a container.
func (s *Server) Shutdown(context.Context, *machineapi.ShutdownRequest) (*machineapi.ShutdownResponse, error) {
	return nil, refuse(s.Node)
}

// Rollback is refused in a container.
func (s *Server) Rollback(context.Context, *machineapi.RollbackRequest) (*machineapi.RollbackResponse, error) {
	return nil, refuse(s.Node)
}

// Upgrade is refused in a container.
func (s *Server) Upgrade(context.Context, *machineapi.UpgradeRequest) (*machineapi.UpgradeResponse, error) {
	return nil, refuse(s.Node)
}

// MetaWrite is refused in a container.
func (s *Server) MetaWrite(context.Context, *machineapi.MetaWriteRequest) (*machineapi.MetaWriteResponse, error) {
	return nil, refuse(s.Node)
}

// MetaDelete is refused in a container.
func (s *Server) MetaDelete(context.Context, *machineapi.MetaDeleteRequest) (*machineapi.MetaDeleteResponse, error) {
	return nil, refuse(s.Node)
}

// Reset looks for the volumes to wipe first; in a container they have no location.
func (s *Server) Reset(ctx context.Context, in *machineapi.ResetRequest) (*machineapi.ResetResponse, error) {
	for _, wanted := range in.GetSystemPartitionsToWipe() {
		volume, err := safe.ReaderGetByID[*block.VolumeStatus](ctx, s.Node.Resources.State, wanted.Label)
		if err != nil {
			return nil, fmt.Errorf("failed to get volume status with label %q: %w", wanted.Label, err)
		}

		if volume.TypedSpec().Location == "" {
			return nil, fmt.Errorf("failed to reset: volume %q is not located", wanted.Label)
		}
	}

	return nil, status.Error(codes.Unimplemented, "the simulated node does not do this yet")
}

type lifecycleServer struct {
	machineapi.UnimplementedLifecycleServiceServer

	node *machine.Node
}

func (s *lifecycleServer) Install(
	*machineapi.LifecycleServiceInstallRequest, grpc.ServerStreamingServer[machineapi.LifecycleServiceInstallResponse],
) error {
	return refuse(s.node)
}

func (s *lifecycleServer) Upgrade(
	*machineapi.LifecycleServiceUpgradeRequest, grpc.ServerStreamingServer[machineapi.LifecycleServiceUpgradeResponse],
) error {
	return refuse(s.node)
}
