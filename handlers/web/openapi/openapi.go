// Package openapi describes the API of a site in OpenAPI 3.1.
package openapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models/english"
	"github.com/secondlight/secondlight/models/problem"
)

// describeSecurity returns the security schemes that operations use, or nil if they
// use none.
func (s *Describer) describeSecurity(ops []web.Operation) web.Object {
	if !slices.ContainsFunc(ops, func(op web.Operation) bool { return op.Access != web.Everybody && op.Path != "" }) {
		return nil
	}
	schemes := web.NewObject("token", web.NewObject(
		"type", "http", "scheme", "bearer",
		"description", "A member's personal token with the scope of the operation. Create one at /account/tokens; see /auth.md.",
	))
	usesOAuth := func(op web.Operation) bool { return op.Path != "" && slices.Contains(s.site.Scopes, op.Scope) }
	if flow := s.site.Config.API.OAuth; flow.Token != "" && slices.ContainsFunc(ops, usesOAuth) {
		var scopes web.Object
		for _, scope := range s.site.Scopes {
			scopes = scopes.With(scope, flow.Scopes[scope])
		}
		schemes = schemes.With("oauth", web.NewObject(
			"type", "oauth2", "description", "Apps that act for a member, with PKCE. Clients register themselves; see /auth.md.",
			"flows", web.NewObject("authorizationCode", web.NewObject("authorizationUrl", s.site.BaseURL+flow.Authorize, "tokenUrl", s.site.BaseURL+flow.Token, "refreshUrl", s.site.BaseURL+flow.Token, "scopes", scopes)),
		))
	}
	return web.NewObject("securitySchemes", schemes)
}

// Describer describes the API of a site in OpenAPI. Create one with NewDescriber.
type Describer struct {
	site    *web.Site
	streams []*web.EventStream
}

// NewDescriber returns the describer of a site.
func NewDescriber(site *web.Site) *Describer { return &Describer{site: site} }

// AddStream adds a stream of events to the description.
func (s *Describer) AddStream(stream *web.EventStream) { s.streams = append(s.streams, stream) }

// ToYAML converts a JSON document to YAML. It preserves the order of members.
func ToYAML(doc []byte) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(doc, &root); err != nil {
		return nil, err
	}
	blockStyle(&root, false)
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	err := enc.Encode(&root)
	return b.Bytes(), err
}

// blockStyle changes a node to block style, and removes the quotes of keys that do
// not need them.
func blockStyle(n *yaml.Node, key bool) {
	plain := key && strings.Trim(n.Value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" && n.Value != "null"
	if n.Kind != yaml.ScalarNode || plain {
		n.Style = 0
	}
	for i, child := range n.Content {
		blockStyle(child, n.Kind == yaml.MappingNode && i%2 == 0)
	}
}

// document returns the description of every operation that everybody or a member may
// call. Answers are example responses by operation name. If it is nil the document
// depends on the code only.
func (s *Describer) document(answers map[string]any) web.Object {
	return s.describeAPI(s.only(func(op *web.Operation) bool { return !op.ForOperators() }), s.streams, s.site.Config.API.Webhooks, answers, web.NewObject(
		"openapi", "3.1.0",
		"info", web.NewObject(
			"title", s.site.Name()+" API",
			"version", s.site.Config.API.Version,
			"summary", s.site.Config.API.Summary,
			"description", s.site.Config.API.Description,
			"contact", web.NewObject("name", s.site.Config.API.Contact(), "url", s.site.BaseURL+"/developers"),
			"license", web.NewObject("name", "MIT", "identifier", "MIT"),
		),
	))
}

// only returns the operations of this site that include selects.
func (s *Describer) only(include func(*web.Operation) bool) []web.Operation {
	return slices.DeleteFunc(slices.Clone(s.site.Ops), func(op web.Operation) bool { return s.site.Hides(&op) || !include(&op) })
}

// describeAPI returns head with the members that describe operations, streams and webhooks, and the
// components they refer to.
func (s *Describer) describeAPI(ops []web.Operation, streams []*web.EventStream, hooks []web.Webhook, answers map[string]any, head web.Object) web.Object {
	types := []reflect.Type{s.site.ProblemPage}
	var tags []web.Object
	var tagged []string
	var paths web.Object
	for i := range ops {
		op := &ops[i]
		if !op.Published() {
			continue
		}
		types = append(types, op.Out)
		if !slices.Contains(tagged, op.Tag) {
			tagged = append(tagged, op.Tag)
			tags = append(tags, web.NewObject("name", op.Tag, "description", s.site.Config.API.Tags[op.Tag]))
		}
		address, first, method := op.Path, web.JSON, op.Method
		if address == "" {
			address, first = op.Page, web.HTML
		}
		described := web.Member{Key: strings.ToLower(method), Value: s.describe(op, first, answers)}
		if i := slices.IndexFunc(paths, func(m web.Member) bool { return m.Key == address }); i >= 0 {
			paths[i].Value = append(paths[i].Value.(web.Object), described)
		} else {
			paths = paths.With(address, web.Object{described})
		}
	}
	for _, e := range streams {
		paths = paths.With(e.Path, web.NewObject("get", s.describeStream(e)))
	}
	var webhooks web.Object
	for _, h := range hooks {
		types = append(types, reflect.TypeOf(h.Body))
		webhooks = webhooks.With(h.Event, web.NewObject("post", describeWebhook(h)))
	}
	schemas := s.site.Vocabulary.Components(types...)
	described := append(head, web.NewObject(
		"servers", []web.Object{web.NewObject("url", s.site.BaseURL, "description", s.site.Name())},
		"security", []web.Object{},
		"tags", tags,
		"externalDocs", web.NewObject("url", s.site.BaseURL+"/developers", "description", "API reference"),
		// Headers are defined once and referred to by name in x-headers of operations:
		// header objects in each response would make generated clients several times as
		// large.
		"x-headers", web.NewObject("every_response", commonHeaders, "definitions", headerDefinitions),
		"x-request-headers", web.NewObject("definitions", web.NewObject(web.KeyHeader, web.NewObject(
			"description", english.Sentence(web.KeyDescription), "required", false, "schema", web.KeySchema(""), "example", web.KeyExample,
		))),
		"paths", paths,
		"components", append(web.NewObject(
			"schemas", s.usedEnums(schemas, paths),
			"responses", referencedBy(s.responseComponents(), "responses", paths),
		), s.describeSecurity(ops)...),
	)...)
	if len(webhooks) > 0 {
		described = described.With("webhooks", webhooks)
	}
	return described
}

// webhookHeaders are the header fields of webhooks, by Standard Webhooks.
var webhookHeaders = []web.Object{
	webhookHeader("webhook-id", "The id of the event, the same for every attempt.", "019aa7d2-7c00-7000-8000-000000000001"),
	webhookHeader("webhook-timestamp", "When it was sent: Unix time in seconds.", "1795000000"),
	webhookHeader("webhook-signature", "v1, and the HMAC-SHA256 of id.timestamp.body in base64. Several are separated by spaces.", "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="),
}

func webhookHeader(name, description, example string) web.Object {
	return web.NewObject("name", name, "in", "header", "description", description, "required", true, "schema", web.NewObject("type", "string"), "example", example)
}

// describeWebhook returns the OpenAPI operation of a webhook: what the server of a member gets,
// and how its response is understood.
func describeWebhook(h web.Webhook) web.Object {
	id := "on"
	for word := range strings.SplitSeq(h.Event, ".") {
		id += strings.ToUpper(word[:1]) + word[1:]
	}
	return web.NewObject(
		"operationId", id,
		"tags", []string{h.Tag},
		"summary", h.Summary,
		"parameters", webhookHeaders,
		"requestBody", web.NewObject("required", true, "content", web.NewObject(web.JSON.MediaType(), web.NewObject("schema", ref("schemas", reflect.TypeOf(h.Body).Name()), "example", h.Body))),
		"responses", web.NewObject(
			"2XX", web.NewObject("description", "It has arrived."),
			"410", web.NewObject("description", "It isn't wanted: it is not sent again."),
			"default", web.NewObject("description", "It is sent again, up to 12 times in three days."),
		),
	)
}

// usedEnums returns schemas without the types with fixed values that nothing refers to.
func (s *Describer) usedEnums(schemas map[string]*jsonschema.Schema, paths web.Object) map[string]*jsonschema.Schema {
	text, err := json.Marshal(schemas)
	if err != nil {
		panic(err)
	}
	more, err := paths.MarshalJSON()
	if err != nil {
		panic(err)
	}
	text = append(text, more...)
	used := maps.Clone(schemas)
	maps.DeleteFunc(used, func(name string, schema *jsonschema.Schema) bool {
		return schema.Enum != nil && !bytes.Contains(text, []byte(`"#/components/schemas/`+name+`"`))
	})
	return used
}

// referencedBy returns the components of a kind that any of the parts refers to.
func referencedBy(o web.Object, kind string, parts ...web.Object) web.Object {
	var text []byte
	for _, part := range parts {
		b, err := part.MarshalJSON()
		if err != nil {
			panic(err)
		}
		text = append(text, b...)
	}
	return slices.DeleteFunc(slices.Clone(o), func(m web.Member) bool {
		return !bytes.Contains(text, []byte(`"#/components/`+kind+"/"+m.Key+`"`))
	})
}

// describe returns the OpenAPI operation.
func (s *Describer) describe(op *web.Operation, first web.Format, answers map[string]any) web.Object {
	values := op.TagExamples()
	if answers != nil {
		values = op.Examples()
	}
	d := web.NewObject(
		"operationId", op.ID(),
		"tags", []string{op.Tag},
		"summary", op.Summary,
		"description", op.Description+op.TokenRequirement(),
	)
	if op.Access != web.Everybody {
		// OpenAPI has scopes for OAuth only; those of a bearer token are an extension.
		security := []web.Object{web.NewObject("token", []string{})}
		if slices.Contains(s.site.Scopes, op.Scope) {
			security = append(security, web.NewObject("oauth", []string{op.Scope}))
		}
		d = d.With("security", security).With("x-scope", op.Scope)
	}
	params := s.describeParams(op.Plan, values)
	if op.NeedsKey() {
		params = append(params, web.NewObject("name", web.KeyHeader, "in", "header", "description", english.Sentence(web.KeyDescription), "required", false,
			"schema", web.KeySchema(""), "example", web.KeyExample))
	}
	if len(params) > 0 {
		d = d.With("parameters", params)
	}
	if body := s.describeBody(op.Plan, values); body != nil {
		d = d.With("requestBody", body)
	}
	if op.AcceptsKey() && !op.NeedsKey() {
		d = d.With("x-request-headers", []string{web.KeyHeader})
	}
	return append(d, web.NewObject(
		"x-formats", web.MediaTypes(op.AllFormats(first == web.JSON)),
		"x-headers", responseHeaders(op, first),
		"x-errors", s.describeErrors(op, first),
		"responses", s.describeResponses(op, first, answers[op.Name]),
	)...)
}

// describeStream returns the OpenAPI operation of a stream.
func (s *Describer) describeStream(e *web.EventStream) web.Object {
	lastID := web.NewObject("name", "Last-Event-ID", "in", "header", "description", "The id of the last event that you have, or a cursor; default: only events from now on. The query parameter since is the same.",
		"schema", web.NewObject("type", "string", "maxLength", bind.MaxValueLength))
	content := web.NewObject("schema", web.NewObject("type", "string", "description", e.Events), "example", e.Example)
	return web.NewObject(
		"operationId", e.ID,
		"tags", []string{e.Tag},
		"summary", e.Summary,
		"description", e.Description,
		"security", []web.Object{{}, web.NewObject("token", []string{})},
		"x-scope", e.Scope,
		"parameters", []web.Object{lastID},
		"x-formats", []string{web.EventStreamType},
		"responses", web.NewObject(
			"200", web.NewObject("description", e.Title, "content", web.NewObject(web.EventStreamType, content)),
			"400", ref("responses", "BadRequest"),
			"default", web.NewObject(
				"description", "Any other error. /errors documents the codes.",
				"content", web.NewObject("application/problem+json", web.NewObject("schema", ref("schemas", s.site.ProblemPage.Name()))),
			),
		),
	)
}

// exampleFile is an example of a file in JSON: the base64 of its first bytes.
const exampleFile = "/9j/4AAQSkZJRgABAQAAAQABAAD/"

// describeBody returns the request body of a write, or nil if it has none. The body
// is JSON, or also a form if there are files.
func (s *Describer) describeBody(plan *bind.Plan, values map[string]string) web.Object {
	var required []string
	var properties, example web.Object
	files := false
	for i := range plan.Params {
		p := &plan.Params[i]
		if !plan.Body || !p.InQuery() {
			continue
		}
		if p.Required {
			required = append(required, p.Name)
		}
		schema := s.site.Vocabulary.NameEnums(p.Schema)
		schema.Description = english.Sentence(p.Description)
		properties = properties.With(p.Name, schema)
		value := values[p.Name]
		if p.Typ == reflect.TypeFor[bind.Upload]() {
			files, value = true, cmp.Or(value, exampleFile)
		}
		if value != "" {
			example = example.With(p.Name, p.Literal(value))
		}
	}
	if len(properties) == 0 {
		return nil
	}
	schema := web.NewObject("type", "object", "properties", properties, "additionalProperties", false)
	if len(required) > 0 {
		schema = schema.With("required", required)
	}
	content := web.NewObject("application/json", web.NewObject("schema", schema).With("example", example))
	if files {
		content = content.With("multipart/form-data", web.NewObject("schema", web.NewObject("type", "object", "additionalProperties", true)))
	}
	return web.NewObject("required", len(required) > 0, "content", content)
}

// describeParams returns the parameters outside the body, with values as their
// examples.
func (s *Describer) describeParams(plan *bind.Plan, values map[string]string) []web.Object {
	var all []web.Object
	for i := range plan.Params {
		p := &plan.Params[i]
		name, location := p.Name, "query"
		switch {
		case p.Path:
			location = "path"
		case p.Header != "":
			name, location = p.Header, "header"
		case plan.Body:
			continue
		}
		d := web.NewObject("name", name, "in", location, "description", english.Sentence(p.Description))
		if p.Path || p.Required {
			d = d.With("required", true)
		}
		if p.Repeat {
			d = d.With("style", "form").With("explode", true)
		}
		d = d.With("schema", s.site.Vocabulary.NameEnums(p.Schema))
		if example := values[p.Name]; example != "" {
			d = d.With("example", p.Literal(example))
		}
		all = append(all, d)
	}
	return all
}

// describeResponses returns the success and a reference for every kind of error. The
// schema of the success is that of its JSON only, so that generated clients have one
// type for it. x-errors lists the errors of an operation, since a response for each
// status would make generated clients several times as large.
func (s *Describer) describeResponses(op *web.Operation, first web.Format, example any) web.Object {
	content := web.NewObject("schema", ref("schemas", op.Out.Name()))
	if example != nil {
		content = content.With("example", example)
	}
	success := web.NewObject("description", op.Title, "content", web.NewObject(web.JSON.MediaType(), content))
	responses := web.NewObject(strconv.Itoa(op.Success()), success)
	if !op.Live && !op.Writes() {
		responses = responses.With("304", ref("responses", "NotModified"))
	}
	responses = responses.With("400", ref("responses", "BadRequest"))
	if codes := s.codesByStatus(op, first == web.JSON); first == web.HTML || len(codes[http.StatusNotFound]) > 0 {
		responses = responses.With("404", ref("responses", "NotFound"))
	}
	return responses.With("default", web.NewObject(
		"description", "Any other error; x-errors lists the codes.",
		"content", web.NewObject("application/problem+json", web.NewObject("schema", ref("schemas", s.site.ProblemPage.Name()))),
	))
}

// describeErrors returns the error codes of an operation by status.
func (s *Describer) describeErrors(op *web.Operation, first web.Format) web.Object {
	codes := s.codesByStatus(op, first == web.JSON)
	for _, status := range commonStatuses {
		if len(codes[status]) == 0 && (status != http.StatusNotFound || first == web.HTML) {
			codes[status] = []string{web.StatusCode[status]}
		}
	}
	var errors web.Object
	for _, status := range slices.Sorted(maps.Keys(codes)) {
		errors = errors.With(strconv.Itoa(status), codes[status])
	}
	return errors
}

// commonStatuses are the error statuses that every operation can return.
var commonStatuses = []int{400, 404, 405, 406, 408, 413, 429, 431, 500, 503}

// codesByStatus returns the error codes that are specific to an operation and its
// parameters, by status. If strict, they include those of unknown parameters.
func (s *Describer) codesByStatus(o *web.Operation, strict bool) map[int][]string {
	by := map[int][]string{}
	codes := append(slices.Clone(o.Errors), codesOf(o.Plan, strict)...)
	codes = append(codes, callerCodes(o)...)
	if o.AcceptsKey() && strict {
		codes = append(append(codes, "invalid_parameter"), web.KeyCodes...)
	}
	if versioned(o) {
		codes = append(codes, "precondition_required")
	}
	for _, code := range codes {
		c, ok := s.site.Codes.Lookup(code)
		if !ok {
			panic(fmt.Sprintf("operation %s: error code %s is not in the catalogue", o.Name, code))
		}
		if !slices.Contains(by[c.Status], code) {
			by[c.Status] = append(by[c.Status], code)
		}
	}
	return by
}

// versioned reports whether the operation requires If-Match.
func versioned(o *web.Operation) bool {
	return slices.ContainsFunc(o.Plan.Params, func(p bind.Param) bool { return p.Header == "If-Match" })
}

// callerCodes returns the error codes of authentication and authorization.
func callerCodes(o *web.Operation) []string {
	var codes []string
	if !o.Live {
		codes = append(codes, "invalid_token") // checked even if no token is required
	}
	if o.Writes() {
		codes = append(codes, "cross_site")
	}
	if o.Access == web.Everybody {
		return codes
	}
	codes = append(codes, "unauthenticated", "insufficient_scope")
	if o.Writes() {
		codes = append(codes, "account_suspended")
	}
	if o.Access == web.Operators {
		codes = append(codes, "operators_only")
	}
	return codes
}

// codesOf returns the error codes of binding a request.
func codesOf(plan *bind.Plan, strict bool) []string {
	codes := []string{"invalid_encoding", "bad_request"}
	if plan.Body {
		codes = append(codes, "unsupported_media_type")
	}
	var query, single, required, named bool
	for i := range plan.Params {
		p := &plan.Params[i]
		query = query || !p.Path
		single = single || !p.Path && !p.Repeat
		required = required || !p.Path && p.Required
		named = named || bind.Settable(p.Typ) && p.Typ.Kind() == reflect.String
	}
	if query {
		codes = append(codes, "invalid_parameter")
	}
	if required {
		codes = append(codes, "missing_parameter")
	}
	if named {
		codes = append(codes, problem.UnresolvedName)
	}
	if strict {
		codes = append(codes, "unknown_parameter")
	}
	if strict && single {
		codes = append(codes, "duplicate_parameter")
	}
	return codes
}

// describeError returns an error response with an example of a code.
func (s *Describer) describeError(description, code string) web.Object {
	return web.NewObject(
		"description", description,
		"content", web.NewObject("application/problem+json", web.NewObject(
			"schema", ref("schemas", s.site.ProblemPage.Name()), "example", s.exampleError(code),
		)),
	)
}

// exampleError returns an example of an error response.
func (s *Describer) exampleError(code string) web.Page {
	known, _ := s.site.Codes.Lookup(code)
	e := *known.New()
	switch code {
	case "invalid_parameter":
		e = *bind.InvalidRequest([]bind.FieldError{{FieldError: problem.FieldError{Field: "limit", Code: "invalid_value", Message: problem.Programf("limit must be at least 1; it is 0.")}, Hint: nil}})
	case "unknown_parameter":
		e = *bind.InvalidRequest([]bind.FieldError{{FieldError: problem.FieldError{Field: "budget_maxx", Code: "unknown_parameter", Message: problem.Programf(`There is no parameter "budget_maxx".`)}, Hint: problem.Programf("Did you mean `budget_max`?")}})
	case "duplicate_parameter":
		e = *bind.InvalidRequest([]bind.FieldError{{FieldError: problem.FieldError{Field: "limit", Code: "duplicate_parameter", Message: problem.Programf("limit takes one value, but the request has 2.")}, Hint: problem.Programf("Send limit once.")}})
	}
	return s.site.Layout.Problem(s.site.Problem(&e, exampleRequestID))
}

// exampleRequestID is the request id in examples.
const exampleRequestID = "5f0c9a3be1d24786"

// responseComponents returns the responses that operations refer to.
func (s *Describer) responseComponents() web.Object {
	return web.NewObject(
		"NotModified", web.NewObject("description", "Not modified: If-None-Match contains the current ETag."),
		"BadRequest", s.describeError("The request is invalid. errors lists each invalid field, the reason, and the allowed values.", "invalid_parameter"),
		"NotFound", s.describeError("The resource doesn't exist, or the caller may not see it.", "page_not_found"),
	)
}

// ref returns a reference to a component.
func ref(kind, name string) web.Object {
	return web.NewObject("$ref", "#/components/"+kind+"/"+name)
}

// commonHeaders are the documented header fields of every response.
var commonHeaders = []string{"Vary", "RateLimit-Policy", "RateLimit", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset",
	"X-Request-Id", "Cache-Control", "Access-Control-Allow-Origin", "Access-Control-Expose-Headers"}

// responseHeaders returns the names of the header fields of a successful response, in
// addition to commonHeaders.
func responseHeaders(op *web.Operation, first web.Format) []string {
	names := []string{"Link", "Content-Language", "X-Markdown-Tokens"}
	if op.Creates {
		names = append(names, "Location")
	}
	if op.AcceptsKey() {
		names = append(names, web.KeyReplayed)
	}
	if !op.Live && !op.Writes() {
		names = append(names, "ETag")
	}
	if first == web.JSON {
		return append(names, "X-Robots-Tag")
	}
	return append(names, "Content-Location")
}

// headerText returns a header component.
func headerText(text, kind string, example any) web.Object {
	return web.NewObject("description", text, "required", true, "schema", web.NewObject("type", kind), "example", example)
}

// headerDefinitions describe the header fields of responses.
var headerDefinitions = web.NewObject(
	"Vary", headerText("Request headers that the response depends on.", "string", web.Vary),
	"RateLimit-Policy", headerText("The quota: its name and the requests (q) allowed per window in seconds (w).", "string", `"default";q=100;w=60`),
	"RateLimit", headerText("The remaining quota: requests (r) and seconds until it resets (t).", "string", `"default";r=97;t=42`),
	"RateLimit-Limit", headerText("Requests allowed per window.", "integer", 100),
	"RateLimit-Remaining", headerText("Requests left in this window.", "integer", 97),
	"RateLimit-Reset", headerText("Seconds until the quota resets.", "integer", 42),
	"X-Request-Id", headerText("The id of the request. Include it when you report a problem.", "string", exampleRequestID),
	"ETag", headerText("The version of this representation. Send it in If-None-Match to get 304 if it hasn't changed.", "string", `"7e1b2f4a90c3d856"`),
	"Cache-Control", headerText("How the response may be cached.", "string", web.CachePublic),
	"Link", headerText("Links to the next page and the description of the API; on pages also to the other formats and to the documents that list all others.", "string", `</openapi.json>; rel="service-desc"`),
	"Content-Language", web.NewObject("description", "The language of HTML and Markdown on a site with several.", "required", false, "schema", web.NewObject("type", "string"), "example", "en"),
	"Content-Location", headerText("The URL of the page in this format.", "string", "/gear/canon/eos-r6.md"),
	"X-Markdown-Tokens", web.NewObject("description", "On a Markdown response: "+web.TokensDescription+".", "required", false, "schema", web.NewObject("type", "integer"), "example", 2785),
	"X-Robots-Tag", headerText("Search engines index the page, not the API.", "string", "noindex"),
	"Access-Control-Allow-Origin", headerText("Scripts of every origin may read the response.", "string", "*"),
	"Access-Control-Expose-Headers", headerText("Response headers that scripts of other origins may read.", "string", web.ExposedHeaders),
	"Allow", headerText("The methods that the address supports.", "string", "GET, HEAD, OPTIONS"),
	"Location", headerText("The URL of the resource that was created.", "string", "/api/listings/019aa7d2-7c00-7000-8000-000000000000"),
	web.KeyReplayed, web.NewObject("description", "true if this is the response of an earlier request with the same Idempotency-Key; absent otherwise.", "required", false, "schema", web.NewObject("type", "boolean"), "example", true),
	"WWW-Authenticate", headerText("How to authenticate (RFC 6750).", "string", `Bearer realm="Secondlight"`),
	"Retry-After", headerText("Seconds to wait before trying again.", "integer", 42),
)

// examples returns example responses by operation name. They are responses to calls
// with the example values of the parameters, with lists truncated to two elements.
// Operations that fail, as most do on an empty site, are omitted.
func (s *Describer) examples(ctx context.Context) map[string]any {
	all := map[string]any{}
	for i := range s.site.Ops {
		if value := exampleOf(ctx, &s.site.Ops[i]); value != nil {
			all[s.site.Ops[i].Name] = value
		}
	}
	return all
}

// Example returns the response to an anonymous call of an operation as in examples, as indented
// JSON with lists of one element and texts of at most 120 bytes; "" if there is none.
func (s *Describer) Example(op *web.Operation) string {
	ctx, cancel := (&web.Caller{}).Context()
	defer cancel()
	value := exampleOf(ctx, op)
	if value == nil {
		return ""
	}
	text, err := json.MarshalIndent(truncate(value, 1, 120), "", "  ")
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	return string(text)
}

// exampleOf returns the example response of an operation, nil if there is none.
func exampleOf(ctx context.Context, op *web.Operation) (value any) {
	page, err := exampleResult(ctx, op)
	if err != nil || json.Unmarshal(web.EncodePage(page), &value) != nil {
		return nil
	}
	return truncate(value, 2, math.MaxInt)
}

// exampleResult returns the sample of an operation, or calls it with the example
// values of its required parameters.
func exampleResult(ctx context.Context, o *web.Operation) (web.Page, error) {
	switch {
	case o.Sample != nil:
		return o.Sample(), nil
	case !o.Open():
		return nil, errors.New("the operation is not open")
	}
	values := o.Examples()
	_, query, _ := strings.Cut(o.ExampleTarget("", values), "?")
	in, err := o.Plan.Bind(func(name string) string { return values[name] }, query, true)
	if err != nil {
		return nil, err
	}
	return o.Do(ctx, &in.In)
}

// truncate truncates every list in a JSON value, and every text with an ellipsis.
func truncate(value any, elements, bytes int) any {
	switch v := value.(type) {
	case []any:
		v = v[:min(len(v), elements)]
		for i := range v {
			v[i] = truncate(v[i], elements, bytes)
		}
		return v
	case map[string]any:
		for key := range v {
			v[key] = truncate(v[key], elements, bytes)
		}
	case string:
		if len(v) > bytes {
			return strings.ToValidUTF8(v[:bytes], "") + "…"
		}
	}
	return value
}

// OpenAPI returns the description of the API without example answers: it depends
// on nothing but the code.
func (s *Describer) OpenAPI() web.Object { return s.document(nil) }

// OpenAPISubset returns the description of some operations alone, without example
// answers; see MountOpenAPISubset.
func (s *Describer) OpenAPISubset(head web.Object, include func(*web.Operation) bool) web.Object {
	return s.describeAPI(s.only(include), nil, nil, nil, head)
}

// WithExamples returns the description of the API with example answers.
func (s *Describer) WithExamples(ctx context.Context) web.Object { return s.document(s.examples(ctx)) }

// SubsetWithExamples is OpenAPISubset with example answers.
func (s *Describer) SubsetWithExamples(ctx context.Context, head web.Object, include func(*web.Operation) bool) web.Object {
	return s.describeAPI(s.only(include), nil, nil, s.examples(ctx), head)
}
