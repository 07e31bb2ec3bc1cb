package kubelet

import (
	"fmt"
	"time"

	"talos-fleet/rehearsal/node/internal/kube"
	"talos-fleet/rehearsal/node/internal/machine"
)

// Failure is why the kubelet does not start, as Talos's service tells it; empty when it runs.
func (k *Kubelet) Failure() string {
	last := k.Node.Settings.Knobs().KubeletError
	if last == "" || k.Node.Config() == nil {
		return ""
	}

	return fmt.Sprintf(`Error running Containerd(kubelet), going to restart forever: task "kubelet" failed: exit code 1 (last log %q)`, last)
}

// StaticPods that the kubelet of a control plane runs, with their images and extra arguments; none without etcd.
func (k *Kubelet) StaticPods() []kube.StaticPod {
	if !k.Node.ControlPlane() || k.Etcd.Store() == nil || k.Failure() != "" {
		return nil
	}

	c := k.Node.Config().Cluster()
	pod := func(name, image string, extra map[string][]string) kube.StaticPod {
		return kube.StaticPod{Name: name, Image: image, Command: append([]string{"/usr/local/bin/" + name}, machine.Args(extra)...)}
	}
	restarting := func(p kube.StaticPod) kube.StaticPod {
		p.Restarts, p.Waiting = k.restarts()

		return p
	}

	return []kube.StaticPod{
		pod("kube-apiserver", c.APIServer().Image(), c.APIServer().ExtraArgs()),
		restarting(pod("kube-controller-manager", c.ControllerManager().Image(), c.ControllerManager().ExtraArgs())),
		restarting(pod("kube-scheduler", c.Scheduler().Image(), c.Scheduler().ExtraArgs())),
	}
}

// restarts of what loses its API server's lease while a new cluster is busy: they settle.
func (k *Kubelet) restarts() (count int64, waiting bool) {
	founded, knobs := k.Etcd.Founded(), k.Node.Settings.Knobs()
	if founded.IsZero() || knobs.StaticPodRestarts == 0 || knobs.RestartEvery.Duration <= 0 {
		return 0, false
	}

	halves := int64(time.Since(founded) / (knobs.RestartEvery.Duration / 2))

	return min((halves+1)/2, int64(knobs.StaticPodRestarts)), halves < 2*int64(knobs.StaticPodRestarts) && halves%2 == 1
}
