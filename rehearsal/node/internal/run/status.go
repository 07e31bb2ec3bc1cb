package run

import (
	"context"
	"log"
	"time"

	"github.com/cosi-project/runtime/pkg/resource"

	"github.com/siderolabs/talos/pkg/machinery/resources/cluster"
	"github.com/siderolabs/talos/pkg/machinery/resources/etcd"
	"github.com/siderolabs/talos/pkg/machinery/resources/k8s"
	"github.com/siderolabs/talos/pkg/machinery/resources/v1alpha1"
)

// status publishes, again and again, what the parts of the node are doing.
func (p *parts) status(ctx context.Context) {
	if !p.untilConfigured(ctx) {
		return
	}

	identity := cluster.NewIdentity(cluster.NamespaceName, cluster.LocalIdentity)
	identity.TypedSpec().NodeID = p.node.Identity()
	p.node.Resources.Put("identity", identity)

	said := false

	for ctx.Err() == nil {
		booted, ready := p.stage()
		p.node.Resources.SetRunning(booted, ready)
		p.node.Resources.Put("services", p.services()...)
		p.node.Resources.Put("kubernetes", p.kubernetes()...)

		if ready && !said {
			said = true

			log.Print("ready")
		}

		pause(ctx, 100*time.Millisecond)
	}
}

// stage: a control plane is booting until its etcd runs, a worker until its API is up.
func (p *parts) stage() (booted, ready bool) {
	booted = p.apid.Certificate() != nil
	if p.node.ControlPlane() {
		booted = booted && p.etcd.Status().Healthy
	}

	booted = booted && p.kubelet.Failure() == ""

	return booted, booted && p.kubelet.Ready()
}

func (p *parts) services() []resource.Resource {
	names := []string{"apid", "containerd", "cri", "kubelet", "machined"}
	if p.node.ControlPlane() {
		names = append(names, "etcd", "trustd")
	}

	var all []resource.Resource

	for _, name := range names {
		service := v1alpha1.NewService(name)
		service.TypedSpec().Running, service.TypedSpec().Healthy = true, true

		if name == "kubelet" && p.kubelet.Failure() != "" {
			service.TypedSpec().Running, service.TypedSpec().Healthy, service.TypedSpec().Unknown = false, false, true
		}

		if status := p.etcd.Status(); name == "etcd" {
			service.TypedSpec().Running, service.TypedSpec().Healthy = status.Running, status.Healthy
		}

		all = append(all, service)
	}

	return all
}

func (p *parts) kubernetes() []resource.Resource {
	status := p.etcd.Status()
	if !p.node.ControlPlane() || !status.Running {
		return nil
	}

	member := etcd.NewMember(etcd.NamespaceName, etcd.LocalMemberID)
	member.TypedSpec().MemberID = etcd.FormatMemberID(status.ID)

	all := []resource.Resource{member}

	for _, static := range p.kubelet.StaticPods() {
		name := static.Name + "-" + p.node.Hostname()
		pod := k8s.NewStaticPodStatus(k8s.NamespaceName, "kube-system/"+name)
		ready := "False"

		if status.Healthy && !static.Waiting {
			ready = "True"
		}

		pod.TypedSpec().PodStatus = map[string]any{
			"phase":             "Running",
			"conditions":        []any{map[string]any{"type": "Ready", "status": ready}},
			"containerStatuses": []any{map[string]any{"name": static.Name, "image": static.Image, "ready": ready == "True", "restartCount": static.Restarts}},
		}
		all = append(all, pod)
	}

	return all
}
