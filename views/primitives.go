package views

import "io"

// Primitives shows everything pages are made of on one page, for whoever works
// on the site's look. It is served in development alone.
type Primitives struct {
	Cards []Card `json:"cards"`
	Trend *Trend `json:"trend,omitempty"`
	site  *Site
}

// NewPrimitives makes the page from some listings and, where there is one, a trend.
func NewPrimitives(site *Site, cards []Card, trend *Trend) *Primitives {
	return &Primitives{Cards: list(cards), Trend: trend, site: site}
}

// Head implements Page.
func (p *Primitives) Head() Head {
	return Head{Title: "Primitives", Description: "Everything the pages of this site are made of.", Path: "/ui", NoIndex: true}
}

// Markdown implements Page.
func (p *Primitives) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Primitives", "")
	m.text("Everything the pages of this site are made of; the HTML face shows it.")
	m.cards("Cards", p.Cards)
	return m.done(w)
}

// colours are the tokens of tailwind.config.js, as the style sheet names them.
func (p *Primitives) colours() []string {
	return []string{"paper", "sheet", "tray", "ink", "pencil", "rule", "edge", "safelight", "glow", "onlight"}
}
