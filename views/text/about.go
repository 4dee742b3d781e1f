package text

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/views/ui"
)

// About is the page about the site and its owner.
type About struct {
	Name        string    `json:"name" jsonschema:"of the site"`
	Owner       string    `json:"owner,omitempty" jsonschema:"name of the site's owner"`
	Title       string    `json:"title"`
	Description string    `json:"description"`
	Updated     string    `json:"updated" jsonschema:"day of the last change, ISO 8601"`
	Body        string    `json:"body" jsonschema:"text as Markdown, without its heading"`
	Links       []ui.Link `json:"links"`
	Notice      string    `json:"notice,omitempty"`
	text        *content.Text
	site        *ui.Site
}

// NewAbout returns the page about the site.
func NewAbout(site *ui.Site, t *content.Text) *About {
	p := &About{
		Name: site.Name(), Title: t.Title, Description: t.Description, Updated: ui.IsoDay(t.Updated), Body: t.Markdown,
		Links:  []ui.Link{{Href: ui.SearchPath, Label: "Shop all"}, {Href: "/gear", Label: "Price guide"}, {Href: "/journal", Label: "The journal"}, {Href: "/guides", Label: "Guides"}, {Href: ui.ContactPath, Label: "Contact"}},
		Notice: site.Notice(), text: t, site: site,
	}
	if site.Owner() != site.Name() {
		p.Owner = site.Owner()
	}
	return p
}

// Head implements Page.
func (p *About) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: p.title(ctx), Description: textIn(ctx, p.text).Description, Path: "/about"}
}

func (p *About) title(ctx context.Context) string { return textIn(ctx, p.text).Title }

// byline returns who runs the site and the day the page was last changed.
func (p *About) byline(ctx context.Context) string {
	date := asOf(ctx, textIn(ctx, p.text))
	if p.Owner == "" {
		return date
	}
	return ui.T(ctx, "%s is run by %s.", p.Name, p.Owner) + " " + date
}

// Markdown implements Page.
func (p *About) Markdown(ctx context.Context, w io.Writer) error {
	text := textIn(ctx, p.text)
	m := ui.NewMarkdown(p.site, p.title(ctx), ui.T(ctx, p.Notice)).In(ctx)
	m.Paragraph(text.Description)
	m.Paragraph(p.byline(ctx))
	m.Body(text.Markdown)
	m.Links(p.Links)
	return m.Done(w)
}

// Schema describes the profile of the site's owner.
func (p *About) Schema() ui.Thing {
	return ui.NewThing("ProfilePage", "url", p.site.URL("/about"), "name", p.Title, "description", p.Description, "dateModified", p.Updated, "mainEntity", p.site.OwnerThing())
}
