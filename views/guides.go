package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content"
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
const guidesLead = "How to grade, check, price and sell used cameras and lenses."

// Head implements Page.
func (p *Guides) Head(ctx context.Context) Head {
	return Head{Title: "Guides", Description: guidesLead, Path: "/guides"}
}

// Markdown implements Page.
func (p *Guides) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, "Guides", "")
	m.text(guidesLead)
	m.textList(p.Guides)
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
	html        string
	site        *Site
}

// NewGuide returns the page of a guide. others are all guides, to link to.
func NewGuide(site *Site, g *content.Text, others []*content.Text) *Guide {
	p := &Guide{
		Slug: g.Slug, Title: g.Title, Description: g.Description, Date: isoDay(g.Date), Updated: isoDay(g.Updated), Minutes: g.Minutes,
		Body: g.Markdown, html: g.HTML, site: site,
	}
	for _, o := range others {
		if o.Slug != g.Slug {
			p.Links = append(p.Links, Link{guidePath(o.Slug), o.Title})
		}
	}
	p.Links = append(p.Links, Link{searchPath, "Shop all"}, Link{"/gear", "Price guide"})
	return p
}

func guidePath(slug string) string { return "/guides/" + slug }

// Head implements Page.
func (p *Guide) Head(ctx context.Context) Head {
	return Head{Title: p.Title, Description: p.Description, Path: guidePath(p.Slug), Crumbs: []Link{{"/guides", "Guides"}}}
}

// Markdown implements Page.
func (p *Guide) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, p.Title, "")
	m.text(p.Description)
	m.raw("\n", textByline(p.Date, p.Updated, p.Minutes), "\n")
	m.body(p.Body)
	m.links(p.Links)
	return m.done(w)
}
