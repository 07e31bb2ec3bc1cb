package kube

import (
	"context"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"talos-fleet/rehearsal/node/internal/etcd"
	"talos-fleet/rehearsal/node/internal/machine"
)

// Prefix of the paths that only simulated nodes use.
const Prefix = "/simnode/"

// Server is the Kubernetes API of one control plane.
type Server struct {
	Node  *machine.Node
	Etcd  *etcd.Etcd
	Peers etcd.Peers

	mu       sync.Mutex
	lastSeen map[string]time.Time
	settling map[string]bool
	poke     chan struct{}
	document apiDocument
}

// New makes a server; it answers while the node is an etcd member.
func New(node *machine.Node, e *etcd.Etcd, peers etcd.Peers) *Server {
	return &Server{Node: node, Etcd: e, Peers: peers, lastSeen: map[string]time.Time{}, settling: map[string]bool{}, poke: make(chan struct{}, 1)}
}

func (s *Server) store() *etcd.Store { return s.Etcd.Store() }

// ServeHTTP checks who asks, passes on what only the leader can answer, and answers the rest.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	who := s.authenticate(r)

	switch path := r.URL.Path; {
	case path == "/livez" || path == "/healthz" || path == "/readyz" || strings.HasPrefix(path, "/livez/") || strings.HasPrefix(path, "/readyz/"):
		s.serveHealth(w)
	case who == nobody:
		writeError(w, apierrors.NewUnauthorized("Unauthorized"))
	case strings.HasPrefix(path, etcd.Prefix):
		s.serveEtcd(w, r, who)
	case path == heartbeatPath && who != stranger:
		s.atLeader(w, r, s.serveHeartbeat)
	case who != admin:
		writeError(w, forbidden(r))
	case path == "/version":
		writeJSON(w, http.StatusOK, s.version())
	case strings.HasPrefix(path, "/openapi/"):
		s.serveOpenAPI(w, r)
	default:
		if s.serveDiscovery(w, r) {
			return
		}

		s.atLeader(w, r, s.serveObjects)
	}
}

func (s *Server) serveHealth(w http.ResponseWriter) {
	if !s.Etcd.Status().Healthy {
		http.Error(w, "[-]etcd failed: reason withheld", http.StatusInternalServerError)

		return
	}

	_, _ = w.Write([]byte("ok"))
}

func (s *Server) serveEtcd(w http.ResponseWriter, r *http.Request, who identity) {
	switch {
	case who != admin:
		writeError(w, forbidden(r))
	case etcd.LeaderOnly(r.URL.Path):
		s.atLeader(w, r, s.Etcd.ServeHTTP)
	default:
		s.Etcd.ServeHTTP(w, r)
	}
}

// atLeader answers here when this node leads, else passes the request to the leader as a peer.
func (s *Server) atLeader(w http.ResponseWriter, r *http.Request, answer http.HandlerFunc) {
	if s.Etcd.Leading() {
		answer(w, r)

		return
	}

	base, client, err := s.Etcd.LeaderURL(), (*http.Client)(nil), error(nil)
	if base != "" && r.Header.Get(passedOn) == "" {
		client, err = s.Peers.Client()
	}

	if client == nil || err != nil {
		writeError(w, apierrors.NewInternalError(etcd.ErrNoLeader))

		return
	}

	to, err := url.Parse(base)
	if err != nil {
		writeError(w, apierrors.NewInternalError(err))

		return
	}

	// The leader sees a peer's certificate: who asked first goes with the request.
	who := "admin"
	if s.authenticate(r) == node {
		who = asNode
	}

	pass := &httputil.ReverseProxy{
		Transport:     client.Transport,
		FlushInterval: -1,
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(to)
			p.Out.Header.Del("Authorization")
			p.Out.Header.Set(passedOn, who)
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			writeError(w, apierrors.NewInternalError(err))
		},
	}
	pass.ServeHTTP(w, r)
}

const (
	passedOn = "X-Simnode-Passed-On"
	asNode   = "node"
)

// fromKubelet says whether a request came, here or at the member that passed it on, with a kubelet's credentials.
func fromKubelet(who identity, r *http.Request) bool {
	return who == node || (who == admin && r.Header.Get(passedOn) == asNode)
}

// Run keeps nodes and pods while this node leads.
func (s *Server) Run(ctx context.Context) {
	ticker := time.NewTicker(500 * time.Millisecond)
	defer ticker.Stop()

	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-s.poke:
		}

		if s.Etcd.Leading() {
			s.reconcile()
		}
	}
}

func (s *Server) kick() {
	select {
	case s.poke <- struct{}{}:
	default:
	}
}
