package machine

import (
	"crypto/rand"
	"encoding/base32"
	"strings"
	"sync"

	"google.golang.org/protobuf/types/known/anypb"

	machineapi "github.com/siderolabs/talos/pkg/machinery/api/machine"
	"github.com/siderolabs/talos/pkg/machinery/proto"
)

// Events passes runtime events to those who watch.
type Events struct {
	mu       sync.Mutex
	watchers map[chan *machineapi.Event]struct{}
}

func newEvents() *Events { return &Events{watchers: map[chan *machineapi.Event]struct{}{}} }

// NewEvent wraps a payload; without one it is the hello that opens a stream.
func NewEvent(payload proto.Message, actor string) (*machineapi.Event, error) {
	event := &machineapi.Event{Id: eventID(), ActorId: actor, Data: &anypb.Any{}}
	if payload == nil {
		return event, nil
	}

	value, err := proto.Marshal(payload)
	event.Data = &anypb.Any{TypeUrl: "talos/runtime/" + string(payload.ProtoReflect().Descriptor().FullName()), Value: value}

	return event, err
}

// Publish sends an event to all watchers; a watcher that is too slow loses it.
func (e *Events) Publish(payload proto.Message, actor string) {
	event, err := NewEvent(payload, actor)
	if err != nil {
		return
	}

	e.mu.Lock()
	defer e.mu.Unlock()

	for watcher := range e.watchers {
		select {
		case watcher <- event:
		default:
		}
	}
}

// Watch gives a channel of events until stop.
func (e *Events) Watch() (events <-chan *machineapi.Event, stop func()) {
	channel := make(chan *machineapi.Event, 64)

	e.mu.Lock()
	defer e.mu.Unlock()

	e.watchers[channel] = struct{}{}

	return channel, func() {
		e.mu.Lock()
		defer e.mu.Unlock()

		delete(e.watchers, channel)
	}
}

// eventID has the form of an xid, which clients parse.
func eventID() string {
	var b [12]byte

	_, _ = rand.Read(b[:])

	return strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:]))
}
