package listing

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// ReminderEmail returns the email that reminds a seller that a listing expires at a time.
func ReminderEmail(ctx context.Context, site *ui.Site, c *ui.Card, at models.Time) *ui.Email {
	day := ui.WeekdayIn(ctx, at.RFC3339())
	item := c.EmailItem(ctx, site)
	return &ui.Email{
		Subject: ui.T(ctx, "Your listing expires on %[2]s: %[1]s", item.Title, day), Lead: []string{ui.T(ctx, "Your listing expires on %s:", day)},
		Items: []ui.EmailItem{item}, Button: ui.Link{Href: ui.EditListingPath(c.ID), Label: ui.T(ctx, "View your listing")},
		Notes: []string{ui.T(ctx, "Sold it? Mark it as sold. Still have it? Relist it once it expires, with the same photos and description.")},
	}
}
