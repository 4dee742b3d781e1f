package views

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
)

// emailLines formats a listing for an email.
func (c *Card) emailLines(ctx context.Context, site *Site) string {
	l := languages.Of(ctx)
	facts := []string{c.priceIn(l)}
	if c.Deal != nil {
		facts = append(facts, c.Deal.long(ctx))
	}
	facts = append(facts, c.conditionIn(l), regionIn(ctx, c.Region))
	return withoutLinks(ctx, c.Title) + "\n" + strings.Join(facts, " · ") + "\n" + site.URL(c.Page) + "\n"
}

// emailBody joins lines into the body of an email. The demonstration notice goes
// before them, the site's name and URL after them.
func (s *Site) emailBody(ctx context.Context, lines ...string) string {
	text := strings.Join(lines, "\n")
	if s.Demo() {
		text = t(ctx, DemoNotice) + "\n\n" + text
	}
	return text + "\n-- \n" + s.Name() + "\n" + s.BaseURL + "\n"
}
