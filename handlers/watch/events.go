package watch

import (
	"context"
	"slices"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/watch"
)

// eventOps serves the events of the site as they happen: over HTTP at /api/events, and
// to MCP clients as updates of resources.
type eventOps struct{ Deps }

// EventsPath is the path of the stream of events.
const EventsPath = "/api/events"

// stream describes the stream of events.
func (s eventOps) stream() *web.EventStream {
	change := s.sampleChanges().Changes[0]
	data, err := web.EncodeJSON(&views.Event{PublicChange: change})
	if err != nil {
		panic("encode the example of an event: " + err.Error())
	}
	return &web.EventStream{
		Path:    EventsPath,
		ID:      "streamEvents",
		Tag:     "Integration",
		Title:   "Events",
		Summary: "Sends changes as they happen, as server-sent events.",
		Description: "Sends the changes of list_changes within a second. With a member's token it sends what concerns the member instead: their listings, offers and messages, listings they watch and new matches of their saved searches. " +
			"A stream ends after ten minutes: connect again with the id of the last event in Last-Event-ID, as browsers do, and nothing is missed.",
		Scope:   string(models.AccountRead),
		Events:  "Server-sent events. event is the kind of a change, data the change as in list_changes, and id its cursor; reason, offer, conversation and search say why a member gets it.",
		Example: "id: " + change.Cursor + "\nevent: " + string(change.Kind) + "\ndata: " + string(data) + "\n\n",
		Open:    s.open,
	}
}

// open returns the events after that with an id, "" for the present: a member's own, or
// those that everybody may see.
func (s eventOps) open(ctx context.Context, lastID string) (web.EventSource, error) {
	by := web.CallerOf(ctx)
	if by.Identity != nil && !slices.Contains(by.Scopes, string(models.AccountRead)) {
		return nil, &problem.Error{Kind: problem.Forbidden, Code: "insufficient_scope", Message: problem.Programf("This needs a token with the scope %s.", models.AccountRead),
			Hint: problem.Programf("Create a token with this scope at /account/tokens. Without a token the stream has the public changes.")}
	}
	log, at, err := s.Store.ChangeLog(ctx)
	if err == nil && lastID != "" {
		at, err = s.Store.ReadCursor(ctx, lastID)
	}
	if err != nil {
		return nil, err
	}
	read := s.publicEvents
	if member := caller.ID(ctx); member != "" {
		read = func(ctx context.Context, after models.Position, b *eventBatch) ([]event, error) {
			return s.memberEvents(ctx, member, after, b)
		}
	}
	return func(ctx context.Context, w *web.EventWriter) error {
		w.Mark(models.Cursor(log, at))
		if err := w.Flush(ctx); err != nil {
			return err
		}
		return s.Hub.follow(ctx, at, func(after models.Position, b *eventBatch) error {
			if b != nil {
				events, err := read(ctx, after, b)
				if err != nil {
					return err
				}
				if err := s.write(ctx, w, log, events); err != nil {
					return err
				}
				after = b.entries[len(b.entries)-1].Position
			}
			w.Mark(models.Cursor(log, after))
			return w.Flush(ctx)
		})
	}, nil
}

// event is a change log entry as visible to one reader.
type event struct {
	*models.Entry
	reason views.EventReason
	search string // id of the saved search that the listing matches
}

// write adds events to a stream. Only the last event of an entry has an id, so that a
// client which resumes after it has all of them.
func (s eventOps) write(ctx context.Context, w *web.EventWriter, log string, events []event) error {
	entries := make([]models.Entry, len(events))
	for i := range events {
		entries[i] = *events[i].Entry
	}
	changes, err := s.changesOf(ctx, log, entries)
	if err != nil {
		return err
	}
	for i, e := range events {
		shown := views.NewEvent(changes[i], e.Entry, e.reason, e.search)
		data, err := web.EncodeJSON(&shown)
		if err != nil {
			return err
		}
		id := ""
		if i == len(events)-1 || events[i+1].Position != e.Position {
			id = changes[i].Cursor
		}
		w.Event(string(shown.Kind), id, data)
	}
	return nil
}

// publicEvents returns the entries of a batch that everybody may see.
func (s eventOps) publicEvents(_ context.Context, after models.Position, b *eventBatch) (events []event, err error) {
	entries := b.after(after)
	for i := range entries {
		if entries[i].Public() {
			events = append(events, event{Entry: &entries[i]})
		}
	}
	return events, nil
}

// memberEvents returns the entries of a batch that concern a member: their listings,
// offers and messages, listings they watch, and new matches of their saved searches.
func (s eventOps) memberEvents(ctx context.Context, member string, after models.Position, b *eventBatch) (events []event, err error) {
	watchers, err := b.watchersOf(ctx, s.Watches)
	if err != nil {
		return nil, err
	}
	entries := b.after(after)
	matches, err := s.newMatches(ctx, member, entries)
	if err != nil {
		return nil, err
	}
	for i := range entries {
		e := &entries[i]
		switch {
		case e.Event == "":
		case e.MemberID == member:
			events = append(events, event{Entry: e, reason: views.OwnEvent})
		case e.Public() && slices.Contains(watchers[e.Subject], member):
			events = append(events, event{Entry: e, reason: views.WatchedEvent})
		}
		for _, search := range matches[i] {
			events = append(events, event{Entry: e, search: search})
		}
	}
	return events, nil
}

// newMatches returns the ids of a member's saved searches that listings match which were
// just published, by the index of the entry.
func (s Deps) newMatches(ctx context.Context, member string, entries []models.Entry) (map[int][]string, error) {
	published := map[string]int{}
	var ids []string
	for i := range entries {
		if e := &entries[i]; e.Event == models.ListingPublished && e.MemberID != member {
			published[e.Subject] = i
			ids = append(ids, e.Subject)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	searches, err := s.Watches.Searches(ctx, member)
	if err != nil || len(searches) == 0 {
		return nil, err
	}
	listings, err := s.Listings.ListingsByID(ctx, ids)
	if err != nil || len(listings) == 0 {
		return nil, err
	}
	since := listings[0].PublishedAt
	for _, l := range listings {
		since = min(since, l.PublishedAt)
	}
	matches := map[int][]string{}
	for i := range searches {
		cards, err := s.publishedSince(ctx, &searches[i], since)
		if err != nil {
			return nil, err
		}
		for _, card := range cards {
			if at, ok := published[card.ID]; ok {
				matches[at] = append(matches[at], searches[i].ID)
			}
		}
	}
	return matches, nil
}
