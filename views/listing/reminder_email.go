package listing

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// ReminderEmail returns the email that reminds a seller that a listing expires on a
// day.
func ReminderEmail(ctx context.Context, site *ui.Site, c *ui.Card, at models.Time) (subject, body string) {
	day := ui.WeekdayIn(ctx, at.RFC3339())
	return ui.T(ctx, "Your listing expires on %[2]s: %[1]s", ui.WithoutLinks(ctx, c.Title), day), site.EmailBody(ctx,
		ui.T(ctx, "Your listing expires on %s:", day), "",
		c.EmailLines(ctx, site),
		ui.T(ctx, "Sold it? Mark it as sold. Still have it? Relist it once it expires, with the same photos and description."))
}
