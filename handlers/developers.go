package handlers

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/views"
)

// readReference is the API reference, made from the registry.
func (s *Server) readReference() Operation {
	return Op[struct{}, *views.Developers]{
		Name:        "read_reference",
		Page:        "/developers",
		Tag:         "Service",
		Title:       "API reference",
		Summary:     "Every operation with its parameters, faces and errors.",
		Description: "Describes every operation of the site, what holds for all of them, and a request that works for each. Read it before writing a client; /openapi.json says the same to programs.",
		Do: func(context.Context, *struct{}) (*views.Developers, error) {
			return s.reference((*Operation).examples), nil
		},
	}.Operation()
}

// reference describes every operation, with parameters as examples gives them.
func (s *Server) reference(examples func(*Operation) map[string]string) *views.Developers {
	page := &views.Developers{
		Name:    s.site.Name,
		BaseURL: s.site.BaseURL,
		Quota:   fmt.Sprintf("%d requests a minute for the API, %d for pages", s.apiPolicy.limit, s.pagePolicy.limit),
		Documents: []views.Link{
			{Href: "/openapi.json", Label: "OpenAPI 3.1 (JSON)"},
			{Href: "/openapi.yaml", Label: "OpenAPI 3.1 (YAML)"},
			{Href: "/openapi-health.json", Label: "OpenAPI 3.0.3 of the health check alone"},
			{Href: "/errors", Label: "Error codes"},
			{Href: "/agent.txt", Label: "How agents use the site well"},
			{Href: "/auth.md", Label: "Authentication"},
			{Href: "/llms.txt", Label: "Index for language models"},
			{Href: "/llms-full.txt", Label: "Every text in one file"},
			{Href: mcpPath + "/server-card", Label: "MCP server card"},
			{Href: "/.well-known/ai-catalog.json", Label: "AI catalog"},
			{Href: "/.well-known/api-catalog", Label: "API catalog (RFC 9727)"},
			{Href: "/.well-known/agent-skills/index.json", Label: "Skills"},
		},
		Contract: contractText,
	}
	for i := range s.ops {
		if op := &s.ops[i]; op.published() {
			page.Operations = append(page.Operations, s.document(op, examples(op)))
		}
	}
	return page
}

// contractText is what holds for every response, in words.
var contractText = []views.Section{
	{Title: "Faces", Text: "Every address answers HTML, Markdown and JSON by the Accept field: text/html, text/markdown, application/json. Pages also answer by suffix: .md, .json, and .csv or .svg where an operation says so. Each face has its own ETag; If-None-Match answers 304."},
	{Title: "MCP", Text: "POST /api/mcp speaks the Model Context Protocol by streamable HTTP, without sessions: every operation with an API address is a tool of the same name. The same limits hold. Tools that only read the market are open; the others take the token of a member in the Authorization field."},
	{Title: "Tokens", Text: "What a member does needs that member's personal token, made at /account/tokens: Authorization: Bearer sl_…. Each operation names its scope. Without a token it is a 401 with WWW-Authenticate, with too little scope a 403. Everything that is public stays so. /auth.md says more."},
	{Title: "Writes", Text: "The body is JSON, or a form as application/x-www-form-urlencoded or multipart/form-data. What is made answers 201 with Location. Idempotency-Key makes a write safe to send again for 24 hours: it is done once, and the first answer comes again with Idempotency-Replayed: true; the key with another request is a 422, while the first is under way a 409. A change names the ETag it is a change of in If-Match: without it 428, and 412 when it is not that any more. Tools take both as the arguments idempotency_key and if_match."},
	{Title: "Length", Text: "X-Markdown-Tokens on a Markdown answer is " + tokensText + "."},
	{Title: "Limits", Text: "Every response carries RateLimit-Policy and RateLimit: the quota, what is left (r) and the seconds until it is whole again (t). Over the limit the answer is 429 with Retry-After."},
	{Title: "Errors", Text: "Errors are application/problem+json (RFC 9457) with code, message and hint; the hint says how to repair this very request. They come as Markdown and HTML too. /errors lists every code."},
	{Title: "Parameters", Text: "The API refuses parameters it does not know, and says which one you may have meant; pages ignore them. Parameters of type list may be repeated or separated by commas."},
	{Title: "Money, time, place", Text: "A price is an object with a decimal string and an ISO 4217 code. Times are RFC 3339 in UTC. Regions are ISO 3166 codes; a country covers its subdivisions."},
}

// document describes an operation.
func (s *Server) document(op *Operation, values map[string]string) views.OperationDoc {
	doc := views.OperationDoc{
		Name: op.Name, Title: op.Title, Summary: op.Summary, Description: op.Description,
		API: op.Path, Page: op.Page,
		Parameters: []views.ParameterDoc{},
		Errors:     []views.ErrorBrief{},
	}
	for _, f := range op.offers(op.Path != "") {
		doc.Faces = append(doc.Faces, f.MediaType())
	}
	for i := range op.plan.params {
		doc.Parameters = append(doc.Parameters, op.plan.params[i].document(values))
	}
	if op.takesKey() {
		doc.Parameters = append(doc.Parameters, views.ParameterDoc{Name: keyHeader, In: "header", Type: "string", Description: sentence(keyText), Example: keyExample})
	}
	for _, code := range op.Errors {
		c, _ := errorCode(code)
		doc.Errors = append(doc.Errors, views.ErrorBrief{Code: c.Code, Status: c.Status, Title: c.Title})
	}
	doc.Method, doc.Scope = op.Method, string(op.Scope)
	switch address := op.Path; {
	case op.Writes() || op.Access != Everybody:
		doc.Curl = s.curl(op, values)
	case address != "":
		doc.Curl = "curl '" + s.site.BaseURL + op.exampleTarget(address, values) + "'"
	default:
		doc.Curl = "curl -H 'Accept: text/markdown' '" + s.site.BaseURL + op.exampleTarget(op.Page, values) + "'"
	}
	return doc
}

// curl is a request of an operation that needs a member.
func (s *Server) curl(op *Operation, values map[string]string) string {
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
	fmt.Fprintf(b, " '%s%s'", s.site.BaseURL, op.exampleTarget(cmp.Or(op.Path, op.Page), values))
	return b.String()
}

func (p *param) document(values map[string]string) views.ParameterDoc {
	doc := views.ParameterDoc{
		Name: p.Name, In: "query", Required: p.Required, Description: sentence(p.Description),
		Values: p.Enum, Range: strings.TrimSpace(p.rangeText()), Default: p.Default, Example: values[p.Name],
	}
	switch {
	case p.Path:
		doc.In = "path"
	case p.Header != "":
		doc.In = "header"
	}
	one := p.schema()
	if p.Repeat {
		one = one.Items
	}
	doc.Type = one.Type
	if p.Repeat {
		doc.Type = "list of " + doc.Type
	}
	return doc
}
