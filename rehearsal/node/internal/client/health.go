package client

import (
	"context"
	"errors"
	"io"
	"net/url"
	"slices"
	"time"

	"github.com/cosi-project/runtime/pkg/resource"
	"github.com/cosi-project/runtime/pkg/safe"

	"github.com/siderolabs/talos/pkg/machinery/api/cluster"
	machineapi "github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/client"
	"github.com/siderolabs/talos/pkg/machinery/resources/runtime"
)

// health makes each of the provider's checks once.
func health(ctx context.Context, c *client.Client, r Request) (any, error) {
	all := slices.Concat(r.ControlPlaneNodes, r.WorkerNodes)

	for _, check := range []func() error{
		func() error { return serviceHealthy(ctx, c, r.ControlPlaneNodes, "etcd") },
		func() error { return membersMatch(ctx, c, r.ControlPlaneNodes) },
		func() error {
			_, err := c.Version(client.WithNodes(ctx, all...))

			return err
		},
		func() error { return serviceHealthy(ctx, c, r.ControlPlaneNodes, "kubelet") },
		func() error { return booted(ctx, c, all) },
	} {
		if err := check(); err != nil {
			return nil, err
		}
	}

	if r.SkipKubernetesChecks {
		return map[string]any{"healthy": true}, nil
	}

	return map[string]any{"healthy": true}, kubernetes(ctx, c, r)
}

func serviceHealthy(ctx context.Context, c *client.Client, nodes []string, name string) error {
	answers, err := c.ServiceInfo(client.WithNodes(ctx, nodes...), name)
	if err != nil {
		return err
	}

	if len(answers) != len(nodes) {
		return unhealthy("%s: expected a response with %d node(s), got %d", name, len(nodes), len(answers))
	}

	for _, answer := range answers {
		if state := answer.Service.State; state != "Running" || !answer.Service.Health.GetHealthy() {
			return unhealthy("%s: service %q not in expected state %q: current state [%s]", answer.Metadata.GetHostname(), name, "Running", state)
		}
	}

	return nil
}

func membersMatch(ctx context.Context, c *client.Client, nodes []string) error {
	response, err := c.EtcdMemberList(ctx, &machineapi.EtcdMemberListRequest{})
	if err != nil {
		return err
	}

	var hosts []string

	for _, member := range response.GetMessages()[0].GetMembers() {
		for _, peer := range member.GetPeerUrls() {
			if address, parseErr := url.Parse(peer); parseErr == nil {
				hosts = append(hosts, address.Hostname())
			}
		}
	}

	for _, host := range hosts {
		if !slices.Contains(nodes, host) {
			return unhealthy("etcd member ips %q are not subset of control plane node ips %q", hosts, nodes)
		}
	}

	if len(hosts) < len(nodes) {
		return unhealthy("etcd members: expected %d, got %q", len(nodes), hosts)
	}

	return nil
}

func booted(ctx context.Context, c *client.Client, nodes []string) error {
	for _, node := range nodes {
		ctx := client.WithNode(ctx, node)

		state, err := safe.StateGetByID[*runtime.MachineStatus](ctx, c.COSI, resource.ID(runtime.MachineStatusID))
		if err != nil {
			return err
		}

		if stage := state.TypedSpec().Stage; stage != runtime.MachineStageRunning {
			return unhealthy("nodes are not running: %s: [%s]", stage, node)
		}

		problems, err := safe.StateListAll[*runtime.Diagnostic](ctx, c.COSI)
		if err != nil {
			return err
		}

		if problems.Len() > 0 {
			return unhealthy("active diagnostics on %s", node)
		}
	}

	return nil
}

// kubernetes lets the control plane look at the Kubernetes side, once.
func kubernetes(ctx context.Context, c *client.Client, r Request) error {
	stream, err := c.ClusterHealthCheck(ctx, 2*time.Second, &cluster.ClusterInfo{
		ControlPlaneNodes: r.ControlPlaneNodes, WorkerNodes: r.WorkerNodes,
	})
	if err != nil {
		return err
	}

	for {
		if _, err = stream.Recv(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
