package text

import (
	"context"

	"github.com/secondlight/secondlight/docs"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/text"
	"github.com/secondlight/secondlight/views/ui"
)

type docsInput struct {
	Keyword string `json:"keyword,omitempty" jsonschema:"words that the documents have, all of them" maxlength:"100" example:"backup"`
}

// listDocs returns the operation that lists the documents about the program.
func (s pageOps) listDocs() web.Operation {
	return web.Op[docsInput, *views.Docs]{
		Name:        "list_docs",
		Page:        views.DocsPath,
		Tag:         "Documentation",
		Title:       "Documentation",
		Summary:     "Tutorials, instructions and reference for owners, operators and programs.",
		Description: "Returns the documents about the program by kind, or those that have some words.",
		Do: func(_ context.Context, in *docsInput) (*views.Docs, error) {
			return views.NewDocs(s.Site, in.Keyword), nil
		},
	}.Operation()
}

type docInput struct {
	Slug string `json:"slug" in:"path" jsonschema:"name of the document" example:"first-program"`
}

// getDoc returns the operation that shows a document about the program.
func (s pageOps) getDoc() web.Operation {
	return web.Op[docInput, *views.Doc]{
		Name:        "get_doc",
		Page:        views.DocsPath + "/{slug}",
		Tag:         "Documentation",
		Title:       "Read a document",
		Summary:     "A tutorial, instructions or reference.",
		Description: "Returns one document, such as first-program, changes (keeping a copy of the market) or prices (how they are made).",
		List:        func() []web.Link { return input.WebLinks(docLinks()) },
		Do: func(_ context.Context, in *docInput) (*views.Doc, error) {
			if d := docs.BySlug(in.Slug); d != nil {
				return views.NewDoc(s.Site, d), nil
			}
			return nil, textNotFound("page_not_found", problem.Textf("There's no document %q.", in.Slug), docLinks())
		},
	}.Operation()
}

// docLinks returns links to all documents.
func docLinks() []ui.Link {
	links := make([]ui.Link, len(docs.All()))
	for i, d := range docs.All() {
		links[i] = ui.Link{Href: d.Path(), Label: d.Title}
	}
	return links
}
