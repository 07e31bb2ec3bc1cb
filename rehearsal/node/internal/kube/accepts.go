package kube

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// accepts says whether a node takes a pod: ready, schedulable, labels and taints fit.
func accepts(at, pod *object) bool {
	off, _, _ := unstructured.NestedBool(at.Object, "spec", "unschedulable")
	if off || conditionOf(at, "Ready") != "True" || !labelsFit(pod, at, "spec", "nodeSelector") {
		return false
	}

	taints, _, _ := unstructured.NestedSlice(at.Object, "spec", "taints")
	tolerations, _, _ := unstructured.NestedSlice(pod.Object, "spec", "tolerations")

	return !slices.ContainsFunc(taints, func(item any) bool {
		taint, _ := item.(map[string]any)

		return taint["effect"] != "PreferNoSchedule" && !tolerated(taint, tolerations)
	})
}

func tolerated(taint map[string]any, tolerations []any) bool {
	return slices.ContainsFunc(tolerations, func(item any) bool {
		t, _ := item.(map[string]any)
		exists := t["operator"] == "Exists"

		return (t["effect"] == nil || t["effect"] == "" || t["effect"] == taint["effect"]) &&
			(t["key"] == taint["key"] || (exists && (t["key"] == nil || t["key"] == ""))) &&
			(exists || fmt.Sprint(t["value"]) == fmt.Sprint(taint["value"]))
	})
}

func selectorFits(o, at *object) bool {
	return labelsFit(o, at, "spec", "template", "spec", "nodeSelector")
}

func labelsFit(o, at *object, path ...string) bool {
	wanted, _, _ := unstructured.NestedStringMap(o.Object, path...)
	for key, value := range wanted {
		if at.GetLabels()[key] != value {
			return false
		}
	}

	return true
}
