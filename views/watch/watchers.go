package watch

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Watchers is the page where a seller reads how many people watch a listing, and writes
// to them.
type Watchers struct {
	Listing  ui.Topic  `json:"listing" jsonschema:"your listing"`
	Count    int       `json:"watchers" jsonschema:"number of members who watch it, counted up to 10,000" min:"0"`
	New      int       `json:"new_watchers" jsonschema:"number of them since your last message" min:"0"`
	LastText string    `json:"last_text,omitempty" jsonschema:"your last message to watchers; absent if there is none"`
	LastAt   string    `json:"last_sent_at,omitempty" format:"date-time" jsonschema:"when you sent it"`
	Links    []ui.Link `json:"links"`
	active   bool
	site     *ui.Site
}

// NewWatchers returns the page of a listing's watchers.
func NewWatchers(site *ui.Site, l *models.Listing, w *models.Watchers) *Watchers {
	return &Watchers{Listing: ui.NewTopic(site, l), Count: w.Count, New: w.New, LastText: w.LastText, LastAt: w.LastAt.RFC3339(), active: l.Status == models.StatusActive,
		Links: []ui.Link{{Href: ui.ListingPath(l.ID), Label: "The listing"}, {Href: ui.MyListingsPath, Label: "Your listings"}, {Href: ui.MessagesPath, Label: "Messages"}}, site: site}
}

// Head implements Page.
func (p *Watchers) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: p.heading(ctx), Description: ui.T(ctx, "Message people watching your listing."), Path: ui.WatchersPath(p.Listing.ID), NoIndex: true,
		Crumbs: []ui.Link{ui.AccountCrumb, {Href: ui.MyListingsPath, Label: "Your listings"}}}
}

// WatchingText says how many people watch something: "3 people watching".
func WatchingText(ctx context.Context, n int) string {
	if n == 0 {
		return ui.T(ctx, "No one's watching yet")
	}
	return ui.TN(ctx, n, "%s person watching", "%s people watching")
}

func (p *Watchers) heading(ctx context.Context) string { return WatchingText(ctx, p.Count) }

// mayWrite reports whether a message would be sent.
func (p *Watchers) mayWrite() bool { return p.active && p.New > 0 }

// lead says what the seller can do.
func (p *Watchers) lead() string {
	switch {
	case !p.active:
		return languages.Mark("You can write to them while the listing is for sale.")
	case p.Count == 0:
		return languages.Mark("Good photos and a fair price help.")
	case p.New == 0:
		return languages.Mark("You can send another once someone new starts watching.")
	}
	return languages.Mark("Let them know it's still available, or that you've dropped the price.")
}

// watchersHelp says who gets a message to watchers.
var watchersHelp = languages.Mark("Your message goes once to everyone watching, except people who've opted out, messaged you or made an offer. You'll only see who they are if they reply.")

// Markdown implements Page.
func (p *Watchers) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.heading(ctx), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(ui.T(ctx, p.lead()))
	m.Raw("\n- ", ui.T(ctx, "Listing"), ": ", m.Topic(&p.Listing), "\n")
	if p.LastText != "" {
		m.Raw("\n", ui.T(ctx, "Your last message, on %s:", ui.MomentIn(ctx, p.LastAt)), "\n\n")
		m.Quote(p.LastText)
	}
	m.Links(p.Links)
	return m.Done(w)
}
