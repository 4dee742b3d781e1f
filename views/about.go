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
	html        string
	site        *Site
}

// NewAbout returns the page about the site.
func NewAbout(site *Site, t *content.Text) *About {
	p := &About{
		Name: site.Name(), Title: t.Title + " " + site.Name(), Description: t.Description, Updated: isoDay(t.Updated), Body: t.Markdown,
		Links:  []Link{{searchPath, "Shop all"}, {"/gear", "Price guide"}, {"/journal", "The journal"}, {"/guides", "Guides"}},
		Notice: site.notice(), html: t.HTML, site: site,
	}
	if site.Owner() != site.Name() {
		p.Owner = site.Owner()
	}
	return p
}

// Head implements Page.
func (p *About) Head(ctx context.Context) Head {
	return Head{Title: p.Title, Description: p.Description, Path: "/about"}
}

// byline returns who runs the site and the day the page was last changed.
func (p *About) byline() string {
	text := "As of " + DayText(p.Updated) + "."
	if p.Owner != "" {
		text = p.Name + " is run by " + p.Owner + ". " + text
	}
	return text
}

// Markdown implements Page.
func (p *About) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, p.Title, p.Notice)
	m.text(p.Description)
	m.text(p.byline())
	m.body(p.Body)
	m.links(p.Links)
	return m.done(w)
}
