package kube

import (
	"testing"
)

func nodeWith(labels map[string]string, taints ...Taint) *object {
	o := named("Node", "", "lab-worker-1")
	o.SetLabels(labels)
	setTaints(o, taints)

	return o
}

func TestNodeRestriction(t *testing.T) {
	t.Parallel()

	old := nodeWith(map[string]string{"pool": "a", "node-role.kubernetes.io/web": "", "kubernetes.io/hostname": "x"}, Taint{"a", "b", "NoSchedule"})
	prefix := `nodes "lab-worker-1" is forbidden: `

	for name, c := range map[string]struct {
		next *object
		want string
	}{
		"nothing":           {old.DeepCopy(), ""},
		"its own labels":    {with(old, "pool", "b"), ""},
		"labels of kubelet": {with(old, "node.kubernetes.io/gpu", "yes", "topology.kubernetes.io/zone", "fsn1", "x.kubelet.kubernetes.io/y", "1"), ""},
		"a taint": {
			nodeWith(old.GetLabels(), Taint{"a", "b", "NoSchedule"}, Taint{"c", "", "NoExecute"}),
			prefix + `node "lab-worker-1" is not allowed to modify taints`,
		},
		"a taint less": {nodeWith(old.GetLabels()), prefix + `node "lab-worker-1" is not allowed to modify taints`},
		"a role":       {with(old, "node-role.kubernetes.io/db", ""), prefix + "is not allowed to modify labels: node-role.kubernetes.io/db"},
		"two of k8s.io": {
			with(old, "k8s.io/b", "", "x.k8s.io/a", "", "node-restriction.kubernetes.io/c", ""),
			prefix + "is not allowed to modify labels: k8s.io/b, node-restriction.kubernetes.io/c, x.k8s.io/a",
		},
	} {
		got := ""
		if err := forbiddenChange(old, c.next); err != nil {
			got = err.Error()
		}

		if got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}

	removed := old.DeepCopy()
	removed.SetLabels(map[string]string{"pool": "a", "kubernetes.io/hostname": "x"})

	if err := forbiddenChange(old, removed); err == nil {
		t.Error("a role was removed")
	}

	want := prefix + `node "lab-worker-1" is not allowed to set the following labels: node-role.kubernetes.io/web`
	if err := forbiddenLabels(old, nil); err == nil || err.Error() != want {
		t.Errorf("registration: %v", err)
	}
}

func with(old *object, pairs ...string) *object {
	next := old.DeepCopy()
	labels := next.GetLabels()

	for i := 0; i < len(pairs); i += 2 {
		labels[pairs[i]] = pairs[i+1]
	}

	next.SetLabels(labels)

	return next
}

func TestTalosOwnsOnlyItsOwnTaintsAndCordon(t *testing.T) {
	t.Parallel()

	o := nodeWith(nil, Taint{"theirs", "1", "NoSchedule"}, Taint{"same", "", "NoExecute"})
	applyNode(o, Report{Cordon: true, Taints: []Taint{{"theirs", "2", "NoSchedule"}, {"same", "", "NoExecute"}, {"mine", "", "NoSchedule"}}})

	if got := taintsOf(o); len(got) != 3 || got[0].Value != "1" || o.GetAnnotations()["talos.dev/owned-taints"] != `["mine","same"]` {
		t.Errorf("taints: %v, owned: %v", got, o.GetAnnotations())
	}

	if o.Object["spec"].(map[string]any)["unschedulable"] != true || o.GetAnnotations()["talos.dev/cordoned"] != "true" { //nolint:forcetypeassert
		t.Errorf("not cordoned: %v", o.Object)
	}

	applyNode(o, Report{})

	if got := taintsOf(o); len(got) != 1 || got[0].Key != "theirs" || len(o.GetAnnotations()) != 0 {
		t.Errorf("taints: %v, annotations: %v", got, o.GetAnnotations())
	}

	cordoned(o)
	applyNode(o, Report{})

	if o.Object["spec"].(map[string]any)["unschedulable"] != true { //nolint:forcetypeassert
		t.Error("somebody else's cordon is gone")
	}
}
