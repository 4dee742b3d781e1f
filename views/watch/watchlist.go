// Package watch renders watchlists, saved searches and their alerts, and the changes of the site.
package watch

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Watchlist is the page of the listings a member watches.
type Watchlist struct {
	Watches []Watch `json:"watches" jsonschema:"last added first"`
	site    *ui.Site
}

// Watch is a listing on a watchlist.
type Watch struct {
	Listing   ui.Card       `json:"listing" jsonschema:"current state of the listing"`
	Then      models.Money  `json:"price_then" jsonschema:"asking price when it was added"`
	Drop      *models.Money `json:"drop,omitempty" jsonschema:"price drop since it was added; absent when there is none"`
	WatchedAt string        `json:"watched_at" jsonschema:"when it was added"`
	site      *ui.Site
}

// NewWatch returns a listing on a watchlist. l is the listing now.
func NewWatch(site *ui.Site, listing ui.Card, w *models.Watch, l *models.Listing) Watch {
	own, now := site.In(l.Currency), l.Price
	watch := Watch{Listing: listing, Then: own.Money(w.Price), WatchedAt: w.CreatedAt.RFC3339(), site: site}
	if now < w.Price {
		drop := own.Money(w.Price - now)
		watch.Drop = &drop
	}
	return watch
}

// NewWatchlist returns the page of a watchlist.
func NewWatchlist(site *ui.Site, watches []Watch) *Watchlist {
	return &Watchlist{Watches: ui.List(watches), site: site}
}

// Head implements Page.
func (p *Watchlist) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Watchlist"), Description: ui.T(ctx, "Listings you're watching."), Path: ui.WatchlistPath, NoIndex: true, Crumbs: []ui.Link{{Href: "/account", Label: "Your account"}}}
}

// change describes how the price has changed.
func (w *Watch) change(ctx context.Context) string {
	switch {
	case w.Drop != nil:
		return ui.T(ctx, "down %s", ui.MoneyIn(ctx, *w.Drop))
	case w.Then == w.Listing.Price:
		return ui.T(ctx, "no change")
	}
	return ui.T(ctx, "up")
}

func (w *Watch) removePath() string { return ui.WatchlistPath + "/" + w.Listing.ID + "/remove" }

// watchlistLead is the first paragraph of the page.
var watchlistLead = languages.Mark("We'll email you when a price drops by 3% or more.")

// Markdown implements Page.
func (p *Watchlist) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Watchlist"), "").In(ctx)
	m.Paragraph(ui.T(ctx, watchlistLead))
	if len(p.Watches) == 0 {
		m.Paragraph(ui.T(ctx, "Nothing here yet. Select Watch on any listing to follow its price."))
	} else {
		m.Raw("\n")
		m.Head("Listing", "Id", "Status", "Condition", "Region", "Seller", "Price now", "Price when added", "Price change", "Watched since")
		for i := range p.Watches {
			c := &p.Watches[i]
			m.Row(m.Link(ui.Link{Href: c.Listing.Path(), Label: ui.Untrusted(c.Listing.Title)}), "`"+c.Listing.ID+"`", c.statusText(ctx),
				c.Listing.ConditionIn(languages.Of(ctx)), ui.RegionIn(ctx, c.Listing.Region), m.Link(ui.Link{Href: ui.SellerPath(c.Listing.Seller), Label: c.Listing.Seller}),
				ui.MarkdownText(ui.MoneyIn(ctx, c.Listing.Price)), ui.MarkdownText(ui.MoneyIn(ctx, c.Then)), ui.MarkdownText(c.change(ctx)), ui.DayIn(ctx, c.WatchedAt))
		}
	}
	m.Links([]ui.Link{{Href: ui.SearchesPath, Label: "Your saved searches"}, {Href: ui.SearchPath, Label: "Shop all"}})
	return m.Done(w)
}

// Head implements Page. A watch has no page of its own: its path is the watchlist's.
func (w *Watch) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: w.Listing.Title, Description: ui.T(ctx, "A listing you're watching."), Path: ui.WatchlistPath, NoIndex: true}
}

// Resource returns the path of the watch in the API.
func (w *Watch) Resource() string { return "/api/watchlist/" + w.Listing.ID }

// Markdown implements Page.
func (w *Watch) Markdown(ctx context.Context, out io.Writer) error {
	m := ui.NewMarkdown(w.site, ui.Untrusted(w.Listing.Title), "").In(ctx)
	m.Paragraph(ui.T(ctx, watchlistLead))
	m.Raw("\n")
	m.FactRows(w.facts(ctx))
	m.Links(w.links())
	return m.Done(out)
}

func (w *Watch) links() []ui.Link {
	return []ui.Link{{Href: w.Listing.Path(), Label: "The listing"}, {Href: ui.WatchlistPath, Label: "Your watchlist"}}
}

// statusText returns the status of the listing in the reader's language.
func (w *Watch) statusText(ctx context.Context) string {
	return languages.Of(ctx).TextIn("status", ui.StatusWord(w.Listing.Status))
}

func (w *Watch) facts(ctx context.Context) []ui.Fact {
	return []ui.Fact{
		{Name: "Status", Value: w.statusText(ctx)}, {Name: "Condition", Value: w.Listing.ConditionIn(languages.Of(ctx))}, {Name: "Region", Value: ui.RegionIn(ctx, w.Listing.Region)},
		{Name: "Seller", Value: w.Listing.Seller, Href: ui.SellerPath(w.Listing.Seller)}, {Name: "Price now", Value: ui.MoneyIn(ctx, w.Listing.Price)}, {Name: "Price when added", Value: ui.MoneyIn(ctx, w.Then)},
		{Name: "Price change", Value: w.change(ctx)}, {Name: "Watched since", Value: ui.DayIn(ctx, w.WatchedAt)},
	}
}
