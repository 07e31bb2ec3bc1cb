package kube

import "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

// Objects lists all objects of a kind as this member's copy has them.
func (s *Server) Objects(kind string) []unstructured.Unstructured {
	if s.store() == nil {
		return nil
	}

	return s.all(kindNamed(kind), "")
}

// Condition of an object by its type: True, False, Unknown or nothing.
func Condition(o *unstructured.Unstructured, kind string) string { return conditionOf(o, kind) }

// InternalIP of a Node object.
func InternalIP(o *unstructured.Unstructured) string {
	text, _ := addressOf(o, "InternalIP").(string)

	return text
}
