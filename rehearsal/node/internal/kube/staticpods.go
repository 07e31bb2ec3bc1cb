package kube

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

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
		if setRestarts(&p.pods[old], static) {
			p.save(&p.pods[old])
		}

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
	setRestarts(pod, static)

	if stored, err := p.server.add(kindNamed("Pod"), pod, false); err == nil {
		p.pods = append(p.pods, *stored)
	}
}

// setRestarts shows how often the container ended; a count does not go back when its machine starts again.
func setRestarts(pod *object, static StaticPod) bool {
	list, _, _ := unstructured.NestedSlice(pod.Object, "status", "containerStatuses")
	if len(list) != 1 {
		return false
	}

	container, _ := list[0].(map[string]any)
	before := restartsOf(container)
	count := max(before, static.Restarts)

	if count == before && static.Waiting == waits(container) {
		return false
	}

	container["restartCount"], container["ready"] = count, !static.Waiting
	now := time.Now().UTC().Format(time.RFC3339)

	if static.Waiting {
		container["state"] = map[string]any{"waiting": map[string]any{"reason": "CrashLoopBackOff"}}
		container["lastState"] = map[string]any{"terminated": map[string]any{"exitCode": int64(1), "reason": "Error", "finishedAt": now}}
	} else {
		container["state"] = map[string]any{"running": map[string]any{"startedAt": now}}
	}

	_ = unstructured.SetNestedSlice(pod.Object, list, "status", "containerStatuses")

	return true
}

func restartsOf(container map[string]any) int64 {
	switch count := container["restartCount"].(type) {
	case int64:
		return count
	case float64:
		return int64(count)
	default:
		return 0
	}
}

func waits(container map[string]any) bool {
	_, waiting, _ := unstructured.NestedMap(container, "state", "waiting")

	return waiting
}

// crashed says that a container of the pod waits for its next start.
func crashed(pod *object) bool {
	list, _, _ := unstructured.NestedSlice(pod.Object, "status", "containerStatuses")

	return slices.ContainsFunc(list, func(item any) bool {
		container, _ := item.(map[string]any)

		return waits(container)
	})
}
