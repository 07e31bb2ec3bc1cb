package run_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/siderolabs/talos/pkg/machinery/config/machine"
)

// with puts lines into the machine section of a config.
func with(config string, lines ...string) string {
	return strings.Replace(config, "\n    kubelet:", "\n    "+strings.Join(lines, "\n    ")+"\n    kubelet:", 1)
}

func registering(config, taint string) string {
	return strings.Replace(config, "\n    kubelet:\n", "\n    kubelet:\n        extraConfig:\n            registerWithTaints:\n                - "+taint+"\n", 1)
}

type seenNode struct {
	labels, annotations map[string]any
	spec                map[string]any
	ready               string
}

// node is the Node as the API shows it.
func (k kubeAPI) node(i int) seenNode {
	_, answer := k.call(http.MethodGet, fmt.Sprintf("/api/v1/nodes/node-%d", i), jsonType, nil)
	part := func(of map[string]any, key string) map[string]any {
		found, _ := of[key].(map[string]any)

		return found
	}
	metadata := part(answer, "metadata")
	seen := seenNode{labels: part(metadata, "labels"), annotations: part(metadata, "annotations"), spec: part(answer, "spec")}

	conditions, _ := part(answer, "status")["conditions"].([]any)
	for _, item := range conditions {
		if condition, _ := item.(map[string]any); condition["type"] == "Ready" {
			seen.ready, _ = condition["status"].(string)
		}
	}

	return seen
}

// until waits for something that a node's Node has.
func (l *lab) until(what string, api kubeAPI, i int, good func(seenNode) bool) seenNode {
	l.t.Helper()

	var seen seenNode

	l.eventually(what, func() error {
		if seen = api.node(i); !good(seen) {
			return fmt.Errorf("node-%d: %+v", i, seen)
		}

		return nil
	})

	return seen
}

func ready(n seenNode) bool { return n.ready == "True" }

func TestKubeletsMayNotTaintOrRename(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	worker := with(l.config(machine.TypeWorker), "nodeLabels: {pool: a}", "nodeAnnotations: {note: b}")

	for i, text := range map[int]string{
		2: strings.Replace(with(l.config(machine.TypeControlPlane), "nodeTaints: {dedicated: 'cp:NoSchedule'}"),
			"nodeLabels:\n", "nodeLabels:\n        node-role.kubernetes.io/web: ''\n", 1),
		3: with(worker, "nodeTaints: {dedicated: 'web:NoSchedule'}"),
		4: with(l.config(machine.TypeWorker), "nodeLabels: {pool: a, node-role.kubernetes.io/web: ''}"),
		5: registering(worker, "{key: dedicated, value: web, effect: NoSchedule}"),
	} {
		l.start(i)
		l.mustApply(i, text)
	}

	l.bootstrap(2)
	l.eventually("kubeconfig", func() error {
		_, err := l.do(l.request("kubeconfig", 2))

		return err
	})

	api := l.api(2)
	for i := range 4 {
		l.until("ready", api, i+2, ready)
	}

	// Control planes write as admin.
	l.until("labels of a control plane", api, 2, func(n seenNode) bool {
		taints, _ := n.spec["taints"].([]any)
		_, web := n.labels["node-role.kubernetes.io/web"]

		return len(taints) == 2 && web && strings.Contains(fmt.Sprint(taints), "dedicated")
	})

	right := l.until("labels of the worker that registers with its taint", api, 5, func(n seenNode) bool {
		return n.labels["pool"] == "a" && n.annotations["note"] == "b"
	})
	wanted := []any{map[string]any{"key": "dedicated", "value": "web", "effect": "NoSchedule"}}

	if !reflect.DeepEqual(right.spec["taints"], wanted) {
		t.Errorf("taints: %v", right.spec["taints"])
	}

	for i, why := range map[int]string{
		3: `nodes "node-3" is forbidden: node "node-3" is not allowed to modify taints`,
		4: `nodes "node-4" is forbidden: is not allowed to modify labels: node-role.kubernetes.io/web`,
	} {
		n := api.node(i)
		if _, pool := n.labels["pool"]; pool || n.annotations["note"] != nil || n.spec["taints"] != nil {
			t.Errorf("part of a refused update arrived: %+v", n)
		}

		quoted, _ := json.Marshal("1 error(s) occurred:\n\t" + why)
		line := `[talos] controller failed {"component": "controller-runtime", "controller": "k8s.NodeApplyController", "error": ` + string(quoted) + "}"

		if !strings.Contains(string(logged.Last(-1)), line) {
			t.Errorf("not in the log: %s", line)
		}
	}

	// What is registered stays; the labels come as soon as the update holds no taint.
	l.mustApply(5, registering(worker, "{key: other, effect: NoExecute}"))
	l.mustApply(3, worker)
	l.until("labels without taints", api, 3, func(n seenNode) bool { return n.labels["pool"] == "a" && n.annotations["note"] == "b" })

	if n := api.node(5); !reflect.DeepEqual(n.spec["taints"], wanted) {
		t.Errorf("taints of a registered node changed: %v", n.spec["taints"])
	}
}
