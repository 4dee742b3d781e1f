package views

import (
	"context"
	"io"

	"github.com/a-h/templ"
)

// FormPage is a page of the sign-in, sign-up and password flows: a text and an
// optional form.
type FormPage struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Links []Link `json:"links"`
	path  string
	form  templ.Component
	site  *Site
}

func newFormPage(site *Site, path, title, text string, form templ.Component, links ...Link) *FormPage {
	return &FormPage{Title: title, Text: text, Links: list(links), path: path, form: form, site: site}
}

// Head implements Page.
func (p *FormPage) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, p.Title), Description: t(ctx, p.Text), Path: p.path, NoIndex: true}
}

// Markdown implements Page.
func (p *FormPage) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, p.Title), t(ctx, p.site.notice())).in(ctx)
	m.text(t(ctx, p.Text))
	m.links(p.Links)
	return m.done(w)
}

// programsLink links to the documentation of tokens.
var programsLink = Link{"/developers", "Programs and agents use a token instead"}
