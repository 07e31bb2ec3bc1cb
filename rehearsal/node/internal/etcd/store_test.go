package etcd

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"
)

func put(t *testing.T, s *Store, key string, expect Expect, value string) error {
	t.Helper()

	_, err := s.Put(key, expect, func(int64) (json.RawMessage, error) { return json.RawMessage(value), nil })

	return err
}

func TestStoreKeepsWhatWasWritten(t *testing.T) {
	t.Parallel()

	path := filepath.Join(t.TempDir(), "log.jsonl")

	store, err := openStore(path)
	if err != nil {
		t.Fatal(err)
	}

	for _, step := range []struct {
		key, value string
		expect     Expect
		want       error
	}{
		{"/a", "1", Absent, nil}, {"/a", "2", Absent, ErrConflict}, {"/a", "2", 1, nil}, {"/a", "3", 1, ErrConflict},
		{"/b", "1", 7, ErrConflict}, {"/b", "1", Anything, nil},
	} {
		if err = put(t, store, step.key, step.expect, step.value); !errors.Is(err, step.want) {
			t.Errorf("%+v: %v", step, err)
		}
	}

	store.Delete("/b")

	// No close: a killed process leaves the file as it is.
	again, err := openStore(path)
	if err != nil {
		t.Fatal(err)
	}

	items, revision := again.List("/")
	if len(items) != 1 || string(items[0].Value) != "2" || items[0].Created != 1 || items[0].Modified != 2 || revision != 4 {
		t.Errorf("after opening again: %+v at %d", items, revision)
	}
}

func TestWatchGivesEachChangeOnce(t *testing.T) {
	t.Parallel()

	store, err := openStore(filepath.Join(t.TempDir(), "log.jsonl"))
	if err != nil {
		t.Fatal(err)
	}

	_ = put(t, store, "/a", Anything, "1")
	_ = put(t, store, "/a", Anything, "2")

	backlog, changes, stop, ok := store.Watch(1)
	if !ok || len(backlog) != 1 || backlog[0].Revision != 2 {
		t.Fatalf("backlog %+v", backlog)
	}

	store.Delete("/a")

	if change := <-changes; !change.Deleted() || string(change.Previous) != "2" {
		t.Errorf("deletion %+v", change)
	}

	stop()

	store.Restore(Snapshot{Revision: 50})

	if _, _, _, ok = store.Watch(10); ok {
		t.Error("a watch from before a snapshot must be refused")
	}
}

func TestElectionPrefersTheNewestCopy(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct {
		a, b Status
		want bool
	}{
		"newer":       {Status{ID: 9, Revision: 5}, Status{ID: 1, Revision: 4}, true},
		"older":       {Status{ID: 1, Revision: 4}, Status{ID: 9, Revision: 5}, false},
		"lower id":    {Status{ID: 1, Revision: 5}, Status{ID: 9, Revision: 5}, true},
		"stood aside": {Status{ID: 1, Revision: 5, Aside: true}, Status{ID: 9, Revision: 5}, false},
	} {
		if got := better(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
