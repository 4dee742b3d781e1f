package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models/english"
)

// ParameterDoc documents one parameter of an operation.
type ParameterDoc struct {
	Name        string
	In          string // path, query, header or body
	Type        string // string, integer or boolean; "list of …" when it may be repeated
	Required    bool
	Description string
	Values      []string // allowed values; empty for any
	Range       string
	Default     string
	Example     string
}

// Parameters returns the documentation of the operation's parameters, with values as
// their examples.
func (o *Operation) Parameters(values map[string]string) []ParameterDoc {
	docs := []ParameterDoc{}
	for i := range o.Plan.Params {
		docs = append(docs, documentOf(&o.Plan.Params[i], values))
	}
	if o.AcceptsKey() {
		docs = append(docs, ParameterDoc{Name: KeyHeader, In: "header", Type: "string", Description: english.Sentence(KeyDescription), Example: KeyExample})
	}
	return docs
}

// documentOf returns the documentation of a parameter.
func documentOf(p *bind.Param, values map[string]string) ParameterDoc {
	doc := ParameterDoc{
		Name: p.Name, In: "query", Required: p.Required, Description: english.Sentence(p.Description),
		Values: p.Enum, Range: p.RangeText(), Default: p.Default, Example: values[p.Name],
	}
	switch {
	case p.Path:
		doc.In = "path"
	case p.Header != "":
		doc.In = "header"
	}
	one := p.Schema
	if p.Repeat {
		one = one.Items
	}
	doc.Type = one.Type
	if p.Repeat {
		doc.Type = "list of " + doc.Type
	}
	return doc
}

// Curl returns a curl command that calls the operation with example values.
func (s *Site) Curl(op *Operation, values map[string]string) string {
	switch {
	case op.Writes() || op.Access != Everybody:
		return s.curlWithToken(op, values)
	case op.Path != "":
		return "curl '" + s.URL(op.ExampleTarget(op.Path, values)) + "'"
	}
	return "curl -H 'Accept: text/markdown' '" + s.URL(op.ExampleTarget(op.Page, values)) + "'"
}

// curlWithToken returns the curl command for a write or a call that needs a token.
func (s *Site) curlWithToken(op *Operation, values map[string]string) string {
	b := &strings.Builder{}
	b.WriteString("curl")
	if op.Method != http.MethodGet {
		b.WriteString(" -X " + op.Method)
	}
	if op.Scope != "" {
		b.WriteString(" -H \"Authorization: Bearer $TOKEN\"")
	}
	body := map[string]json.RawMessage{}
	for i := range op.Plan.Params {
		p := &op.Plan.Params[i]
		switch value := values[p.Name]; {
		case p.Header != "" && value != "":
			fmt.Fprintf(b, " -H '%s: %s'", p.Header, value)
		case op.Plan.Body && p.InQuery() && value != "":
			body[p.Name] = p.Literal(value)
		}
	}
	if len(body) > 0 {
		text, _ := json.Marshal(body)
		fmt.Fprintf(b, " --json '%s'", text)
	}
	fmt.Fprintf(b, " '%s'", s.URL(op.ExampleTarget(cmp.Or(op.Path, op.Page), values)))
	return b.String()
}

// TokensDescription describes the value of X-Markdown-Tokens.
const TokensDescription = "an estimate of the body's length in language model tokens: one token per four bytes, before compression"

// Examples returns example values by parameter name. They exist in the site's data if
// the operation defines Example.
func (o *Operation) Examples() map[string]string {
	values := o.TagExamples()
	if o.Example != nil {
		maps.Copy(values, o.Example())
	}
	return values
}

// ExampleTarget returns a path of the operation with its parameters, and the query
// parameters of every example, taken from values.
func (o *Operation) ExampleTarget(address string, values map[string]string) string {
	target := bind.PathName.ReplaceAllStringFunc(address, func(name string) string {
		return url.PathEscape(values[strings.Trim(name, "{}")])
	})
	var query strings.Builder
	for i := range o.Plan.Params {
		if p := &o.Plan.Params[i]; o.inExample(p) {
			bind.AppendQuery(&query, p.Name, []string{values[p.Name]})
		}
	}
	if query.Len() > 0 {
		target += "?" + query.String()
	}
	return target
}
