package watch

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
)

// EventHub hands the change log to the streams of this server, as far as the index
// shows it. It holds the newest part in memory, so that a commit costs one read of the
// database however many streams there are. It is safe for concurrent use.
type EventHub struct {
	store *store.Store

	mu      sync.Mutex
	recent  []*eventBatch
	held    int             // entries in recent
	from    models.Position // recent has everything after it
	shown   models.Position // the index shows everything up to it; 0 if unknown
	changed chan struct{}   // closed when recent changes
	logs    int             // how often the database was replaced
}

// eventBatch is a part of the change log.
type eventBatch struct {
	entries  []models.Entry
	mu       sync.Mutex
	watchers map[string][]string // of the listings, by id; nil until needed
}

const (
	maxRecent   = 4096 // entries of the change log in memory
	eventsBatch = 500  // entries that a stream which lags behind reads at a time
)

func NewEventHub(store *store.Store) *EventHub {
	return &EventHub{store: store, from: math.MaxInt64, changed: make(chan struct{})}
}

// Publish adds the entries of an update of the index, or forgets all if it does not know
// them.
func (h *EventHub) Publish(u *search.Update) {
	if !u.All && len(u.Entries) == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shown = u.Position
	if u.Replaced {
		h.logs++
	}
	if u.All {
		h.recent, h.held, h.from = nil, 0, math.MaxInt64
	} else {
		h.from = min(h.from, u.Entries[0].Position-1)
		h.recent = append(h.recent, &eventBatch{entries: u.Entries})
		h.held += len(u.Entries)
	}
	for h.held > maxRecent && len(h.recent) > 1 {
		oldest := h.recent[0].entries
		h.from, h.held, h.recent = oldest[len(oldest)-1].Position, h.held-len(oldest), slices.Clone(h.recent[1:])
	}
	close(h.changed)
	h.changed = make(chan struct{})
}

// after returns what follows a position, from memory or the database, and a channel that
// is closed when there is more.
func (h *EventHub) after(ctx context.Context, at models.Position) (batches []*eventBatch, changed <-chan struct{}, err error) {
	batches, inMemory, shown, changed := h.inMemory(at)
	if inMemory {
		return batches, changed, nil
	}
	entries, err := h.store.Entries(ctx, at, eventsBatch)
	if shown > 0 {
		entries = slices.DeleteFunc(entries, func(e models.Entry) bool { return e.Position > shown })
	}
	if err != nil || len(entries) == 0 {
		return nil, changed, err
	}
	return []*eventBatch{{entries: entries}}, changed, nil
}

// log returns the number of the change log, which grows when the database is replaced.
func (h *EventHub) log() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.logs
}

// inMemory returns what is in memory after a position, and whether that is everything.
func (h *EventHub) inMemory(at models.Position) (batches []*eventBatch, all bool, shown models.Position, changed <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, b := range h.recent {
		if b.entries[len(b.entries)-1].Position > at {
			batches = slices.Clone(h.recent[i:])
			break
		}
	}
	return batches, at >= h.from, h.shown, h.changed
}

// follow calls deliver with the change log after a position, part by part, until ctx is
// done, deliver returns an error, the changes after the position are no longer kept, or the
// database was replaced.
// A batch may begin before the position. Without changes it calls deliver with nil every
// web.StreamInterval.
func (h *EventHub) follow(ctx context.Context, at models.Position, deliver func(after models.Position, b *eventBatch) error) error {
	tick := time.NewTicker(web.StreamInterval)
	defer tick.Stop()
	log := h.log()
	for {
		batches, changed, err := h.after(ctx, at)
		if err == nil && h.log() != log {
			err = store.ErrReplaced
		}
		if err != nil {
			return err
		}
		for _, b := range batches {
			if err := deliver(at, b); err != nil {
				return err
			}
			at = b.entries[len(b.entries)-1].Position
		}
		if len(batches) > 0 {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		case <-tick.C:
			if err := deliver(at, nil); err != nil {
				return err
			}
		}
	}
}

// after returns the entries of the batch after a position.
func (b *eventBatch) after(at models.Position) []models.Entry {
	i, _ := slices.BinarySearchFunc(b.entries, at+1, func(e models.Entry, at models.Position) int { return int(e.Position - at) })
	return b.entries[i:]
}

// watchersOf returns the members who watch listings of the batch, by listing.
func (b *eventBatch) watchersOf(ctx context.Context, watches *store.Watches) (map[string][]string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.watchers != nil {
		return b.watchers, nil
	}
	var ids []string
	for i := range b.entries {
		if e := &b.entries[i]; e.Public() && e.Kind == models.ListingChanged {
			ids = append(ids, e.Subject)
		}
	}
	watchers, err := watches.Watchers(ctx, ids)
	if err == nil {
		b.watchers = watchers
	}
	return watchers, err
}
