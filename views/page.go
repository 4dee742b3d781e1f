// Package views renders the pages of the site as HTML, Markdown and JSON. A page is
// one value: its JSON is the value itself, its HTML and its Markdown are rendered
// from the same fields, so that all formats state the same facts.
package views

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
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
	dst := appendFirst([]byte{'{'}, "href", JSONPath(l.Href))
	dst = appendField(dst, "page", l.Href)
	return append(appendField(dst, "label", l.Label), '}'), nil
}

// Alternate is the path of another format of a page, with its media type.
type Alternate struct{ Href, Type string }

// Site holds the settings of the site that pages depend on.
type Site struct {
	Name     string
	Owner    string
	BaseURL  string // scheme and host without a trailing slash: "https://secondlight.example"
	Currency models.Currency
	// Languages are those of pages, the first for readers who ask for none of them; nil
	// means English.
	Languages []*languages.Language
	Demo      bool   // the database holds demonstration data; every format says so
	Address   string // postal address of the owner for the imprint, "" if unknown
	Email     string // public email address of the owner, "" if unknown
	// SecurityContact is the mailto: or https: URL for reporting vulnerabilities, "" for the default.
	SecurityContact string
	// Clock returns the time by which pages say how long ago something was; nil means
	// time.Now.
	Clock func() time.Time
	// Tools maps the names of operations to their WebMCP forms.
	Tools map[string]FormTool
}

// URL returns the absolute URL of a path.
func (s *Site) URL(path string) string { return s.BaseURL + path }

// now returns the time of the site's clock.
func (s *Site) now() time.Time {
	if s.Clock == nil {
		return time.Now()
	}
	return s.Clock()
}

// HTTPS reports whether the site is served over HTTPS.
func (s *Site) HTTPS() bool { return strings.HasPrefix(s.BaseURL, "https://") }

// local turns the absolute URLs of this site in s into paths, so that a page works
// under any host name. A srcset may contain several URLs.
func (s *Site) local(url string) string { return strings.ReplaceAll(url, s.BaseURL+"/", "/") }

// notice returns the demonstration notice, "" when the data is real.
func (s *Site) notice() string {
	if s.Demo {
		return DemoNotice
	}
	return ""
}

// DemoNotice marks demonstration data in every format.
var DemoNotice = languages.Mark("Demonstration data: all of it is invented.")

// list returns a slice that encodes as a JSON array: an empty one for nil.
func list[T any](of []T) []T {
	if of == nil {
		return []T{}
	}
	return of
}
