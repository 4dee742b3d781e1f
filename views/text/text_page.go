package text

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/views/ui"
)

// TextPage is a page about the site that its owner may write: help, terms, imprint.
type TextPage struct {
	Slug        string    `json:"slug"`
	Title       string    `json:"title"`
	Description string    `json:"description"`
	Updated     string    `json:"updated" jsonschema:"day of the last change, ISO 8601"`
	Body        string    `json:"body" jsonschema:"text as Markdown, without its heading"`
	Links       []ui.Link `json:"links"`
	text        *content.Text
	site        *ui.Site
}

// textPageLinks are the pages that every text page leads to.
var textPageLinks = []ui.Link{{Href: "/help", Label: "Help"}, {Href: "/buying", Label: "How buying works"}, {Href: "/safety", Label: "Staying safe"}, {Href: ui.SearchPath, Label: "Shop all"}, {Href: "/sell", Label: "Sell your gear"}}

// NewTextPage returns the page of a text.
func NewTextPage(site *ui.Site, t *content.Text) *TextPage {
	p := &TextPage{Slug: t.Slug, Title: t.Title, Description: t.Description, Updated: ui.IsoDay(t.Updated), Body: t.Markdown, text: t, site: site}
	for _, l := range textPageLinks {
		if l.Href != p.path() {
			p.Links = append(p.Links, l)
		}
	}
	return p
}

func (p *TextPage) path() string { return "/" + p.Slug }

// Head implements Page.
func (p *TextPage) Head(ctx context.Context) ui.Head {
	text := textIn(ctx, p.text)
	return ui.Head{Title: text.Title, Description: text.Description, Path: p.path()}
}

// Markdown implements Page.
func (p *TextPage) Markdown(ctx context.Context, w io.Writer) error {
	text := textIn(ctx, p.text)
	m := ui.NewMarkdown(p.site, text.Title, "").In(ctx)
	m.Paragraph(text.Description)
	m.Paragraph(asOf(ctx, text))
	m.Body(text.Markdown)
	m.Links(p.Links)
	return m.Done(w)
}
