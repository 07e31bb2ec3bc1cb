package kube

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// kubeletLabels are those of kubernetes.io and k8s.io that a kubelet may write on its own Node.
var kubeletLabels = []string{
	corev1.LabelHostname, corev1.LabelOSStable, corev1.LabelArchStable, "beta.kubernetes.io/os", "beta.kubernetes.io/arch",
	corev1.LabelTopologyZone, corev1.LabelTopologyRegion, corev1.LabelFailureDomainBetaZone, corev1.LabelFailureDomainBetaRegion,
	corev1.LabelInstanceType, corev1.LabelInstanceTypeStable,
}

// forbiddenChange is NodeRestriction's word on a kubelet's update of its own Node; the update is refused as a whole.
func forbiddenChange(old, next *object) error {
	if name := old.GetName(); !slices.Equal(taintsOf(old), taintsOf(next)) {
		return refusal(name, fmt.Errorf("node %q is not allowed to modify taints", name))
	}

	return forbiddenLabels(next, old)
}

// forbiddenLabels looks at labels that were added, changed or removed; old is nil for a new Node.
func forbiddenLabels(next, old *object) error {
	var before map[string]string
	if old != nil {
		before = old.GetLabels()
	}

	var bad []string

	all := maps.Clone(before)
	if all == nil {
		all = map[string]string{}
	}

	maps.Copy(all, next.GetLabels())

	for _, key := range slices.Sorted(maps.Keys(all)) {
		was, had := before[key]
		now, has := next.GetLabels()[key]

		if (had != has || was != now) && restrictedLabel(key) {
			bad = append(bad, key)
		}
	}

	switch {
	case len(bad) == 0:
		return nil
	case old == nil:
		return refusal(next.GetName(), fmt.Errorf("node %q is not allowed to set the following labels: %s", next.GetName(), strings.Join(bad, ", ")))
	default:
		return refusal(next.GetName(), fmt.Errorf("is not allowed to modify labels: %s", strings.Join(bad, ", ")))
	}
}

func refusal(name string, err error) error {
	return apierrors.NewForbidden(kindNamed("Node").resource(), name, err)
}

func restrictedLabel(key string) bool {
	namespace, _, ok := strings.Cut(key, "/")
	if !ok {
		return false
	}

	under := func(domain string) bool { return namespace == domain || strings.HasSuffix(namespace, "."+domain) }

	if under(corev1.LabelNamespaceNodeRestriction) {
		return true
	}

	return (under("kubernetes.io") || under("k8s.io")) && !slices.Contains(kubeletLabels, key) &&
		!under(corev1.LabelNamespaceSuffixKubelet) && !under(corev1.LabelNamespaceSuffixNode)
}
