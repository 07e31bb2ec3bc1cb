// Package etcd simulates the etcd of a control plane: members, one leader that writes, followers that copy.
package etcd

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
)

// ErrConflict tells that a key was not in the state that the writer expected.
var ErrConflict = errors.New("key changed meanwhile")

// Change is one write; a nil value deletes the key.
type Change struct {
	Revision int64           `json:"rev"`
	Key      string          `json:"key"`
	Value    json.RawMessage `json:"value,omitempty"`
	Created  int64           `json:"created,omitempty"`
	// Previous is the value before a deletion, for watchers; it is not stored.
	Previous json.RawMessage `json:"previous,omitempty"`
}

// Deleted says whether the change removed the key.
func (c Change) Deleted() bool { return c.Value == nil }

// Item is the current value of a key.
type Item struct {
	Key      string          `json:"key"`
	Value    json.RawMessage `json:"value"`
	Created  int64           `json:"created"`
	Modified int64           `json:"modified"`
}

// Snapshot is everything that a store holds.
type Snapshot struct {
	Revision int64  `json:"rev"`
	Items    []Item `json:"items"`
}

const history = 4096

// Store holds the keys in memory and each change in a file.
type Store struct {
	mu       sync.RWMutex
	revision int64
	items    map[string]Item
	recent   []Change
	watchers map[chan Change]struct{}
	log      changeLog
}

// Revision of the last write.
func (s *Store) Revision() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()

	return s.revision
}

// Get returns the item of a key.
func (s *Store) Get(key string) (Item, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()

	item, ok := s.items[key]

	return item, ok
}

// List returns the items under a prefix in the order of their keys, and the revision of the list.
func (s *Store) List(prefix string) ([]Item, int64) {
	s.mu.RLock()
	defer s.mu.RUnlock()

	var found []Item

	for key, item := range s.items {
		if strings.HasPrefix(key, prefix) {
			found = append(found, item)
		}
	}

	slices.SortFunc(found, func(a, b Item) int { return strings.Compare(a.Key, b.Key) })

	return found, s.revision
}

// Expect is what a writer knows of a key: 0 = must not exist, above 0 = that modification, below 0 = anything.
type Expect int64

// Expectations that are not a revision.
const (
	Absent   Expect = 0
	Anything Expect = -1
)

// Put writes a key; make gets the new revision and gives the value.
func (s *Store) Put(key string, expect Expect, value func(revision int64) (json.RawMessage, error)) (Item, error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	old, exists := s.items[key]
	if expect >= 0 && (int64(expect) != old.Modified || exists != (expect > 0)) {
		return old, ErrConflict
	}

	text, err := value(s.revision + 1)
	if err != nil {
		return old, err
	}

	created := s.revision + 1
	if exists {
		created = old.Created
	}

	s.apply(Change{Revision: s.revision + 1, Key: key, Value: text, Created: created})

	return s.items[key], nil
}

// Delete removes a key and returns what it held.
func (s *Store) Delete(key string) (Item, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()

	old, ok := s.items[key]
	if ok {
		s.apply(Change{Revision: s.revision + 1, Key: key, Previous: old.Value})
	}

	return old, ok
}

// Copy applies a change of the leader.
func (s *Store) Copy(change Change) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if change.Revision > s.revision {
		s.apply(change)
	}
}

func (s *Store) apply(change Change) {
	s.revision = change.Revision
	s.recent = append(s.recent, change)

	if len(s.recent) > history {
		s.recent = slices.Clone(s.recent[history/2:])
	}

	if change.Deleted() {
		delete(s.items, change.Key)
	} else {
		s.items[change.Key] = Item{Key: change.Key, Value: change.Value, Created: change.Created, Modified: change.Revision}
	}

	s.log.append(change)

	for watcher := range s.watchers {
		select {
		case watcher <- change:
		default:
			// Too slow: it must list again.
			delete(s.watchers, watcher)
			close(watcher)
		}
	}
}

// Snapshot copies all keys and starts a watch at that moment; stop ends it.
func (s *Store) Snapshot() (snapshot Snapshot, changes <-chan Change, stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()

	snapshot.Revision = s.revision
	for _, item := range s.items {
		snapshot.Items = append(snapshot.Items, item)
	}

	channel, stop := s.watch()

	return snapshot, channel, stop
}

// Restore replaces everything by a snapshot of the leader.
func (s *Store) Restore(snapshot Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.revision, s.recent, s.items = snapshot.Revision, nil, map[string]Item{}
	for _, item := range snapshot.Items {
		s.items[item.Key] = item
	}

	s.log.rewrite(s.revision, s.items)

	for watcher := range s.watchers {
		delete(s.watchers, watcher)
		close(watcher)
	}
}

// Watch gives the changes after a revision; ok is false when they are no longer known.
func (s *Store) Watch(after int64) (backlog []Change, changes <-chan Change, stop func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if after < s.revision && (len(s.recent) == 0 || s.recent[0].Revision > after+1) {
		return nil, nil, nil, false
	}

	for _, change := range s.recent {
		if change.Revision > after {
			backlog = append(backlog, change)
		}
	}

	channel, stop := s.watch()

	return backlog, channel, stop, true
}

func (s *Store) watch() (channel chan Change, stop func()) {
	channel = make(chan Change, history)
	s.watchers[channel] = struct{}{}

	return channel, func() {
		s.mu.Lock()
		defer s.mu.Unlock()

		if _, open := s.watchers[channel]; open {
			delete(s.watchers, channel)
			close(channel)
		}
	}
}
