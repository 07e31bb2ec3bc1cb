package etcd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Prefix of the paths on which members speak to each other, next to the Kubernetes API.
const Prefix = "/simnode/etcd/"

const (
	pathStatus  = Prefix + "status"
	pathStream  = Prefix + "stream"
	pathJoin    = Prefix + "join"
	pathRemove  = Prefix + "remove"
	pathForfeit = Prefix + "forfeit"
)

// LeaderOnly says whether a request must reach the leader.
func LeaderOnly(path string) bool {
	return path == pathJoin || path == pathRemove || path == pathForfeit
}

// ServeHTTP answers other members; the caller has checked that it is one.
func (e *Etcd) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case pathStatus:
		writeJSON(w, http.StatusOK, e.Status())
	case pathStream:
		e.serveStream(w, r)
	case pathJoin:
		var candidate Member
		if json.NewDecoder(r.Body).Decode(&candidate) != nil {
			http.Error(w, "bad request", http.StatusBadRequest)

			return
		}

		status, err := e.admit(candidate)
		reply(w, status, err)
	case pathRemove:
		id, _ := strconv.ParseUint(r.URL.Query().Get("member"), 10, 64)
		reply(w, struct{}{}, e.remove(id))
	case pathForfeit:
		reply(w, struct{}{}, nil)
		time.AfterFunc(20*time.Millisecond, e.handOver)
	default:
		http.NotFound(w, r)
	}
}

func (e *Etcd) serveStream(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.ParseUint(r.URL.Query().Get("member"), 10, 64)
	status := e.Status()

	switch {
	case status.Leader != status.ID || status.ID == 0:
		http.Error(w, ErrNoLeader.Error(), http.StatusServiceUnavailable)

		return
	case !isMember(status.Members, id):
		http.Error(w, "removed", http.StatusGone)

		return
	}

	snapshot, changes, stop := e.store.Snapshot()
	defer stop()

	encoder, flusher := json.NewEncoder(w), http.NewResponseController(w)
	send := func(next frame) bool {
		next.Leader, next.Term = status.ID, status.Term

		return encoder.Encode(next) == nil && flusher.Flush() == nil
	}

	if !send(frame{Snapshot: &snapshot}) {
		return
	}

	e.connect(id, 1)
	defer e.connect(id, -1)

	ticker := time.NewTicker(beat)
	defer ticker.Stop()

	for {
		ok := true

		select {
		case <-r.Context().Done():
			return
		case change, open := <-changes:
			ok = open && send(frame{Change: &change})
		case <-ticker.C:
			now := e.Status()
			ok = now.Leader == status.ID && now.Term == status.Term && send(frame{})
		}

		if !ok {
			return
		}
	}
}

func (e *Etcd) connect(id uint64, step int) {
	e.mu.Lock()
	defer e.mu.Unlock()

	e.connected[id] += step

	if step > 0 {
		e.promote(id)
	}
}

func writeJSON(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(body)
}

func reply(w http.ResponseWriter, body any, err error) {
	switch {
	case err == nil:
		writeJSON(w, http.StatusOK, body)
	case errors.Is(err, ErrNoLeader):
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	default:
		http.Error(w, err.Error(), http.StatusConflict)
	}
}

func getJSON(ctx context.Context, client *http.Client, url string, into any) error {
	return call(ctx, client, func() (*http.Request, error) {
		return http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	}, into)
}

func postJoin(ctx context.Context, client *http.Client, base string, candidate Member) (Status, error) {
	var status Status

	body, err := json.Marshal(candidate)
	if err != nil {
		return status, err
	}

	err = call(ctx, client, func() (*http.Request, error) {
		return http.NewRequestWithContext(ctx, http.MethodPost, base+pathJoin, bytes.NewReader(body))
	}, &status)

	return status, err
}

func call(_ context.Context, client *http.Client, build func() (*http.Request, error), into any) error {
	request, err := build()
	if err != nil {
		return err
	}

	response, err := client.Do(request)
	if err != nil {
		return err
	}

	defer response.Body.Close() //nolint:errcheck

	if response.StatusCode == http.StatusOK {
		return json.NewDecoder(response.Body).Decode(into)
	}

	text, _ := io.ReadAll(io.LimitReader(response.Body, 4096))
	message := strings.TrimSpace(string(text))

	for _, known := range []error{ErrNotFound, ErrUnhealthy, ErrNoLeader} {
		if message == known.Error() {
			return known
		}
	}

	if response.StatusCode == http.StatusConflict {
		return fmt.Errorf("%w: %s", errRefused, message)
	}

	return fmt.Errorf("%s: %s", response.Status, message)
}
