package watch

import (
	"context"
	"io"
	"net/url"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// changesPath is the path of the change feed in the API.
const changesPath = "/api/changes"

// Changes is a page of the change feed.
type Changes struct {
	Changes []PublicChange `json:"changes" jsonschema:"oldest first"`
	Cursor  string         `json:"next_cursor" jsonschema:"send it as since for the changes after these; there is always one"`
	More    bool           `json:"has_more" jsonschema:"whether there are further changes already"`
	limit   string
	site    *ui.Site
}

// PublicChange is a public change, in the change feed and in the stream of events.
type PublicChange struct {
	Cursor  string       `json:"cursor" jsonschema:"send it as since, or as Last-Event-ID, for the changes after this one"`
	Kind    models.Event `json:"kind" jsonschema:"what happened"`
	At      string       `json:"at" jsonschema:"when it happened"`
	ID      string       `json:"id,omitempty" jsonschema:"UUID of the listing, if it is about one"`
	Version int64        `json:"version,omitempty" jsonschema:"version of the listing after the change"`
	Gear    string       `json:"gear,omitempty" jsonschema:"slug of the gear whose trend changed"`
	Seller  string       `json:"seller,omitempty" jsonschema:"handle of the seller whose profile changed"`
	Href    string       `json:"href" jsonschema:"where to get its current state: a path in the API, which returns 404 for a listing that was removed"`
	Page    string       `json:"page" jsonschema:"the same as a page"`
}

// NewPublicChange returns a change. log is the id of the change log; handle is that of the
// member that changed, if one did.
func NewPublicChange(log string, e *models.Entry, handle string) PublicChange {
	c := PublicChange{Cursor: models.Cursor(log, e.Position), Kind: e.Event, At: e.At.RFC3339(), Version: e.Version}
	switch e.Kind {
	case models.ListingChanged:
		c.ID = e.Subject
		c.at(ui.ListingPath(e.Subject))
	case models.GearChanged:
		c.Gear = e.Subject
		c.at(ui.GearPath(e.Subject))
	case models.MemberChanged:
		c.Seller = handle
		c.at(ui.SellerPath(handle))
	}
	return c
}

// at sets the paths of the subject of the change.
func (c *PublicChange) at(page string) { c.Href, c.Page = ui.JSONPath(page), page }

// NewChanges returns a page of the change feed. limit is that of the request, "" for the
// default.
func NewChanges(site *ui.Site, changes []PublicChange, next string, more bool, limit string) *Changes {
	return &Changes{Changes: ui.List(changes), Cursor: next, More: more, limit: limit, site: site}
}

// Head implements Page.
func (p *Changes) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Changes"), Description: ui.T(ctx, "Every public change of the marketplace, in order."), Path: changesPath, NoIndex: true}
}

// After implements web.PagedPage.
func (p *Changes) After() string {
	if !p.More {
		return ""
	}
	return p.Cursor
}

// next returns the path of the changes after this page, which may be made later.
func (p *Changes) next() string {
	query := url.Values{"since": {p.Cursor}}
	if p.limit != "" {
		query.Set("limit", p.limit)
	}
	return changesPath + "?" + query.Encode()
}

// about names what changed.
func (c *PublicChange) about() string { return c.ID + c.Gear + c.Seller }

// Markdown implements Page.
func (p *Changes) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Changes"), "").In(ctx)
	if len(p.Changes) == 0 {
		m.Paragraph(ui.T(ctx, "Nothing has changed since."))
	} else {
		m.Raw("\n")
		m.Head("Time", "What", "Of", "Version")
		for i := range p.Changes {
			c := &p.Changes[i]
			m.Row(c.At, string(c.Kind), m.Link(ui.Link{Href: c.Href, Label: c.about()}), c.versionText())
		}
	}
	m.Links([]ui.Link{{Href: p.next(), Label: "The changes after these"}})
	return m.Done(w)
}

// VersionText returns the version of the listing, "" for what has none.
func (c *PublicChange) versionText() string {
	if c.Version == 0 {
		return ""
	}
	return ui.NumberText(int(c.Version))
}

// EventReason says why an event is a member's.
type EventReason string

// The reasons.
const (
	OwnEvent     EventReason = "own"     // it is about the member's listing, offer or conversation
	WatchedEvent EventReason = "watched" // it is about a listing that the member watches
)

// SearchMatched is the event of a new match of a saved search.
const SearchMatched models.Event = "search_matched"

// Event is a change in the stream of events.
type Event struct {
	PublicChange
	Reason       EventReason `json:"reason,omitempty"`
	Offer        string      `json:"offer,omitempty"`        // id
	Conversation string      `json:"conversation,omitempty"` // id
	Search       string      `json:"search,omitempty"`       // id of the saved search that the listing matches
}

// NewEvent returns an event. A search is that of a new match.
func NewEvent(change PublicChange, e *models.Entry, reason EventReason, search string) Event {
	v := Event{PublicChange: change, Reason: reason, Search: search}
	switch {
	case search != "":
		v.Kind = SearchMatched
	case e.Kind == models.OfferChanged:
		v.Offer = e.Subject
		v.at(ui.OfferPath(e.Subject))
	case e.Kind == models.ConversationChanged:
		v.Conversation = e.Subject
		v.at(ui.ConversationPath(e.Subject))
	}
	return v
}
