package kube

import (
	"encoding/json"

	"talos-fleet/rehearsal/node/internal/etcd"
)

const seeded = Prefix + "seeded"

// seed makes, once, what a new cluster holds: namespaces and Talos's bootstrap manifests.
func (s *Server) seed() {
	cfg := s.Node.Config()
	if _, done := s.store().Get(seeded); done || cfg == nil {
		return
	}

	for _, name := range []string{"default", "kube-system", "kube-public", "kube-node-lease"} {
		_, _ = s.add(kindNamed("Namespace"), named("Namespace", "", name), false)
	}

	cluster := cfg.Cluster()

	if cluster.Proxy().Enabled() {
		s.plant(workload{"DaemonSet", "kube-proxy", cluster.Proxy().Image(), "kube-proxy", 0, true})
	}

	if cluster.Network().CNI().Name() == "flannel" {
		s.plant(workload{"DaemonSet", "kube-flannel", "ghcr.io/siderolabs/flannel:0.28.8", "flannel", 0, true})
	}

	if cluster.CoreDNS().Enabled() {
		s.plant(workload{"Deployment", "coredns", cluster.CoreDNS().Image(), "kube-dns", 2, false})
	}

	_, _ = s.store().Put(seeded, etcd.Anything, func(int64) (json.RawMessage, error) { return json.RawMessage("true"), nil })
}

func named(kind, namespace, name string) *object {
	o := &object{Object: map[string]any{}}
	o.SetGroupVersionKind(gvk(kindNamed(kind)))
	o.SetName(name)

	if namespace != "" {
		o.SetNamespace(namespace)
	}

	return o
}

type workload struct {
	kind, name, image, app string
	replicas               int64
	hostNetwork            bool
}

func (s *Server) plant(w workload) {
	labels := map[string]any{"k8s-app": w.app}
	spec := map[string]any{"containers": []any{map[string]any{"name": w.name, "image": w.image}}}

	if w.hostNetwork {
		spec["hostNetwork"] = true
		spec["tolerations"] = []any{map[string]any{"operator": "Exists"}}
	}

	o := named(w.kind, "kube-system", w.name)
	o.SetLabels(map[string]string{"k8s-app": w.app})
	o.Object["spec"] = map[string]any{
		"selector": map[string]any{"matchLabels": labels},
		"template": map[string]any{"metadata": map[string]any{"labels": map[string]any{"k8s-app": w.app}}, "spec": spec},
	}

	if w.replicas > 0 {
		o.Object["spec"].(map[string]any)["replicas"] = w.replicas //nolint:forcetypeassert
	}

	_, _ = s.add(kindNamed(w.kind), o, false)
}
