// Package kubelet registers the node at the Kubernetes API and tells it, again and again, how it is.
package kubelet

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"sync"
	"time"

	"talos-fleet/rehearsal/node/internal/etcd"
	"talos-fleet/rehearsal/node/internal/kube"
	"talos-fleet/rehearsal/node/internal/machine"
	"talos-fleet/rehearsal/node/internal/peers"
)

// Kubelet of a node, which is also its cluster discovery.
type Kubelet struct {
	Node  *machine.Node
	Peers *peers.Peers
	Etcd  *etcd.Etcd

	mu         sync.Mutex
	reply      kube.Reply
	registered bool
	heard      time.Time
	// complaint is what the API refused last, and when the log was told.
	complaint string
	told      time.Time
}

// Ready says whether the Kubernetes API sees the node as ready.
func (k *Kubelet) Ready() bool {
	k.mu.Lock()
	defer k.mu.Unlock()

	return k.reply.Ready && time.Since(k.heard) < 10*time.Second
}

// known are the cluster's nodes as last heard of.
func (k *Kubelet) known() []kube.Report {
	k.mu.Lock()
	defer k.mu.Unlock()

	return k.reply.Members
}

// Run reports until the context ends.
func (k *Kubelet) Run(ctx context.Context) {
	changed := k.Node.Changed()

	for ctx.Err() == nil {
		delay := time.Second

		if k.Node.Config() != nil {
			if err := k.report(ctx); err != nil || !k.Ready() {
				delay = 250 * time.Millisecond
			}

			k.Node.Resources.Put("members", k.members()...)
		}

		select {
		case <-ctx.Done():
		case <-changed:
		case <-time.After(delay):
		}
	}
}

func (k *Kubelet) report(ctx context.Context) error {
	client, err := k.Peers.Client()
	if err != nil {
		return err
	}

	report := k.describe()
	report.Register = !k.registered && !report.KubeletDown

	reply, err := k.tell(ctx, client, report)
	if err != nil {
		return err
	}

	k.mu.Lock()
	k.reply, k.heard = reply, time.Now()
	k.mu.Unlock()

	k.registered = k.registered || reply.Registered
	k.complain(reply.Refused)

	return nil
}

// Leave cordons the node of a machine that shuts down, once Run has ended, as far as somebody answers in time.
func (k *Kubelet) Leave(ctx context.Context) {
	if k.Node.Config() == nil || !k.registered || k.Failure() != "" {
		return
	}

	client, err := k.Peers.Client()
	if err != nil {
		return
	}

	report := k.describe()
	report.Cordon, report.Settling = true, false
	_, _ = k.tell(ctx, client, report)
}

// tell sends a report to the first API server that takes it.
func (k *Kubelet) tell(ctx context.Context, client *http.Client, report kube.Report) (kube.Reply, error) {
	var reply kube.Reply

	text, err := json.Marshal(report)
	if err != nil {
		return reply, err
	}

	for _, base := range k.bases() {
		if reply, err = k.send(ctx, client, base, text); err == nil {
			return reply, nil
		}
	}

	return reply, err
}

// complain logs a refusal as Talos's controller runtime does: when it is new, and each time the controller gives up.
func (k *Kubelet) complain(refused string) {
	if refused == "" || (refused == k.complaint && time.Since(k.told) < controllerRetries) {
		return
	}

	k.complaint, k.told = refused, time.Now()
	log.Printf(`[talos] controller failed {"component": "controller-runtime", "controller": "k8s.NodeApplyController", "error": %q}`,
		"1 error(s) occurred:\n\t"+refused)
}

const controllerRetries = 10 * time.Second

// bases: the own API server, the cluster's endpoint, then the control planes heard of, as KubePrism does.
func (k *Kubelet) bases() []string {
	var all []string
	if k.Node.ControlPlane() && k.Etcd.Store() != nil {
		all = append(all, k.Peers.URL(k.Node.Settings.NodeAddress().String()))
	}

	all = append(all, k.Peers.Endpoint())

	for _, member := range k.known() {
		if member.ControlPlane && member.Name != k.Node.Hostname() {
			all = append(all, k.Peers.URL(member.InternalIP))
		}
	}

	return all
}

func (k *Kubelet) send(ctx context.Context, client *http.Client, base string, text []byte) (kube.Reply, error) {
	var reply kube.Reply

	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()

	request, err := http.NewRequestWithContext(ctx, http.MethodPost, base+kube.HeartbeatPath(), bytes.NewReader(text))
	if err != nil {
		return reply, err
	}

	token := k.Node.Config().Cluster().Token()
	request.Header.Set("Authorization", "Bearer "+token.ID()+"."+token.Secret())
	request.Header.Set("Content-Type", "application/json")

	response, err := client.Do(request)
	if err != nil {
		return reply, err
	}

	defer response.Body.Close() //nolint:errcheck

	if response.StatusCode != http.StatusOK {
		return reply, fmt.Errorf("the Kubernetes API answers %s", response.Status)
	}

	return reply, json.NewDecoder(response.Body).Decode(&reply)
}
