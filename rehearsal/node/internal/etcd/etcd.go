package etcd

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Answers of etcd that callers tell apart.
var (
	ErrNotEmpty   = errors.New("etcd data directory is not empty")
	ErrNotRunning = errors.New("etcd is not running")
	ErrNotFound   = errors.New("etcdserver: member not found")
	ErrUnhealthy  = errors.New("etcdserver: re-configuration failed due to not enough started members")
	ErrNoLeader   = errors.New("etcdserver: no leader")
)

// Peers is how a member reaches the others.
type Peers interface {
	// Client speaks to Kubernetes APIs of the cluster with a peer's certificate.
	Client() (*http.Client, error)
	// Candidates lists base URLs where a running member may answer a node that wants to join.
	Candidates() []string
	// URL of the member at an address.
	URL(address string) string
}

// Identity of this node.
type Identity struct {
	Name    string
	Address string
}

type membership struct {
	ID      uint64 `json:"id"`
	Cluster string `json:"cluster"`
	Term    uint64 `json:"term"`
	Removed bool   `json:"removed"`
}

// Etcd is this node's member: absent until bootstrap or join.
type Etcd struct {
	self  func() Identity
	peers Peers
	dir   string

	mu        sync.Mutex
	store     *Store
	me        membership
	leader    uint64
	connected map[uint64]int
	left      bool
	wake      chan struct{}
	stepDown  chan struct{}
	complaint string
	aside     time.Time
	founded   time.Time
}

// Open reads what an earlier run left in the folder.
func Open(dir string, self func() Identity, peers Peers) (*Etcd, error) {
	e := &Etcd{
		self: self, peers: peers, dir: dir, connected: map[uint64]int{},
		wake: make(chan struct{}, 1), stepDown: make(chan struct{}, 1),
	}

	text, err := os.ReadFile(filepath.Join(dir, "member.json"))
	if errors.Is(err, os.ErrNotExist) {
		return e, nil
	}

	if err != nil {
		return nil, err
	}

	if err = json.Unmarshal(text, &e.me); err != nil {
		return nil, fmt.Errorf("member.json: %w", err)
	}

	e.store, err = openStore(filepath.Join(dir, "log.jsonl"))

	return e, err
}

func (e *Etcd) save() {
	text, _ := json.Marshal(e.me)
	path := filepath.Join(e.dir, "member.json")

	if os.WriteFile(path+".new", text, 0o600) == nil {
		_ = os.Rename(path+".new", path)
	}
}

// Bootstrap founds a cluster of one; it works once.
func (e *Etcd) Bootstrap() error {
	e.mu.Lock()
	defer e.mu.Unlock()

	if e.store != nil {
		return ErrNotEmpty
	}

	if err := e.create(membership{ID: randomID(), Cluster: fmt.Sprintf("%x", randomID()), Term: 1}); err != nil {
		return err
	}

	self := e.self()
	e.leader, e.founded = e.me.ID, time.Now()
	e.putMember(Member{ID: e.me.ID, Name: self.Name, Address: self.Address})
	log.Print("bootstrapped etcd")
	e.kick()

	return nil
}

// Founded is when this node founded the cluster; zero when that was not in this run.
func (e *Etcd) Founded() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()

	return e.founded
}

func (e *Etcd) create(me membership) error {
	store, err := openStore(filepath.Join(e.dir, "log.jsonl"))
	if err != nil {
		return err
	}

	e.store, e.me = store, me
	e.save()

	return nil
}

func (e *Etcd) kick() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// Store is nil until this node is a member.
func (e *Etcd) Store() *Store {
	e.mu.Lock()
	defer e.mu.Unlock()

	if e.me.Removed || e.left {
		return nil
	}

	return e.store
}

// Leading says whether this node may write: it leads, and most members are there.
func (e *Etcd) Leading() bool {
	e.mu.Lock()
	defer e.mu.Unlock()

	return e.leading()
}

func (e *Etcd) leading() bool {
	return e.store != nil && e.leader == e.me.ID && e.leader != 0 && !e.me.Removed && !e.left && e.quorum()
}

func (e *Etcd) quorum() bool {
	voters, present := 0, 0

	for _, member := range e.members() {
		if member.Learner {
			continue
		}

		voters++

		if member.ID == e.me.ID || e.connected[member.ID] > 0 {
			present++
		}
	}

	return present*2 > voters
}

// LeaderURL is where the leader's API answers; empty without a leader.
func (e *Etcd) LeaderURL() string {
	e.mu.Lock()
	defer e.mu.Unlock()

	for _, member := range e.members() {
		if member.ID == e.leader {
			return e.peers.URL(member.Address)
		}
	}

	return ""
}

// Run joins, follows or leads until the context ends.
func (e *Etcd) Run(ctx context.Context) {
	defer func() {
		e.mu.Lock()
		defer e.mu.Unlock()

		if e.store != nil {
			e.store.log.close()
		}
	}()

	for ctx.Err() == nil {
		e.mu.Lock()
		idle, absent := e.me.Removed || e.left, e.store == nil
		e.mu.Unlock()

		switch {
		case idle:
			<-ctx.Done()
		case absent:
			e.join(ctx)
		default:
			e.seek(ctx)
		}
	}
}

func randomID() uint64 {
	var bytes [8]byte

	_, _ = rand.Read(bytes[:])

	return binary.BigEndian.Uint64(bytes[:]) >> 1
}
