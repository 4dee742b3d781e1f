package views

import (
	"io"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content"
)

// Guide is a page that explains something about the site.
type Guide struct {
	Slug        string `json:"slug"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Body        string `json:"body" jsonschema:"the text in Markdown, without its heading"`
	Links       []Link `json:"links"`
	html        string
	site        *Site
}

// NewGuide makes the page of a guide; others are the guides there are.
func NewGuide(site *Site, g *content.Guide, others []*content.Guide) *Guide {
	p := &Guide{Slug: g.Slug, Title: g.Title, Description: g.Description, Body: g.Markdown, Links: []Link{}, html: g.HTML, site: site}
	for _, o := range others {
		if o.Slug != g.Slug {
			p.Links = append(p.Links, Link{guidePath(o.Slug), o.Title})
		}
	}
	p.Links = append(p.Links, Link{searchPath, "Everything for sale"}, Link{"/gear", "What gear sells for"})
	return p
}

func guidePath(slug string) string { return "/guides/" + slug }

// Head implements Page.
func (p *Guide) Head() Head {
	return Head{Title: p.Title, Description: p.Description, Path: guidePath(p.Slug)}
}

// body is the text, which package content has rendered safely.
func (p *Guide) body() templ.Component { return templ.Raw(p.html) }

// Markdown implements Page.
func (p *Guide) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, p.Title, "")
	m.text(p.Description)
	m.raw("\n", strings.ReplaceAll(p.Body, "](/", "]("+p.site.BaseURL+"/"))
	m.links(p.Links)
	return m.done(w)
}
