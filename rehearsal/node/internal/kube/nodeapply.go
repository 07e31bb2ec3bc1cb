package kube

import (
	"encoding/json"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/siderolabs/talos/pkg/machinery/constants"
)

// applyNode is one sync of Talos's k8s.NodeApplyController: labels, annotations and taints that Talos owns, and the cordon.
func applyNode(o *object, report Report) {
	labels, annotations := o.GetLabels(), o.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}

	if labels == nil {
		labels = map[string]string{}
	}

	ownedLabels, ownedAnnotations := owned(annotations, constants.AnnotationOwnedLabels), owned(annotations, constants.AnnotationOwnedAnnotations)
	ownedTaints := owned(annotations, constants.AnnotationOwnedTaints)

	applyValues(labels, ownedLabels, report.Labels)
	applyValues(annotations, ownedAnnotations, report.Annotations)
	setTaints(o, applyTaints(taintsOf(o), ownedTaints, report.Taints))
	applyCordon(o, annotations, report.Cordon)

	own(annotations, constants.AnnotationOwnedLabels, ownedLabels)
	own(annotations, constants.AnnotationOwnedAnnotations, ownedAnnotations)
	own(annotations, constants.AnnotationOwnedTaints, ownedTaints)
	o.SetLabels(labels)
	o.SetAnnotations(annotations)
}

type names map[string]bool

func owned(annotations map[string]string, key string) names {
	var list []string

	_ = json.Unmarshal([]byte(annotations[key]), &list)

	set := names{}
	for _, name := range list {
		set[name] = true
	}

	return set
}

func own(annotations map[string]string, key string, set names) {
	if len(set) == 0 {
		delete(annotations, key)

		return
	}

	text, _ := json.Marshal(slices.Sorted(maps.Keys(set)))
	annotations[key] = string(text)
}

// applyValues takes over what is not there or has the wanted value already; a value of others stays.
func applyValues(present map[string]string, owned names, wanted map[string]string) {
	for key, value := range wanted {
		current, exists := present[key]

		switch {
		case !exists, current == value:
			present[key] = value
			owned[key] = true
		case owned[key]:
			present[key] = value
		}
	}

	for key := range owned {
		if _, keep := wanted[key]; !keep {
			delete(present, key)
			delete(owned, key)
		}
	}
}

func applyTaints(present []Taint, owned names, wanted []Taint) []Taint {
	for _, taint := range wanted {
		at := slices.IndexFunc(present, func(t Taint) bool { return t.Key == taint.Key })

		switch {
		case at < 0:
			present = append(present, taint)
			owned[taint.Key] = true
		case owned[taint.Key]:
			present[at] = taint
		case present[at] == taint:
			owned[taint.Key] = true
		}
	}

	return slices.DeleteFunc(present, func(t Taint) bool {
		if !owned[t.Key] || slices.ContainsFunc(wanted, func(w Taint) bool { return w.Key == t.Key }) {
			return false
		}

		delete(owned, t.Key)

		return true
	})
}

// applyCordon undoes only a cordon of Talos.
func applyCordon(o *object, annotations map[string]string, wanted bool) {
	off, _, _ := unstructured.NestedBool(o.Object, "spec", "unschedulable")

	switch _, ours := annotations[constants.AnnotationCordonedKey]; {
	case wanted && !off:
		_ = unstructured.SetNestedField(o.Object, true, "spec", "unschedulable")
		annotations[constants.AnnotationCordonedKey] = constants.AnnotationCordonedValue
	case !wanted && off && ours:
		unstructured.RemoveNestedField(o.Object, "spec", "unschedulable")
		delete(annotations, constants.AnnotationCordonedKey)
	}
}

func taintsOf(o *object) []Taint {
	items, _, _ := unstructured.NestedSlice(o.Object, "spec", "taints")

	var taints []Taint

	for _, item := range items {
		entry, _ := item.(map[string]any)
		text := func(key string) string {
			value, _ := entry[key].(string)

			return value
		}
		taints = append(taints, Taint{Key: text("key"), Value: text("value"), Effect: text("effect")})
	}

	return taints
}

func setTaints(o *object, taints []Taint) {
	var items []any

	for _, taint := range taints {
		entry := map[string]any{"key": taint.Key, "effect": taint.Effect}
		if taint.Value != "" {
			entry["value"] = taint.Value
		}

		items = append(items, entry)
	}

	if len(items) == 0 {
		unstructured.RemoveNestedField(o.Object, "spec", "taints")

		return
	}

	_ = unstructured.SetNestedSlice(o.Object, items, "spec", "taints")
}
