// Package api answers the Talos API of a node, as machined does.
package api

import (
	"context"
	"fmt"
	"strings"
	"sync"

	cosiv1alpha1 "github.com/cosi-project/runtime/api/v1alpha1"
	"github.com/cosi-project/runtime/pkg/resource"
	"github.com/cosi-project/runtime/pkg/resource/meta"
	"github.com/cosi-project/runtime/pkg/safe"
	"github.com/cosi-project/runtime/pkg/state"
	"github.com/cosi-project/runtime/pkg/state/protobuf/server"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/siderolabs/talos/pkg/machinery/api/cluster"
	machineapi "github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/api/storage"
	timeapi "github.com/siderolabs/talos/pkg/machinery/api/time"
	"github.com/siderolabs/talos/pkg/machinery/role"

	"talos-fleet/rehearsal/node/internal/authz"
	"talos-fleet/rehearsal/node/internal/etcd"
	"talos-fleet/rehearsal/node/internal/kube"
	"talos-fleet/rehearsal/node/internal/lines"
	"talos-fleet/rehearsal/node/internal/machine"
)

// Server holds what the methods speak about.
type Server struct {
	machineapi.UnimplementedMachineServiceServer

	Node *machine.Node
	Etcd *etcd.Etcd
	// Members of the cluster, and its Kubernetes objects of a kind, as this node knows them.
	Members func() []kube.Report
	Objects func(kind string) []unstructured.Unstructured
	// KubeletFailure is why the kubelet does not run; empty when it does.
	KubeletFailure func() string
	Log            *lines.Log
	// Done closes when the node stops.
	Done <-chan struct{}

	applying sync.Mutex
}

// Register adds all services to a gRPC server.
func (s *Server) Register(g *grpc.Server) {
	filtered := state.WrapCore(state.Filter(s.Node.Resources.State, access(s.Node.Resources.State)))

	machineapi.RegisterMachineServiceServer(g, s)
	machineapi.RegisterImageServiceServer(g, imageServer{settings: s.Node.Settings})
	machineapi.RegisterLifecycleServiceServer(g, &lifecycleServer{node: s.Node})
	storage.RegisterStorageServiceServer(g, &storageServer{node: s.Node})
	cluster.RegisterClusterServiceServer(g, &clusterServer{server: s})
	timeapi.RegisterTimeServiceServer(g, &timeServer{})
	cosiv1alpha1.RegisterStateServer(g, server.NewState(filtered))
}

// access lets everybody read known types; sensitive ones need the admin role.
func access(st state.State) state.FilteringRule {
	return func(ctx context.Context, wanted state.Access) error {
		if !wanted.Verb.Readonly() {
			return status.Error(codes.PermissionDenied, "write access is not allowed")
		}

		definition, err := safe.StateGet[*meta.ResourceDefinition](ctx, st, resource.NewMetadata(
			meta.NamespaceName, meta.ResourceDefinitionType, strings.ToLower(wanted.ResourceType), resource.VersionUndefined))
		if state.IsNotFoundError(err) {
			return status.Error(codes.PermissionDenied, fmt.Sprintf("resource type %q is not supported", wanted.ResourceType))
		}

		if err != nil {
			return err
		}

		if definition.TypedSpec().Sensitivity == meta.Sensitive && !authz.Roles(ctx).Includes(role.Admin) {
			return authz.ErrNotAuthorized
		}

		return nil
	}
}

func (s *Server) controlPlaneOnly(name string) error {
	cfg := s.Node.Config()

	switch {
	case cfg == nil || cfg.Machine() == nil:
		return status.Errorf(codes.Unimplemented, "machine type is not set, cannot use %s API", name)
	case !s.Node.ControlPlane():
		return status.Errorf(codes.Unimplemented, "%s is only available on control plane nodes", name)
	}

	return nil
}
