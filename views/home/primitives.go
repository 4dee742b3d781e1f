package home

import (
	"context"
	"io"

	gearviews "github.com/secondlight/secondlight/views/gear"
	"github.com/secondlight/secondlight/views/ui"
)

// Primitives is a page with every component of the site's pages. It is served in
// development only.
type Primitives struct {
	Cards []ui.Card        `json:"cards"`
	Trend *gearviews.Trend `json:"trend,omitempty"`
	site  *ui.Site
}

// NewPrimitives returns the page of components. trend may be nil.
func NewPrimitives(site *ui.Site, cards []ui.Card, trend *gearviews.Trend) *Primitives {
	return &Primitives{Cards: ui.List(cards), Trend: trend, site: site}
}

// Head implements Page.
func (p *Primitives) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Primitives"), Description: ui.T(ctx, "Everything the pages of this site are made of."), Path: "/ui", NoIndex: true}
}

// Markdown implements Page.
func (p *Primitives) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Primitives"), "").In(ctx)
	m.Paragraph(ui.T(ctx, "Everything the pages of this site are made of; the HTML format shows it."))
	m.Cards("Cards", p.Cards)
	return m.Done(w)
}

// colours returns the colour tokens of tailwind.config.js.
func (p *Primitives) colours() []string {
	return []string{"paper", "sheet", "tray", "ink", "pencil", "rule", "edge", "safelight", "glow", "onlight"}
}
