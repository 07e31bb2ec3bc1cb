// Package kube is a small Kubernetes API: an object store, the nodes, and a controller that keeps pods.
package kube

import "strings"

// Kind of object that the store holds.
type Kind struct {
	Group, Version, Resource, Kind string
	Namespaced                     bool
	Short                          []string
}

func (k Kind) apiVersion() string {
	if k.Group == "" {
		return k.Version
	}

	return k.Group + "/" + k.Version
}

var kinds = []Kind{
	{"", "v1", "namespaces", "Namespace", false, []string{"ns"}},
	{"", "v1", "nodes", "Node", false, []string{"no"}},
	{"", "v1", "persistentvolumes", "PersistentVolume", false, []string{"pv"}},
	{"", "v1", "configmaps", "ConfigMap", true, []string{"cm"}},
	{"", "v1", "secrets", "Secret", true, nil},
	{"", "v1", "pods", "Pod", true, []string{"po"}},
	{"", "v1", "services", "Service", true, []string{"svc"}},
	{"", "v1", "endpoints", "Endpoints", true, []string{"ep"}},
	{"", "v1", "serviceaccounts", "ServiceAccount", true, []string{"sa"}},
	{"", "v1", "events", "Event", true, []string{"ev"}},
	{"", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", true, []string{"pvc"}},
	{"", "v1", "replicationcontrollers", "ReplicationController", true, []string{"rc"}},
	{"apps", "v1", "deployments", "Deployment", true, []string{"deploy"}},
	{"apps", "v1", "daemonsets", "DaemonSet", true, []string{"ds"}},
	{"apps", "v1", "statefulsets", "StatefulSet", true, []string{"sts"}},
	{"apps", "v1", "replicasets", "ReplicaSet", true, []string{"rs"}},
	{"batch", "v1", "jobs", "Job", true, nil},
	{"batch", "v1", "cronjobs", "CronJob", true, []string{"cj"}},
	{"policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", true, []string{"pdb"}},
	{"coordination.k8s.io", "v1", "leases", "Lease", true, nil},
	{"rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", false, nil},
	{"rbac.authorization.k8s.io", "v1", "clusterrolebindings", "ClusterRoleBinding", false, nil},
	{"rbac.authorization.k8s.io", "v1", "roles", "Role", true, nil},
	{"rbac.authorization.k8s.io", "v1", "rolebindings", "RoleBinding", true, nil},
	{"storage.k8s.io", "v1", "storageclasses", "StorageClass", false, []string{"sc"}},
	{"storage.k8s.io", "v1", "csidrivers", "CSIDriver", false, nil},
}

func kindOf(group, version, resource string) (Kind, bool) {
	for _, kind := range kinds {
		if kind.Group == group && kind.Version == version && kind.Resource == resource {
			return kind, true
		}
	}

	return Kind{}, false
}

func kindNamed(name string) Kind {
	for _, kind := range kinds {
		if kind.Kind == name {
			return kind
		}
	}

	panic("no such kind: " + name)
}

const registry = "/registry/"

func (k Kind) prefix(namespace string) string {
	prefix := registry + k.Group + "/" + k.Resource + "/"
	if namespace != "" {
		prefix += namespace + "/"
	}

	return prefix
}

func (k Kind) key(namespace, name string) string {
	if !k.Namespaced {
		namespace = ""
	}

	return k.prefix(namespace) + name
}

// target is what the path of a request names.
type target struct {
	kind                         Kind
	namespace, name, subresource string
}

func parsePath(path string) (target, bool) {
	parts := strings.Split(strings.Trim(path, "/"), "/")

	var group, version string

	switch {
	case len(parts) > 2 && parts[0] == "api":
		version, parts = parts[1], parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		group, version, parts = parts[1], parts[2], parts[3:]
	default:
		return target{}, false
	}

	t := target{}

	if parts[0] == "namespaces" && len(parts) > 2 {
		if _, ok := kindOf(group, version, parts[2]); ok {
			t.namespace, parts = parts[1], parts[2:]
		}
	}

	kind, ok := kindOf(group, version, parts[0])
	t.kind = kind

	if len(parts) > 1 {
		t.name = parts[1]
	}

	if len(parts) > 2 {
		t.subresource = parts[2]
	}

	return t, ok && len(parts) < 4
}
