package api

import (
	"context"

	"google.golang.org/grpc"

	machineapi "github.com/siderolabs/talos/pkg/machinery/api/machine"
)

// imageServer pretends that every image can be pulled at once.
type imageServer struct {
	machineapi.UnimplementedImageServiceServer
}

// Pull answers with the name only.
func (imageServer) Pull(in *machineapi.ImageServicePullRequest, out grpc.ServerStreamingServer[machineapi.ImageServicePullResponse]) error {
	return out.Send(&machineapi.ImageServicePullResponse{
		Response: &machineapi.ImageServicePullResponse_Name{Name: in.ImageRef},
	})
}

// ImagePull is the older form of Pull.
func (s *Server) ImagePull(context.Context, *machineapi.ImagePullRequest) (*machineapi.ImagePullResponse, error) {
	return &machineapi.ImagePullResponse{Messages: []*machineapi.ImagePull{{}}}, nil
}
