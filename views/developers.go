package views

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Developers is the API reference, generated from the registered operations.
type Developers struct {
	Name       string         `json:"name"`
	BaseURL    string         `json:"base_url"`
	Quota      string         `json:"quota" jsonschema:"description of the rate limit"`
	Documents  []Link         `json:"documents" jsonschema:"machine documents"`
	Contract   []Section      `json:"contract" jsonschema:"rules that apply to every response"`
	Operations []OperationDoc `json:"operations"`
}

// Section is a paragraph with a heading.
type Section struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// OperationDoc describes one operation.
type OperationDoc struct {
	Name        string         `json:"name" jsonschema:"identifier, such as search_listings"`
	Title       string         `json:"title"`
	Summary     string         `json:"summary"`
	Description string         `json:"description"`
	Method      string         `json:"verb" jsonschema:"HTTP method of the API path" enum:"GET,POST,PUT,PATCH,DELETE"`
	Scope       string         `json:"scope,omitempty" jsonschema:"required scope of the token; absent for public operations"`
	API         string         `json:"api,omitempty" jsonschema:"API path"`
	Page        string         `json:"page,omitempty" jsonschema:"page path"`
	Formats     []string       `json:"formats" jsonschema:"media types of the responses"`
	Parameters  []ParameterDoc `json:"parameters"`
	Errors      []ErrorBrief   `json:"errors" jsonschema:"errors of this operation, in addition to the common ones"`
	Curl        string         `json:"curl" jsonschema:"example request"`
}

// ErrorBrief describes an error of an operation; /errors/{code} explains it.
type ErrorBrief struct {
	Code   string `json:"code"`
	Status int    `json:"status"`
	Title  string `json:"title"`
}

// ParameterDoc describes one parameter.
type ParameterDoc struct {
	Name        string   `json:"name"`
	In          string   `json:"in" jsonschema:"path, query, header or body"`
	Type        string   `json:"kind" jsonschema:"string, integer or boolean; a list when the parameter may be repeated"`
	Required    bool     `json:"required"`
	Description string   `json:"description"`
	Values      []string `json:"values,omitempty" jsonschema:"allowed values"`
	Range       string   `json:"range,omitempty"`
	Default     string   `json:"default,omitempty"`
	Example     string   `json:"sample,omitempty"`
}

// pageMethod returns the HTTP method of the page: browsers send every write as a
// POST form.
func (o *OperationDoc) pageMethod() string {
	if o.Method == http.MethodGet {
		return o.Method
	}
	return http.MethodPost
}

// Anchor returns the fragment of the operation's section on the page.
func (o *OperationDoc) Anchor() string { return strings.ReplaceAll(o.Name, "_", "-") }

// notes returns the range, the default, the allowed values and the example on one
// line.
func (p *ParameterDoc) notes() string {
	var notes []string
	if p.Range != "" {
		notes = append(notes, p.Range)
	}
	if p.Default != "" {
		notes = append(notes, "default "+p.Default)
	}
	if len(p.Values) > 0 {
		notes = append(notes, "one of "+strings.Join(p.Values, ", "))
	}
	if p.Example != "" {
		notes = append(notes, "such as "+p.Example)
	}
	return strings.Join(notes, "; ")
}

// need returns "required" or "optional".
func (p *ParameterDoc) need() string {
	if p.Required {
		return "required"
	}
	return "optional"
}

// developersLead is the first paragraph of the page.
const developersLead = "Every page is also an API. Ask any address for JSON or Markdown, by Accept or by suffix; reading needs no key, and acting for a member needs their token."

// Head implements Page.
func (d *Developers) Head() Head {
	return Head{Title: "For developers", Description: developersLead, Path: "/developers"}
}

// Markdown implements Page.
func (d *Developers) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s for developers\n\n%s\n\n- base address: %s\n- rate limit: %s\n", d.Name, developersLead, d.BaseURL, d.Quota)
	for _, l := range d.Documents {
		fmt.Fprintf(&b, "- [%s](%s)\n", l.Label, d.BaseURL+MarkdownPath(l.Href))
	}
	for _, s := range d.Contract {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", s.Title, s.Text)
	}
	b.WriteString("\n## Operations\n\n")
	for _, o := range d.Operations {
		fmt.Fprintf(&b, "- `%s`: %s\n", o.Name, o.Summary)
	}
	for i := range d.Operations {
		d.Operations[i].markdown(&b, d.BaseURL)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown writes the section of the operation.
func (o *OperationDoc) markdown(b *strings.Builder, base string) {
	fmt.Fprintf(b, "\n### %s: %s\n\n%s\n\n", o.Name, o.Title, o.Description)
	if o.API != "" {
		fmt.Fprintf(b, "- API: `%s %s`\n", o.Method, o.API)
	}
	if o.Page != "" {
		fmt.Fprintf(b, "- page: `%s %s`\n", o.pageMethod(), o.Page)
	}
	fmt.Fprintf(b, "- formats: %s\n", strings.Join(o.Formats, ", "))
	for _, e := range o.Errors {
		fmt.Fprintf(b, "- error %d [`%s`](%s/errors/%s.md): %s\n", e.Status, e.Code, base, e.Code, e.Title)
	}
	if len(o.Parameters) > 0 {
		b.WriteString("\n| parameter | in | type | | meaning | values |\n|---|---|---|---|---|---|\n")
	}
	for _, p := range o.Parameters {
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s | %s |\n", p.Name, p.In, p.Type, p.need(), cell(p.Description), cell(p.notes()))
	}
	if o.Curl != "" {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", o.Curl)
	}
}

// cell escapes text for a cell of a Markdown table.
func cell(s string) string { return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s) }
