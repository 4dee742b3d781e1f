package views

import (
	"context"

	"github.com/secondlight/secondlight/models"
)

// ReminderEmail returns the email that reminds a seller that a listing expires on a
// day.
func ReminderEmail(ctx context.Context, site *Site, c *Card, at models.Time) (subject, body string) {
	day := dayIn(ctx, at.RFC3339())
	return t(ctx, "%s expires on %s", withoutLinks(ctx, c.Title), day), site.emailBody(ctx,
		t(ctx, "Your listing stops being for sale on %s:", day), "",
		c.emailLines(ctx, site),
		t(ctx, "Sold? Mark it sold on its page. Still there? Relist it when it has expired; it keeps its photographs and its text."))
}
