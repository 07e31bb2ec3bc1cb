package etcd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"time"
)

const (
	beat    = 250 * time.Millisecond
	silence = 1500 * time.Millisecond
)

type frame struct {
	Leader   uint64    `json:"leader"`
	Term     uint64    `json:"term"`
	Snapshot *Snapshot `json:"snapshot,omitempty"`
	Change   *Change   `json:"change,omitempty"`
}

// follow copies the leader's changes until its stream ends or falls silent.
func (e *Etcd) follow(ctx context.Context, leader Status) {
	client, err := e.peers.Client()
	if err != nil {
		return
	}

	address := ""

	for _, member := range leader.Members {
		if member.ID == leader.ID {
			address = member.Address
		}
	}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	guard := time.AfterFunc(silence, cancel)
	defer guard.Stop()

	url := fmt.Sprintf("%s%s?member=%d", e.peers.URL(address), pathStream, e.Status().ID)

	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return
	}

	response, err := client.Do(request)
	if err != nil {
		return
	}

	defer response.Body.Close() //nolint:errcheck

	if response.StatusCode == http.StatusGone {
		e.markRemoved()

		return
	}

	decoder := json.NewDecoder(response.Body)

	for {
		var next frame
		if response.StatusCode != http.StatusOK || decoder.Decode(&next) != nil {
			break
		}

		guard.Reset(silence)

		if !e.take(next) {
			break
		}
	}

	e.mu.Lock()
	defer e.mu.Unlock()

	if e.leader != e.me.ID {
		e.leader = 0
	}
}

func (e *Etcd) take(next frame) bool {
	e.mu.Lock()
	defer e.mu.Unlock()

	if e.left || e.me.Removed {
		return false
	}

	if next.Term != e.me.Term {
		e.me.Term = next.Term
		e.save()
	}

	switch {
	case next.Snapshot != nil:
		e.store.Restore(*next.Snapshot)
	case next.Change != nil:
		e.store.Copy(*next.Change)

		if next.Change.Key == memberKey(e.me.ID) && next.Change.Deleted() {
			e.me.Removed, e.leader = true, 0
			e.save()
			log.Print("etcd: this member was removed from the cluster")

			return false
		}
	}

	e.leader = next.Leader

	return true
}

// join asks a running member to let this node in, until it does or the node is bootstrapped.
func (e *Etcd) join(ctx context.Context) {
	client, err := e.peers.Client()
	if err == nil {
		err = e.tryJoin(ctx, client)
	}

	if err == nil {
		return
	}

	delay := 250 * time.Millisecond

	if errors.Is(err, errRefused) {
		e.complain(err)

		delay = time.Second
	}

	select {
	case <-ctx.Done():
	case <-e.wake:
	case <-time.After(delay):
	}
}

func (e *Etcd) complain(err error) {
	if text := err.Error(); text != e.complaint {
		e.complaint = text
		log.Printf("etcd: cannot join: %s", text)
	}
}

var errRefused = errors.New("refused")

func (e *Etcd) tryJoin(ctx context.Context, client *http.Client) error {
	self := e.self()
	candidate := Member{ID: randomID(), Name: self.Name, Address: self.Address}
	failure := errors.New("no member answers")

	for _, base := range e.peers.Candidates() {
		short, cancel := context.WithTimeout(ctx, 5*time.Second)
		status, err := postJoin(short, client, base, candidate)

		cancel()

		if err != nil {
			if failure = err; errors.Is(err, errRefused) {
				return err
			}

			continue
		}

		e.mu.Lock()
		defer e.mu.Unlock()

		if e.store != nil {
			return nil
		}

		log.Print("etcd: joined the cluster")

		return e.adopt(candidate.ID, status)
	}

	return failure
}

// adopt starts with the leader's member list; the rest comes with the first snapshot.
func (e *Etcd) adopt(id uint64, status Status) error {
	if err := e.create(membership{ID: id, Cluster: status.Cluster, Term: status.Term}); err != nil {
		return err
	}

	for _, member := range status.Members {
		e.putMember(member)
	}

	// A copy is behind the leader by definition, so that it never wins an election by this list.
	e.store.mu.Lock()
	e.store.revision = 0
	e.store.mu.Unlock()

	return nil
}
