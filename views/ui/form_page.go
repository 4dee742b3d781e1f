package ui

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

func NewFormPage(site *Site, path, title, text string, form templ.Component, links ...Link) *FormPage {
	return &FormPage{Title: title, Text: text, Links: List(links), path: path, form: form, site: site}
}

// Head implements Page.
func (p *FormPage) Head(ctx context.Context) Head {
	return Head{Title: T(ctx, p.Title), Description: T(ctx, p.Text), Path: p.path, NoIndex: true}
}

// Markdown implements Page.
func (p *FormPage) Markdown(ctx context.Context, w io.Writer) error {
	m := NewMarkdown(p.site, T(ctx, p.Title), T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(T(ctx, p.Text))
	m.Links(p.Links)
	return m.Done(w)
}
