package etcd

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// Remove takes a member out of the cluster; any member may be asked.
func (e *Etcd) Remove(ctx context.Context, id uint64) error {
	if e.Store() == nil {
		return ErrNotRunning
	}

	if e.Leading() {
		return e.remove(id)
	}

	return e.atLeader(ctx, fmt.Sprintf("%s?member=%d", pathRemove, id))
}

// Leave removes this member and empties its data.
func (e *Etcd) Leave(ctx context.Context) error {
	if err := e.Remove(ctx, e.Status().ID); err != nil {
		return err
	}

	e.pause(ctx, 150*time.Millisecond)

	return e.wipe()
}

// Forfeit gives the lead up; it returns the name of the new leader, empty when this member did not lead.
func (e *Etcd) Forfeit(ctx context.Context) (string, error) {
	status := e.Status()
	if !status.Running {
		return "", ErrNotRunning
	}

	if status.Leader != status.ID || len(status.Members) < 2 {
		return "", nil
	}

	e.handOver()

	for range 50 {
		e.pause(ctx, 100*time.Millisecond)

		now := e.Status()
		for _, member := range now.Members {
			if member.ID == now.Leader && member.ID != status.ID {
				return member.Name, nil
			}
		}
	}

	return "", ErrNoLeader
}

// handOver stands aside for a while, so that another member wins the election.
func (e *Etcd) handOver() {
	e.mu.Lock()
	e.aside = time.Now().Add(5 * time.Second)
	e.mu.Unlock()
	e.resign()
}

func (e *Etcd) atLeader(ctx context.Context, path string) error {
	base := e.LeaderURL()
	if base == "" {
		return ErrNoLeader
	}

	client, err := e.peers.Client()
	if err != nil {
		return err
	}

	var nothing struct{}

	return call(ctx, client, func() (*http.Request, error) {
		return http.NewRequestWithContext(ctx, http.MethodPost, base+path, nil)
	}, &nothing)
}
