package run_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosi-project/runtime/pkg/safe"
	"google.golang.org/grpc/codes"

	machineapi "github.com/siderolabs/talos/pkg/machinery/api/machine"
	talosmachine "github.com/siderolabs/talos/pkg/machinery/config/machine"
	"github.com/siderolabs/talos/pkg/machinery/resources/cluster"
	"github.com/siderolabs/talos/pkg/machinery/resources/k8s"
)

// service as the Talos API tells it: state and the message of its last event.
func (l *lab) service(i int, id string) (state, message string) {
	ctx, c := l.talos(i)

	response, err := c.ServiceList(ctx)
	if err != nil {
		return "", ""
	}

	for _, info := range response.Messages[0].Services {
		if info.Id == id {
			return info.State, info.Events.Events[len(info.Events.Events)-1].Msg
		}
	}

	return "", ""
}

func (l *lab) staticPods(i int) int {
	ctx, c := l.talos(i)

	list, err := safe.StateListAll[*k8s.StaticPodStatus](ctx, c.COSI)
	if err != nil {
		return -1
	}

	return list.Len()
}

// anyone opens a connection to an API server without credentials.
func (l *lab) anyone(i int) error {
	open := http.Client{
		Timeout:   5 * time.Second,
		Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}, //nolint:gosec
	}

	response, err := open.Get("https://" + l.address(i) + ":6443/version") //nolint:noctx
	if err == nil {
		_ = response.Body.Close()
	}

	return err
}

func TestKubeletThatCannotStart(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.knobs(`{"*": {"kubeletError": "failed to find cgroup mounts"}}`)
	l.start(2)
	l.start(3)

	for _, i := range []int{2, 3} {
		l.mustApply(i, l.config(talosmachine.TypeControlPlane))
	}

	l.bootstrap(2)
	l.waitMembers(2, 2)

	if state, _ := l.service(2, "etcd"); state != "Running" {
		t.Errorf("etcd: %s", state)
	}

	state, message := l.service(2, "kubelet")
	if want := `task "kubelet" failed: exit code 1 (last log "failed to find cgroup mounts")`; state != "Waiting" || !strings.HasSuffix(message, want) {
		t.Errorf("kubelet: %s: %s", state, message)
	}

	if count := l.staticPods(2); count != 0 {
		t.Errorf("%d static pods", count)
	}

	// The connection is taken and dropped, as by an engine's published port.
	if err := l.anyone(2); !errors.Is(err, io.EOF) && !strings.Contains(fmt.Sprint(err), "connection reset") {
		t.Errorf("Kubernetes API: %v", err)
	}

	l.knobs(`{}`)
	l.eventually("API", func() error { return l.anyone(2) })
	l.eventually("static pods", func() error {
		if l.staticPods(2) != 3 {
			return errWaiting
		}

		return nil
	})
}

// found are the names that discovery gives a node.
func (l *lab) found(i int) []string {
	ctx, c := l.talos(i)

	list, err := safe.StateListAll[*cluster.Member](ctx, c.COSI)
	if err != nil {
		return nil
	}

	var names []string

	for member := range list.All() {
		names = append(names, member.TypedSpec().Hostname)
	}

	return slices.Sorted(slices.Values(names))
}

func TestMembersWithoutDiscovery(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.start(2)
	l.start(3)
	l.mustApply(2, l.config(talosmachine.TypeControlPlane))
	l.mustApply(3, strings.Replace(l.config(talosmachine.TypeWorker), "discovery:\n        enabled: true", "discovery:\n        enabled: false", 1))
	l.bootstrap(2)

	wait := func(i int, names ...string) {
		t.Helper()
		l.eventually("members", func() error {
			if found := l.found(i); !slices.Equal(found, names) {
				return fmt.Errorf("node-%d sees %q", i, found)
			}

			return nil
		})
	}
	wait(2, "node-2", "node-3")
	wait(3, "node-3")
	l.knobs(`{"node-2": {"noDiscovery": true}}`)
	wait(2, "node-2")
	l.knobs(`{}`)
	wait(2, "node-2", "node-3")
}

func TestContainersRefuse(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.knobs(`{"*": {"noRegistry": true}}`)
	l.start(2)
	l.mustApply(2, l.config(talosmachine.TypeControlPlane))
	l.eventually("configured", func() error {
		_, err := l.do(l.request("kubeconfig", 2))

		return err
	})

	ctx, c := l.talos(2)
	wantCode(t, c.Reboot(ctx), codes.FailedPrecondition, "method is not supported in container mode")
	wantCode(t, c.Shutdown(ctx), codes.FailedPrecondition, "method is not supported in container mode")

	wipe := func(labels ...string) error {
		request := &machineapi.ResetRequest{}
		for _, label := range labels {
			request.SystemPartitionsToWipe = append(request.SystemPartitionsToWipe, &machineapi.ResetPartitionSpec{Label: label, Wipe: true})
		}

		return c.ResetGeneric(ctx, request)
	}
	wantCode(t, wipe("STATE", "EPHEMERAL"), codes.Unknown, `failed to reset: volume "STATE" is not located`)

	// What talosctl upgrade does: the image first.
	image := "ghcr.io/siderolabs/installer:v1.13.10"
	wantCode(t, l.pull(ctx, c.ImageClient, image), codes.NotFound, `failed to pull image "`+image+`"`)
	l.knobs(`{}`)

	if err := l.pull(ctx, c.ImageClient, image); err != nil {
		t.Errorf("with a registry: %s", err)
	}

	stream, err := c.LifecycleClient.Upgrade(ctx, &machineapi.LifecycleServiceUpgradeRequest{})
	if err == nil {
		_, err = stream.Recv()
	}

	wantCode(t, err, codes.FailedPrecondition, "method is not supported in container mode")
}

func (l *lab) pull(ctx context.Context, images machineapi.ImageServiceClient, name string) error {
	stream, err := images.Pull(ctx, &machineapi.ImageServicePullRequest{ImageRef: name})
	if err == nil {
		_, err = stream.Recv()
	}

	return err
}

// What a node says of a change that needs a reboot holds its neighbours, in clear.
func TestRefusedChangeShowsTheLinesAround(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	plain := with(l.config(talosmachine.TypeControlPlane), "sysctls: {a.b: '1'}")
	l.start(2)
	l.mustApply(2, plain)
	l.eventually("configured", func() error {
		_, err := l.do(l.request("kubeconfig", 2))

		return err
	})

	_, err := l.apply(2, with(plain, "env: {https_proxy: 'http://user:secret@proxy:3128'}"), "no_reboot")
	wantCode(t, err, codes.InvalidArgument, "this config change can't be applied in immediate mode\ndiff:\n--- a\n+++ b\n@@ ")

	_, diff, _ := strings.Cut(fmt.Sprint(err), "@@ ")
	lines := strings.Split(strings.TrimRight(diff, "\n"), "\n")[1:]
	added := slices.Index(lines, "+        https_proxy: http://user:secret@proxy:3128")

	if len(lines) != 8 || added != 4 || lines[3] != "+    env:" || !strings.HasPrefix(lines[2], " ") || !strings.HasPrefix(lines[5], " ") {
		t.Errorf("diff:\n%s", strings.Join(lines, "\n"))
	}
}
