package text

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
)

// Developers is the API reference, generated from the registered operations.
type Developers struct {
	Name       string         `json:"name"`
	BaseURL    string         `json:"base_url"`
	Quota      string         `json:"quota" jsonschema:"description of the rate limit"`
	Documents  []ui.Link      `json:"documents" jsonschema:"machine documents"`
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
	Tool        string         `json:"tool,omitempty" jsonschema:"MCP tool, with the action if it has several"`
	Formats     []string       `json:"formats" jsonschema:"media types of the responses"`
	Parameters  []ParameterDoc `json:"parameters"`
	Errors      []ErrorBrief   `json:"errors" jsonschema:"errors of this operation, in addition to the common ones"`
	Curl        string         `json:"curl" jsonschema:"example request"`
	Response    string         `json:"response,omitempty" jsonschema:"response to an example request as JSON, with one element of each list, and long texts shortened; absent if the site has none"`
	site        *ui.Site
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

// On returns a copy of o as a page of site.
func (o OperationDoc) On(site *ui.Site) *OperationDoc {
	o.site = site
	return &o
}

// OperationPath returns the path of the page of an operation.
func OperationPath(name string) string { return developersPath + "/" + name }

// Head implements Page.
func (o *OperationDoc) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: o.Title, Description: o.Summary, Path: OperationPath(o.Name), Crumbs: []ui.Link{{Href: developersPath, Label: ui.T(ctx, "For developers")}}}
}

// address returns the method and the path of the operation: in the API, otherwise of
// its page.
func (o *OperationDoc) address() string {
	if o.API != "" {
		return o.Method + " " + o.API
	}
	return o.pageMethod() + " " + o.Page
}

// responseText is above the example response.
var responseText = languages.Mark("The response, with one element of each list, and long texts shortened:")

// developersPath is the path of the API reference.
const developersPath = "/developers"

// developersLead is the first paragraph of the page.
var developersLead = languages.Mark("Every page is also an API. Request any URL as JSON or Markdown, with an Accept header or a suffix. Reading needs no key; acting for a member needs their token.")

// Head implements Page.
func (d *Developers) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "For developers"), Description: ui.T(ctx, developersLead), Path: developersPath}
}

// Markdown implements Page.
func (d *Developers) Markdown(ctx context.Context, w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n- %s: %s\n- %s: %s\n", ui.T(ctx, "%s for developers", d.Name), ui.T(ctx, developersLead),
		ui.WithinSentence(ctx, "Base address"), d.BaseURL, ui.WithinSentence(ctx, "Rate limit"), d.Quota)
	for _, l := range d.Documents {
		fmt.Fprintf(&b, "- [%s](%s)\n", ui.T(ctx, l.Label), d.BaseURL+ui.MarkdownPath(l.Href))
	}
	for _, s := range d.Contract {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", s.Title, s.Text)
	}
	fmt.Fprintf(&b, "\n## %s\n\n", ui.T(ctx, "Operations"))
	for i := range d.Operations {
		o := &d.Operations[i]
		fmt.Fprintf(&b, "- [%s](%s): `%s` %s\n", o.Name, d.BaseURL+ui.MarkdownPath(OperationPath(o.Name)), o.address(), o.Summary)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Markdown implements Page.
func (o *OperationDoc) Markdown(ctx context.Context, w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\n%s\n\n", o.Name, o.Title, o.Description)
	if o.API != "" {
		fmt.Fprintf(&b, "- API: `%s %s`\n", o.Method, o.API)
	}
	if o.Page != "" {
		fmt.Fprintf(&b, "- %s: `%s %s`\n", ui.WithinSentence(ctx, "Page"), o.pageMethod(), o.Page)
	}
	if o.Tool != "" {
		fmt.Fprintf(&b, "- %s: `%s`\n", ui.WithinSentence(ctx, "Tool"), o.Tool)
	}
	if o.Scope != "" {
		fmt.Fprintf(&b, "- %s: `%s`\n", ui.WithinSentence(ctx, "Scope of the token"), o.Scope)
	}
	fmt.Fprintf(&b, "- %s: %s\n", ui.WithinSentence(ctx, "Formats"), strings.Join(o.Formats, ", "))
	if len(o.Errors) > 0 {
		codes := make([]string, len(o.Errors))
		for i, e := range o.Errors {
			codes[i] = fmt.Sprintf("`%s` (%d)", e.Code, e.Status)
		}
		fmt.Fprintf(&b, "- [%s](%s): %s\n", ui.WithinSentence(ctx, "Errors"), o.site.URL("/errors.md"), strings.Join(codes, ", "))
	}
	if len(o.Parameters) > 0 {
		fmt.Fprintf(&b, "\n## %s\n\n", ui.T(ctx, "Parameters"))
	}
	filters := o.sharedFilters()
	var shared []string
	for _, p := range o.parameters() {
		if filters[p.Name] {
			shared = append(shared, "`"+p.Name+"`")
			continue
		}
		fmt.Fprintf(&b, "- `%s`%s: %s\n", p.Name, p.kind(), o.meaning(&p))
	}
	if len(shared) > 0 {
		fmt.Fprintf(&b, "- %s ["+searchOperation+"](%s): %s\n", ui.T(ctx, "filters of"), o.site.URL(ui.MarkdownPath(OperationPath(searchOperation))), strings.Join(shared, ", "))
	}
	if o.Curl != "" {
		fmt.Fprintf(&b, "\n```sh\n%s\n```\n", o.Curl)
	}
	if o.Response != "" {
		fmt.Fprintf(&b, "\n%s\n\n```json\n%s\n```\n", ui.T(ctx, responseText), o.Response)
	}
	fmt.Fprintf(&b, "\n[%s](%s)\n", ui.T(ctx, "All operations"), o.site.URL(ui.MarkdownPath(developersPath)))
	_, err := io.WriteString(w, b.String())
	return err
}

// searchOperation is the operation whose page describes the filters of a search.
const searchOperation = "search_listings"

// sharedFilters returns the names of the filters of a search, for an operation that saves
// one; nil for others.
func (o *OperationDoc) sharedFilters() map[string]bool {
	filters := map[string]bool{"budget_min": true, "budget_max": true}
	for i := range search.Params {
		filters[search.Params[i].Name] = true
	}
	given := 0
	for _, p := range o.Parameters {
		if filters[p.Name] {
			given++
		}
	}
	if o.Name == searchOperation || given < 10 {
		return nil
	}
	return filters
}

// kind returns in brackets where the parameter is, its type unless it is a string, and
// whether it is required: " (path)", " (integer, required)". Most parameters are in the
// query or the body, as the method says.
func (p *ParameterDoc) kind() string {
	var kind []string
	if p.In == "path" || p.In == "header" {
		kind = append(kind, p.In)
	}
	if p.Type != "string" {
		kind = append(kind, p.Type)
	}
	if p.Required && p.In != "path" {
		kind = append(kind, "required")
	}
	if len(kind) == 0 {
		return ""
	}
	return " (" + strings.Join(kind, ", ") + ")"
}

// parameters returns the parameters without the idempotency key, which every write
// accepts and the page of all operations explains.
func (o *OperationDoc) parameters() []ParameterDoc {
	return slices.DeleteFunc(slices.Clone(o.Parameters), func(p ParameterDoc) bool { return p.Name == "Idempotency-Key" })
}

// meaning returns the description of a parameter, its range, default and allowed
// values, and an example unless the description is long or has one, or the example
// request does.
func (o *OperationDoc) meaning(p *ParameterDoc) string {
	text := strings.TrimSuffix(strings.ReplaceAll(p.Description, "\n", " "), ".")
	if p.Range != "" {
		text += "; " + p.Range
	}
	if p.Default != "" {
		text += "; default " + p.Default
	}
	if len(p.Values) > 0 {
		text += "; one of " + strings.Join(p.Values, ", ")
	} else if p.Example != "" && len(text) < 60 && !strings.Contains(text, p.Example) && !strings.Contains(o.Curl, p.Example) {
		text += "; such as " + p.Example
	}
	return text
}
