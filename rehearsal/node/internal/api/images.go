package api

import (
	"context"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	machineapi "github.com/siderolabs/talos/pkg/machinery/api/machine"

	"talos-fleet/rehearsal/node/internal/settings"
)

// imageServer pretends that every image can be pulled at once, or none where no registry is in reach.
type imageServer struct {
	machineapi.UnimplementedImageServiceServer

	settings settings.Settings
}

// Pull answers with the name only.
func (i imageServer) Pull(in *machineapi.ImageServicePullRequest, out grpc.ServerStreamingServer[machineapi.ImageServicePullResponse]) error {
	if err := pull(i.settings, in.ImageRef); err != nil {
		return err
	}

	return out.Send(&machineapi.ImageServicePullResponse{
		Response: &machineapi.ImageServicePullResponse_Name{Name: in.ImageRef},
	})
}

// ImagePull is the older form of Pull.
func (s *Server) ImagePull(_ context.Context, in *machineapi.ImagePullRequest) (*machineapi.ImagePullResponse, error) {
	if err := pull(s.Node.Settings, in.Reference); err != nil {
		return nil, err
	}

	return &machineapi.ImagePullResponse{Messages: []*machineapi.ImagePull{{}}}, nil
}

func pull(s settings.Settings, image string) error {
	if !s.Knobs().NoRegistry {
		return nil
	}

	cause := fmt.Sprintf("failed to pull image %q: failed to resolve image: %s: not found", image, image)

	return status.Errorf(codes.NotFound, "error pulling image: %s", cause)
}
