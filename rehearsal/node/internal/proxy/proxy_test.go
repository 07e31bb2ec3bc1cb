package proxy

import (
	"context"
	"errors"
	"testing"

	"github.com/siderolabs/grpc-proxy/proxy"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/proto"
)

const method = "/machine.MachineService/Version"

func route(r *Router, method string, pairs ...string) (proxy.Mode, []proxy.Backend, error) {
	return r.Direct(metadata.NewIncomingContext(context.Background(), metadata.Pairs(pairs...)), method)
}

func TestRouting(t *testing.T) {
	t.Parallel()

	pool := &Pool{}
	local := &backend{target: "machined", local: true}
	remotes := func(target string) (proxy.Backend, error) {
		if hasPort(target) {
			return pool.Get(target)
		}

		return &backend{target: target}, nil
	}
	isLocal := func(target string) bool { return target == "10.5.0.3" || target == "node" }
	controlPlane, worker := &Router{Local: local, Remotes: remotes, IsLocal: isLocal}, &Router{Local: local, IsLocal: isLocal}

	for name, c := range map[string]struct {
		router *Router
		method string
		pairs  []string
		code   codes.Code
		first  string
		mode   proxy.Mode
	}{
		"no metadata":             {controlPlane, method, nil, codes.OK, "machined", proxy.One2One},
		"maintenance ignores it":  {&Router{Local: local, Ignore: true}, method, []string{"node", "x:1"}, codes.OK, "machined", proxy.One2One},
		"already passed on":       {controlPlane, method, []string{"proxyfrom", "a", "node", "10.5.0.4"}, codes.OK, "machined", proxy.One2One},
		"node":                    {controlPlane, method, []string{"node", "10.5.0.4"}, codes.OK, "10.5.0.4", proxy.One2One},
		"nodes":                   {controlPlane, method, []string{"nodes", "a", "nodes", "b"}, codes.OK, "a", proxy.One2Many},
		"nodes for one-to-one":    {controlPlane, "/cosi.resource.State/List", []string{"nodes", "a"}, codes.InvalidArgument, "", proxy.One2One},
		"port":                    {controlPlane, method, []string{"node", "10.5.0.4:50000"}, codes.Internal, "", proxy.One2One},
		"two values":              {controlPlane, method, []string{"node", "a", "node", "b"}, codes.InvalidArgument, "", proxy.One2One},
		"worker, itself":          {worker, method, []string{"node", "10.5.0.3"}, codes.OK, "machined", proxy.One2One},
		"worker, itself by name":  {worker, method, []string{"nodes", "node"}, codes.OK, "machined", proxy.One2One},
		"worker, another":         {worker, method, []string{"node", "10.5.0.4"}, codes.PermissionDenied, "", proxy.One2One},
		"worker, itself and more": {worker, method, []string{"nodes", "node", "nodes", "b"}, codes.PermissionDenied, "", proxy.One2One},
	} {
		mode, backends, err := route(c.router, c.method, c.pairs...)
		if status.Code(err) != c.code {
			t.Errorf("%s: %v", name, err)

			continue
		}

		if err == nil && (mode != c.mode || backends[0].String() != c.first) {
			t.Errorf("%s: %v %v", name, mode, backends)
		}
	}
}

func TestMessagesSayWhichNode(t *testing.T) {
	t.Parallel()

	plain, err := proto.Marshal(&machine.HostnameResponse{Messages: []*machine.Hostname{{Hostname: "a"}}})
	if err != nil {
		t.Fatal(err)
	}

	filled, err := appendHostname("10.5.0.4", false, plain)
	if err != nil {
		t.Fatal(err)
	}

	failed, err := errorMessage("10.5.0.5", false, errors.New("down"))
	if err != nil {
		t.Fatal(err)
	}

	// Answers of several nodes are joined as bytes.
	var all machine.HostnameResponse
	if err = proto.Unmarshal(append(filled, failed...), &all); err != nil {
		t.Fatal(err)
	}

	good, bad := all.Messages[0], all.Messages[1]
	if good.Hostname != "a" || good.Metadata.Hostname != "10.5.0.4" || bad.Metadata.Hostname != "10.5.0.5" || bad.Metadata.Error != "down" {
		t.Errorf("%v", &all)
	}
}
