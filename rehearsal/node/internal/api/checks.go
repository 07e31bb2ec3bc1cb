package api

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/siderolabs/talos/pkg/machinery/api/cluster"

	"talos-fleet/rehearsal/node/internal/kube"
)

var errSkip = errors.New("skip")

type check struct {
	name string
	find func(v *healthView) error
}

// healthView is what the checks look at: the node's own copy of the cluster's state.
type healthView struct {
	server *Server
	given  *cluster.ClusterInfo
}

func (v *healthView) members(controlPlanes, workers bool) []string {
	if v.given != nil && len(v.given.ControlPlaneNodes)+len(v.given.WorkerNodes) > 0 {
		var all []string
		if controlPlanes {
			all = append(all, v.given.ControlPlaneNodes...)
		}

		if workers {
			all = append(all, v.given.WorkerNodes...)
		}

		return all
	}

	var all []string

	for _, member := range v.server.Members() {
		if (member.ControlPlane && controlPlanes) || (!member.ControlPlane && workers) {
			all = append(all, member.InternalIP)
		}
	}

	slices.Sort(all)

	return all
}

func (v *healthView) nodes() []string { return v.members(true, true) }

var checks = []check{
	{"etcd to be healthy", func(v *healthView) error {
		if !v.server.Etcd.Status().Healthy {
			return errors.New("etcd is not healthy on this node")
		}

		return nil
	}},
	{"etcd members to be consistent across nodes", func(v *healthView) error {
		for _, member := range v.server.Etcd.Status().Members {
			if member.Learner {
				return fmt.Errorf("etcd member %s is a learner", member.Name)
			}
		}

		return nil
	}},
	{"etcd members to be control plane nodes", func(v *healthView) error {
		var addresses []string
		for _, member := range v.server.Etcd.Status().Members {
			addresses = append(addresses, member.Address)
		}

		return same("etcd members", v.members(true, false), addresses)
	}},
	{"apid to be ready", ok}, {"all nodes memory sizes", ok}, {"all nodes disk sizes", ok}, {"no diagnostics", ok},
	{"kubelet to be healthy", func(v *healthView) error {
		if failure := v.server.KubeletFailure(); failure != "" {
			return fmt.Errorf(`service "kubelet" not in expected state "Running": current state [Waiting] %s`, failure)
		}

		return nil
	}},
	{"all nodes to finish boot sequence", ok},
	{"all k8s nodes to report", func(v *healthView) error {
		var addresses []string
		for _, o := range v.server.Objects("Node") {
			addresses = append(addresses, kube.InternalIP(&o))
		}

		return same("nodes", v.nodes(), addresses)
	}},
	{"all control plane static pods to be running", func(v *healthView) error { return v.controlPlanePods(false) }},
	{"all control plane components to be ready", func(v *healthView) error { return v.controlPlanePods(true) }},
	{"all k8s nodes to report ready", func(v *healthView) error {
		return each(v.server.Objects("Node"), "some nodes are not ready: %v", func(o *unstructured.Unstructured) bool {
			return kube.Condition(o, "Ready") == "True"
		})
	}},
	{"kube-proxy to report ready", func(v *healthView) error { return v.appReady("DaemonSet", "kube-proxy") }},
	{"coredns to report ready", func(v *healthView) error { return v.appReady("Deployment", "kube-dns") }},
	{"all k8s nodes to report schedulable", func(v *healthView) error {
		return each(v.server.Objects("Node"), "some nodes are not schedulable: %v", func(o *unstructured.Unstructured) bool {
			off, _, _ := unstructured.NestedBool(o.Object, "spec", "unschedulable")

			return !off
		})
	}},
}

func ok(*healthView) error { return nil }

func same(what string, expected, actual []string) error {
	slices.Sort(expected)
	slices.Sort(actual)

	if !slices.Equal(expected, actual) {
		return fmt.Errorf("%s: expected %q, got %q", what, expected, actual)
	}

	return nil
}

func each(objects []unstructured.Unstructured, message string, good func(*unstructured.Unstructured) bool) error {
	var bad []string

	for _, o := range objects {
		if !good(&o) {
			bad = append(bad, o.GetName())
		}
	}

	if len(bad) > 0 {
		return fmt.Errorf(message, bad)
	}

	return nil
}

func (v *healthView) pods(app string) []unstructured.Unstructured {
	return slices.DeleteFunc(v.server.Objects("Pod"), func(o unstructured.Unstructured) bool {
		return o.GetNamespace() != "kube-system" || o.GetLabels()["k8s-app"] != app
	})
}

func podsReady(pods []unstructured.Unstructured) error {
	return each(pods, "some pods are not ready: %v", func(o *unstructured.Unstructured) bool {
		return kube.Condition(o, "Ready") == "True"
	})
}

func (v *healthView) controlPlanePods(ready bool) error {
	for _, app := range []string{"kube-apiserver", "kube-controller-manager", "kube-scheduler"} {
		pods := v.pods(app)
		if wanted := len(v.members(true, false)); len(pods) != wanted {
			return fmt.Errorf("expected number of pods for %s to be %d, got %d", app, wanted, len(pods))
		}

		if ready {
			if err := podsReady(pods); err != nil {
				return err
			}
		}
	}

	return nil
}

func (v *healthView) appReady(kind, app string) error {
	present := slices.ContainsFunc(v.server.Objects(kind), func(o unstructured.Unstructured) bool {
		return o.GetLabels()["k8s-app"] == app
	})
	if !present {
		return errSkip
	}

	pods := v.pods(app)
	if len(pods) == 0 {
		return fmt.Errorf("no pods found for %s", app)
	}

	return podsReady(pods)
}
