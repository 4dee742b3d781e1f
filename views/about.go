package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content"
)

// About is the page about the site and its owner.
type About struct {
	Name        string `json:"name" jsonschema:"of the site"`
	Owner       string `json:"owner,omitempty" jsonschema:"name of the site's owner"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Updated     string `json:"updated" jsonschema:"day of the last change, ISO 8601"`
	Body        string `json:"body" jsonschema:"text as Markdown, without its heading"`
	Links       []Link `json:"links"`
	Notice      string `json:"notice,omitempty"`
	text        *content.Text
	site        *Site
}

// NewAbout returns the page about the site.
func NewAbout(site *Site, t *content.Text) *About {
	p := &About{
		Name: site.Name(), Title: t.Title + " " + site.Name(), Description: t.Description, Updated: isoDay(t.Updated), Body: t.Markdown,
		Links:  []Link{{searchPath, "Shop all"}, {"/gear", "Price guide"}, {"/journal", "The journal"}, {"/guides", "Guides"}, {contactPath, "Contact"}},
		Notice: site.notice(), text: t, site: site,
	}
	if site.Owner() != site.Name() {
		p.Owner = site.Owner()
	}
	return p
}

// Head implements Page.
func (p *About) Head(ctx context.Context) Head {
	return Head{Title: p.title(ctx), Description: textIn(ctx, p.text).Description, Path: "/about"}
}

func (p *About) title(ctx context.Context) string { return textIn(ctx, p.text).Title + " " + p.Name }

// byline returns who runs the site and the day the page was last changed.
func (p *About) byline(ctx context.Context) string {
	date := asOf(ctx, textIn(ctx, p.text))
	if p.Owner == "" {
		return date
	}
	return t(ctx, "%s is run by %s.", p.Name, p.Owner) + " " + date
}

// Markdown implements Page.
func (p *About) Markdown(ctx context.Context, w io.Writer) error {
	text := textIn(ctx, p.text)
	m := newMarkdown(p.site, p.title(ctx), t(ctx, p.Notice)).in(ctx)
	m.text(text.Description)
	m.text(p.byline(ctx))
	m.body(text.Markdown)
	m.links(p.Links)
	return m.done(w)
}

// Schema describes the profile of the site's owner.
func (p *About) Schema() thing {
	return newThing("ProfilePage", "url", p.site.URL("/about"), "name", p.Title, "description", p.Description, "dateModified", p.Updated, "mainEntity", p.site.ownerThing())
}
