package kube

import (
	"encoding/json"
	"testing"

	openapi "github.com/google/gnostic-models/openapiv2"
	"google.golang.org/protobuf/proto"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

func TestPaths(t *testing.T) {
	t.Parallel()

	for path, want := range map[string]struct{ kind, namespace, name, sub string }{
		"/api/v1/nodes":                                       {"Node", "", "", ""},
		"/api/v1/namespaces/kube-system":                      {"Namespace", "", "kube-system", ""},
		"/api/v1/namespaces/kube-system/pods/a/eviction":      {"Pod", "kube-system", "a", "eviction"},
		"/apis/apps/v1/namespaces/default/deployments/web":    {"Deployment", "default", "web", ""},
		"/apis/apps/v1/deployments":                           {"Deployment", "", "", ""},
		"/apis/rbac.authorization.k8s.io/v1/clusterroles/all": {"ClusterRole", "", "all", ""},
	} {
		got, ok := parsePath(path)
		if !ok || got.kind.Kind != want.kind || got.namespace != want.namespace || got.name != want.name || got.subresource != want.sub {
			t.Errorf("%s: %+v", path, got)
		}
	}

	for _, path := range []string{"/", "/api/v1/unknown", "/apis/none/v1/nodes", "/api/v1/nodes/a/b/c"} {
		if _, ok := parsePath(path); ok {
			t.Errorf("%s: taken", path)
		}
	}
}

func TestReportsLeaveOthersWorkAlone(t *testing.T) {
	t.Parallel()

	o := &object{Object: map[string]any{}}
	fillKubelet(o, Report{Name: "a"})
	applyNode(o, Report{Name: "a", Labels: map[string]string{"pool": "x", "old": "1"}, Taints: []Taint{{Key: "cp", Effect: "NoSchedule"}}})

	labels := o.GetLabels()
	labels["mine"] = "yes"
	o.SetLabels(labels)
	fillKubelet(o, Report{Name: "a"})
	applyNode(o, Report{Name: "a", Labels: map[string]string{"pool": "y", "mine": "no"}})

	labels = o.GetLabels()
	if _, still := labels["old"]; still || labels["pool"] != "y" || labels["mine"] != "yes" || labels["kubernetes.io/hostname"] != "a" {
		t.Errorf("labels: %v", labels)
	}

	if taints := taintsOf(o); len(taints) != 0 {
		t.Errorf("taints: %v", taints)
	}
}

func TestScheduling(t *testing.T) {
	t.Parallel()

	at := func(taints ...any) *object {
		o := &object{Object: map[string]any{"spec": map[string]any{"taints": taints}}}
		setConditions(o, "True", "", "")

		return o
	}
	taint := map[string]any{"key": "cp", "effect": "NoSchedule"}
	pod := func(tolerations ...any) *object {
		return &object{Object: map[string]any{"spec": map[string]any{"tolerations": tolerations}}}
	}

	for name, c := range map[string]struct {
		at, pod *object
		want    bool
	}{
		"free node":      {at(), pod(), true},
		"taint":          {at(taint), pod(), false},
		"tolerated":      {at(taint), pod(map[string]any{"key": "cp", "operator": "Exists"}), true},
		"tolerates all":  {at(taint), pod(map[string]any{"operator": "Exists"}), true},
		"other effect":   {at(taint), pod(map[string]any{"key": "cp", "operator": "Exists", "effect": "NoExecute"}), false},
		"node not ready": {&object{Object: map[string]any{}}, pod(), false},
		"cordoned node":  {cordoned(at()), pod(), false},
	} {
		if got := accepts(c.at, c.pod); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func cordoned(o *object) *object {
	o.Object["spec"].(map[string]any)["unschedulable"] = true //nolint:forcetypeassert

	return o
}

func TestProtobufBodies(t *testing.T) {
	t.Parallel()

	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	node.SetGroupVersionKind(gvk(kindNamed("Node")))

	var buffer writer
	if err := protobuf.NewSerializer(scheme, scheme).Encode(node, &buffer); err != nil {
		t.Fatal(err)
	}

	text, err := protobufToJSON(buffer)
	if err != nil {
		t.Fatal(err)
	}

	var got map[string]any
	if err = json.Unmarshal(text, &got); err != nil || got["kind"] != "Node" || got["metadata"].(map[string]any)["name"] != "a" { //nolint:forcetypeassert
		t.Errorf("%v %v", err, got)
	}
}

type writer []byte

func (w *writer) Write(p []byte) (int, error) {
	*w = append(*w, p...)

	return len(p), nil
}

func TestOpenAPIHasEachKind(t *testing.T) {
	t.Parallel()

	text, err := asProtobuf(document(0))
	if err != nil {
		t.Fatal(err)
	}

	var parsed openapi.Document
	if err = proto.Unmarshal(text, &parsed); err != nil {
		t.Fatal(err)
	}

	if got := len(parsed.Definitions.AdditionalProperties); got != len(kinds) {
		t.Errorf("%d definitions for %d kinds", got, len(kinds))
	}
}

func TestBudgetShares(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		value any
		want  int
	}{{int64(2), 2}, {"50%", 2}, {"34%", 2}, {"100%", 3}, {"0%", 0}} {
		budget := &object{Object: map[string]any{"spec": map[string]any{"minAvailable": c.value}}}
		if got, ok := share(budget, "minAvailable", 3); !ok || got != c.want {
			t.Errorf("%v of 3: %d", c.value, got)
		}
	}
}
