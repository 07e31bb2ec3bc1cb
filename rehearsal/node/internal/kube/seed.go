package kube

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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

// staticPods shows the pods that control planes run from their own files.
func (p *pass) staticPods() {
	var wanted []string

	for _, report := range p.server.affiliates() {
		at := slices.IndexFunc(p.nodes, func(o object) bool { return o.GetName() == report.Name })
		if at < 0 {
			continue
		}

		for _, static := range report.StaticPods {
			name := static.Name + "-" + report.Name
			wanted = append(wanted, name)
			p.staticPod(name, static, &p.nodes[at])
		}
	}

	p.drop(func(pod *object) bool {
		_, mirror := pod.GetAnnotations()["kubernetes.io/config.mirror"]

		return mirror && !slices.Contains(wanted, pod.GetName()) && (p.nodeOf(pod) == nil || conditionOf(p.nodeOf(pod), "Ready") == "True")
	})
}

func (p *pass) staticPod(name string, static StaticPod, at *object) {
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(fmt.Sprint(static.Image, static.Command))))[:32]

	old := slices.IndexFunc(p.pods, func(pod object) bool { return pod.GetNamespace() == "kube-system" && pod.GetName() == name })
	if old >= 0 && p.pods[old].GetAnnotations()["kubernetes.io/config.hash"] == hash {
		return
	}

	p.drop(func(pod *object) bool { return pod.GetNamespace() == "kube-system" && pod.GetName() == name })

	var command []any
	for _, argument := range static.Command {
		command = append(command, argument)
	}

	yes := true
	pod := named("Pod", "kube-system", name)
	pod.SetLabels(map[string]string{"component": static.Name, "k8s-app": static.Name, "tier": "control-plane"})
	pod.SetAnnotations(map[string]string{
		"kubernetes.io/config.mirror": hash, "kubernetes.io/config.hash": hash, "kubernetes.io/config.source": "file",
	})
	pod.SetOwnerReferences([]metav1.OwnerReference{{
		APIVersion: "v1", Kind: "Node", Name: at.GetName(), UID: at.GetUID(), Controller: &yes,
	}})
	pod.Object["spec"] = map[string]any{
		"hostNetwork": true, "priorityClassName": "system-cluster-critical",
		"containers":  []any{map[string]any{"name": static.Name, "image": static.Image, "command": command}},
		"tolerations": []any{map[string]any{"operator": "Exists"}},
	}
	p.place(pod, at)

	if stored, err := p.server.add(kindNamed("Pod"), pod, false); err == nil {
		p.pods = append(p.pods, *stored)
	}
}
