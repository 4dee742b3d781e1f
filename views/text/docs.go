package text

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/docs"
	"github.com/secondlight/secondlight/views/ui"
)

// Docs is the list of the documents about the program.
type Docs struct {
	Keyword string     `json:"keyword,omitempty" jsonschema:"words that the documents have"`
	Groups  []DocGroup `json:"groups" jsonschema:"documents by kind"`
	Links   []ui.Link  `json:"links"`
	site    *ui.Site
}

// DocGroup is a kind of documents.
type DocGroup struct {
	Title string    `json:"title"`
	Docs  []DocCard `json:"documents" jsonschema:"documents of the kind"`
}

// DocCard is a document as the list shows it.
type DocCard struct {
	Title string `json:"title"`
	ui.Ref
	Description string `json:"description"`
	document    *docs.Document
}

// DocsPath is the path of the list of documents.
const DocsPath = "/docs"

// docFolders are the headings of the list, by folder.
var docFolders = map[string]string{
	"start": languages.Mark("Start here"), "how-to/own": languages.Mark("Own a site"), "how-to/run": languages.Mark("Run a site"),
	"how-to/use": languages.Mark("Use a site from programs"), "reference": languages.Mark("Reference"), "explain": languages.Mark("Background"),
}

// docsLead is the first paragraph of the list.
var docsLead = languages.Mark("Tutorials, instructions and reference for owners, operators, and authors of programs and agents.")

// NewDocs returns the list of the documents that have the words of keyword.
func NewDocs(site *ui.Site, keyword string) *Docs {
	p := &Docs{Keyword: keyword, Groups: []DocGroup{}, Links: []ui.Link{{Href: "/help", Label: "Help"}, {Href: "/developers", Label: "For developers"}, {Href: "/guides", Label: "Guides"}}, site: site}
	for _, folder := range docs.Folders {
		group := DocGroup{Title: docFolders[folder]}
		for _, d := range docs.All() {
			if d.Folder == folder && d.Mentions(keyword) {
				group.Docs = append(group.Docs, DocCard{Title: d.Title, Ref: ui.NewRef(d.Path()), Description: d.Description, document: d})
			}
		}
		if group.Docs != nil {
			p.Groups = append(p.Groups, group)
		}
	}
	return p
}

// Head implements Page.
func (p *Docs) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Documentation"), Description: ui.T(ctx, docsLead), Path: DocsPath, NoIndex: p.Keyword != ""}
}

// Markdown implements Page.
func (p *Docs) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Documentation"), "").In(ctx)
	m.Paragraph(ui.T(ctx, docsLead))
	if len(p.Groups) == 0 {
		m.Paragraph(ui.T(ctx, "No document has all of these words."))
	}
	for _, g := range p.Groups {
		m.Section(g.Title)
		for _, d := range g.Docs {
			text := textIn(ctx, d.document.Text)
			m.Raw("- ", m.Link(ui.Link{Href: d.document.Path(), Label: text.Title}), ": ", ui.MarkdownText(text.Description), "\n")
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}

// Doc is the page of one document.
type Doc struct {
	Slug        string    `json:"slug"`
	Title       string    `json:"title"`
	Description string    `json:"description"`
	Minutes     int       `json:"minutes" jsonschema:"reading time in minutes"`
	Body        string    `json:"body" jsonschema:"text as Markdown, without its heading"`
	Links       []ui.Link `json:"links"`
	document    *docs.Document
	site        *ui.Site
}

// NewDoc returns the page of a document, with links to those of its kind.
func NewDoc(site *ui.Site, d *docs.Document) *Doc {
	p := &Doc{Slug: d.Slug, Title: d.Title, Description: d.Description, Minutes: d.Minutes, Body: d.Markdown, document: d, site: site}
	p.Links = p.links(context.Background())
	return p
}

func (p *Doc) links(ctx context.Context) []ui.Link {
	links := []ui.Link{{Href: DocsPath, Label: "Documentation"}}
	for _, o := range docs.All() {
		if o.Folder == p.document.Folder && o != p.document {
			links = append(links, ui.Link{Href: o.Path(), Label: textIn(ctx, o.Text).Title})
		}
	}
	return links
}

// Head implements Page.
func (p *Doc) Head(ctx context.Context) ui.Head {
	text := textIn(ctx, p.document.Text)
	return ui.Head{Title: text.Title, Description: text.Description, Path: p.document.Path(), Crumbs: []ui.Link{{Href: DocsPath, Label: ui.T(ctx, "Documentation")}}}
}

// Markdown implements Page.
func (p *Doc) Markdown(ctx context.Context, w io.Writer) error {
	text := textIn(ctx, p.document.Text)
	m := ui.NewMarkdown(p.site, text.Title, "").In(ctx)
	m.Paragraph(text.Description)
	m.Body(text.Markdown)
	m.Links(p.links(ctx))
	return m.Done(w)
}
