package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content"
)

// TextPage is a page about the site that its owner may write: help, terms, imprint.
type TextPage struct {
	Slug        string `json:"slug"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Updated     string `json:"updated" jsonschema:"day of the last change, ISO 8601"`
	Body        string `json:"body" jsonschema:"text as Markdown, without its heading"`
	Links       []Link `json:"links"`
	text        *content.Text
	site        *Site
}

// textPageLinks are the pages that every text page leads to.
var textPageLinks = []Link{{"/help", "Help"}, {"/buying", "How buying works"}, {"/safety", "Staying safe"}, {searchPath, "Shop all"}, {"/sell", "Sell your gear"}}

// NewTextPage returns the page of a text.
func NewTextPage(site *Site, t *content.Text) *TextPage {
	p := &TextPage{Slug: t.Slug, Title: t.Title, Description: t.Description, Updated: isoDay(t.Updated), Body: t.Markdown, text: t, site: site}
	for _, l := range textPageLinks {
		if l.Href != p.path() {
			p.Links = append(p.Links, l)
		}
	}
	return p
}

func (p *TextPage) path() string { return "/" + p.Slug }

// Head implements Page.
func (p *TextPage) Head(ctx context.Context) Head {
	text := textIn(ctx, p.text)
	return Head{Title: text.Title, Description: text.Description, Path: p.path()}
}

// Markdown implements Page.
func (p *TextPage) Markdown(ctx context.Context, w io.Writer) error {
	text := textIn(ctx, p.text)
	m := newMarkdown(p.site, text.Title, "").in(ctx)
	m.text(text.Description)
	m.text(asOf(ctx, text))
	m.body(text.Markdown)
	m.links(p.Links)
	return m.done(w)
}
