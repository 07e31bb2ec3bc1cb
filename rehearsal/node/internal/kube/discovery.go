package kube

import (
	"net/http"
	"runtime"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"
)

func (s *Server) version() version.Info {
	tag := "v1.36.3"
	if cfg := s.Node.Config(); cfg != nil {
		tag = imageTag(cfg.Cluster().APIServer().Image(), tag)
	}

	parts := strings.SplitN(strings.TrimPrefix(tag, "v"), ".", 3)
	for len(parts) < 2 {
		parts = append(parts, "0")
	}

	return version.Info{
		Major: parts[0], Minor: parts[1], GitVersion: tag, GitCommit: "simulated", GitTreeState: "clean",
		BuildDate: "2026-01-01T00:00:00Z", GoVersion: runtime.Version(), Compiler: "gc", Platform: "linux/" + runtime.GOARCH,
	}
}

func imageTag(image, otherwise string) string {
	image, _, _ = strings.Cut(image, "@")
	if at := strings.LastIndex(image, ":"); at > strings.LastIndex(image, "/") {
		return image[at+1:]
	}

	return otherwise
}

// serveDiscovery answers the fixed documents that tell which kinds there are.
func (s *Server) serveDiscovery(w http.ResponseWriter, r *http.Request) bool {
	path := strings.TrimSuffix(r.URL.Path, "/")

	switch path {
	case "/api":
		writeJSON(w, http.StatusOK, metav1.APIVersions{
			TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"},
			ServerAddressByClientCIDRs: []metav1.ServerAddressByClientCIDR{
				{ClientCIDR: "0.0.0.0/0", ServerAddress: s.Node.NodeIP().String() + ":6443"},
			},
		})

		return true
	case "/apis":
		list := metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}}
		for _, name := range groups() {
			list.Groups = append(list.Groups, group(name))
		}

		writeJSON(w, http.StatusOK, list)

		return true
	}

	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")

	switch {
	case len(parts) == 2 && parts[0] == "api" && parts[1] == "v1":
		writeJSON(w, http.StatusOK, resources(""))
	case len(parts) == 2 && parts[0] == "apis" && slices.Contains(groups(), parts[1]):
		found := group(parts[1])
		found.TypeMeta = metav1.TypeMeta{Kind: "APIGroup", APIVersion: "v1"}
		writeJSON(w, http.StatusOK, found)
	case len(parts) == 3 && parts[0] == "apis" && slices.Contains(groups(), parts[1]) && parts[2] == "v1":
		writeJSON(w, http.StatusOK, resources(parts[1]))
	default:
		return false
	}

	return true
}

func groups() []string {
	var names []string

	for _, kind := range kinds {
		if kind.Group != "" && !slices.Contains(names, kind.Group) {
			names = append(names, kind.Group)
		}
	}

	return names
}

func group(name string) metav1.APIGroup {
	only := metav1.GroupVersionForDiscovery{GroupVersion: name + "/v1", Version: "v1"}

	return metav1.APIGroup{Name: name, Versions: []metav1.GroupVersionForDiscovery{only}, PreferredVersion: only}
}

var verbs = metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}

func resources(group string) metav1.APIResourceList {
	list := metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: "v1"}
	if group != "" {
		list.GroupVersion = group + "/v1"
	}

	for _, kind := range kinds {
		if kind.Group != group {
			continue
		}

		list.APIResources = append(list.APIResources, metav1.APIResource{
			Name: kind.Resource, SingularName: strings.ToLower(kind.Kind), Namespaced: kind.Namespaced, Kind: kind.Kind,
			Verbs: verbs, ShortNames: kind.Short,
		})

		if slices.Contains([]string{"nodes", "pods", "deployments", "daemonsets"}, kind.Resource) {
			list.APIResources = append(list.APIResources, metav1.APIResource{
				Name: kind.Resource + "/status", Namespaced: kind.Namespaced, Kind: kind.Kind, Verbs: metav1.Verbs{"get", "patch", "update"},
			})
		}

		if kind.Resource == "pods" {
			list.APIResources = append(list.APIResources, metav1.APIResource{
				Name: "pods/eviction", Namespaced: true, Group: "policy", Version: "v1", Kind: "Eviction", Verbs: metav1.Verbs{"create"},
			})
		}
	}

	return list
}
