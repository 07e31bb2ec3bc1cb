package kube

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"talos-fleet/rehearsal/node/internal/etcd"
)

const (
	heartbeatPath   = Prefix + "heartbeat"
	affiliatePrefix = Prefix + "affiliates/"
	affiliateLife   = 30 * time.Second
)

// Report is what a node tells of itself, again and again: kubelet's and discovery's work in one.
type Report struct {
	Name         string            `json:"name"`
	ID           string            `json:"id"`
	Addresses    []string          `json:"addresses"`
	InternalIP   string            `json:"internalIP"`
	ControlPlane bool              `json:"controlPlane"`
	Labels       map[string]string `json:"labels,omitempty"`
	Annotations  map[string]string `json:"annotations,omitempty"`
	Taints       []Taint           `json:"taints,omitempty"`
	Kubelet      string            `json:"kubelet"`
	OS           string            `json:"os"`
	BootID       string            `json:"bootID"`
	ProviderID   string            `json:"providerID,omitempty"`
	StaticPods   []StaticPod       `json:"staticPods,omitempty"`
	// Register is set until the node was registered once in this run: a deleted Node object does not come back by itself.
	Register bool `json:"register,omitempty"`
	// RegisterTaints are the kubelet's own: they count when its Node is made and never again.
	RegisterTaints []Taint `json:"registerTaints,omitempty"`
	// Cordon is set by a node that shuts down, Settling by one that has just started again.
	Cordon   bool `json:"cordon,omitempty"`
	Settling bool `json:"settling,omitempty"`
	// KubeletDown: only the cluster's discovery hears of this node.
	KubeletDown bool `json:"kubeletDown,omitempty"`
}

// Taint of a node.
type Taint struct {
	Key    string `json:"key"`
	Value  string `json:"value,omitempty"`
	Effect string `json:"effect"`
}

// StaticPod that the node's kubelet runs.
type StaticPod struct {
	Name    string   `json:"name"`
	Image   string   `json:"image"`
	Command []string `json:"command,omitempty"`
	// Restarts of its container since the founding; Waiting for the next one.
	Restarts int64 `json:"restarts,omitempty"`
	Waiting  bool  `json:"waiting,omitempty"`
}

// Reply to a report.
type Reply struct {
	Registered bool     `json:"registered"`
	Ready      bool     `json:"ready"`
	Members    []Report `json:"members"`
	// Refused is what the API said to the node's own update.
	Refused string `json:"refused,omitempty"`
}

func (s *Server) serveHeartbeat(w http.ResponseWriter, r *http.Request) {
	var report Report
	if err := json.NewDecoder(r.Body).Decode(&report); err != nil || report.Name == "" || report.ID == "" {
		writeError(w, apierrors.NewBadRequest("not a report"))

		return
	}

	s.seen(report)

	var refused, err error
	if !report.KubeletDown {
		refused, err = s.observe(report, fromKubelet(s.authenticate(r), r))
	}

	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) && !errors.Is(err, etcd.ErrConflict) {
		writeError(w, err)

		return
	}

	reply := Reply{Members: s.affiliates()}
	if refused != nil {
		reply.Refused = refused.Error()
	}

	if current, getErr := s.get(target{kind: kindNamed("Node"), name: report.Name}); getErr == nil {
		reply.Registered = true
		reply.Ready = conditionOf(current, "Ready") == "True"
	}

	writeJSON(w, http.StatusOK, reply)
}

// seen notes the time, and stores what is known of the node when it changed.
func (s *Server) seen(report Report) {
	s.mu.Lock()
	s.lastSeen[report.ID] = time.Now()
	s.settling[report.Name] = report.Settling

	if !report.KubeletDown {
		s.lastSeen[report.Name] = time.Now()
	}
	s.mu.Unlock()

	report.Register, report.Settling, report.Cordon = false, false, false
	key := affiliatePrefix + report.ID

	next, err := json.Marshal(report)
	if err != nil {
		return
	}

	if item, ok := s.store().Get(key); ok && string(item.Value) == string(next) {
		return
	}

	_, _ = s.store().Put(key, etcd.Anything, func(int64) (json.RawMessage, error) { return next, nil })
}

// silence tells how long nothing was heard; a new leader counts from its first look.
func (s *Server) silence(name string) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()

	last, ok := s.lastSeen[name]
	if !ok {
		s.lastSeen[name] = time.Now()

		return 0
	}

	return time.Since(last)
}

func (s *Server) isSettling(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.settling[name]
}

func (s *Server) affiliates() []Report {
	items, _ := s.store().List(affiliatePrefix)

	var all []Report

	for _, item := range items {
		var report Report
		if json.Unmarshal(item.Value, &report) != nil {
			continue
		}

		if s.silence(strings.TrimPrefix(item.Key, affiliatePrefix)) > affiliateLife {
			s.store().Delete(item.Key)

			continue
		}

		all = append(all, report)
	}

	return all
}

// HeartbeatPath is where nodes send their reports.
func HeartbeatPath() string { return heartbeatPath }
