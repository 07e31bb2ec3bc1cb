// Package run puts a node together and runs it until it is told to stop.
package run

import (
	"context"
	"errors"
	"log"
	"path/filepath"
	"sync"
	"time"

	"talos-fleet/rehearsal/node/internal/api"
	"talos-fleet/rehearsal/node/internal/apid"
	"talos-fleet/rehearsal/node/internal/etcd"
	"talos-fleet/rehearsal/node/internal/kube"
	"talos-fleet/rehearsal/node/internal/kubelet"
	"talos-fleet/rehearsal/node/internal/lines"
	"talos-fleet/rehearsal/node/internal/machine"
	"talos-fleet/rehearsal/node/internal/peers"
	"talos-fleet/rehearsal/node/internal/settings"
)

// ErrReboot ends a run whose config asks for a reboot.
var ErrReboot = errors.New("reboot")

// Node runs one node; it returns when the context ends, on a reboot or on a failure.
func Node(ctx context.Context, s settings.Settings, output *lines.Log) error {
	// Parts outlive the order to stop by a moment: the node is cordoned through them.
	ordered := ctx
	ctx, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)

	node, err := machine.New(s)
	if err != nil {
		return err
	}

	parts, err := assemble(ctx, node, output)
	if err != nil {
		return err
	}

	var wait sync.WaitGroup

	work := func(name string, run func(context.Context) error) {
		wait.Go(func() {
			if failure := run(ctx); failure != nil && ctx.Err() == nil {
				log.Printf("%s: %s", name, failure)
				stop(failure)
			}
		})
	}

	work("Talos API", parts.apid.Run)
	work("etcd", quiet(parts.runEtcd))
	work("controllers", quiet(parts.kube.Run))
	work("Kubernetes API", parts.serveKubernetes)
	work("trustd", parts.serveTrustd)
	work("status", quiet(parts.status))

	kubeletStopped := make(chan struct{})

	wait.Go(func() {
		defer close(kubeletStopped)

		untilOrdered, end := context.WithCancel(ctx)
		defer end()
		defer context.AfterFunc(ordered, end)()
		parts.kubelet.Run(untilOrdered)
	})

	select {
	case <-ctx.Done():
	case <-ordered.Done():
		<-kubeletStopped
		parts.shutDown(ctx)
		stop(nil)
	case <-node.Rebooting():
		stop(ErrReboot)
	}

	wait.Wait()

	cause := context.Cause(ctx)
	if errors.Is(cause, context.Canceled) {
		return nil
	}

	return cause
}

const cordonLimit = time.Second

func (p *parts) shutDown(ctx context.Context) {
	log.Print("shutdown via SIGTERM received")

	ctx, cancel := context.WithTimeout(ctx, cordonLimit)
	defer cancel()

	p.kubelet.Leave(ctx)
}

type parts struct {
	node    *machine.Node
	peers   *peers.Peers
	etcd    *etcd.Etcd
	kube    *kube.Server
	kubelet *kubelet.Kubelet
	apid    *apid.Apid
}

func assemble(ctx context.Context, node *machine.Node, output *lines.Log) (*parts, error) {
	p := &parts{node: node, peers: &peers.Peers{Node: node}}
	self := func() etcd.Identity { return etcd.Identity{Name: node.Hostname(), Address: node.NodeIP().String()} }

	var err error
	if p.etcd, err = etcd.Open(filepath.Join(node.Settings.DataDir, "lib", "etcd"), self, p.peers); err != nil {
		return nil, err
	}

	p.kube = kube.New(node, p.etcd, p.peers)
	p.kubelet = &kubelet.Kubelet{Node: node, Peers: p.peers, Etcd: p.etcd}
	services := &api.Server{
		Node: node, Etcd: p.etcd, Members: p.kubelet.Members, KubeletFailure: p.kubelet.Failure, Objects: p.kube.Objects, Log: output, Done: ctx.Done(),
	}
	p.apid, err = apid.New(ctx, node, services)

	return p, err
}

func quiet(run func(context.Context)) func(context.Context) error {
	return func(ctx context.Context) error {
		run(ctx)

		return nil
	}
}

// untilConfigured waits for a config; false when the context ends first.
func (p *parts) untilConfigured(ctx context.Context) bool {
	changed := p.node.Changed()

	for p.node.Config() == nil {
		select {
		case <-ctx.Done():
			return false
		case <-changed:
		}
	}

	return ctx.Err() == nil
}

func (p *parts) runEtcd(ctx context.Context) {
	if p.untilConfigured(ctx) && p.node.ControlPlane() {
		p.etcd.Run(ctx)
	}
}
