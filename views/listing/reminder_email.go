package listing

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// ReminderEmail returns the email that reminds a seller that a listing expires on a
// day.
func ReminderEmail(ctx context.Context, site *ui.Site, c *ui.Card, at models.Time) (subject, body string) {
	day := ui.DayIn(ctx, at.RFC3339())
	return ui.T(ctx, "%s expires on %s", ui.WithoutLinks(ctx, c.Title), day), site.EmailBody(ctx,
		ui.T(ctx, "Your listing stops being for sale on %s:", day), "",
		c.EmailLines(ctx, site),
		ui.T(ctx, "Sold? Mark it sold on its page. Still there? Relist it when it has expired; it keeps its photographs and its text."))
}
