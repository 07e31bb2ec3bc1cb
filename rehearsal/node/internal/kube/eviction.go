package kube

import (
	"fmt"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
)

// evict removes a pod unless a disruption budget forbids it now.
func (s *Server) evict(t target) error {
	pod, err := s.get(target{kind: t.kind, namespace: t.namespace, name: t.name})
	if err != nil {
		return err
	}

	for _, budget := range s.all(kindNamed("PodDisruptionBudget"), t.namespace) {
		if selects(&budget, pod) && s.allowed(&budget) < 1 {
			refusal := apierrors.NewTooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 0)
			refusal.ErrStatus.Details.Causes = []metav1.StatusCause{{
				Type: "DisruptionBudget", Message: fmt.Sprintf("The disruption budget %s needs more healthy pods", budget.GetName()),
			}}

			return refusal
		}
	}

	return s.remove(t)
}

func selects(budget, pod *object) bool {
	wanted, found, _ := unstructured.NestedStringMap(budget.Object, "spec", "selector", "matchLabels")

	return found && labels.SelectorFromSet(wanted).Matches(labels.Set(pod.GetLabels()))
}

// allowed counts the pods of a budget that may go now.
func (s *Server) allowed(budget *object) int {
	total, healthy := 0, 0

	for _, pod := range s.all(kindNamed("Pod"), budget.GetNamespace()) {
		if !selects(budget, &pod) {
			continue
		}

		total++

		if conditionOf(&pod, "Ready") == "True" {
			healthy++
		}
	}

	if least, ok := share(budget, "minAvailable", total); ok {
		return healthy - least
	}

	most, _ := share(budget, "maxUnavailable", total)

	return healthy - (total - most)
}

// share reads a number or a percentage, rounded up.
func share(budget *object, field string, total int) (int, bool) {
	value, found, _ := unstructured.NestedFieldNoCopy(budget.Object, "spec", field)
	if !found {
		return 0, false
	}

	text := fmt.Sprint(value)
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		number, _ := strconv.Atoi(percent)

		return (number*total + 99) / 100, true
	}

	number, _ := strconv.Atoi(text)

	return number, true
}
