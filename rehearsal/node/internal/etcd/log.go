package etcd

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
)

// changeLog is a file of one change a line: what was written survives a killed process.
type changeLog struct {
	path string
	file *os.File
}

func openStore(path string) (*Store, error) {
	store := &Store{items: map[string]Item{}, watchers: map[chan Change]struct{}{}, log: changeLog{path: path}}

	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}

	if file, err := os.Open(path); err == nil {
		defer file.Close() //nolint:errcheck

		lines := bufio.NewReader(file)

		for {
			line, readErr := lines.ReadBytes('\n')
			if readErr != nil {
				break
			}

			var change Change
			if json.Unmarshal(line, &change) == nil {
				store.replay(change)
			}
		}
	}

	store.log.rewrite(store.revision, store.items)

	return store, nil
}

func (s *Store) replay(change Change) {
	s.revision = max(s.revision, change.Revision)

	if change.Key == "" {
		return
	}

	if change.Deleted() {
		delete(s.items, change.Key)

		return
	}

	s.items[change.Key] = Item{Key: change.Key, Value: change.Value, Created: change.Created, Modified: change.Revision}
}

func (l *changeLog) append(change Change) {
	if l.file == nil {
		return
	}

	change.Previous = nil
	if line, err := json.Marshal(change); err == nil {
		_, _ = l.file.Write(append(line, '\n'))
	}
}

// rewrite leaves one line for each key, and one without a key for the revision.
func (l *changeLog) rewrite(revision int64, items map[string]Item) {
	if l.file != nil {
		_ = l.file.Close()
		l.file = nil
	}

	next, err := os.OpenFile(l.path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}

	buffer := bufio.NewWriter(next)
	encoder := json.NewEncoder(buffer)

	for _, item := range items {
		_ = encoder.Encode(Change{Revision: item.Modified, Key: item.Key, Value: item.Value, Created: item.Created})
	}

	_ = encoder.Encode(Change{Revision: revision})

	if buffer.Flush() != nil || os.Rename(l.path+".new", l.path) != nil {
		_ = next.Close()

		return
	}

	l.file = next
}

func (l *changeLog) close() {
	if l.file != nil {
		_ = l.file.Close()
		l.file = nil
	}
}
