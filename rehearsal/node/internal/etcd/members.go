package etcd

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

const memberPrefix = "/simnode/members/"

// Member of the cluster.
type Member struct {
	ID      uint64 `json:"id"`
	Name    string `json:"name"`
	Address string `json:"address"`
	Learner bool   `json:"learner,omitempty"`
}

func memberKey(id uint64) string { return fmt.Sprintf("%s%016x", memberPrefix, id) }

func (e *Etcd) putMember(member Member) {
	_, _ = e.store.Put(memberKey(member.ID), Anything, func(int64) (json.RawMessage, error) {
		return json.Marshal(member)
	})
}

func (e *Etcd) members() []Member {
	if e.store == nil {
		return nil
	}

	items, _ := e.store.List(memberPrefix)
	members := make([]Member, 0, len(items))

	for _, item := range items {
		var member Member
		if json.Unmarshal(item.Value, &member) == nil {
			members = append(members, member)
		}
	}

	return members
}

// Status of this node's member.
type Status struct {
	ID       uint64   `json:"id"`
	Cluster  string   `json:"cluster"`
	Leader   uint64   `json:"leader"`
	Term     uint64   `json:"term"`
	Revision int64    `json:"revision"`
	Members  []Member `json:"members"`
	Running  bool     `json:"running"`
	Healthy  bool     `json:"healthy"`
	Removed  bool     `json:"removed"`
	// Aside: does not want to lead now.
	Aside bool `json:"aside"`
}

// Status tells what this member knows.
func (e *Etcd) Status() Status {
	e.mu.Lock()
	defer e.mu.Unlock()

	status := Status{
		ID: e.me.ID, Cluster: e.me.Cluster, Leader: e.leader, Term: e.me.Term, Members: e.members(),
		Aside: time.Now().Before(e.aside), Removed: e.me.Removed, Running: e.store != nil && !e.me.Removed && !e.left,
	}
	status.Healthy = status.Running && e.leader != 0 && (e.leader != e.me.ID || e.quorum())

	if e.store != nil {
		status.Revision = e.store.Revision()
	}

	return status
}

// admit lets a node join as a learner; a name or address that is taken is refused.
func (e *Etcd) admit(candidate Member) (Status, error) {
	if !e.Leading() {
		return Status{}, ErrNoLeader
	}

	e.mu.Lock()

	for _, member := range e.members() {
		if member.ID != candidate.ID && (member.Name == candidate.Name || member.Address == candidate.Address) {
			e.mu.Unlock()

			return Status{}, fmt.Errorf("etcd member %016x of this name or address exists; remove the old member first", member.ID)
		}
	}

	candidate.Learner = true
	e.putMember(candidate)
	e.mu.Unlock()

	return e.Status(), nil
}

func (e *Etcd) promote(id uint64) {
	for _, member := range e.members() {
		if member.ID == id && member.Learner {
			member.Learner = false
			e.putMember(member)
		}
	}
}

// remove takes a member out if the others can go on without it.
func (e *Etcd) remove(id uint64) error {
	if !e.Leading() {
		return ErrNoLeader
	}

	e.mu.Lock()
	defer e.mu.Unlock()

	found, voters, present := false, 0, 0

	for _, member := range e.members() {
		switch {
		case member.ID == id:
			found = true
		case member.Learner:
		default:
			voters++

			if member.ID == e.me.ID || e.connected[member.ID] > 0 {
				present++
			}
		}
	}

	if !found {
		return ErrNotFound
	}

	if voters == 0 || present*2 <= voters {
		return ErrUnhealthy
	}

	e.store.Delete(memberKey(id))

	if id == e.me.ID {
		e.me.Removed = true
		e.leader = 0
		e.save()

		// The followers get the change before the streams end.
		time.AfterFunc(100*time.Millisecond, e.resign)
	}

	return nil
}

func (e *Etcd) resign() {
	select {
	case e.stepDown <- struct{}{}:
	default:
	}
}

// wipe empties the data folder of a member that left; it joins again after a restart.
func (e *Etcd) wipe() error {
	e.mu.Lock()
	defer e.mu.Unlock()

	e.left = true

	if e.store != nil {
		e.store.mu.Lock()
		e.store.log.close()
		e.store.mu.Unlock()
	}

	return os.RemoveAll(e.dir)
}
