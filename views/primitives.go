package views

import (
	"context"
	"io"
)

// Primitives is a page with every component of the site's pages. It is served in
// development only.
type Primitives struct {
	Cards []Card `json:"cards"`
	Trend *Trend `json:"trend,omitempty"`
	site  *Site
}

// NewPrimitives returns the page of components. trend may be nil.
func NewPrimitives(site *Site, cards []Card, trend *Trend) *Primitives {
	return &Primitives{Cards: list(cards), Trend: trend, site: site}
}

// Head implements Page.
func (p *Primitives) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Primitives"), Description: t(ctx, "Everything the pages of this site are made of."), Path: "/ui", NoIndex: true}
}

// Markdown implements Page.
func (p *Primitives) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Primitives"), "").in(ctx)
	m.text(t(ctx, "Everything the pages of this site are made of; the HTML format shows it."))
	m.cards("Cards", p.Cards)
	return m.done(w)
}

// colours returns the colour tokens of tailwind.config.js.
func (p *Primitives) colours() []string {
	return []string{"paper", "sheet", "tray", "ink", "pencil", "rule", "edge", "safelight", "glow", "onlight"}
}
