package api

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/siderolabs/talos/pkg/machinery/api/cluster"
)

type clusterServer struct {
	cluster.UnimplementedClusterServiceServer

	server *Server
}

// HealthCheck walks through the checks of Talos and tells each as it passes.
func (c *clusterServer) HealthCheck(in *cluster.HealthCheckRequest, out grpc.ServerStreamingServer[cluster.HealthCheckProgress]) error {
	if err := c.server.controlPlaneOnly("cluster health check"); err != nil {
		return err
	}

	wait := in.WaitTimeout.AsDuration()
	if wait <= 0 {
		wait = 20 * time.Minute
	}

	ctx, cancel := context.WithTimeout(out.Context(), wait)
	defer cancel()

	say := func(text string) error { return out.Send(&cluster.HealthCheckProgress{Message: text}) }
	view := &healthView{server: c.server, given: in.GetClusterInfo()}

	if err := say(fmt.Sprintf("discovered nodes: %q", view.nodes())); err != nil {
		return err
	}

	for _, check := range checks {
		if err := await(ctx, check, view, say); err != nil {
			return err
		}
	}

	return nil
}

func await(ctx context.Context, check check, view *healthView, say func(string) error) error {
	if err := say("waiting for " + check.name + ": ..."); err != nil {
		return err
	}

	last := ""

	for {
		problem := check.find(view)

		switch {
		case errors.Is(problem, errSkip):
			return say("waiting for " + check.name + ": SKIP")
		case problem == nil:
			return say("waiting for " + check.name + ": OK")
		case problem.Error() != last:
			last = problem.Error()

			if err := say("waiting for " + check.name + ": " + last); err != nil {
				return err
			}
		}

		select {
		case <-ctx.Done():
			return status.Error(codes.DeadlineExceeded, check.name+": "+last)
		case <-time.After(250 * time.Millisecond):
		}
	}
}
