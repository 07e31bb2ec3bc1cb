package kube

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"talos-fleet/rehearsal/node/internal/etcd"
)

func gvk(kind Kind) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: kind.Group, Version: kind.Version, Kind: kind.Kind}
}

// reconcile is one pass of all controllers over the store.
func (s *Server) reconcile() {
	s.seed()

	cluster := &pass{server: s, nodes: s.judgeNodes(), pods: s.all(kindNamed("Pod"), "")}
	cluster.sweep()
	cluster.staticPods()

	for _, o := range s.all(kindNamed("DaemonSet"), "") {
		cluster.daemonSet(&o)
	}

	for _, o := range s.all(kindNamed("Deployment"), "") {
		cluster.deployment(&o)
	}

	cluster.loosePods()
	cluster.readiness()
}

// pass is what one reconcile sees; its pods are those that exist now.
type pass struct {
	server      *Server
	nodes, pods []object
}

func (p *pass) nodeOf(pod *object) *object {
	name, _, _ := unstructured.NestedString(pod.Object, "spec", "nodeName")

	for i := range p.nodes {
		if p.nodes[i].GetName() == name {
			return &p.nodes[i]
		}
	}

	return nil
}

func assigned(pod *object) bool {
	name, _, _ := unstructured.NestedString(pod.Object, "spec", "nodeName")

	return name != ""
}

func (p *pass) drop(gone func(pod *object) bool) {
	p.pods = slices.DeleteFunc(p.pods, func(pod object) bool {
		if !gone(&pod) {
			return false
		}

		p.server.store().Delete(kindNamed("Pod").key(pod.GetNamespace(), pod.GetName()))

		return true
	})
}

// sweep removes pods whose node or owner no longer exists.
func (p *pass) sweep() {
	owners := map[string]bool{}

	for _, kind := range []string{"DaemonSet", "Deployment", "Node"} {
		for _, o := range p.server.all(kindNamed(kind), "") {
			owners[string(o.GetUID())] = true
		}
	}

	p.drop(func(pod *object) bool {
		for _, owner := range pod.GetOwnerReferences() {
			if !owners[string(owner.UID)] {
				return true
			}
		}

		return assigned(pod) && p.nodeOf(pod) == nil
	})
}

func (p *pass) ownedBy(o *object) []*object {
	var found []*object

	for i := range p.pods {
		for _, owner := range p.pods[i].GetOwnerReferences() {
			if owner.UID == o.GetUID() {
				found = append(found, &p.pods[i])
			}
		}
	}

	return found
}

func templateHash(o *object) string {
	template, _, _ := unstructured.NestedMap(o.Object, "spec", "template")
	text, _ := json.Marshal(template)

	return fmt.Sprintf("%x", sha256.Sum256(text))[:10]
}

// outdated removes the pods of an older template.
func (p *pass) outdated(o *object) {
	hash := templateHash(o)
	uid := o.GetUID()

	p.drop(func(pod *object) bool {
		for _, owner := range pod.GetOwnerReferences() {
			if owner.UID == uid {
				return pod.GetLabels()["pod-template-hash"] != hash
			}
		}

		return false
	})
}

func (p *pass) daemonSet(o *object) {
	p.outdated(o)

	have := map[string]bool{}

	for _, pod := range p.ownedBy(o) {
		if at := p.nodeOf(pod); at != nil {
			have[at.GetName()] = true
		}
	}

	wanted := 0

	for i := range p.nodes {
		if !selectorFits(o, &p.nodes[i]) {
			continue
		}

		wanted++

		if !have[p.nodes[i].GetName()] {
			p.startPod(o, &p.nodes[i])
		}
	}

	total, ready := p.countPods(o)
	p.server.setStatus(kindNamed("DaemonSet"), o, map[string]any{
		"desiredNumberScheduled": int64(wanted), "currentNumberScheduled": total, "numberReady": ready,
		"numberAvailable": ready, "updatedNumberScheduled": total, "numberMisscheduled": int64(0),
		"observedGeneration": o.GetGeneration(),
	})
}

func (p *pass) deployment(o *object) {
	p.outdated(o)

	wanted := number(o, "spec", "replicas")
	have := p.ownedBy(o)

	for len(have) > int(wanted) {
		last := have[len(have)-1]
		name := last.GetNamespace() + "/" + last.GetName()
		p.drop(func(pod *object) bool { return pod.GetNamespace()+"/"+pod.GetName() == name })

		have = p.ownedBy(o)
	}

	for range int(wanted) - len(have) {
		p.startPod(o, p.choose(o))
	}

	total, ready := p.countPods(o)
	available := "False"

	if ready == wanted {
		available = "True"
	}

	p.server.setStatus(kindNamed("Deployment"), o, map[string]any{
		"replicas": total, "updatedReplicas": total, "readyReplicas": ready, "availableReplicas": ready,
		"unavailableReplicas": max(wanted-ready, 0), "observedGeneration": o.GetGeneration(),
		"conditions": []any{
			map[string]any{"type": "Available", "status": available, "reason": "MinimumReplicas"},
			map[string]any{"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable"},
		},
	})
}

func (p *pass) countPods(o *object) (total, ready int64) {
	for _, pod := range p.ownedBy(o) {
		total++

		if conditionOf(pod, "Ready") == "True" {
			ready++
		}
	}

	return total, ready
}

func (s *Server) setStatus(kind Kind, o *object, status map[string]any) {
	item, ok := s.store().Get(kind.key(o.GetNamespace(), o.GetName()))
	if !ok {
		return
	}

	next := fromStored(item.Value)
	before, _ := json.Marshal(next.Object["status"])
	after, _ := json.Marshal(status)

	if string(before) == string(after) {
		return
	}

	next.Object["status"] = status
	_, _ = s.write(item.Key, etcd.Expect(item.Modified), next)
}
