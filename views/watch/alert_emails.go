package watch

import (
	"context"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// AlertEmail returns the alert email about new listings of a saved search: cards of
// the newest, and their total number. stop is the URL that unsubscribes.
func (p *SavedSearch) AlertEmail(ctx context.Context, cards []ui.Card, total int, stop string) (subject, body string) {
	name := ui.WithoutLinks(ctx, p.Name)
	subject = name + ": " + ui.TN(ctx, total, "%s new listing", "%s new listings")
	if total == 1 {
		subject = name + ": " + ui.WithoutLinks(ctx, cards[0].Title) + ", " + cards[0].PriceIn(languages.Of(ctx))
	}
	lines := []string{ui.T(ctx, "New for your saved search “%s”:", name), ""}
	for i := range cards[:min(len(cards), maxEmailListings)] {
		lines = append(lines, cards[i].EmailLines(ctx, p.site))
	}
	if more := total - min(len(cards), maxEmailListings); more > 0 {
		lines = append(lines, ui.T(ctx, "… and %s more.", ui.NumberIn(ctx, more))+"\n")
	}
	lines = append(lines, ui.T(ctx, "See all matches: %s", p.site.URL(p.Results.Page)), ui.T(ctx, "Edit or delete this search: %s", p.site.URL(p.Path())), ui.T(ctx, "Unsubscribe: %s", stop))
	return subject, p.site.EmailBody(ctx, lines...)
}

// PriceDropEmail returns the email about a lower price of a watched listing. from is
// the earlier price.
func PriceDropEmail(ctx context.Context, site *ui.Site, c *ui.Card, from models.Money) (subject, body string) {
	price := c.PriceIn(languages.Of(ctx))
	return ui.T(ctx, "Price drop: %s, now %s", ui.WithoutLinks(ctx, c.Title), price), site.EmailBody(ctx,
		ui.T(ctx, "Price drop: a listing you're watching went from %s to %s:", ui.MoneyIn(ctx, from), price), "",
		c.EmailLines(ctx, site),
		ui.T(ctx, "Manage your watchlist: %s", site.URL(ui.WatchlistPath)))
}

// maxEmailListings is the maximum number of listings in an alert email.
const maxEmailListings = 25
