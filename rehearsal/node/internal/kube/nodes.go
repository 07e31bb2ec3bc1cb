package kube

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"talos-fleet/rehearsal/node/internal/etcd"
)

const (
	ownedLabels      = "talos.dev/owned-labels"
	ownedAnnotations = "talos.dev/owned-annotations"
	ownedTaints      = "talos.dev/owned-taints"
)

// observe makes or updates the Node object of a report.
func (s *Server) observe(report Report) error {
	kind := kindNamed("Node")
	t := target{kind: kind, name: report.Name}

	item, exists := s.store().Get(kind.key("", report.Name))
	if !exists {
		if !report.Register {
			return nil
		}

		made := &object{Object: map[string]any{"spec": map[string]any{"podCIDR": s.freePodRange()}}}
		made.SetGroupVersionKind(gvk(kind))
		made.SetName(report.Name)
		fill(made, report)
		setConditions(made, "False", "KubeletNotReady", "container runtime network not ready")
		_, err := s.add(kind, made, false)

		return err
	}

	next := fromStored(item.Value)
	fill(next, report)
	_, err := s.update(t, item, next, false)

	return err
}

// fill writes what the report says and leaves alone what others wrote.
func fill(o *object, report Report) {
	annotations := o.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}

	labels := merge(o.GetLabels(), owned(annotations[ownedLabels]), report.Labels)
	maps.Copy(labels, map[string]string{
		"kubernetes.io/hostname": report.Name, "kubernetes.io/os": "linux", "kubernetes.io/arch": runtime.GOARCH,
		"beta.kubernetes.io/os": "linux", "beta.kubernetes.io/arch": runtime.GOARCH,
	})
	o.SetLabels(labels)

	annotations = merge(annotations, owned(annotations[ownedAnnotations]), report.Annotations)
	taints := mergeTaints(o, owned(annotations[ownedTaints]), report.Taints)
	annotations[ownedLabels] = list(slices.Sorted(maps.Keys(report.Labels)))
	annotations[ownedAnnotations] = list(slices.Sorted(maps.Keys(report.Annotations)))
	annotations[ownedTaints] = list(taintKeys(report.Taints))
	o.SetAnnotations(annotations)

	if len(taints) > 0 {
		_ = unstructured.SetNestedSlice(o.Object, taints, "spec", "taints")
	} else {
		unstructured.RemoveNestedField(o.Object, "spec", "taints")
	}

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

func owned(text string) []string {
	var names []string

	_ = json.Unmarshal([]byte(text), &names)

	return names
}

func list(names []string) string {
	if names == nil {
		names = []string{}
	}

	text, _ := json.Marshal(names)

	return string(text)
}

// merge drops what the report owned before and adds what it owns now.
func merge(present map[string]string, before []string, now map[string]string) map[string]string {
	result := map[string]string{}
	maps.Copy(result, present)

	for _, key := range before {
		delete(result, key)
	}

	maps.Copy(result, now)

	return result
}

func taintKeys(taints []Taint) []string {
	var keys []string
	for _, taint := range taints {
		keys = append(keys, taint.Key)
	}

	return keys
}

func mergeTaints(o *object, before []string, now []Taint) []any {
	present, _, _ := unstructured.NestedSlice(o.Object, "spec", "taints")
	drop := append(slices.Clone(before), taintKeys(now)...)

	result := slices.DeleteFunc(present, func(item any) bool {
		taint, _ := item.(map[string]any)

		return slices.Contains(drop, fmt.Sprint(taint["key"]))
	})

	for _, taint := range now {
		entry := map[string]any{"key": taint.Key, "effect": taint.Effect}
		if taint.Value != "" {
			entry["value"] = taint.Value
		}

		result = append(result, entry)
	}

	return result
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
		if s.silence(o.GetName()) > s.Node.Settings.NodeTimeout {
			ready, reason, message = "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status."
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

// freePodRange finds a /24 of the cluster's pod range that no node has.
func (s *Server) freePodRange() string {
	base := netip.MustParsePrefix("10.244.0.0/16")

	if cfg := s.Node.Config(); cfg != nil {
		for _, text := range cfg.Cluster().Network().PodCIDRs() {
			if prefix, err := netip.ParsePrefix(text); err == nil && prefix.Addr().Is4() {
				base = prefix

				break
			}
		}
	}

	var taken []string

	for _, o := range s.all(kindNamed("Node"), "") {
		text, _, _ := unstructured.NestedString(o.Object, "spec", "podCIDR")
		taken = append(taken, text)
	}

	bytes := base.Masked().Addr().As4()

	for {
		text := netip.PrefixFrom(netip.AddrFrom4(bytes), 24).String()
		if !slices.Contains(taken, text) {
			return text
		}

		if bytes[2]++; bytes[2] == 0 {
			bytes[1]++
		}
	}
}

func podAddress(podRange string, index int) string {
	base, _, _ := strings.Cut(podRange, "/")

	address, err := netip.ParseAddr(base)
	if err != nil || !address.Is4() {
		return ""
	}

	bytes := address.As4()
	bytes[3] = byte(2 + index%250)

	return netip.AddrFrom4(bytes).String()
}
