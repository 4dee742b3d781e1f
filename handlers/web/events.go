package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// EventStream describes a stream of server-sent events.
type EventStream struct {
	Path, ID, Tag               string // ID is the operationId in the documentation
	Title, Summary, Description string
	Scope                       string // scope that a token needs, if one is sent
	Events                      string // description of the events
	Example                     string // an event, as it is sent
	// Open returns the events after that with an id, "" for none.
	Open func(ctx context.Context, lastID string) (EventSource, error)
}

// EventSource produces the events of one stream until ctx is done, or it returns.
type EventSource func(ctx context.Context, w *EventWriter) error

// Intervals of streams.
const (
	// StreamInterval is how often a stream sends something, so that neither the client
	// nor a proxy takes it for dead.
	StreamInterval = 10 * time.Second
	// AccessInterval is how often a stream checks that its token or session is valid.
	AccessInterval = time.Second
)

// ErrStreamEnded is returned by Flush if the client may no longer receive events.
var ErrStreamEnded = errors.New("the token or session of the stream has ended")

// EventWriter writes server-sent events to one client.
type EventWriter struct {
	w      http.ResponseWriter
	flush  func() error
	access func(ctx context.Context) bool
	buf    bytes.Buffer
}

// NewEventWriter returns a writer to a stream, whose credentials access checks.
func NewEventWriter(rw http.ResponseWriter, access func(ctx context.Context) bool) *EventWriter {
	return &EventWriter{w: rw, flush: http.NewResponseController(rw).Flush, access: access}
}

// Begin sends how many milliseconds a client waits before it connects again.
func (w *EventWriter) Begin() error { return w.write("retry: 2000\n\n") }

// Event adds an event to what Flush sends. The client resumes after it if id is not "".
// The data must be free of line breaks, as JSON is.
func (w *EventWriter) Event(name, id string, data []byte) {
	fmt.Fprintf(&w.buf, "event: %s\n", name)
	if id != "" {
		fmt.Fprintf(&w.buf, "id: %s\n", id)
	}
	fmt.Fprintf(&w.buf, "data: %s\n\n", data)
}

// Mark adds to what Flush sends that the client has all events up to an id.
func (w *EventWriter) Mark(id string) { fmt.Fprintf(&w.buf, "id: %s\n: mark\n\n", id) }

// Flush sends the events that were added. If the client's token or session is no
// longer valid it sends nothing and returns an error.
func (w *EventWriter) Flush(ctx context.Context) error {
	if !w.access(ctx) {
		return ErrStreamEnded
	}
	defer w.buf.Reset()
	return w.write(w.buf.String())
}

func (w *EventWriter) write(text string) error {
	if _, err := w.w.Write([]byte(text)); err != nil {
		return err
	}
	return w.flush()
}

// EventStreamType is the media type of server-sent events.
const EventStreamType = "text/event-stream"
