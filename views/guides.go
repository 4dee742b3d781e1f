package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/content/languages"
)

// Guides is the list of guides.
type Guides struct {
	Guides []TextCard `json:"guides" jsonschema:"all guides, sorted by title"`
	Links  []Link     `json:"links"`
	site   *Site
}

// NewGuides returns the list of guides.
func NewGuides(site *Site, all []*content.Text) *Guides {
	return &Guides{Guides: textCards(site, guidePath, all), Links: []Link{{"/journal", "The journal"}, {"/gear", "Price guide"}}, site: site}
}

// guidesLead is the first paragraph of the page.
var guidesLead = languages.Mark("How to grade, check, price and sell used cameras and lenses.")

// Head implements Page.
func (p *Guides) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Guides"), Description: t(ctx, guidesLead), Path: "/guides"}
}

// Markdown implements Page.
func (p *Guides) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Guides"), "").in(ctx)
	m.text(t(ctx, guidesLead))
	writeTextList(m, p.Guides)
	m.links(p.Links)
	return m.done(w)
}

// Guide is the page of one guide.
type Guide struct {
	Slug        string `json:"slug"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Date        string `json:"date" jsonschema:"day of publication, ISO 8601"`
	Updated     string `json:"updated" jsonschema:"day of the last change, ISO 8601"`
	Minutes     int    `json:"minutes" jsonschema:"reading time in minutes"`
	Body        string `json:"body" jsonschema:"text as Markdown, without its heading"`
	Links       []Link `json:"links"`
	text        *content.Text
	others      []*content.Text
	site        *Site
}

// NewGuide returns the page of a guide. others are all guides, to link to.
func NewGuide(site *Site, g *content.Text, others []*content.Text) *Guide {
	p := &Guide{
		Slug: g.Slug, Title: g.Title, Description: g.Description, Date: isoDay(g.Date), Updated: isoDay(g.Updated), Minutes: g.Minutes,
		Body: g.Markdown, text: g, others: others, site: site,
	}
	p.Links = p.links(context.Background())
	return p
}

// links returns what the guide leads to: the others, the listings and the prices.
func (p *Guide) links(ctx context.Context) []Link {
	var links []Link
	for _, o := range p.others {
		if o.Slug != p.Slug {
			links = append(links, Link{guidePath(o.Slug), textIn(ctx, o).Title})
		}
	}
	return append(links, Link{searchPath, "Shop all"}, Link{"/gear", "Price guide"})
}

func guidePath(slug string) string { return "/guides/" + slug }

// Head implements Page.
func (p *Guide) Head(ctx context.Context) Head {
	text := textIn(ctx, p.text)
	return Head{Title: text.Title, Description: text.Description, Path: guidePath(p.Slug), Crumbs: []Link{{"/guides", t(ctx, "Guides")}}}
}

// Markdown implements Page.
func (p *Guide) Markdown(ctx context.Context, w io.Writer) error {
	text := textIn(ctx, p.text)
	m := newMarkdown(p.site, text.Title, "").in(ctx)
	m.text(text.Description)
	m.text(textByline(ctx, text))
	m.body(text.Markdown)
	m.links(p.links(ctx))
	return m.done(w)
}

func (p *Guide) Schema() thing { return article(p.site, p, p.Date, p.Updated, nil) }
