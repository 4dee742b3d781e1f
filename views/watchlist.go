package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// Watchlist is the page of the listings a member watches.
type Watchlist struct {
	Watches []Watch `json:"watches" jsonschema:"last added first"`
	site    *Site
}

// Watch is a listing on a watchlist.
type Watch struct {
	Listing   Card          `json:"listing" jsonschema:"current state of the listing"`
	Then      models.Money  `json:"price_then" jsonschema:"asking price when it was added"`
	Drop      *models.Money `json:"drop,omitempty" jsonschema:"price drop since it was added; absent when there is none"`
	WatchedAt string        `json:"watched_at" jsonschema:"when it was added"`
	site      *Site
}

// NewWatch returns a listing on a watchlist. l is the listing now.
func NewWatch(site *Site, listing Card, w *models.Watch, l *models.Listing) Watch {
	own, now := site.in(l.Currency), l.Price
	watch := Watch{Listing: listing, Then: own.Money(w.Price), WatchedAt: w.CreatedAt.RFC3339(), site: site}
	if now < w.Price {
		drop := own.Money(w.Price - now)
		watch.Drop = &drop
	}
	return watch
}

// NewWatchlist returns the page of a watchlist.
func NewWatchlist(site *Site, watches []Watch) *Watchlist {
	return &Watchlist{Watches: list(watches), site: site}
}

// Head implements Page.
func (p *Watchlist) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Watchlist"), Description: t(ctx, "The listings you watch."), Path: watchlistPath, NoIndex: true, Crumbs: []Link{{"/account", "Your account"}}}
}

// change describes how the price has changed.
func (w *Watch) change(ctx context.Context) string {
	switch {
	case w.Drop != nil:
		return t(ctx, "%s less", moneyIn(ctx, *w.Drop))
	case w.Then == w.Listing.Price:
		return t(ctx, "the same")
	}
	return t(ctx, "more than then")
}

func (w *Watch) removePath() string { return watchlistPath + "/" + w.Listing.ID + "/remove" }

// watchlistLead is the first paragraph of the page.
var watchlistLead = languages.Mark("You get mail when the price of something here falls by 3 % or more, once for each new low.")

// Markdown implements Page.
func (p *Watchlist) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Watchlist"), "").in(ctx)
	m.text(t(ctx, watchlistLead))
	if len(p.Watches) == 0 {
		m.text(t(ctx, "You're not watching anything yet. Choose Watch on a listing."))
	} else {
		m.raw("\n")
		m.head("Listing", "Id", "Status", "Condition", "Region", "Seller", "Price now", "Price then", "Since then", "Watched since")
		for i := range p.Watches {
			c := &p.Watches[i]
			m.row(m.link(Link{c.Listing.path(), untrusted(c.Listing.Title)}), "`"+c.Listing.ID+"`", c.statusText(ctx),
				c.Listing.conditionIn(languages.Of(ctx)), regionIn(ctx, c.Listing.Region), m.link(Link{sellerPath(c.Listing.Seller), c.Listing.Seller}),
				mdText(moneyIn(ctx, c.Listing.Price)), mdText(moneyIn(ctx, c.Then)), mdText(c.change(ctx)), dayIn(ctx, c.WatchedAt))
		}
	}
	m.links([]Link{{searchesPath, "Your saved searches"}, {searchPath, "Shop all"}})
	return m.done(w)
}

// Head implements Page. A watch has no page of its own: its path is the watchlist's.
func (w *Watch) Head(ctx context.Context) Head {
	return Head{Title: w.Listing.Title, Description: t(ctx, "A listing you watch."), Path: watchlistPath, NoIndex: true}
}

// Resource returns the path of the watch in the API.
func (w *Watch) Resource() string { return "/api/watchlist/" + w.Listing.ID }

// Markdown implements Page.
func (w *Watch) Markdown(ctx context.Context, out io.Writer) error {
	m := newMarkdown(w.site, untrusted(w.Listing.Title), "").in(ctx)
	m.text(t(ctx, watchlistLead))
	m.raw("\n")
	m.factRows(w.facts(ctx))
	m.links(w.links())
	return m.done(out)
}

func (w *Watch) links() []Link {
	return []Link{{w.Listing.path(), "The listing"}, {watchlistPath, "Your watchlist"}}
}

// statusText returns the status of the listing in the reader's language.
func (w *Watch) statusText(ctx context.Context) string {
	return languages.Of(ctx).TextIn("status", statusWord(w.Listing.Status))
}

func (w *Watch) facts(ctx context.Context) []fact {
	return []fact{
		{"Status", w.statusText(ctx), ""}, {"Condition", w.Listing.conditionIn(languages.Of(ctx)), ""}, {"Region", regionIn(ctx, w.Listing.Region), ""},
		{"Seller", w.Listing.Seller, sellerPath(w.Listing.Seller)}, {"Price now", moneyIn(ctx, w.Listing.Price), ""}, {"Price then", moneyIn(ctx, w.Then), ""},
		{"Since then", w.change(ctx), ""}, {"Watched since", dayIn(ctx, w.WatchedAt), ""},
	}
}
