package kubelet

import (
	"net/netip"
	"slices"

	"github.com/cosi-project/runtime/pkg/resource"

	talosmachine "github.com/siderolabs/talos/pkg/machinery/config/machine"
	"github.com/siderolabs/talos/pkg/machinery/resources/cluster"

	"talos-fleet/rehearsal/node/internal/kube"
)

// Members are those that discovery finds: this node alone where it is off, out of reach or has heard of nobody.
func (k *Kubelet) Members() []kube.Report {
	own := k.describe()
	known := k.known()

	if k.Node.Settings.Knobs().NoDiscovery || !k.Node.Config().Cluster().Discovery().Enabled() {
		known = nil
	}

	if !slices.ContainsFunc(known, func(r kube.Report) bool { return r.ID == own.ID }) {
		known = append(slices.Clone(known), own)
	}

	return known
}

// members as resources.
func (k *Kubelet) members() []resource.Resource {
	var all []resource.Resource

	for _, report := range k.Members() {
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
