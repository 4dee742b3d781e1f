package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

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
	for i := range o.plan.params {
		docs = append(docs, documentOf(&o.plan.params[i], values))
	}
	if o.acceptsKey() {
		docs = append(docs, ParameterDoc{Name: keyHeader, In: "header", Type: "string", Description: english.Sentence(keyDescription), Example: keyExample})
	}
	return docs
}

// documentOf returns the documentation of a parameter.
func documentOf(p *param, values map[string]string) ParameterDoc {
	doc := ParameterDoc{
		Name: p.Name, In: "query", Required: p.Required, Description: english.Sentence(p.Description),
		Values: p.Enum, Range: p.rangeText(), Default: p.Default, Example: values[p.Name],
	}
	switch {
	case p.Path:
		doc.In = "path"
	case p.Header != "":
		doc.In = "header"
	}
	one := p.schema
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
		return "curl '" + s.url(op.ExampleTarget(op.Path, values)) + "'"
	}
	return "curl -H 'Accept: text/markdown' '" + s.url(op.ExampleTarget(op.Page, values)) + "'"
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
	for i := range op.plan.params {
		p := &op.plan.params[i]
		switch value := values[p.Name]; {
		case p.Header != "" && value != "":
			fmt.Fprintf(b, " -H '%s: %s'", p.Header, value)
		case op.plan.body && p.inQuery() && value != "":
			body[p.Name] = p.literal(value)
		}
	}
	if len(body) > 0 {
		text, _ := json.Marshal(body)
		fmt.Fprintf(b, " --json '%s'", text)
	}
	fmt.Fprintf(b, " '%s'", s.url(op.ExampleTarget(cmp.Or(op.Path, op.Page), values)))
	return b.String()
}

// OpenAPI returns the description of the API without example answers: it depends
// on nothing but the code.
func (s *Describer) OpenAPI() Object { return s.openAPI(nil) }

// OpenAPISubset returns the description of some operations alone, without example
// answers; see MountOpenAPISubset.
func (s *Describer) OpenAPISubset(head Object, include func(*Operation) bool) Object {
	return s.describeAPI(s.only(include), nil, nil, head)
}
