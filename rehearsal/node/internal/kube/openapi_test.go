package kube

import (
	"context"
	"testing"
	"time"
)

func TestOpenAPIIsBuiltForWhoeverWaits(t *testing.T) {
	t.Parallel()

	d := &apiDocument{}

	for range 2 {
		short, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		if d.await(short, 200*time.Millisecond) {
			t.Error("answered before its time")
		}

		cancel()
	}

	began := time.Now()
	if !d.await(context.Background(), 200*time.Millisecond) || time.Since(began) < 200*time.Millisecond {
		t.Error("the one who waits gets it, after its time")
	}

	short, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()

	if !d.await(short, 200*time.Millisecond) {
		t.Error("built once it is quick")
	}
}

func TestOpenAPISize(t *testing.T) {
	t.Parallel()

	d := &apiDocument{}
	if small, large := len(d.text(0)), len(d.text(4)); small > 1<<20 || large < 4<<20 || large > 5<<20 {
		t.Errorf("%d and %d bytes", small, large)
	}

	if text, err := asProtobuf(d.text(4)); err != nil || len(text) < 3<<20 {
		t.Errorf("protobuf: %d bytes, %v", len(text), err)
	}
}
