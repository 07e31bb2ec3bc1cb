package kubelet

import (
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/cosi-project/runtime/pkg/resource"

	talosmachine "github.com/siderolabs/talos/pkg/machinery/config/machine"
	"github.com/siderolabs/talos/pkg/machinery/constants"
	"github.com/siderolabs/talos/pkg/machinery/resources/cluster"

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

	slices.SortFunc(report.Taints, func(a, b kube.Taint) int { return strings.Compare(a.Key, b.Key) })

	if report.ControlPlane {
		report.Labels[constants.LabelNodeRoleControlPlane] = ""

		if !c.ScheduleOnControlPlanes() {
			report.Taints = append(report.Taints, kube.Taint{Key: constants.LabelNodeRoleControlPlane, Effect: "NoSchedule"})
		}

		if k.Etcd.Store() != nil {
			report.StaticPods = StaticPods(n)
		}
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

// StaticPods of a control plane with their images and extra arguments.
func StaticPods(n *machine.Node) []kube.StaticPod {
	c := n.Config().Cluster()
	pod := func(name, image string, extra map[string][]string) kube.StaticPod {
		return kube.StaticPod{Name: name, Image: image, Command: append([]string{"/usr/local/bin/" + name}, machine.Args(extra)...)}
	}

	return []kube.StaticPod{
		pod("kube-apiserver", c.APIServer().Image(), c.APIServer().ExtraArgs()),
		pod("kube-controller-manager", c.ControllerManager().Image(), c.ControllerManager().ExtraArgs()),
		pod("kube-scheduler", c.Scheduler().Image(), c.Scheduler().ExtraArgs()),
	}
}

// members are the cluster's nodes as resources; before anything was heard, this node alone.
func (k *Kubelet) members() []resource.Resource {
	known := k.Members()
	own := k.describe()

	if !slices.ContainsFunc(known, func(r kube.Report) bool { return r.ID == own.ID }) {
		known = append(slices.Clone(known), own)
	}

	var all []resource.Resource

	for _, report := range known {
		member := cluster.NewMember(cluster.NamespaceName, report.Name)
		spec := member.TypedSpec()
		spec.NodeID, spec.Hostname, spec.OperatingSystem = report.ID, report.Name, report.OS
		spec.MachineType = talosmachine.TypeWorker

		if report.ControlPlane {
			spec.MachineType = talosmachine.TypeControlPlane
			spec.ControlPlane = &cluster.ControlPlane{APIServerPort: 6443}
		}

		for _, text := range report.Addresses {
			if address, err := netip.ParseAddr(text); err == nil {
				spec.Addresses = append(spec.Addresses, address)
			}
		}

		all = append(all, member)
	}

	return all
}
