// Package views turns what the site knows into its faces. A page is one value:
// its JSON is the value itself, its HTML and its Markdown are written from the
// same fields, so that no face can say what another does not.
package views

import (
	"io"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/models"
)

// Page is the answer of an operation. Its JSON is the value itself.
type Page interface {
	// Head is what a browser tab, a search engine and a link preview need.
	Head() Head
	// HTML is the page's main content; the layout is put around it by Document.
	HTML() templ.Component
	// Markdown writes the same facts for a language model: title, facts, tables, next steps.
	Markdown(w io.Writer) error
}

// JSONAppender is a page that writes its own JSON because it is on a hot path;
// the bytes equal encoding/json's without HTML escaping.
type JSONAppender interface {
	AppendJSON(dst []byte) []byte
}

// Head is what stands around a page.
type Head struct {
	Title       string
	Description string // one sentence, plain text
	Path        string // canonical path with its query: "/gear/canon/eos-r6"
	NoIndex     bool
	Crumbs      []Link // the way from the front page, without the front page and the page itself
	Image       string // path of a picture for link previews, "" for none
	// Alternates are faces beyond Markdown and JSON: text/csv, image/svg+xml.
	Alternates []Alternate
}

// Link is a place to go, as a path and in words.
type Link struct {
	Href  string `json:"href"`
	Label string `json:"label"`
}

// Alternate is another face of a page.
type Alternate struct{ Href, Type string }

// Site is what every page knows about the site it stands on.
type Site struct {
	Name     string
	Owner    string
	BaseURL  string // scheme and host without a slash at the end: "https://secondlight.example"
	Currency models.Currency
	Demo     bool // the database holds demonstration data; every face says so
	// SecurityContact is where to report a hole, as a mailto: or https: address; "" for none of its own.
	SecurityContact string
	// Tools are the operations that have forms, by name.
	Tools map[string]FormTool
}

// URL is the absolute address of a path on this site.
func (s *Site) URL(path string) string { return s.BaseURL + path }

// HTTPS reports whether the site is reached over HTTPS.
func (s *Site) HTTPS() bool { return strings.HasPrefix(s.BaseURL, "https://") }

// local is an absolute address of this site as a path, so that a page works
// under whatever name it was reached by. In a srcset it does so for every one.
func (s *Site) local(url string) string { return strings.ReplaceAll(url, s.BaseURL+"/", "/") }

// notice is what a page must say before everything else, "" for nothing.
func (s *Site) notice() string {
	if s.Demo {
		return DemoNotice
	}
	return ""
}

// DemoNotice is what every face says about demonstration data.
const DemoNotice = "Demonstration data: these listings, sellers and sales are invented."

// list is a list as the wire shows it: an empty one is never null.
func list[T any](of []T) []T {
	if of == nil {
		return []T{}
	}
	return of
}
