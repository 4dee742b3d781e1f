package text

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/views/ui"
)

// Guides is the list of guides.
type Guides struct {
	Guides []TextCard `json:"guides" jsonschema:"all guides, sorted by title"`
	Links  []ui.Link  `json:"links"`
	site   *ui.Site
}

// NewGuides returns the list of guides.
func NewGuides(site *ui.Site, all []*content.Text) *Guides {
	return &Guides{Guides: textCards(site, guidePath, all), Links: []ui.Link{{Href: "/journal", Label: "The journal"}, {Href: "/gear", Label: "Price guide"}}, site: site}
}

// guidesLead is the first paragraph of the page.
var guidesLead = languages.Mark("How to grade, check, price and sell used cameras and lenses.")

// Head implements Page.
func (p *Guides) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Guides"), Description: ui.T(ctx, guidesLead), Path: "/guides"}
}

// Markdown implements Page.
func (p *Guides) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Guides"), "").In(ctx)
	m.Paragraph(ui.T(ctx, guidesLead))
	writeTextList(m, p.Guides)
	m.Links(p.Links)
	return m.Done(w)
}

// Guide is the page of one guide.
type Guide struct {
	Slug        string    `json:"slug"`
	Title       string    `json:"title"`
	Description string    `json:"description"`
	Date        string    `json:"date" jsonschema:"day of publication, ISO 8601"`
	Updated     string    `json:"updated" jsonschema:"day of the last change, ISO 8601"`
	Minutes     int       `json:"minutes" jsonschema:"reading time in minutes"`
	Body        string    `json:"body" jsonschema:"text as Markdown, without its heading"`
	Links       []ui.Link `json:"links"`
	text        *content.Text
	others      []*content.Text
	site        *ui.Site
}

// NewGuide returns the page of a guide. others are all guides, to link to.
func NewGuide(site *ui.Site, g *content.Text, others []*content.Text) *Guide {
	p := &Guide{
		Slug: g.Slug, Title: g.Title, Description: g.Description, Date: ui.IsoDay(g.Date), Updated: ui.IsoDay(g.Updated), Minutes: g.Minutes,
		Body: g.Markdown, text: g, others: others, site: site,
	}
	p.Links = p.links(context.Background())
	return p
}

// links returns what the guide leads to: the others, the listings and the prices.
func (p *Guide) links(ctx context.Context) []ui.Link {
	var links []ui.Link
	for _, o := range p.others {
		if o.Slug != p.Slug {
			links = append(links, ui.Link{Href: guidePath(o.Slug), Label: textIn(ctx, o).Title})
		}
	}
	return append(links, ui.Link{Href: ui.SearchPath, Label: "Shop all"}, ui.Link{Href: "/gear", Label: "Price guide"})
}

func guidePath(slug string) string { return "/guides/" + slug }

// Head implements Page.
func (p *Guide) Head(ctx context.Context) ui.Head {
	text := textIn(ctx, p.text)
	return ui.Head{Title: text.Title, Description: text.Description, Path: guidePath(p.Slug), Crumbs: []ui.Link{{Href: "/guides", Label: ui.T(ctx, "Guides")}}}
}

// Markdown implements Page.
func (p *Guide) Markdown(ctx context.Context, w io.Writer) error {
	text := textIn(ctx, p.text)
	m := ui.NewMarkdown(p.site, text.Title, "").In(ctx)
	m.Paragraph(text.Description)
	m.Paragraph(textByline(ctx, text))
	m.Body(text.Markdown)
	m.Links(p.links(ctx))
	return m.Done(w)
}

func (p *Guide) Schema() ui.Thing { return article(p.site, p, p.Date, p.Updated, nil) }
