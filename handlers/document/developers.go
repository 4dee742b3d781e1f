package document

import (
	"context"
	"fmt"
	"slices"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/bulk"
	"github.com/secondlight/secondlight/handlers/codes"
	"github.com/secondlight/secondlight/handlers/text"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/fuzzy"
	"github.com/secondlight/secondlight/models/problem"
	textviews "github.com/secondlight/secondlight/views/text"
	"github.com/secondlight/secondlight/views/ui"
)

// readReference returns the operation that shows the API reference.
func (s Documents) readReference() web.Operation {
	return web.Op[struct{}, *textviews.Developers]{
		Name:        "read_reference",
		Page:        "/developers",
		Tag:         "Service",
		Title:       "API reference",
		Summary:     "All operations with their parameters, formats and errors.",
		Description: "Returns the documentation of all operations, the conventions they share, and an example request for each. Read it before you write a client. /openapi.json is the machine-readable version.",
		Do: func(context.Context, *struct{}) (*textviews.Developers, error) {
			return s.reference((*web.Operation).Examples), nil
		},
	}.Operation()
}

type getOperationIn struct {
	Operation string `json:"operation" in:"path" jsonschema:"name of the operation" example:"search_listings"`
}

// getOperation returns the operation that documents one operation.
func (s Documents) getOperation() web.Operation {
	return web.Op[getOperationIn, *textviews.OperationDoc]{
		Name:        "get_operation",
		Page:        "/developers/{operation}",
		Tag:         "Service",
		Shared:      true,
		Title:       "Operation",
		Summary:     "One operation with its parameters, formats and errors.",
		Description: "Returns the documentation of one operation with an example request and its response. /developers lists all operations.",
		Errors:      []string{"operation_not_found"},
		Do: func(_ context.Context, in *getOperationIn) (*textviews.OperationDoc, error) {
			var names []string
			for _, op := range s.Reference.Operations() {
				if !op.Published() {
					continue
				}
				if op.Name == in.Operation {
					doc := s.document(op, op.Examples())
					if op.Path != "" {
						doc.Response = s.Reference.Example(op)
					}
					return doc.On(s.Site), nil
				}
				names = append(names, op.Name)
			}
			return nil, operationNotFound(in.Operation, names)
		},
	}.Operation()
}

// operationNotFound returns operation_not_found with a link to the nearest name.
func operationNotFound(name string, names []string) error {
	err := codes.New("operation_not_found")
	if near := fuzzy.NearestName(name, names); near != "" {
		err.Hint = problem.Textf("Did you mean %s?", near).And(problem.Programf("/developers lists all operations."))
		err.Links = []problem.Link{{Href: textviews.OperationPath(near), Label: near}}
	}
	return err
}

// reference returns the documentation of every operation but those of operators, which
// /openapi-admin.json describes. examples returns the example values of an operation's
// parameters by name.
func (s Documents) reference(examples func(*web.Operation) map[string]string) *textviews.Developers {
	page := &textviews.Developers{
		Name:    s.Site.Name(),
		BaseURL: s.Site.BaseURL,
		Quota:   s.quotaText(),
		Documents: []ui.Link{
			{Href: "/openapi.json", Label: languages.Mark("OpenAPI 3.1 (JSON)")},
			{Href: "/openapi.yaml", Label: languages.Mark("OpenAPI 3.1 (YAML)")},
			{Href: "/openapi-admin.json", Label: languages.Mark("OpenAPI 3.1 of the operators' operations")},
			{Href: "/openapi-health.json", Label: languages.Mark("OpenAPI 3.0.3 of the health check")},
			{Href: ui.ConnectPath, Label: "Connect a chat app"},
			{Href: text.ErrorsPage, Label: languages.Mark("Error codes")},
			{Href: "/agent.txt", Label: languages.Mark("Guide for agents")},
			{Href: "/auth.md", Label: languages.Mark("Authentication")},
			{Href: bulk.ManifestPath, Label: languages.Mark("Bulk files of all listings and price histories, made every night")},
			{Href: "/llms.txt", Label: languages.Mark("Index for language models")},
			{Href: "/llms-full.txt", Label: languages.Mark("All documentation in one file")},
			{Href: web.MCPPath + "/server-card", Label: languages.Mark("MCP server card")},
			{Href: "/.well-known/ai-catalog.json", Label: languages.Mark("AI catalog")},
			{Href: "/.well-known/api-catalog", Label: languages.Mark("API catalog (RFC 9727)")},
			{Href: "/.well-known/agent-skills/index.json", Label: languages.Mark("Skills")},
		},
		Contract: contractText,
	}
	for _, op := range s.Reference.Operations() {
		if op.Published() && !op.ForOperators() {
			page.Operations = append(page.Operations, s.document(op, examples(op)))
		}
	}
	return page
}

// contractText documents the conventions of all operations.
var contractText = []textviews.Section{
	{Title: "Formats", Text: "Every URL is available as HTML, Markdown and JSON. Choose one with the Accept header: text/html, text/markdown or application/json. For pages you can also add a suffix: .md or .json, and .csv or .svg where an operation supports it. Each format has its own ETag; If-None-Match returns 304 if it hasn't changed."},
	{Title: "MCP", Text: "POST /api/mcp is a stateless Model Context Protocol server (streamable HTTP). tools/list returns the tools that you may use: the public ones, and with a member's token in the Authorization header those that its scopes allow. Operations of one kind are one tool with an argument action; each operation below names its tool. POST /api/mcp?toolset=shop, sell, account, portfolio or moderate lists all tools of one kind, shop,account of both, and research the tools search and fetch. Clients that support elicitation ask the person before an offer, a purchase, an acceptance, a completed sale or a publication. The same rate limits apply."},
	{Title: "Tokens", Text: "Acting for a member requires a token, sent as Authorization: Bearer sl_…. Clients get one with OAuth 2.1; members create one for a program at /account/tokens. Each operation documents the scope it requires. Without a token it returns 401 with WWW-Authenticate; if the scope is missing, 403. Public data needs no token. See /auth.md."},
	{Title: "Writes", Text: "The body is JSON, or a form as application/x-www-form-urlencoded or multipart/form-data. Creating a resource returns 201 with Location. Send an Idempotency-Key header to retry a write safely for 24 hours: it is executed once, and a retry returns the first response with Idempotency-Replayed: true. A different request with the same key returns 422; while the first request is in progress, a retry returns 409. To change a resource, send its ETag in If-Match. Without it you get 428; if the resource has changed since, 412. Tools take the arguments idempotency_key and if_match instead of the headers."},
	{Title: "Length", Text: "Markdown responses have an X-Markdown-Tokens header: " + web.TokensDescription + "."},
	{Title: "Limits", Text: "Every response has the headers RateLimit-Policy and RateLimit: the quota, the remaining requests (r) and the seconds until it resets (t). Above the limit you get 429 with Retry-After."},
	{Title: "Errors", Text: "Errors are application/problem+json (RFC 9457) with code, message and hint. The hint says how to fix the request. They are available as Markdown and HTML too. /errors lists all codes."},
	{Title: "Versions", Text: "The version of the interface is in /openapi.json and follows semantic versioning. Within a major version nothing is removed, renamed or made stricter: new operations, optional parameters, properties and error codes may be added, so ignore what you don't know. What will be removed is marked as deprecated in /openapi.json and in the changelog at least 6 months before."},
	{Title: "Bulk files", Text: "/data/manifest.json names the files of all listings and of all price trends, made every night, with their size, number of rows and SHA-256. Downloads can be resumed with Range and If-Range, and skipped with If-None-Match. Use them instead of reading every page."},
	{Title: "Parameters", Text: "The API rejects unknown parameters and suggests the closest name; pages ignore them. List parameters can be repeated or comma-separated."},
	{Title: "Prices, times and regions", Text: "A price is an object with a decimal string and an ISO 4217 currency code. Times are RFC 3339 in UTC. Regions are ISO 3166 codes; a country includes its subdivisions."},
}

// document returns the documentation of an operation.
func (s Documents) document(op *web.Operation, values map[string]string) textviews.OperationDoc {
	doc := textviews.OperationDoc{
		Name: op.Name, Title: op.Title, Summary: op.Summary, Description: op.Description,
		API: op.Path, Page: op.Page,
		Method: op.Method, Scope: op.Scope, Tool: s.toolPhrase(op), Curl: s.Reference.Curl(op, values),
		Parameters: []textviews.ParameterDoc{},
		Errors:     []textviews.ErrorBrief{},
	}
	for _, f := range op.AllFormats(op.Path != "") {
		doc.Formats = append(doc.Formats, f.MediaType())
	}
	for _, p := range op.Parameters(values) {
		doc.Parameters = append(doc.Parameters, textviews.ParameterDoc(p))
	}
	for _, c := range s.Reference.ErrorCodes() {
		if slices.Contains(op.Errors, c.Code) {
			doc.Errors = append(doc.Errors, textviews.ErrorBrief{Code: c.Code, Status: c.Status, Title: c.Title.String()})
		}
	}
	return doc
}

// toolPhrase returns the tool of an operation and its action, "" if it has none.
func (s Documents) toolPhrase(op *web.Operation) string {
	if name, _ := s.MCP.ToolOf(op.Name); name == "" {
		return ""
	}
	return s.MCP.ToolPhrase(op.Name)
}

// quotaText returns a description of the rate limits.
func (s Documents) quotaText() string {
	api, pages := s.Reference.RateLimits()
	return fmt.Sprintf("%d requests per minute for the API, %d for pages", api, pages)
}
