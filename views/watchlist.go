package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
)

// watchlistPath is the path of the page of a member's watchlist.
const watchlistPath = "/account/watchlist"

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

// NewWatch returns a listing on a watchlist. now is its current price.
func NewWatch(site *Site, listing Card, w *models.Watch, now models.Cents) Watch {
	watch := Watch{Listing: listing, Then: site.Currency().Money(w.Price), WatchedAt: w.CreatedAt.RFC3339(), site: site}
	if now < w.Price {
		drop := site.Currency().Money(w.Price - now)
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
	return Head{Title: "Watchlist", Description: "The listings you watch.", Path: watchlistPath, NoIndex: true, Crumbs: []Link{{"/account", "Your account"}}}
}

// MarkWatched marks the listing as watched by the viewer.
func (p *Listing) MarkWatched() { p.watched = true }

// change describes how the price has changed.
func (w *Watch) change() string {
	switch {
	case w.Drop != nil:
		return MoneyText(*w.Drop) + " less"
	case w.Then == w.Listing.Price:
		return "the same"
	}
	return "more than then"
}

func (w *Watch) removePath() string { return watchlistPath + "/" + w.Listing.ID + "/remove" }

// watchlistLead is the first paragraph of the page.
const watchlistLead = "You get mail when the price of something here falls by 3 % or more, once for each new low."

// Markdown implements Page.
func (p *Watchlist) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, "Watchlist", "")
	m.text(watchlistLead)
	if len(p.Watches) == 0 {
		m.text("You watch nothing yet.")
	} else {
		m.raw("\n")
		m.head("Listing", "Id", "Status", "Condition", "Region", "Seller", "Price now", "Price then", "Since then", "Watched since")
		for i := range p.Watches {
			c := &p.Watches[i]
			m.row(m.link(Link{c.Listing.path(), untrusted(c.Listing.Title)}), "`"+c.Listing.ID+"`", statusWord(c.Listing.Status),
				c.Listing.conditionText(), RegionName(c.Listing.Region), m.link(Link{sellerPath(c.Listing.Seller), c.Listing.Seller}),
				mdText(MoneyText(c.Listing.Price)), mdText(MoneyText(c.Then)), mdText(c.change()), DayText(c.WatchedAt))
		}
	}
	m.links([]Link{{searchesPath, "Your saved searches"}, {searchPath, "Shop all"}})
	return m.done(w)
}

// Head implements Page. A watch has no page of its own: its path is the watchlist's.
func (w *Watch) Head(ctx context.Context) Head {
	return Head{Title: w.Listing.Title, Description: "A listing you watch.", Path: watchlistPath, NoIndex: true}
}

// Resource returns the path of the watch in the API.
func (w *Watch) Resource() string { return "/api/watchlist/" + w.Listing.ID }

// Markdown implements Page.
func (w *Watch) Markdown(ctx context.Context, out io.Writer) error {
	m := newMarkdown(w.site, untrusted(w.Listing.Title), "")
	m.text(watchlistLead)
	m.raw("\n")
	m.factRows(w.facts())
	m.links(w.links())
	return m.done(out)
}

func (w *Watch) links() []Link {
	return []Link{{w.Listing.path(), "The listing"}, {watchlistPath, "Your watchlist"}}
}

func (w *Watch) facts() []fact {
	return []fact{{Name: "Status", Value: statusWord(w.Listing.Status)}, {Name: "Condition", Value: w.Listing.conditionText()},
		{Name: "Region", Value: RegionName(w.Listing.Region)}, {Name: "Seller", Value: w.Listing.Seller, Href: sellerPath(w.Listing.Seller)}, {Name: "Price now", Value: MoneyText(w.Listing.Price)}, {Name: "Price then", Value: MoneyText(w.Then)},
		{Name: "Since then", Value: w.change()}, {Name: "Watched since", Value: DayText(w.WatchedAt)}}
}
