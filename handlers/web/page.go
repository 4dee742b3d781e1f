package web

import (
	"context"
	"io"

	"github.com/a-h/templ"
	"github.com/secondlight/secondlight/models/problem"
)

// Page is the result of an operation. Its JSON is the JSON encoding of the value.
type Page interface {
	// HTML returns the main content of the page. The Layout adds the rest of the
	// document.
	HTML() templ.Component
	// Markdown writes the content of the page for language models.
	Markdown(ctx context.Context, w io.Writer) error
}

// Optional interfaces of pages.
type (
	// JSONAppender appends its own JSON, for pages where encoding/json is too slow. The
	// result must equal that of EncodeJSON.
	JSONAppender interface{ AppendJSON(dst []byte) []byte }

	// CSVPage is available as CSV.
	CSVPage interface{ CSV(w io.Writer) error }
	// SVGPage is available as SVG.
	SVGPage interface {
		SVG(ctx context.Context, w io.Writer) error
	}
	// FeedPage is available as an Atom feed (RFC 4287) and as JSON Feed 1.1.
	FeedPage interface {
		Atom(w io.Writer) error
		JSONFeed(w io.Writer) error
	}

	// VersionedPage has a version, greater than 0, that writes check with If-Match.
	VersionedPage interface{ Version() int64 }
	// CanonicalPage returns its canonical path, with its query, faster than its Head.
	CanonicalPage interface{ Canonical() string }
	// PagedPage is a page of a list. After returns the value of the parameter cursor, or
	// since, for the next page, or "" if it is the last.
	PagedPage interface{ After() string }
	// ResourcePage returns the API path of the resource it shows, if it differs from
	// the path of the page.
	ResourcePage interface{ Resource() string }
	// ShownPage reports whether it is the response to a form, instead of a redirect to
	// its path. This is for pages that show a secret once.
	ShownPage interface{ Shown() bool }
	// UndonePage reports whether a form that was accepted has not done what Op.Done says,
	// so that it is not displayed.
	UndonePage interface{ Undone() bool }
	// SessionPage returns the session secret to sign the browser in with, or "" to sign
	// it out.
	SessionPage interface{ Session() (secret string) }
	// PassPage returns the secret of the cookie that opens pages with a password of their
	// own, which Caller.Pass has, or "" to leave it as it is.
	PassPage interface{ Pass() (secret string) }
	// PersonalPage reports whether it depends on the caller although its operation is
	// Shared. Then it is not cached.
	PersonalPage interface{ Personal() bool }
	// ReleasedPage returns its buffers to a pool. Release is called after the page was
	// rendered.
	ReleasedPage interface{ Release() }
)

// Head holds the metadata of a page.
type Head struct {
	Title       string
	Description string // one sentence, plain text
	Path        string // canonical path with its query
}

// Link is a link to a page of the site, by its path.
type Link struct{ Href, Label string }

// Viewer describes whom an HTML document is rendered for.
type Viewer struct {
	Identity *Identity // nil for an anonymous viewer
	Notice   string    // confirmation of a form that was just accepted, "" for none
	Form     *Form     // form that was just rejected, nil for none
	FormKey  string    // idempotency key of the page's forms, "" for none
}

// Form is a rejected form that is displayed again.
type Form struct {
	Operation string              // name of the operation
	Values    map[string][]string // values entered, without passwords
	Problem   *Problem
}

// Layout renders what the pages of a site have in common.
type Layout interface {
	// Document writes a page as a complete HTML document. A nil viewer is anonymous.
	Document(ctx context.Context, w io.Writer, page Page, viewer *Viewer) error
	// ViewerLinks returns the part of every shared page's document that depends on the
	// viewer's identity: links to their account. A nil viewer is anonymous.
	ViewerLinks(ctx context.Context, viewer *Viewer) []byte
	// Head returns the metadata of a page.
	Head(page Page) Head
	// Problem returns the page for an error.
	Problem(p *Problem) Page
}

// Problem is an error response: RFC 9457 problem details with a code, a message and
// a hint.
type Problem struct {
	Type      string // URL of the page that documents the code
	Title     problem.Text
	Status    int
	Code      string
	Message   problem.Text
	Hint      problem.Text
	RequestID string
	Fields    []problem.FieldError
	Links     []Link
}
