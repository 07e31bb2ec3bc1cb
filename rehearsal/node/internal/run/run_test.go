package run_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/siderolabs/talos/pkg/machinery/config/machine"
)

func wantCode(t *testing.T, err error, code codes.Code, part string) {
	t.Helper()

	if status.Code(err) != code || !strings.Contains(err.Error(), part) {
		t.Errorf("want %s with %q, got %v", code, part, err)
	}
}

func TestMaintenanceMode(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.start(2)
	l.eventually("version", func() error {
		_, err := l.do(l.request("version", 2))

		return err
	})

	for _, op := range []string{"bootstrap", "kubeconfig"} {
		_, err := l.do(l.request(op, 2))
		wantCode(t, err, codes.PermissionDenied, "not authorized")
	}

	_, err := l.apply(2, "version: v1alpha1\nmachine:\n  type: controlplane", "auto")
	wantCode(t, err, codes.InvalidArgument, "1 error occurred:\n\t* v1alpha1.Config: 5 errors occurred:\n\t* cluster instructions are required\n"+
		"\t* feature HostDNS should be enabled in container mode (.machine.features.hostDNS.enabled)\n")

	_, err = l.apply(2, l.config(machine.TypeControlPlane), "staged")
	if err != nil {
		t.Fatal(err)
	}

	if _, err = l.do(l.request("version", 2)); err != nil {
		t.Errorf("staged must leave the node in maintenance mode: %s", err)
	}

	_, err = l.do(l.request("bootstrap", 2))
	wantCode(t, err, codes.PermissionDenied, "not authorized")
}

func TestClusterLife(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	controlPlane, worker := l.config(machine.TypeControlPlane), l.config(machine.TypeWorker)

	l.start(2)
	l.start(3)
	l.mustApply(2, controlPlane)
	l.mustApply(3, worker)

	info, err := os.Stat(filepath.Join(l.dir, "2", "state", "config.yaml"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("config.yaml: %v %v", info, err)
	}

	l.bootstrap(2)
	l.healthy([]int{2}, []int{3})

	_, err = l.do(l.request("bootstrap", 2))
	wantCode(t, err, codes.AlreadyExists, "etcd data directory is not empty")

	_, err = l.do(l.request("bootstrap", 3))
	wantCode(t, err, codes.Unimplemented, "bootstrap is only available on control plane nodes")

	l.forwarding()
	l.kubernetes()

	l.stops[2]()
	l.stops[3]()
	l.start(2)
	l.start(3)
	l.healthy([]int{2}, []int{3})
	l.kept()
}

func (l *lab) forwarding() {
	through := l.request("version", 2)
	through.Node = l.address(3)

	if _, err := l.do(through); err != nil {
		l.t.Errorf("a control plane passes calls on: %s", err)
	}

	through.Node += ":50000"
	_, err := l.do(through)
	wantCode(l.t, err, codes.Internal, "invalid target")

	through = l.request("version", 3)
	through.Node = l.address(2)
	_, err = l.do(through)
	wantCode(l.t, err, codes.PermissionDenied, "no request forwarding")
}

func TestApplyModes(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	plain := l.config(machine.TypeControlPlane)
	needsReboot := strings.Replace(plain, "\n    kubelet:", "\n    env:\n        A: b\n    kubelet:", 1)
	live := strings.Replace(plain, "\n    kubelet:", "\n    sysctls:\n        net.core.somaxconn: \"4242\"\n    kubelet:", 1)

	l.start(2)
	l.mustApply(2, plain)
	l.eventually("configured", func() error {
		_, err := l.do(l.request("version", 2))

		return err
	})

	_, err := l.apply(2, needsReboot, "no_reboot")
	wantCode(t, err, codes.InvalidArgument, "this config change can't be applied in immediate mode\ndiff:")

	for _, c := range []struct{ text, mode, details string }{
		{needsReboot, "reboot", "A: b"},
		{live, "no_reboot", "net.core.somaxconn"},
		{plain, "no_reboot", "No changes."},
	} {
		dry := l.request("apply", 2)
		dry.Config, dry.Mode, dry.DryRun = c.text, "auto", true

		got, err := l.do(dry)
		if err != nil {
			t.Fatal(err)
		}

		answer, _ := got.(map[string]any)
		if details, _ := answer["details"].(string); answer["mode"] != c.mode || !strings.Contains(details, c.details) {
			t.Errorf("dry run: %v", answer)
		}
	}

	if got, err := l.apply(2, live, "auto"); err != nil || got.(map[string]any)["mode"] != "no_reboot" { //nolint:forcetypeassert
		t.Errorf("apply: %v %v", got, err)
	}
}

func TestWorkerWithWrongTokenOrCA(t *testing.T) {
	t.Parallel()

	l, other := newLab(t), newLab(t)
	l.start(2)
	l.start(3)
	l.start(4)
	l.mustApply(2, l.config(machine.TypeControlPlane))

	good := l.config(machine.TypeWorker)
	token := l.input.Options.SecretsBundle.TrustdInfo.Token
	l.mustApply(3, strings.Replace(good, token, "aaaaaa.bbbbbbbbbbbbbbbb", 1))
	l.mustApply(4, strings.ReplaceAll(other.config(machine.TypeWorker), other.address(2), l.address(2)))

	time.Sleep(time.Second)

	for _, i := range []int{3, 4} {
		_, err := l.do(l.request("version", i))
		wantCode(t, err, codes.Unavailable, "connection refused")
	}

	stranger := l.request("version", 2)
	stranger.ClientConfiguration = other.access
	_, err := l.do(stranger)
	wantCode(t, err, codes.Unavailable, "certificate")
}
