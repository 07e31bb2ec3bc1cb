package run_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/siderolabs/talos/pkg/machinery/config/machine"
)

func TestBootstrapIsNotAvailableAtOnce(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.knobs(`{"*": {"bootstrapAfter": "1500ms"}}`)
	l.start(2)
	l.mustApply(2, l.config(machine.TypeControlPlane))

	began := time.Now()

	l.eventually("configured", func() error {
		_, err := l.do(l.request("kubeconfig", 2))

		return err
	})

	_, err := l.do(l.request("bootstrap", 2))
	wantCode(t, err, codes.FailedPrecondition, "bootstrap is not available yet")
	l.bootstrap(2)

	if took := time.Since(began); took < time.Second {
		t.Errorf("bootstrapped after %s", took)
	}
}

// restarts of the container of a static pod, and whether it runs.
func (k kubeAPI) restarts(name string) (count float64, runs bool) {
	_, answer := k.call(http.MethodGet, "/api/v1/namespaces/kube-system/pods/"+name, jsonType, nil)
	status, _ := answer["status"].(map[string]any)
	list, _ := status["containerStatuses"].([]any)

	if len(list) != 1 {
		return -1, false
	}

	container, _ := list[0].(map[string]any)
	count, _ = container["restartCount"].(float64)
	runs, _ = container["ready"].(bool)

	return count, runs
}

func TestStopCordonsAndRestartsSettle(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.knobs(`{"*": {"restartEvery": "400ms"}, "node-3": {"settle": "2s"}}`)
	l.start(2)
	l.start(3)
	l.mustApply(2, l.config(machine.TypeControlPlane))
	l.mustApply(3, l.config(machine.TypeWorker))
	l.bootstrap(2)

	var api kubeAPI

	l.eventually("API", func() error {
		if _, err := l.do(l.request("kubeconfig", 2)); err != nil {
			return err
		}

		api = l.api(2)

		return nil
	})

	l.eventually("a restart", func() error {
		if count, _ := api.restarts("kube-scheduler-node-2"); count < 1 || count > 2 {
			return fmt.Errorf("restarts: %v", count)
		}

		return nil
	})
	l.healthy([]int{2}, []int{3})

	for name, wanted := range map[string]float64{"kube-scheduler": 3, "kube-controller-manager": 3, "kube-apiserver": 0} {
		l.eventually("settled", func() error {
			if count, runs := api.restarts(name + "-node-2"); count != wanted || !runs {
				return fmt.Errorf("%s: %v restarts, running: %v", name, count, runs)
			}

			return nil
		})
	}

	l.until("ready", api, 3, ready)
	l.stops[3]()

	if n := api.node(3); n.spec["unschedulable"] != true || n.annotations["talos.dev/cordoned"] != "true" {
		t.Errorf("not cordoned: %+v", n)
	}

	l.until("lost", api, 3, func(n seenNode) bool { return n.ready == "Unknown" })
	l.start(3)
	l.until("started", api, 3, func(n seenNode) bool { return n.ready == "False" && n.spec["unschedulable"] == true })
	l.until("settled", api, 3, func(n seenNode) bool { return ready(n) && n.spec["unschedulable"] == nil })
}
