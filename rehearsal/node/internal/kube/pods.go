package kube

import (
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"talos-fleet/rehearsal/node/internal/etcd"
)

func (p *pass) podName(owner *object) string {
	if owner.GetKind() == "DaemonSet" {
		return owner.GetName() + "-" + suffix()
	}

	return owner.GetName() + "-" + templateHash(owner) + "-" + suffix()
}

// startPod makes a pod of a template on a node; without a node it waits for one.
func (p *pass) startPod(owner, at *object) {
	spec, _, _ := unstructured.NestedMap(owner.Object, "spec", "template", "spec")
	labels, _, _ := unstructured.NestedStringMap(owner.Object, "spec", "template", "metadata", "labels")
	annotations, _, _ := unstructured.NestedStringMap(owner.Object, "spec", "template", "metadata", "annotations")

	if labels == nil {
		labels = map[string]string{}
	}

	labels["pod-template-hash"] = templateHash(owner)
	yes := true
	pod := &object{Object: map[string]any{"spec": spec}}
	pod.SetGroupVersionKind(gvk(kindNamed("Pod")))
	pod.SetNamespace(owner.GetNamespace())
	pod.SetName(p.podName(owner))
	pod.SetLabels(labels)
	pod.SetAnnotations(annotations)
	pod.SetOwnerReferences([]metav1.OwnerReference{{
		APIVersion: owner.GetAPIVersion(), Kind: owner.GetKind(), Name: owner.GetName(), UID: owner.GetUID(), Controller: &yes,
	}})

	p.place(pod, at)

	if stored, err := p.server.add(kindNamed("Pod"), pod, false); err == nil {
		p.pods = append(p.pods, *stored)
	}
}

// place binds a pod to a node and starts it there.
func (p *pass) place(pod, at *object) {
	if at == nil {
		_ = unstructured.SetNestedField(pod.Object, "Pending", "status", "phase")

		return
	}

	_ = unstructured.SetNestedField(pod.Object, at.GetName(), "spec", "nodeName")
	p.setRunning(pod, at)
}

func (p *pass) setRunning(pod, at *object) {
	host := fmt.Sprint(addressOf(at, "InternalIP"))
	ip := host

	if shared, _, _ := unstructured.NestedBool(pod.Object, "spec", "hostNetwork"); !shared {
		podRange, _, _ := unstructured.NestedString(at.Object, "spec", "podCIDR")
		ip = p.freeAddress(podRange)
	}

	now := time.Now().UTC().Format(time.RFC3339)

	var containers []any

	list, _, _ := unstructured.NestedSlice(pod.Object, "spec", "containers")
	for _, item := range list {
		if container, ok := item.(map[string]any); ok {
			containers = append(containers, map[string]any{
				"name": container["name"], "image": container["image"], "imageID": container["image"], "ready": true,
				"started": true, "restartCount": int64(0), "state": map[string]any{"running": map[string]any{"startedAt": now}},
			})
		}
	}

	pod.Object["status"] = map[string]any{
		"phase": "Running", "hostIP": host, "podIP": ip, "startTime": now, "containerStatuses": containers,
		"podIPs":     []any{map[string]any{"ip": ip}},
		"conditions": conditions("True", now),
	}
}

// freeAddress finds an address of the node's range that no pod has.
func (p *pass) freeAddress(podRange string) string {
	taken := map[string]bool{}

	for i := range p.pods {
		ip, _, _ := unstructured.NestedString(p.pods[i].Object, "status", "podIP")
		taken[ip] = true
	}

	index := 0
	for index < 250 && taken[podAddress(podRange, index)] {
		index++
	}

	return podAddress(podRange, index)
}

func conditions(ready, now string) []any {
	condition := func(kind, status string) any {
		return map[string]any{"type": kind, "status": status, "lastTransitionTime": now}
	}

	return []any{
		condition("PodScheduled", "True"), condition("Initialized", "True"),
		condition("ContainersReady", ready), condition("Ready", ready),
	}
}

// choose finds the node with the fewest pods of an owner that takes one more.
func (p *pass) choose(owner *object) *object {
	load := map[string]int{}

	for _, pod := range p.ownedBy(owner) {
		if at := p.nodeOf(pod); at != nil {
			load[at.GetName()]++
		}
	}

	template, _, _ := unstructured.NestedMap(owner.Object, "spec", "template")

	return p.fit(&object{Object: template}, load)
}

func (p *pass) fit(pod *object, load map[string]int) *object {
	var best *object

	for i := range p.nodes {
		at := &p.nodes[i]
		if accepts(at, pod) && (best == nil || load[at.GetName()] < load[best.GetName()]) {
			best = at
		}
	}

	return best
}

// loosePods binds pods that wait for a node.
func (p *pass) loosePods() {
	for i := range p.pods {
		pod := &p.pods[i]
		if assigned(pod) {
			continue
		}

		load := map[string]int{}

		for _, owner := range pod.GetOwnerReferences() {
			for _, other := range p.ownedBy(&object{Object: map[string]any{"metadata": map[string]any{"uid": string(owner.UID)}}}) {
				if at := p.nodeOf(other); at != nil {
					load[at.GetName()]++
				}
			}
		}

		if at := p.fit(pod, load); at != nil {
			p.place(pod, at)
			p.save(pod)
		}
	}
}

// readiness follows the node's: pods of a lost node are not ready.
func (p *pass) readiness() {
	for i := range p.pods {
		pod := &p.pods[i]

		at := p.nodeOf(pod)
		if at == nil {
			continue
		}

		phase, _, _ := unstructured.NestedString(pod.Object, "status", "phase")
		ready := "True"

		if conditionOf(at, "Ready") != "True" || crashed(pod) {
			ready = "False"
		}

		switch {
		case phase != "Running":
			p.setRunning(pod, at)
		case conditionOf(pod, "Ready") == ready:
			continue
		default:
			_ = unstructured.SetNestedSlice(pod.Object, conditions(ready, time.Now().UTC().Format(time.RFC3339)), "status", "conditions")
		}

		p.save(pod)
	}
}

func (p *pass) save(pod *object) {
	item, ok := p.server.store().Get(kindNamed("Pod").key(pod.GetNamespace(), pod.GetName()))
	if !ok || fromStored(item.Value).GetUID() != pod.GetUID() {
		return
	}

	if stored, err := p.server.write(item.Key, etcd.Expect(item.Modified), pod); err == nil {
		*pod = *stored
	}
}

func suffix() string { return strings.ToLower(rand.Text())[:5] }
