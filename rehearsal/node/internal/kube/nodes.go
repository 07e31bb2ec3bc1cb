package kube

import (
	"maps"
	"runtime"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"talos-fleet/rehearsal/node/internal/etcd"
)

// observe keeps the Node object of a report: what the kubelet writes, then what Talos's k8s.NodeApplyController does.
// A worker writes with its kubelet's credentials, a control plane as admin. Refused says what the API let nobody have.
func (s *Server) observe(report Report, asKubelet bool) (refused, err error) {
	kind := kindNamed("Node")

	item, exists := s.store().Get(kind.key("", report.Name))
	if !exists {
		if !report.Register {
			return nil, nil
		}

		if refused, err = s.register(report); refused != nil || err != nil {
			return refused, err
		}

		item, _ = s.store().Get(kind.key("", report.Name))
	}

	t := target{kind: kind, name: report.Name}

	next := fromStored(item.Value)
	fillKubelet(next, report)

	if _, err = s.update(t, item, next, false); err != nil || report.Settling {
		return nil, err
	}

	item, exists = s.store().Get(kind.key("", report.Name))
	if !exists {
		return nil, nil
	}

	next = fromStored(item.Value)
	applyNode(next, report)

	if asKubelet {
		if refused = forbiddenChange(fromStored(item.Value), next); refused != nil {
			return refused, nil
		}
	}

	_, err = s.update(t, item, next, false)

	return nil, err
}

// register makes the Node as a kubelet does, on every node with the kubelet's credentials.
func (s *Server) register(report Report) (refused, err error) {
	kind := kindNamed("Node")
	made := &object{Object: map[string]any{"spec": map[string]any{"podCIDR": s.freePodRange()}}}
	made.SetGroupVersionKind(gvk(kind))
	made.SetName(report.Name)
	fillKubelet(made, report)
	setTaints(made, report.RegisterTaints)
	setConditions(made, "False", "KubeletNotReady", "container runtime network not ready")

	if refused = forbiddenLabels(made, nil); refused != nil {
		return refused, nil
	}

	_, err = s.add(kind, made, false)

	return nil, err
}

// fillKubelet writes what the kubelet says of itself and leaves alone what others wrote.
func fillKubelet(o *object, report Report) {
	labels := o.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}

	maps.Copy(labels, map[string]string{
		"kubernetes.io/hostname": report.Name, "kubernetes.io/os": "linux", "kubernetes.io/arch": runtime.GOARCH,
		"beta.kubernetes.io/os": "linux", "beta.kubernetes.io/arch": runtime.GOARCH,
	})
	o.SetLabels(labels)

	if report.ProviderID != "" {
		_ = unstructured.SetNestedField(o.Object, report.ProviderID, "spec", "providerID")
	}

	fillStatus(o, report)
}

func fillStatus(o *object, report Report) {
	set := func(value any, path ...string) {
		_ = unstructured.SetNestedField(o.Object, value, append([]string{"status"}, path...)...)
	}

	set([]any{
		map[string]any{"type": "InternalIP", "address": report.InternalIP},
		map[string]any{"type": "Hostname", "address": report.Name},
	}, "addresses")
	set(map[string]any{
		"kubeletVersion": report.Kubelet, "osImage": report.OS, "kernelVersion": "6.18.5-talos",
		"containerRuntimeVersion": "containerd://2.2.7", "operatingSystem": "linux", "architecture": runtime.GOARCH,
		"bootID": report.BootID, "machineID": report.ID, "systemUUID": report.ID, "kubeProxyVersion": "",
	}, "nodeInfo")

	capacity := map[string]any{"cpu": "2", "memory": "4Gi", "pods": "110", "ephemeral-storage": "40Gi"}
	set(capacity, "capacity")
	set(maps.Clone(capacity), "allocatable")
	set(map[string]any{"kubeletEndpoint": map[string]any{"Port": int64(10250)}}, "daemonEndpoints")
}

// setConditions keeps the transition time while the state stays.
func setConditions(o *object, ready, reason, message string) bool {
	if conditionOf(o, "Ready") == ready {
		return false
	}

	now := time.Now().UTC().Format(time.RFC3339)
	condition := func(kind, status, reason, message string) any {
		return map[string]any{
			"type": kind, "status": status, "reason": reason, "message": message,
			"lastHeartbeatTime": now, "lastTransitionTime": now,
		}
	}

	pressure := "False"
	if ready == "Unknown" {
		pressure = "Unknown"
	}

	_ = unstructured.SetNestedSlice(o.Object, []any{
		condition("MemoryPressure", pressure, "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
		condition("DiskPressure", pressure, "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
		condition("PIDPressure", pressure, "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
		condition("Ready", ready, reason, message),
	}, "status", "conditions")

	return true
}

// judgeNodes makes nodes ready, and unknown when nothing is heard of them.
func (s *Server) judgeNodes() []object {
	kind := kindNamed("Node")
	nodes := s.all(kind, "")

	for i := range nodes {
		o := &nodes[i]

		ready, reason, message := "True", "KubeletReady", "kubelet is posting ready status"

		switch {
		case s.silence(o.GetName()) > s.Node.Settings.NodeTimeout:
			ready, reason, message = "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status."
		case s.isSettling(o.GetName()):
			ready, reason, message = "False", "KubeletNotReady", "container runtime network not ready"
		}

		if setConditions(o, ready, reason, message) {
			item, ok := s.store().Get(kind.key("", o.GetName()))
			if ok && fromStored(item.Value).GetResourceVersion() == o.GetResourceVersion() {
				_, _ = s.write(item.Key, etcd.Expect(item.Modified), o)
			}
		}
	}

	return nodes
}
