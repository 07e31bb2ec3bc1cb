// Package lines keeps the last lines of the node's log, for those who ask the node for them.
package lines

import (
	"bytes"
	"io"
	"slices"
	"sync"
)

const kept = 500

// Log passes lines on and keeps the last ones.
type Log struct {
	Out io.Writer

	mu   sync.Mutex
	last [][]byte
}

// Write takes one line, as the standard logger gives them.
func (l *Log) Write(line []byte) (int, error) {
	l.mu.Lock()

	if l.last = append(l.last, bytes.Clone(line)); len(l.last) > kept {
		l.last = slices.Clone(l.last[kept/2:])
	}

	l.mu.Unlock()

	return l.Out.Write(line)
}

// Last gives up to count of the last lines; all with a negative count.
func (l *Log) Last(count int) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()

	from := 0
	if count >= 0 {
		from = max(0, len(l.last)-count)
	}

	return bytes.Join(l.last[from:], nil)
}
