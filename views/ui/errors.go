package ui

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models/problem"
)

// Error is an error response: RFC 9457 problem details with a code, a message and a
// hint.
type Error struct {
	Type      string       `json:"type" jsonschema:"URL of the page that documents the code"`
	Title     problem.Text `json:"title"`
	Status    int          `json:"status"`
	Code      string       `json:"code"`
	Message   problem.Text `json:"message"`
	Hint      problem.Text `json:"hint" jsonschema:"how to fix this request"`
	RequestID string       `json:"request_id"`
	Errors    []FieldError `json:"errors,omitempty"`
	// Candidates is beside Errors, not in them, so that the schema has one level less.
	Candidates []Candidate `json:"candidates,omitempty" jsonschema:"values that may have been meant, the likeliest of each field first"`
	Links      []Link      `json:"links,omitempty" jsonschema:"suggested pages"`
}

// FieldError describes what is wrong with one field of a request.
type FieldError struct {
	Field   string       `json:"field"`
	Code    string       `json:"code"`
	Message problem.Text `json:"message"`
}

// Candidate is a value that may have been meant.
type Candidate struct {
	Field string `json:"field"`
	Value string `json:"value"`
}

// Head implements Page.
func (e *Error) Head(ctx context.Context) Head {
	return Head{Title: e.heading(ctx), Description: e.lead(ctx), Path: "/errors/" + e.Code, NoIndex: true}
}

// statusText returns the status and its name.
func (e *Error) statusText() string { return statusText(e.Status) }

// Markdown implements Page.
func (e *Error) Markdown(ctx context.Context, w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n%s\n", MarkdownText(e.Title.String()), MarkdownText(e.Message.String()), MarkdownText(e.Hint.String()))
	if len(e.Errors) > 0 {
		b.WriteString("\n")
	}
	for _, f := range e.Errors {
		fmt.Fprintf(&b, "- %s: %s\n", MarkdownText(f.Field), MarkdownText(f.Message.String()))
	}
	if len(e.Links) > 0 {
		b.WriteString("\n")
	}
	for _, l := range e.Links {
		fmt.Fprintf(&b, "- [%s](%s)\n", MarkdownText(l.Label), strings.TrimSuffix(e.Type, "/errors/"+e.Code)+MarkdownPath(l.Href))
	}
	fmt.Fprintf(&b, "\n- status: %s\n- code: [`%s`](%s)\n- request id: `%s`\n", e.statusText(), e.Code, e.Type, e.RequestID)
	_, err := io.WriteString(w, b.String())
	return err
}

// ErrorCode documents an error code. Its page is what the type of a problem leads
// to.
type ErrorCode struct {
	Code    string `json:"code"`
	Status  int    `json:"status" jsonschema:"HTTP status"`
	Title   string `json:"title"`
	Meaning string `json:"meaning"`
	Repair  string `json:"repair" jsonschema:"how to fix it"`
	site    *Site
}

// On returns a copy of c as a page of site.
func (c ErrorCode) On(site *Site) *ErrorCode {
	c.site = site
	return &c
}

// Head implements Page.
func (c *ErrorCode) Head(ctx context.Context) Head {
	return Head{Title: c.Title, Description: c.Meaning, Path: "/errors/" + c.Code, Crumbs: []Link{{"/errors", T(ctx, "Errors")}}}
}

func (c *ErrorCode) statusText() string { return statusText(c.Status) }

// Markdown implements Page.
func (c *ErrorCode) Markdown(ctx context.Context, w io.Writer) error {
	_, err := fmt.Fprintf(w, "# %s\n\n%s\n\n## %s\n\n%s\n\n- %s: %s\n- %s: `%s`\n\n[%s](%s)\n",
		c.Title, c.Meaning, T(ctx, "What to do"), c.Repair, WithinSentence(ctx, "Status"), c.statusText(), WithinSentence(ctx, "Code"), c.Code, T(ctx, "All errors"), c.site.URL("/errors.md"))
	return err
}

// ErrorIndex is the page of every error code.
type ErrorIndex struct {
	Codes []ErrorCode `json:"errors"`
	site  *Site
}

// NewErrorIndex returns the page of every error code.
func NewErrorIndex(site *Site, codes []ErrorCode) *ErrorIndex { return &ErrorIndex{codes, site} }

// errorsLead is the first paragraph of the page.
var errorsLead = languages.Mark("Every error has a stable code, a message that says what is wrong with the request, and a hint that says how to fix it.")

// errorColumns are the columns of the table of errors.
var errorColumns = []string{languages.Mark("Code"), languages.Mark("Status"), languages.Mark("Title"), languages.Mark("Meaning"), languages.Mark("What to do")}

// Head implements Page.
func (l *ErrorIndex) Head(ctx context.Context) Head {
	return Head{Title: T(ctx, "Errors"), Description: T(ctx, errorsLead), Path: "/errors"}
}

// Markdown implements Page.
func (l *ErrorIndex) Markdown(ctx context.Context, w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", T(ctx, "Errors"), T(ctx, errorsLead))
	for _, column := range errorColumns {
		fmt.Fprintf(&b, "| %s ", WithinSentence(ctx, column))
	}
	b.WriteString("|\n|---|---|---|---|---|\n")
	for _, c := range l.Codes {
		fmt.Fprintf(&b, "| [`%s`](%s) | %s | %s | %s | %s |\n", c.Code, l.site.URL("/errors/"+c.Code+".md"), c.statusText(), c.Title, c.Meaning, c.Repair)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// statusText returns a status with its name: "404 Not Found".
func statusText(status int) string { return fmt.Sprintf("%d %s", status, http.StatusText(status)) }
