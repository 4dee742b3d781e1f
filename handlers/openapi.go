package handlers

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// Versions of the published interfaces. Each moves when its document changes; a
// test holds the two together.
const (
	APIVersion    = "1.4.1"
	healthVersion = "1.0.0"
)

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(m.key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(m.value); err != nil {
			return nil, fmt.Errorf("%s: %w", m.key, err)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (o object) with(key string, value any) object { return append(o, member{key, value}) }

// describeSecurity is how a caller says who they are, where operations ask for it.
func describeSecurity(ops []Operation) object {
	if !slices.ContainsFunc(ops, func(op Operation) bool { return op.Access != Everybody && op.Path != "" }) {
		return nil
	}
	return object{{"securitySchemes", object{{"token", object{
		{"type", "http"}, {"scheme", "bearer"},
		{"description", "A member's personal token, made at /account/tokens, with the scope the operation names. /auth.md says how."},
	}}}}}
}

// mountOpenAPI serves the description of the API, as JSON and as YAML, and that
// of the health check alone, in the older version that monitors and gateways read.
func (s *Server) mountOpenAPI() {
	s.mountDocument("/openapi.json", JSON.ContentType(), func(ctx context.Context) ([]byte, error) {
		return encodeDocument(s.openAPI(s.examples(ctx)))
	})
	s.mountDocument("/openapi-health.json", JSON.ContentType(), func(ctx context.Context) ([]byte, error) {
		return encodeDocument(s.healthOpenAPI(s.examples(ctx)))
	})
	s.mountDocument("/openapi.yaml", "application/yaml; charset=utf-8", func(ctx context.Context) ([]byte, error) {
		doc, err := encodeDocument(s.openAPI(s.examples(ctx)))
		if err != nil {
			return nil, err
		}
		return toYAML(doc)
	})
}

func encodeDocument(doc object) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(doc)
	return b.Bytes(), err
}

// toYAML writes a JSON document as YAML in the same order.
func toYAML(doc []byte) ([]byte, error) {
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

// blockStyle takes off the braces, and the quotes of keys that need none.
func blockStyle(n *yaml.Node, key bool) {
	plain := key && strings.Trim(n.Value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" && n.Value != "null"
	if n.Kind != yaml.ScalarNode || plain {
		n.Style = 0
	}
	for i, child := range n.Content {
		blockStyle(child, n.Kind == yaml.MappingNode && i%2 == 0)
	}
}

// openAPI describes every operation. Answers are examples by operation name; an
// operation without one is described without. When answers is nil the document
// depends on nothing but the code.
func (s *Server) openAPI(answers map[string]answers) object {
	return s.describeAPI(s.ops, answers, object{
		{"openapi", "3.1.0"},
		{"info", object{
			{"title", s.site.Name + " API"},
			{"version", APIVersion},
			{"summary", "Used cameras and lenses: listings, and what gear really sells for."},
			{"description", apiText},
			{"contact", object{{"name", s.contact()}, {"url", s.site.BaseURL + "/developers"}}},
			{"license", object{{"name", "MIT"}, {"identifier", "MIT"}}},
		}},
	})
}

// healthOpenAPI describes the health check alone.
func (s *Server) healthOpenAPI(answers map[string]answers) object {
	return s.describeAPI([]Operation{s.checkHealth()}, answers, object{
		{"openapi", "3.0.3"},
		{"info", object{
			{"title", s.site.Name + " health check"},
			{"version", healthVersion},
			{"description", "Says that the service answers. /openapi.json describes everything else."},
			{"contact", object{{"name", s.contact()}, {"url", s.site.BaseURL + "/developers"}}},
			{"license", object{{"name", "MIT"}, {"url", "https://spdx.org/licenses/MIT.html"}}},
		}},
	})
}

// describeAPI goes on from a head with the operations and the components they use.
func (s *Server) describeAPI(ops []Operation, answers map[string]answers, head object) object {
	types := []reflect.Type{reflect.TypeFor[views.Error]()}
	var tags []object
	var tagged []string
	var paths object
	for i := range ops {
		op := &ops[i]
		if !op.published() {
			continue
		}
		types = append(types, op.out)
		if !slices.Contains(tagged, op.Tag) {
			tagged = append(tagged, op.Tag)
			tags = append(tags, object{{"name", op.Tag}, {"description", tagText[op.Tag]}})
		}
		address, first, method := op.Path, JSON, op.Method
		if address == "" {
			address, first = op.Page, HTML
		}
		described := member{strings.ToLower(method), s.describe(op, first, answers)}
		if i := slices.IndexFunc(paths, func(m member) bool { return m.key == address }); i >= 0 {
			paths[i].value = append(paths[i].value.(object), described)
		} else {
			paths = paths.with(address, object{described})
		}
	}
	responses := s.responseComponents().usedBy("responses", paths)
	return append(head, object{
		{"servers", []object{{{"url", s.site.BaseURL}, {"description", s.site.Name}}}},
		{"security", []object{}},
		{"tags", tags},
		{"externalDocs", object{{"url", s.site.BaseURL + "/developers"}, {"description", "The reference, for people"}}},
		{"paths", paths},
		{"components", append(object{
			{"schemas", componentsOf(types...).schemas},
			{"headers", headerComponents.usedBy("headers", paths, responses)},
			{"responses", responses},
		}, describeSecurity(ops)...)},
	}...)
}

// usedBy are the components of a kind that parts of a document refer to.
func (o object) usedBy(kind string, parts ...object) object {
	var text []byte
	for _, part := range parts {
		b, err := part.MarshalJSON()
		if err != nil {
			panic(err)
		}
		text = append(text, b...)
	}
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool {
		return !bytes.Contains(text, []byte(`"#/components/`+kind+"/"+m.key+`"`))
	})
}

func (s *Server) contact() string {
	if s.site.Owner != "" {
		return s.site.Owner
	}
	return s.site.Name
}

// tagText says what the groups of operations are about.
var tagText = map[string]string{
	"Listings":  "Items for sale, one by one and by search.",
	"Gear":      "The catalogue of cameras and lenses, and what they sell for.",
	"Sellers":   "The members who sell.",
	"Account":   "Members themselves, and the tokens of their programs.",
	"Selling":   "A listing from draft to sold, by its seller.",
	"Offers":    "Price proposals, from the first to the sale.",
	"Messages":  "What a buyer and a seller write each other about a listing.",
	"Watching":  "Listings and searches members keep an eye on.",
	"Trust":     "Ratings, reports, and what the operator does about them.",
	"Portfolio": "The photographer's projects and photographs, and the gear they were taken with.",
	"Guides":    "How the site grades, counts and works.",
	"Journal":   "What the owner wrote.",
	"Site":      "The front page and what the site says about itself.",
	"Service":   "Health, errors and this reference.",
}

const apiText = "Every operation answers JSON, Markdown and HTML, by the Accept field. " +
	"Prices are objects of a decimal string and an ISO 4217 code; times are RFC 3339 in UTC; regions are ISO 3166 codes. " +
	"Trends are made of completed sales, never of asking prices. " +
	"Every response carries the RateLimit fields. Errors are RFC 9457 problem details with a code that keeps its meaning, " +
	"a message and a hint that says how to repair the request. Parameters that an operation does not know are refused. " +
	"What a member does needs the member's token as a Bearer token; everything else is open. " +
	"A write takes an Idempotency-Key, and is then done once however often it is sent; a change takes If-Match."

// describe is one operation.
func (s *Server) describe(op *Operation, first Face, answers map[string]answers) object {
	values := op.plan.examples()
	if answers != nil {
		values = op.examples()
	}
	d := object{
		{"operationId", op.ID()},
		{"tags", []string{op.Tag}},
		{"summary", op.Summary},
		{"description", op.Description + op.need()},
	}
	if op.Access != Everybody {
		// Scopes are listed with OAuth's schemes alone; a bearer token's are said in words.
		d = d.with("security", []object{{{"token", []string{}}}}).with("x-scope", op.Scope)
	}
	params := op.plan.describe(values)
	if op.takesKey() {
		params = append(params, object{{"name", keyHeader}, {"in", "header"}, {"description", sentence(keyText)}, {"required", false},
			{"schema", keySchema("")}, {"example", keyExample}})
	}
	if len(params) > 0 {
		d = d.with("parameters", params)
	}
	if body := op.plan.describeBody(values); body != nil {
		d = d.with("requestBody", body)
	}
	return d.with("responses", s.describeResponses(op, first, answers[op.Name]))
}

// exampleFile is how a file looks in JSON: the first bytes of one.
const exampleFile = "/9j/4AAQSkZJRgABAQAAAQABAAD/"

// describeBody is the body of a write, nil for none: JSON, and a form where it
// brings files.
func (plan *bindPlan) describeBody(values map[string]string) object {
	var required []string
	var properties, example object
	files := false
	for i := range plan.params {
		p := &plan.params[i]
		if !plan.body || !p.inQuery() {
			continue
		}
		if p.Required {
			required = append(required, p.Name)
		}
		schema := p.schema()
		schema.Description = sentence(p.Description)
		properties = properties.with(p.Name, schema)
		value := values[p.Name]
		if p.typ == reflect.TypeFor[upload]() {
			files, value = true, cmp.Or(value, exampleFile)
		}
		if value != "" {
			example = example.with(p.Name, p.literal(value))
		}
	}
	if len(properties) == 0 {
		return nil
	}
	schema := object{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}}
	if len(required) > 0 {
		schema = schema.with("required", required)
	}
	content := object{{"application/json", object{{"schema", schema}}.with("example", example)}}
	if files {
		content = content.with("multipart/form-data", object{{"schema", object{{"type", "object"}, {"additionalProperties", true}}}})
	}
	return object{{"required", len(required) > 0}, {"content", content}}
}

// describe is the parameters, with values as their examples.
func (plan *bindPlan) describe(values map[string]string) []object {
	var all []object
	for i := range plan.params {
		p := &plan.params[i]
		name, where := p.Name, "query"
		switch {
		case p.Path:
			where = "path"
		case p.Header != "":
			name, where = p.Header, "header"
		case plan.body:
			continue
		}
		d := object{{"name", name}, {"in", where}, {"description", sentence(p.Description)}}
		if p.Path || p.Required {
			d = d.with("required", true)
		}
		if p.Repeat {
			d = d.with("style", "form").with("explode", true)
		}
		d = d.with("schema", p.schema())
		if example := values[p.Name]; example != "" {
			d = d.with("example", p.literal(example))
		}
		all = append(all, d)
	}
	return all
}

// success is the status of an answer.
func (o *Operation) success() int {
	if o.Creates {
		return http.StatusCreated
	}
	return http.StatusOK
}

// describeResponses is the success, on every face, and every error by status.
func (s *Server) describeResponses(op *Operation, first Face, examples answers) object {
	content := object{}
	for _, f := range op.offers(first == JSON) {
		content = content.with(f.MediaType(), describeFace(op, f, examples[f]))
	}
	success := object{{"description", op.Title}, {"headers", headerRefs(successHeaders(op, first))}, {"content", content}}
	responses := object{{strconv.Itoa(op.success()), success}}
	if !op.Live && !op.Writes() {
		responses = responses.with("304", ref("responses", "NotModified"))
	}
	own := op.codesByStatus(first == JSON)
	for _, status := range commonStatuses {
		if codes := own[status]; len(codes) > 0 {
			if status != http.StatusNotFound {
				common := slices.Clone(commonCodes[status])
				codes = append(codes, slices.DeleteFunc(common, func(code string) bool { return slices.Contains(codes, code) })...)
			}
			responses = responses.with(strconv.Itoa(status), s.describeError(status, codes))
			delete(own, status)
		} else if status != http.StatusNotFound || first == HTML {
			responses = responses.with(strconv.Itoa(status), ref("responses", responseName(status)))
		}
	}
	for _, status := range sortedKeys(own) {
		responses = responses.with(strconv.Itoa(status), s.describeError(status, own[status]))
	}
	sort.SliceStable(responses, func(i, j int) bool { return responses[i].key < responses[j].key })
	return responses
}

func describeFace(op *Operation, f Face, example any) object {
	d := object{{"schema", object{{"type", "string"}, {"description", "The same facts as " + f.String() + "."}}}}
	if f == JSON {
		d = object{{"schema", ref("schemas", op.out.Name())}}
	}
	if example != nil {
		d = d.with("example", example)
	}
	return d
}

// commonStatuses are the errors any operation may answer with. Those from 408 on
// tell of a connection or a server in trouble.
var commonStatuses = []int{400, 404, 405, 406, 408, 413, 429, 431, 500, 503}

// commonCodes are the codes that stand for a common status in its description.
var commonCodes = map[int][]string{
	404: {"page_not_found"},
	405: {"method_not_allowed"},
	406: {"not_acceptable"},
	408: {"request_timeout"},
	413: {"body_too_large"},
	429: {"rate_limited"},
	431: {"header_too_large"},
	500: {"internal_error"},
	503: {"unavailable"},
}

// codesByStatus are the codes of the errors that are the operation's own, and of
// those in how it is asked. The API is strict about parameters, pages are not.
func (o *Operation) codesByStatus(strict bool) map[int][]string {
	by := map[int][]string{}
	codes := append(slices.Clone(o.Errors), o.plan.codes(strict)...)
	codes = append(codes, o.callerCodes()...)
	if o.takesKey() && strict {
		codes = append(append(codes, "invalid_parameter"), keyCodes...)
	}
	if o.versioned() {
		codes = append(codes, "precondition_required")
		if !slices.ContainsFunc(o.Errors, func(code string) bool { c, _ := errorCode(code); return c.Status == http.StatusPreconditionFailed }) {
			codes = append(codes, "listing_changed")
		}
	}
	for _, code := range codes {
		c, ok := errorCode(code)
		if !ok {
			panic(fmt.Sprintf("operation %s: error code %s is not in the catalogue", o.Name, code))
		}
		if !slices.Contains(by[c.Status], code) {
			by[c.Status] = append(by[c.Status], code)
		}
	}
	return by
}

// versioned reports whether the operation changes what it says it read.
func (o *Operation) versioned() bool {
	return slices.ContainsFunc(o.plan.params, func(p param) bool { return p.Header == "If-Match" })
}

// callerCodes are the errors of who may not.
func (o *Operation) callerCodes() []string {
	var codes []string
	if !o.Live {
		codes = append(codes, "invalid_token") // refused wherever it is sent
	}
	if o.Writes() {
		codes = append(codes, "cross_site")
	}
	if o.Access == Everybody {
		return codes
	}
	codes = append(codes, "unauthenticated", "insufficient_scope")
	if o.Writes() {
		codes = append(codes, "account_suspended")
	}
	if o.Access == Operators {
		codes = append(codes, "operators_only")
	}
	return codes
}

// codes are the errors that binding a request may end with.
func (plan *bindPlan) codes(strict bool) []string {
	codes := []string{"invalid_encoding", "bad_request"}
	if plan.body {
		codes = append(codes, "unsupported_media_type")
	}
	var query, single, required bool
	for i := range plan.params {
		p := &plan.params[i]
		query = query || !p.Path
		single = single || !p.Path && !p.Repeat
		required = required || !p.Path && p.Required
	}
	if query {
		codes = append(codes, "invalid_parameter")
	}
	if required {
		codes = append(codes, "missing_parameter")
	}
	if strict {
		codes = append(codes, "unknown_parameter")
	}
	if strict && single {
		codes = append(codes, "duplicate_parameter")
	}
	return codes
}

// describeError is an error response that has one of some codes.
func (s *Server) describeError(status int, codes []string) object {
	var lines []string
	var examples object
	for _, code := range codes {
		c, _ := errorCode(code)
		lines = append(lines, fmt.Sprintf("`%s`: %s", code, c.Meaning))
		examples = examples.with(code, object{{"summary", c.Title}, {"value", s.exampleError(code)}})
	}
	headers := append(slices.Clone(alwaysSent), "Link", "X-Markdown-Tokens")
	switch status {
	case http.StatusUnauthorized:
		headers = append(headers, "WWW-Authenticate")
	case http.StatusMethodNotAllowed:
		headers = append(headers, "Allow")
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		headers = append(headers, "Retry-After")
	}
	text := object{{"schema", object{{"type", "string"}, {"description", "The same facts in words."}}}}
	return object{
		{"description", strings.Join(lines, "\n\n")},
		{"headers", headerRefs(headers)},
		{"content", object{
			{"application/problem+json", object{{"schema", ref("schemas", "Error")}, {"examples", examples}}},
			{"text/markdown", text},
			{"text/html", text},
		}},
	}
}

// exampleError is an error as it is sent.
func (s *Server) exampleError(code string) *views.Error {
	e := *fromCode(code)
	switch code {
	case "invalid_parameter":
		e = *refuse([]fault{{models.FieldError{Field: "limit", Code: "invalid_value", Message: "limit must be at least 1; it is 0."}, ""}})
	case "unknown_parameter":
		e = *refuse([]fault{{models.FieldError{Field: "budget_maxx", Code: "unknown_parameter", Message: `There is no parameter "budget_maxx".`}, "Did you mean `budget_max`?"}})
	case "duplicate_parameter":
		e = *refuse([]fault{{models.FieldError{Field: "limit", Code: "duplicate_parameter", Message: "limit is given 2 times and takes one value."}, "Give limit once."}})
	}
	return s.problem(&e, exampleRequestID)
}

const exampleRequestID = "5f0c9a3be1d24786"

func (s *Server) responseComponents() object {
	all := object{{"NotModified", object{
		{"description", "The client has this face already: If-None-Match names its ETag."},
		{"headers", headerRefs(append(slices.Clone(alwaysSent), "ETag", "Link"))},
	}}}
	for _, status := range commonStatuses {
		if codes := commonCodes[status]; len(codes) > 0 {
			all = all.with(responseName(status), s.describeError(status, codes))
		}
	}
	return all
}

// responseName is the component of a common error: "NotAcceptable".
func responseName(status int) string { return strings.ReplaceAll(http.StatusText(status), " ", "") }

func ref(kind, name string) object { return object{{"$ref", "#/components/" + kind + "/" + name}} }

func headerRefs(names []string) object {
	var refs object
	for _, name := range names {
		refs = refs.with(name, ref("headers", name))
	}
	return refs
}

// alwaysSent are the fields of every response, whatever it is, beside those that
// tell browsers what its content may do.
var alwaysSent = []string{"Vary", "RateLimit-Policy", "RateLimit", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset",
	"X-Request-Id", "Cache-Control", "Access-Control-Allow-Origin", "Access-Control-Expose-Headers"}

func successHeaders(op *Operation, first Face) []string {
	names := append(slices.Clone(alwaysSent), "Link", "X-Markdown-Tokens")
	if op.Creates {
		names = append(names, "Location")
	}
	if op.takesKey() {
		names = append(names, keyReplayed)
	}
	if !op.Live && !op.Writes() {
		names = append(names, "ETag")
	}
	if first == JSON {
		return append(names, "X-Robots-Tag")
	}
	return append(names, "Content-Location")
}

func headerText(text, kind string, example any) object {
	return object{{"description", text}, {"required", true}, {"schema", object{{"type", kind}}}, {"example", example}}
}

// headerComponents are the fields the contract promises.
var headerComponents = object{
	{"Vary", headerText("What the answer of the address depends on.", "string", vary)},
	{"RateLimit-Policy", headerText("The quota: its name, requests (q) in a window of seconds (w).", "string", `"default";q=100;w=60`)},
	{"RateLimit", headerText("What is left: requests (r) and seconds until the window ends (t).", "string", `"default";r=97;t=42`)},
	{"RateLimit-Limit", headerText("Requests in a window.", "integer", 100)},
	{"RateLimit-Remaining", headerText("Requests left in this window.", "integer", 97)},
	{"RateLimit-Reset", headerText("Seconds until the window ends.", "integer", 42)},
	{"X-Request-Id", headerText("Names the request in the server's log.", "string", exampleRequestID)},
	{"ETag", headerText("Names this face of this answer; give it as If-None-Match to ask whether it changed.", "string", `"7e1b2f4a90c3d856"`)},
	{"Cache-Control", headerText("How the answer may be kept.", "string", cachePublic)},
	{"Link", headerText("The canonical address, the other faces, the next page, and the documents that describe the site.", "string", `</openapi.json>; rel="service-desc"; type="application/json"`)},
	{"Content-Location", headerText("Where this face of the page is.", "string", "/gear/canon/eos-r6.md")},
	{"X-Markdown-Tokens", object{{"description", "On a Markdown answer: " + tokensText + "."}, {"required", false}, {"schema", object{{"type", "integer"}}}, {"example", 2785}}},
	{"X-Robots-Tag", headerText("Search engines keep the page, not its face for programs.", "string", "noindex")},
	{"Access-Control-Allow-Origin", headerText("Scripts of every site may read the answer.", "string", "*")},
	{"Access-Control-Expose-Headers", headerText("The fields that scripts of other sites may read.", "string", exposed)},
	{"Allow", headerText("The methods the address takes.", "string", "GET, HEAD, OPTIONS")},
	{"Location", headerText("Where what was made is.", "string", "/api/listings/019aa7d2-7c00-7000-8000-000000000000")},
	{keyReplayed, object{{"description", "true on the answer of an earlier request with the same Idempotency-Key; absent otherwise."}, {"required", false}, {"schema", object{{"type", "boolean"}}}, {"example", true}}},
	{"WWW-Authenticate", headerText("How to be let in, RFC 6750.", "string", `Bearer realm="Secondlight"`)},
	{"Retry-After", headerText("Seconds to wait before asking again.", "integer", 42)},
}

func sortedKeys[V any](m map[int]V) []int {
	var keys []int
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// answers are an operation's answers to one question, by face.
type answers map[Face]any

// examples asks every operation the question its parameters give as an example.
// Answers are real, but cut: lists to their first two, texts to their first
// lines. An operation that fails, as most do on an empty site, has none.
func (s *Server) examples(ctx context.Context) map[string]answers {
	all := map[string]answers{}
	for i := range s.ops {
		op := &s.ops[i]
		page, err := op.exampleAnswer(ctx)
		if err != nil {
			continue
		}
		all[op.Name] = answers{}
		var value any
		if json.Unmarshal(encodeJSON(page), &value) == nil {
			all[op.Name][JSON] = shorten(value)
		}
		for _, face := range op.offers(true) {
			if face != Markdown && face != CSV {
				continue
			}
			if text, err := s.renderSafely(page, face); err == nil {
				all[op.Name][face] = firstLines(string(text))
			}
		}
	}
	return all
}

// exampleText is how much of a text stands in the document, in bytes.
const exampleText = 800

// firstLines are the whole lines that fit in exampleText.
func firstLines(text string) string {
	if len(text) <= exampleText {
		return text
	}
	return text[:strings.LastIndexByte(text[:exampleText], '\n')+1]
}

// exampleAnswer does the operation with the examples of its required parameters.
func (o *Operation) exampleAnswer(ctx context.Context) (views.Page, error) {
	switch {
	case o.Sample != nil:
		return o.Sample(), nil
	case !o.Open():
		return nil, errors.New("nobody may ask without consequences")
	}
	values := o.examples()
	_, query, _ := strings.Cut(o.exampleTarget("", values), "?")
	in, err := o.plan.bind(func(name string) string { return values[name] }, query, true)
	if err != nil {
		return nil, err
	}
	return o.Do(ctx, &in.in)
}

// examples are the values that the fields' tags give to show the parameters.
func (plan *bindPlan) examples() map[string]string {
	values := map[string]string{}
	for _, p := range plan.params {
		values[p.Name] = p.Example
	}
	return values
}

// examples are values that show the parameters, and that exist here now.
func (o *Operation) examples() map[string]string {
	values := o.plan.examples()
	if o.Example != nil {
		maps.Copy(values, o.Example())
	}
	return values
}

// exampleTarget is a request of the operation at one of its addresses, with
// what it needs taken from values.
func (o *Operation) exampleTarget(address string, values map[string]string) string {
	target := pathName.ReplaceAllStringFunc(address, func(name string) string {
		return url.PathEscape(values[strings.Trim(name, "{}")])
	})
	var query strings.Builder
	for _, p := range o.plan.params {
		if p.inQuery() && p.Required && !o.plan.body {
			appendQuery(&query, p.Name, []string{values[p.Name]})
		}
	}
	if query.Len() > 0 {
		target += "?" + query.String()
	}
	return target
}

// shorten cuts every list of a JSON value to its first two.
func shorten(value any) any {
	switch v := value.(type) {
	case []any:
		v = v[:min(len(v), 2)]
		for i := range v {
			v[i] = shorten(v[i])
		}
		return v
	case map[string]any:
		for key := range v {
			v[key] = shorten(v[key])
		}
	}
	return value
}
