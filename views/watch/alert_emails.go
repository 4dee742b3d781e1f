package watch

import (
	"context"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// AlertEmail returns the alert email about new listings of a saved search: cards of
// the newest, and their total number. stop is the URL that unsubscribes.
func (p *SavedSearch) AlertEmail(ctx context.Context, cards []ui.Card, total int, stop string) *ui.Email {
	name := ui.WithoutLinks(ctx, p.Name)
	e := &ui.Email{
		Subject: name + ": " + ui.TN(ctx, total, "%s new listing", "%s new listings"), Lead: []string{ui.T(ctx, "New for your saved search “%s”:", name)},
		Button: ui.Link{Href: p.Results.Page, Label: ui.T(ctx, "See all matches")},
		Links:  []ui.Link{{Href: p.site.URL(p.Path()), Label: ui.T(ctx, "Edit or delete this search")}, {Href: stop, Label: ui.T(ctx, "Unsubscribe")}},
	}
	if total == 1 {
		e.Subject = name + ": " + ui.WithoutLinks(ctx, cards[0].Title) + ", " + cards[0].PriceIn(languages.Of(ctx))
	}
	for i := range cards[:min(len(cards), maxEmailListings)] {
		e.Items = append(e.Items, cards[i].EmailItem(ctx, p.site))
	}
	if more := total - len(e.Items); more > 0 {
		e.Items = append(e.Items, ui.EmailItem{Facts: ui.T(ctx, "… and %s more.", ui.NumberIn(ctx, more))})
	}
	return e
}

// PriceDropEmail returns the email about a lower price of a watched listing. from is
// the earlier price.
func PriceDropEmail(ctx context.Context, site *ui.Site, c *ui.Card, from models.Money) *ui.Email {
	price, item := c.PriceIn(languages.Of(ctx)), c.EmailItem(ctx, site)
	return &ui.Email{
		Subject: ui.T(ctx, "Price drop: %s, now %s", item.Title, price),
		Lead:    []string{ui.T(ctx, "Price drop: a listing you're watching went from %s to %s:", ui.MoneyIn(ctx, from), price)},
		Items:   []ui.EmailItem{item}, Button: ui.Link{Href: ui.ListingPath(c.ID), Label: ui.T(ctx, "View the listing")},
		Links: []ui.Link{{Href: site.URL(ui.WatchlistPath), Label: ui.T(ctx, "Manage your watchlist")}},
	}
}

// maxEmailListings is the maximum number of listings in an alert email.
const maxEmailListings = 25
