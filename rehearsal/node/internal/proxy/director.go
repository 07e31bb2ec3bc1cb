// Package proxy passes calls on to other nodes, as apid does on control planes, and refuses to on workers.
package proxy

import (
	"context"
	"slices"
	"strings"

	"github.com/siderolabs/grpc-proxy/proxy"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Remotes gives the backend of another node.
type Remotes func(target string) (proxy.Backend, error)

// Router decides where a call goes. Without Remotes the node forwards nothing; with Ignore the metadata is not read.
type Router struct {
	Local   proxy.Backend
	Remotes Remotes
	IsLocal func(target string) bool
	Ignore  bool
}

var fanOut = []string{
	"/machine.MachineService/", "/cluster.ClusterService/", "/inspect.InspectService/",
	"/storage.StorageService/", "/time.TimeService/",
}

var streamed = []string{
	"/machine.MachineService/Copy", "/machine.MachineService/DiskUsage", "/machine.MachineService/Dmesg",
	"/machine.MachineService/EtcdSnapshot", "/machine.MachineService/Events", "/machine.MachineService/ImageList",
	"/machine.MachineService/Kubeconfig", "/machine.MachineService/List", "/machine.MachineService/Logs",
	"/machine.MachineService/PacketCapture", "/machine.MachineService/Read", "/machine.LifecycleService/Install",
	"/machine.LifecycleService/Upgrade", "/cluster.ClusterService/HealthCheck",
}

// Streamed says whether a method streams its answer.
func Streamed(method string) bool {
	return strings.HasSuffix(method, "Stream") || slices.Contains(streamed, method)
}

// Direct implements the proxy's director.
func (r *Router) Direct(ctx context.Context, method string) (proxy.Mode, []proxy.Backend, error) {
	local := []proxy.Backend{r.Local}

	md, _ := metadata.FromIncomingContext(ctx)
	if _, proxied := md["proxyfrom"]; r.Ignore || proxied {
		return proxy.One2One, local, nil
	}

	nodes, node := md["nodes"], md["node"]

	if len(node) > 1 {
		return proxy.One2One, nil, status.Error(codes.InvalidArgument, "node metadata must be single-valued")
	}

	if r.Remotes == nil {
		if len(node) == 1 && r.IsLocal(node[0]) {
			node = nil
		}

		if len(nodes) == 1 && r.IsLocal(nodes[0]) {
			nodes = nil
		}

		if len(node) > 0 || len(nodes) > 0 {
			return proxy.One2One, nil, status.Error(codes.PermissionDenied, "no request forwarding")
		}
	}

	switch {
	case len(nodes) > 0:
		if !slices.ContainsFunc(fanOut, func(prefix string) bool { return strings.HasPrefix(method, prefix) }) {
			return proxy.One2One, nil, status.Errorf(codes.InvalidArgument,
				"one-2-many proxying is not supported for method %s", method)
		}

		return r.remote(proxy.One2Many, nodes)
	case len(node) > 0:
		return r.remote(proxy.One2One, node)
	default:
		return proxy.One2One, local, nil
	}
}

func (r *Router) remote(mode proxy.Mode, targets []string) (proxy.Mode, []proxy.Backend, error) {
	backends := make([]proxy.Backend, len(targets))

	for i, target := range targets {
		backend, err := r.Remotes(target)
		if err != nil {
			return mode, nil, status.Error(codes.Internal, err.Error())
		}

		backends[i] = backend
	}

	return mode, backends, nil
}
