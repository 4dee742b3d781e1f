package views

import (
	"context"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// AlertEmail returns the alert email about new listings of a saved search: cards of
// the newest, and their total number. stop is the URL that unsubscribes.
func (p *SavedSearch) AlertEmail(ctx context.Context, cards []Card, total int, stop string) (subject, body string) {
	name := withoutLinks(ctx, p.Name)
	subject = name + ": " + tn(ctx, total, "%s new listing", "%s new listings")
	if total == 1 {
		subject = name + ": " + withoutLinks(ctx, cards[0].Title) + ", " + cards[0].priceIn(languages.Of(ctx))
	}
	lines := []string{t(ctx, "New for your saved search “%s”:", name), ""}
	for i := range cards[:min(len(cards), maxEmailListings)] {
		lines = append(lines, cards[i].emailLines(ctx, p.site))
	}
	if more := total - min(len(cards), maxEmailListings); more > 0 {
		lines = append(lines, t(ctx, "… and %s more.", numberIn(ctx, more))+"\n")
	}
	lines = append(lines, t(ctx, "All it finds: %s", p.site.URL(p.Results.Page)), t(ctx, "Change or delete it: %s", p.site.URL(p.path())), t(ctx, "No more of this mail: %s", stop))
	return subject, p.site.emailBody(ctx, lines...)
}

// PriceDropEmail returns the email about a lower price of a watched listing. from is
// the earlier price.
func PriceDropEmail(ctx context.Context, site *Site, c *Card, from models.Money) (subject, body string) {
	price := c.priceIn(languages.Of(ctx))
	return t(ctx, "%s: now %s", withoutLinks(ctx, c.Title), price), site.emailBody(ctx,
		t(ctx, "The price of a listing you watch fell from %s to %s:", moneyIn(ctx, from), price), "",
		c.emailLines(ctx, site),
		t(ctx, "Your watchlist, where you take it off: %s", site.URL(watchlistPath)))
}

// maxEmailListings is the maximum number of listings in an alert email.
const maxEmailListings = 25
