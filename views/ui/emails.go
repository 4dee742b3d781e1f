package ui

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
)

// EmailLines formats a listing for an email.
func (c *Card) EmailLines(ctx context.Context, site *Site) string {
	l := languages.Of(ctx)
	facts := []string{c.PriceIn(l)}
	if c.Deal != nil {
		facts = append(facts, c.Deal.Long(ctx))
	}
	facts = append(facts, c.ConditionIn(l), RegionIn(ctx, c.Region))
	return WithoutLinks(ctx, c.Title) + "\n" + strings.Join(facts, " · ") + "\n" + site.URL(c.Page) + "\n"
}

// EmailBody joins lines into the body of an email. The demonstration notice goes
// before them, the site's name and URL after them.
func (s *Site) EmailBody(ctx context.Context, lines ...string) string {
	text := strings.Join(lines, "\n")
	if s.Demo() {
		text = T(ctx, DemoNotice) + "\n\n" + text
	}
	return text + "\n-- \n" + s.Name() + "\n" + s.BaseURL + "\n"
}
