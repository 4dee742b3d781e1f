// Package ui renders what all pages share: the document around a page, forms, cards, Markdown,
// numbers and dates in the language of the reader, and the errors. A page is one value: its
// JSON is the value itself, its HTML and its Markdown are rendered from the same fields.
package ui

import (
	"context"
	"io"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
)

// Page is the result of an operation. Its JSON is the value itself.
type Page interface {
	// Head returns the metadata of the page in the language of ctx.
	Head(ctx context.Context) Head
	// HTML returns the main content. Document renders the layout around it.
	HTML() templ.Component
	// Markdown writes the same content as Markdown: title, facts, tables and next steps.
	Markdown(ctx context.Context, w io.Writer) error
}

// JSONAppender is implemented by pages that encode their own JSON because they are
// on a hot path. The bytes equal those of encoding/json without HTML escaping.
type JSONAppender interface {
	AppendJSON(dst []byte) []byte
}

// Head holds the metadata of a page: title, canonical path, breadcrumbs, alternate
// formats.
type Head struct {
	Title       string
	Description string // one sentence, plain text
	Path        string // canonical path with its query: "/gear/canon/eos-r6"
	NoIndex     bool
	Crumbs      []Link // breadcrumbs between the home page and this page
	Light       string // "light" or "dark" for pages that are shown in one, "" for the reader's choice
	Image       string // path of a picture for link previews, "" for a generated one
	// Alternates lists the formats beside HTML, Markdown and JSON, such as text/csv.
	Alternates []Alternate
}

// Link is the path of a page with a label. Its JSON is that of a RelatedLink.
type Link struct {
	Href  string `json:"page"`
	Label string `json:"label"`
}

// RelatedLink is a Link in JSON.
type RelatedLink struct {
	Ref
	Label string `json:"label"`
}

// MarshalJSON implements json.Marshaler.
func (l Link) MarshalJSON() ([]byte, error) {
	dst := AppendFirst([]byte{'{'}, "href", JSONPath(l.Href))
	dst = AppendField(dst, "page", l.Href)
	return append(AppendField(dst, "label", l.Label), '}'), nil
}

// Alternate is the path of another format of a page, with its media type.
type Alternate struct{ Href, Type string }

// DemoNotice marks demonstration data in every format.
var DemoNotice = languages.Mark("Demo data: everything here is made up.")
