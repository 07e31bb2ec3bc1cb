package etcd

import (
	"context"
	"log"
	"sync"
	"time"
)

// seek asks the other members who leads, and follows it or takes the lead.
func (e *Etcd) seek(ctx context.Context) {
	status := e.Status()
	answers := e.ask(ctx, status)
	best, reachable := status, 1

	for _, answer := range answers {
		if answer.Leader == answer.ID && answer.ID != 0 && answer.Term >= status.Term && answer.Running {
			if !isMember(answer.Members, status.ID) {
				e.markRemoved()

				return
			}

			e.follow(ctx, answer)
			e.pause(ctx, 50*time.Millisecond)

			return
		}

		reachable++
		if better(answer, best) {
			best = answer
		}
	}

	if reachable*2 > len(status.Members) && best.ID == status.ID && isMember(status.Members, status.ID) {
		e.lead(ctx, answers)

		return
	}

	e.pause(ctx, 150*time.Millisecond)
}

func better(a, b Status) bool {
	switch {
	case a.Aside != b.Aside:
		return b.Aside
	case a.Revision != b.Revision:
		return a.Revision > b.Revision
	default:
		return a.ID < b.ID
	}
}

func (e *Etcd) pause(ctx context.Context, delay time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(delay):
	}
}

func isMember(members []Member, id uint64) bool {
	for _, member := range members {
		if member.ID == id {
			return true
		}
	}

	return false
}

func (e *Etcd) markRemoved() {
	e.mu.Lock()
	defer e.mu.Unlock()

	e.me.Removed = true
	e.leader = 0
	e.save()
	log.Print("etcd: this member was removed from the cluster")
}

func (e *Etcd) ask(ctx context.Context, status Status) []Status {
	client, err := e.peers.Client()
	if err != nil {
		return nil
	}

	var (
		wait    sync.WaitGroup
		mu      sync.Mutex
		answers []Status
	)

	for _, member := range status.Members {
		if member.ID == status.ID {
			continue
		}

		wait.Go(func() {
			short, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()

			var answer Status
			if getJSON(short, client, e.peers.URL(member.Address)+pathStatus, &answer) == nil && answer.Cluster == status.Cluster {
				mu.Lock()
				defer mu.Unlock()

				answers = append(answers, answer)
			}
		})
	}

	wait.Wait()

	return answers
}

func (e *Etcd) lead(ctx context.Context, answers []Status) {
	select {
	case <-e.stepDown:
	default:
	}

	e.mu.Lock()
	term := e.me.Term

	for _, answer := range answers {
		term = max(term, answer.Term)
	}

	if len(e.members()) > 1 {
		term++
		log.Print("etcd: leading")
	}

	e.me.Term, e.leader = term, e.me.ID
	e.save()
	e.mu.Unlock()

	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()

	defer func() {
		e.mu.Lock()
		defer e.mu.Unlock()

		if e.leader == e.me.ID {
			e.leader = 0
		}
	}()

	for {
		select {
		case <-ctx.Done():
			return
		case <-e.stepDown:
			return
		case <-ticker.C:
			if e.outvoted(ctx) {
				return
			}
		}
	}
}

// outvoted finds another leader of a later term, as after a pause of this process.
func (e *Etcd) outvoted(ctx context.Context) bool {
	status := e.Status()
	if len(status.Members) < 2 || e.Leading() {
		return false
	}

	for _, answer := range e.ask(ctx, status) {
		if answer.Leader == answer.ID && answer.Term > status.Term {
			return true
		}
	}

	return false
}
