package kubelet

import (
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/siderolabs/talos/pkg/machinery/constants"

	"talos-fleet/rehearsal/node/internal/kube"
	"talos-fleet/rehearsal/node/internal/machine"
)

// describe makes the node's report from its config in use.
func (k *Kubelet) describe() kube.Report {
	n := k.Node
	m, c := n.Config().Machine(), n.Config().Cluster()

	report := kube.Report{
		Name: n.Hostname(), ID: n.Identity(), InternalIP: n.NodeIP().String(), ControlPlane: m.Type().IsControlPlane(),
		Labels: map[string]string{}, Annotations: map[string]string{},
		Settling: n.Settling(), KubeletDown: k.Failure() != "", RegisterTaints: registerTaints(n),
		Kubelet: tag(m.Kubelet().Image()), OS: "Talos (" + n.Settings.TalosVersion + ")", BootID: n.BootID,
	}
	maps.Copy(report.Labels, m.NodeLabels())
	maps.Copy(report.Annotations, m.NodeAnnotations())

	for _, address := range ordered(n) {
		report.Addresses = append(report.Addresses, address.String())
	}

	for key, value := range m.NodeTaints() {
		report.Taints = append(report.Taints, taint(key, value))
	}

	slices.SortFunc(report.Taints, byKey)

	if report.ControlPlane {
		report.Labels[constants.LabelNodeRoleControlPlane] = ""

		if !c.ScheduleOnControlPlanes() {
			report.Taints = append(report.Taints, kube.Taint{Key: constants.LabelNodeRoleControlPlane, Effect: "NoSchedule"})
		}

		report.StaticPods = k.StaticPods()
	}

	return report
}

// ordered puts the address that the node uses first.
func ordered(n *machine.Node) []netip.Addr {
	all := []netip.Addr{n.NodeIP()}

	for _, address := range n.Settings.Addresses {
		if address != n.NodeIP() {
			all = append(all, address)
		}
	}

	return all
}

// taint reads "value:effect" or "effect".
func taint(key, text string) kube.Taint {
	if value, effect, ok := strings.Cut(text, ":"); ok {
		return kube.Taint{Key: key, Value: value, Effect: effect}
	}

	return kube.Taint{Key: key, Effect: text}
}

func tag(image string) string {
	image, _, _ = strings.Cut(image, "@")

	return image[strings.LastIndex(image, ":")+1:]
}

func byKey(a, b kube.Taint) int { return strings.Compare(a.Key, b.Key) }

// registerTaints are those that the kubelet's own config gives its new Node.
func registerTaints(n *machine.Node) []kube.Taint {
	var taints []kube.Taint

	cfg := n.Config()
	list, _ := cfg.Machine().Kubelet().ExtraConfig()["registerWithTaints"].([]any)

	for _, item := range list {
		entry, _ := item.(map[string]any)
		text := func(key string) string {
			value, _ := entry[key].(string)

			return value
		}
		taints = append(taints, kube.Taint{Key: text("key"), Value: text("value"), Effect: text("effect")})
	}

	role := kube.Taint{Key: constants.LabelNodeRoleControlPlane, Effect: "NoSchedule"}
	if cfg.Machine().Type().IsControlPlane() && !cfg.Cluster().ScheduleOnControlPlanes() &&
		!slices.ContainsFunc(taints, func(t kube.Taint) bool { return t.Key == role.Key }) {
		taints = append(taints, role)
	}

	return taints
}
