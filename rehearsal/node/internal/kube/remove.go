package kube

import apierrors "k8s.io/apimachinery/pkg/api/errors"

func (s *Server) remove(t target) error {
	if _, ok := s.store().Delete(t.kind.key(t.namespace, t.name)); !ok {
		return apierrors.NewNotFound(t.kind.resource(), t.name)
	}

	if t.kind.Kind == "Namespace" {
		s.empty(t.name)
	}

	s.kick()

	return nil
}

func (s *Server) empty(namespace string) {
	for _, kind := range kinds {
		if !kind.Namespaced {
			continue
		}

		items, _ := s.store().List(kind.prefix(namespace))
		for _, item := range items {
			s.store().Delete(item.Key)
		}
	}
}
