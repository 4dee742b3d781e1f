package views

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Developers is the API reference: everything a program can ask, made from the
// operations themselves.
type Developers struct {
	Name       string         `json:"name"`
	BaseURL    string         `json:"base_url"`
	Quota      string         `json:"quota" jsonschema:"the API's rate limit in words"`
	Documents  []Link         `json:"documents" jsonschema:"machine documents"`
	Contract   []Section      `json:"contract" jsonschema:"what holds for every response"`
	Operations []OperationDoc `json:"operations"`
}

// Section is a heading with its text.
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
	Method      string         `json:"verb" jsonschema:"HTTP method of the API address" enum:"GET,POST,PUT,PATCH,DELETE"`
	Scope       string         `json:"scope,omitempty" jsonschema:"scope a token needs; absent for what is public"`
	API         string         `json:"api,omitempty" jsonschema:"API address, JSON first"`
	Page        string         `json:"page,omitempty" jsonschema:"page address, HTML first"`
	Faces       []string       `json:"faces" jsonschema:"media types it answers with"`
	Parameters  []ParameterDoc `json:"parameters"`
	Errors      []ErrorBrief   `json:"errors" jsonschema:"its own errors, beside those any operation may answer with"`
	Curl        string         `json:"curl" jsonschema:"a request that works"`
}

// ErrorBrief is an error an operation may answer with; /errors/{code} says more.
type ErrorBrief struct {
	Code   string `json:"code"`
	Status int    `json:"status"`
	Title  string `json:"title"`
}

// ParameterDoc describes one parameter.
type ParameterDoc struct {
	Name        string   `json:"name"`
	In          string   `json:"in" jsonschema:"path, query, header or body"`
	Type        string   `json:"kind" jsonschema:"string, integer or boolean; a list when it may be repeated"`
	Required    bool     `json:"required"`
	Description string   `json:"description"`
	Values      []string `json:"values,omitempty" jsonschema:"the values allowed"`
	Range       string   `json:"range,omitempty"`
	Default     string   `json:"default,omitempty"`
	Example     string   `json:"sample,omitempty"`
}

// pageMethod is how browsers ask at the page's address: a write is a form.
func (o *OperationDoc) pageMethod() string {
	if o.Method == http.MethodGet {
		return o.Method
	}
	return http.MethodPost
}

// Anchor is where the operation stands on the page.
func (o *OperationDoc) Anchor() string { return strings.ReplaceAll(o.Name, "_", "-") }

// notes are what else there is to say about a parameter, in one line.
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

func (p *ParameterDoc) need() string {
	if p.Required {
		return "required"
	}
	return "optional"
}

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

func (o *OperationDoc) markdown(b *strings.Builder, base string) {
	fmt.Fprintf(b, "\n### %s: %s\n\n%s\n\n", o.Name, o.Title, o.Description)
	if o.API != "" {
		fmt.Fprintf(b, "- API: `%s %s`\n", o.Method, o.API)
	}
	if o.Page != "" {
		fmt.Fprintf(b, "- page: `%s %s`\n", o.pageMethod(), o.Page)
	}
	fmt.Fprintf(b, "- faces: %s\n", strings.Join(o.Faces, ", "))
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

// cell is text that may stand in a Markdown table.
func cell(s string) string { return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s) }
