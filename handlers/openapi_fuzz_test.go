package handlers

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/valyala/fasthttp"
	"pgregory.net/rapid"

	"github.com/secondlight/secondlight/handlers/watch"
	"github.com/secondlight/secondlight/handlers/web/webtest"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// published is the OpenAPI document as a client without other knowledge reads it.
type published struct {
	Paths   map[string]map[string]*publishedOperation
	Headers struct {
		EveryResponse []string `json:"every_response"`
		Definitions   map[string]struct{ Required bool }
	} `json:"x-headers"`
}

type publishedOperation struct {
	OperationID string
	Parameters  []publishedParameter
	Responses   map[string]any
	Errors      map[string][]string `json:"x-errors"` // codes by status
	Formats     []string            `json:"x-formats"`
	Headers     []string            `json:"x-headers"` // of a success, beside everyHeader
	Security    []map[string][]string
	RequestBody *struct {
		Content map[string]struct {
			Schema  publishedBody
			Example map[string]any
		}
	}

	method, path string
	methods      []string // that the path has
	everyHeader  []string // of every response
}

type publishedBody struct {
	Properties map[string]publishedSchema
	Required   []string
}

type publishedParameter struct {
	Name, In string
	Required bool
	Schema   publishedSchema
	Example  any
}

type publishedSchema struct {
	Type             string
	Enum             []string
	Minimum, Maximum *int
	Items            *publishedSchema
}

// publishedOperations returns the operations of a document.
func publishedOperations(t testing.TB, document []byte) []*publishedOperation {
	var doc published
	if err := json.Unmarshal(document, &doc); err != nil {
		t.Fatal(err)
	}
	var all []*publishedOperation
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		methods := slices.Sorted(maps.Keys(doc.Paths[path]))
		for _, method := range methods {
			op := doc.Paths[path][method]
			if path == watch.EventsPath {
				continue // it does not end
			}
			op.method, op.path = strings.ToUpper(method), path
			for _, method := range methods {
				op.methods = append(op.methods, strings.ToUpper(method))
			}
			optional := func(name string) bool { return !doc.Headers.Definitions[name].Required }
			op.everyHeader = doc.Headers.EveryResponse
			op.Headers = slices.DeleteFunc(op.Headers, optional)
			all = append(all, op)
		}
	}
	return all
}

// made is a generated request with its expected outcome according to the document.
type made struct {
	op     *publishedOperation
	method string
	path   string
	query  []string // name=value, encoded
	header [][2]string
	body   string

	plain   bool // exactly as documented, with values it shows: it succeeds
	refused bool // has what the document does not allow: 400
}

func (m *made) String() string {
	return fmt.Sprintf("%s %s?%s %q body %q", m.method, m.path, strings.Join(m.query, "&"), m.header, m.body)
}

// anyText generates values as sent by people, programs and attackers.
var anyText = rapid.OneOf(
	rapid.StringN(0, 30, -1),
	rapid.StringMatching(`[a-z0-9-]{1,20}`),
	rapid.SampledFrom([]string{"canon", "eos-r6", "r6 mk ii", "nifty fifty", "500-1500", "-1", "0", "1e9", "99999999999999999999", "'; DROP TABLE listings--",
		"<script>alert(1)</script>", "../../etc/passwd", "\x00", "%", "%zz", "\xff\xfe", "é", "e\u0301", "日本語", "null", "true", "[]", "a,b,,c", "DE", "US-CA", "XX",
		strings.Repeat("a", 1001), strings.Repeat("é ", 400), "019aa7d2-7c00-7000-8000-000000000000", "listing_not_found"}),
)

// fieldText is anyText that is valid in a header.
func fieldText(t *rapid.T, label string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, anyText.Draw(t, label))
}

// drawRequest draws a request of one of the operations: as documented, with an error,
// or arbitrary.
func drawRequest(t *rapid.T, ops []*publishedOperation) *made {
	op := ops[rapid.IntRange(0, len(ops)-1).Draw(t, "operation")]
	m := &made{op: op, method: op.method, path: op.path, plain: true}
	for _, p := range op.Parameters {
		if p.In == "path" {
			m.drawPath(t, p)
		} else if p.In == "header" {
			continue
		} else if p.Required || rapid.IntRange(0, 3).Draw(t, "give "+p.Name) == 0 {
			m.drawQuery(t, p)
		}
	}
	if strings.Contains(strings.Join(m.query, "&"), "budget=") && strings.Contains(strings.Join(m.query, "&"), "budget_m") {
		m.plain = false // the description says that one excludes the other
	}
	if strings.HasSuffix(op.path, "/compare") {
		m.plain = false // the description asks for either models or listings
	}
	if rapid.IntRange(0, 9).Draw(t, "unknown parameter") == 0 {
		m.add(rapid.SampledFrom([]string{"utm_source", "keywrd", "budget_maxx", "Limit", "", "a[b]"}).Draw(t, "unknown name"), anyText.Draw(t, "unknown value"))
		m.plain = false
	}
	if rapid.IntRange(0, 19).Draw(t, "raw query") == 0 {
		m.query, m.plain, m.refused = append(m.query, url.PathEscape(anyText.Draw(t, "raw"))+rapid.SampledFrom([]string{"", "&", "=", "&&=", "%", "%f", "%ff", "+", ";"}).Draw(t, "end")), false, false
	}
	m.drawHeader(t)
	if rapid.IntRange(0, 9).Draw(t, "another method") == 0 {
		m.method = rapid.SampledFrom([]string{"HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"}).Draw(t, "method")
		m.body = anyText.Draw(t, "body")
	}
	return m
}

// drawMember draws a request as drawRequest does, by one of some members, with a
// body: as documented, with an error, or arbitrary. Ids are those that paths may
// name, by their last part but one.
func drawMember(t *rapid.T, ops []*publishedOperation, tokens, ids []string) *made {
	m := drawRequest(t, ops)
	withoutPath := !strings.Contains(m.op.path, "{")
	m.plain = m.plain && withoutPath && m.op.method == "GET"
	if !withoutPath && rapid.IntRange(0, 3).Draw(t, "real id") > 0 {
		m.path = m.op.path
		for _, p := range m.op.Parameters {
			if p.In == "path" {
				m.path = strings.ReplaceAll(m.path, "{"+p.Name+"}", rapid.SampledFrom(ids).Draw(t, "id"))
			}
		}
	}
	if slices.Contains(m.op.Errors["403"], "operators_only") {
		m.plain = false
		tokens = tokens[len(tokens)-1:] // the operator's is the last
	}
	hasToken := slices.ContainsFunc(m.header, func(h [2]string) bool { return h[0] == "Authorization" })
	if !hasToken && rapid.IntRange(0, 15).Draw(t, "no token") > 0 {
		m.header = append(m.header, [2]string{"Authorization", "Bearer " + rapid.SampledFrom(tokens).Draw(t, "token")})
	} else {
		m.plain, m.refused = false, false
	}
	for _, p := range m.op.Parameters {
		if p.In == "header" && rapid.Bool().Draw(t, "give "+p.Name) {
			value := fmt.Sprint(p.Example)
			if rapid.IntRange(0, 3).Draw(t, "wild "+p.Name) == 0 {
				value = fieldText(t, p.Name)
			}
			m.header = append(m.header, [2]string{p.Name, value})
			m.plain = m.plain && p.Name == keyHeader
		}
	}
	if m.op.RequestBody == nil || m.method != m.op.method {
		return m
	}
	m.drawBody(t)
	return m
}

// drawBody draws a body of JSON.
func (m *made) drawBody(t *rapid.T) {
	content := m.op.RequestBody.Content["application/json"]
	m.header = slices.DeleteFunc(m.header, func(h [2]string) bool { return h[0] == "Content-Type" })
	m.header = append(m.header, [2]string{"Content-Type", "application/json"})
	if rapid.IntRange(0, 11).Draw(t, "raw body") == 0 {
		m.body, m.refused = anyText.Draw(t, "body"), false
		return
	}
	body := map[string]any{}
	names := slices.Sorted(maps.Keys(content.Schema.Properties))
	for _, name := range names {
		if slices.Contains(content.Schema.Required, name) || rapid.Bool().Draw(t, "give "+name) {
			if example, ok := content.Example[name]; ok {
				body[name] = example
			} else {
				body[name] = drawValue(t, name, content.Schema.Properties[name])
			}
		}
	}
	name := rapid.SampledFrom(names).Draw(t, "property")
	schema := content.Schema.Properties[name]
	authorized := slices.ContainsFunc(m.header, func(h [2]string) bool { return h[0] == "Authorization" && strings.HasPrefix(h[1], "Bearer "+"sl_") })
	switch rapid.IntRange(0, 7).Draw(t, "how the body is") {
	case 0:
		body[rapid.SampledFrom([]string{"keywrd", "id ", "Price", "__proto__"}).Draw(t, "unknown property")] = "x"
		m.refused = authorized
	case 1:
		if slices.Contains(content.Schema.Required, name) {
			delete(body, name)
			m.refused = authorized
		}
	case 2:
		body[name] = rapid.SampledFrom([]any{nil, []any{[]any{"a"}}, map[string]any{"a": 1}, true, -1, 1e300, "", []any{}, map[string]any{"amount": "1", "currency": "XXX"}}).Draw(t, "other type")
	case 3:
		body[name] = anyText.Draw(t, "wild "+name)
	case 4:
		if len(schema.Enum) > 0 {
			body[name] = "nonsense"
			m.refused = authorized
		}
	case 5:
		body[name] = drawValue(t, name, schema)
	}
	text, err := json.Marshal(body)
	must(err)
	m.body = string(text)
	if slices.ContainsFunc(m.header, func(h [2]string) bool { return h[0] == "Origin" || h[0] == "Accept" && h[1] != "application/json" }) {
		m.refused = false // it may be refused for that
	}
}

// drawValue draws a value that the schema allows, or almost.
func drawValue(t *rapid.T, name string, schema publishedSchema) any {
	switch {
	case schema.Items != nil:
		return []any{drawValue(t, name, *schema.Items)}
	case len(schema.Enum) > 0:
		return rapid.SampledFrom(schema.Enum).Draw(t, name)
	case schema.Type == "integer":
		return rapid.IntRange(-2, 1000).Draw(t, name)
	case schema.Type == "boolean":
		return rapid.Bool().Draw(t, name)
	case schema.Type == "object":
		return map[string]any{"amount": rapid.SampledFrom([]string{"450.00", "1", "0", "-1", "1e9", "99999999999999999999", "1,5"}).Draw(t, name), "currency": "EUR"}
	}
	return anyText.Draw(t, name)
}

// drawPath draws a path parameter: usually the example of the document.
func (m *made) drawPath(t *rapid.T, p publishedParameter) {
	value := fmt.Sprint(p.Example)
	if rapid.IntRange(0, 3).Draw(t, "wild "+p.Name) == 0 {
		value = anyText.Filter(func(s string) bool { return strings.Trim(s, ".") != "" }).Draw(t, p.Name)
		m.plain = false
	}
	m.path = strings.ReplaceAll(m.path, "{"+p.Name+"}", url.PathEscape(value))
}

// drawQuery draws a query parameter: the example, or a valid or invalid value.
func (m *made) drawQuery(t *rapid.T, p publishedParameter) {
	schema := p.Schema
	if schema.Items != nil {
		schema = *schema.Items
	}
	constrained := len(schema.Enum) > 0 || schema.Type == "integer" || schema.Type == "boolean"
	switch rapid.IntRange(0, 5).Draw(t, "how "+p.Name) {
	case 0:
		m.add(p.Name, anyText.Draw(t, p.Name))
		m.plain = false
	case 1:
		if constrained {
			wrong := []string{"nonsense", "1e3", "TRUE", "\u0661"}
			if schema.Maximum != nil {
				wrong = append(wrong, strconv.Itoa(*schema.Maximum+1))
			}
			if schema.Minimum != nil {
				wrong = append(wrong, strconv.Itoa(*schema.Minimum-1))
			}
			m.add(p.Name, rapid.SampledFrom(wrong).Draw(t, "wrong "+p.Name))
			m.plain, m.refused = false, true
			break
		}
		fallthrough
	case 2:
		if p.Schema.Items == nil && p.Example != nil {
			m.add(p.Name, fmt.Sprint(p.Example))
			m.add(p.Name, fmt.Sprint(p.Example))
			m.plain, m.refused = false, true
			break
		}
		fallthrough
	default:
		m.add(p.Name, allowed(t, p, schema))
		m.plain = m.plain && (constrained || p.Example != nil) && m.path != "/api/compare" // which takes two models
	}
}

// allowed draws a value that the document allows.
func allowed(t *rapid.T, p publishedParameter, schema publishedSchema) string {
	switch {
	case len(schema.Enum) > 0:
		return rapid.SampledFrom(schema.Enum).Draw(t, p.Name)
	case schema.Type == "integer" && schema.Minimum != nil && schema.Maximum != nil:
		return strconv.Itoa(rapid.IntRange(*schema.Minimum, *schema.Maximum).Draw(t, p.Name))
	case schema.Type == "boolean":
		return strconv.FormatBool(rapid.Bool().Draw(t, p.Name))
	}
	if list, ok := p.Example.([]any); ok {
		return fmt.Sprint(rapid.SampledFrom(list).Draw(t, p.Name))
	}
	if p.Example != nil {
		return fmt.Sprint(p.Example)
	}
	return anyText.Draw(t, p.Name)
}

func (m *made) add(name, value string) {
	m.query = append(m.query, url.QueryEscape(name)+"="+url.QueryEscape(value))
}

// drawHeader draws headers that change the response, and some that must not.
func (m *made) drawHeader(t *rapid.T) {
	add := func(name, value string) { m.header = append(m.header, [2]string{name, value}) }
	switch rapid.IntRange(0, 7).Draw(t, "accept") {
	case 0:
		add("Accept", rapid.SampledFrom([]string{"image/png", "text/html;q=0", "application/json;q=0.001, text/markdown;q=0.5", ",", "*/*;q=0", "text/*;q=0.2, */*;q=0"}).Draw(t, "odd accept"))
		m.plain, m.refused = false, false
	case 1:
		add("Accept", fieldText(t, "wild accept"))
		m.plain, m.refused = false, false
	case 2, 3, 4:
		add("Accept", rapid.SampledFrom([]string{"application/json", "text/markdown", "text/html", "*/*", "text/html, */*;q=0.8"}).Draw(t, "accept field"))
	}
	for _, extra := range []struct {
		name   string
		values []string
	}{
		{"Accept-Encoding", []string{"gzip", "br", "identity;q=0", "gzip;q=0.5, br", "*;q=0", "zstd"}},
		{"If-None-Match", []string{"*", `"0000000000000000"`, `W/"a", *`, "nonsense"}},
		{"Range", []string{"bytes=0-10", "bytes=-1", "nonsense"}},
		{"Traceparent", []string{"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "00-0-0-0", "nonsense"}},
		{"Origin", []string{"https://other.example", "null"}},
		{"Access-Control-Request-Method", []string{"GET", "DELETE"}},
		{"Cookie", []string{"a=b", ";;=", "secondlight=1"}},
		{"Authorization", []string{"Bearer nonsense", "Basic Og==", ""}},
		{"X-Forwarded-For", []string{"1.1.1.1", "nonsense"}},
		{"X-Request-Id", []string{"abc", "\"<>"}},
		{"Content-Type", []string{"application/json", "multipart/form-data", "nonsense"}},
	} {
		switch rapid.IntRange(0, 15).Draw(t, extra.name) {
		case 0:
			add(extra.name, fieldText(t, "wild "+extra.name))
		case 1, 2:
			add(extra.name, rapid.SampledFrom(extra.values).Draw(t, "value of "+extra.name))
		default:
			continue
		}
		if extra.name == "Authorization" {
			m.plain, m.refused = false, false
		}
	}
}

// send passes the request to the handler, without a network.
func (m *made) send(handle fasthttp.RequestHandler) (*http.Response, []byte, error) {
	var ctx fasthttp.RequestCtx
	ctx.Init(&fasthttp.Request{}, nil, nil) // without it, who waits for its end fails
	ctx.Request.Header.SetMethod(m.method)
	ctx.Request.Header.SetHost("secondlight.example")
	target := m.path
	if len(m.query) > 0 {
		target += "?" + strings.Join(m.query, "&")
	}
	ctx.Request.SetRequestURI(target)
	for _, h := range m.header {
		ctx.Request.Header.Add(h[0], h[1])
	}
	if m.body != "" {
		ctx.Request.SetBodyString(m.body)
	}
	handle(&ctx)
	resp := &http.Response{StatusCode: ctx.Response.StatusCode(), Header: http.Header{}}
	for key, value := range ctx.Response.Header.All() {
		resp.Header.Add(string(key), string(value))
	}
	if len(ctx.Response.Body()) == 0 {
		return resp, nil, nil
	}
	body, err := ctx.Response.BodyUncompressed()
	return resp, bytes.Clone(body), err
}

// The requests are the same ones at each run; -rapid.seed=0 draws others.
func init() {
	if seed := flag.Lookup("rapid.seed"); seed.Value.String() == "0" {
		must(seed.Value.Set("1"))
	}
}

// TestRequestsFromTheDocument generates valid, almost valid and arbitrary requests
// from the published document, and checks every response against it: its status, type,
// headers and error codes are documented, nothing is a 5xx, valid requests succeed, and
// invalid ones are rejected with a hint. One response in a hundred is validated
// completely. It sends 4,000 requests; -rapid.checks changes their number.
func TestRequestsFromTheDocument(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		must(checks.Value.Set("4000"))
		defer func() { must(checks.Value.Set(checks.DefValue)) }()
	}
	s := build(quiet(m()))
	handle := s.Handler()
	ops, schemas := readDocument(t, handle, "/openapi.json")
	ops = slices.DeleteFunc(ops, func(op *publishedOperation) bool { return op.method != "GET" || len(op.Security) > 0 })
	statuses, sent := map[string]int{}, 0
	rapid.Check(t, func(t *rapid.T) {
		m := drawRequest(t, ops)
		resp, body, err := m.send(handle)
		if err != nil {
			t.Fatalf("%s: the body cannot be read: %v", m, err)
		}
		statuses[fmt.Sprintf("%s %d", m.method, resp.StatusCode)]++
		if resp.StatusCode >= 500 && resp.StatusCode != 501 {
			t.Fatalf("%s is %d: %s", m, resp.StatusCode, body)
		}
		webtest.CheckContract(t, m.String(), resp.Header)
		m.checkAnswer(t, s, resp, body)
		sent++
		if m.method == "GET" && rapid.IntRange(0, 99).Draw(t, "validate") == 0 {
			m.validate(t, schemas, resp, body)
		}
	})
	t.Logf("%d requests: %v", sent, statuses)
}

// readDocument returns the operations of an OpenAPI document, and the schemas of their
// responses.
func readDocument(t *testing.T, handle fasthttp.RequestHandler, path string) ([]*publishedOperation, *responseSchemas) {
	t.Helper()
	_, document, err := (&made{method: "GET", path: path}).send(handle)
	must(err)
	return publishedOperations(t, document), newResponseSchemas(t, document)
}

// TestMemberRequestsFromTheDocument does the same with the operations of members:
// two of them who trade, and an operator, send valid, almost valid and
// arbitrary requests.
func TestMemberRequestsFromTheDocument(t *testing.T) {
	skipUnderRace(t)
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		must(checks.Value.Set("300"))
		defer func() { must(checks.Value.Set(checks.DefValue)) }()
	}
	s := newMarketServer(t)
	ann, bob, op := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	ids := []string{"ann", "bob", ann.ID, bob.ID}
	for i := range 6 {
		l := &models.Listing{SellerID: ann.ID, Gear: "canon/eos-r6", Category: "mirrorless", Title: fmt.Sprint("Canon EOS R6 ", i), Item: models.Item{Condition: models.ConditionGood, Functional: models.FullyWorking},
			Price: 90000, Region: "DE", Status: models.StatusActive, PublishedAt: models.TimeOf(testNow)}
		all := []models.Listing{*l}
		must(s.store.Listings.InsertListings(t.Context(), all))
		ids = append(ids, all[0].ID, all[0].ID)
		if i < 3 {
			offer, err := s.store.Trades.MakeOffer(t.Context(), all[0].ID, bob.ID, 80000, "hello", models.DeliveryRequest{})
			must(err)
			ids = append(ids, offer.ID)
		}
	}
	handle := s.Handler()
	var ops []*publishedOperation
	schemas := map[*publishedOperation]*responseSchemas{}
	for _, path := range []string{"/openapi.json", "/openapi-admin.json"} {
		published, of := readDocument(t, handle, path)
		for _, op := range published {
			if len(op.Security) > 0 {
				ops, schemas[op] = append(ops, op), of
			}
		}
	}
	statuses := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		m := drawMember(t, ops, []string{ann.token, bob.token, ann.token, bob.token, op.token}, ids)
		resp, body, err := m.send(handle)
		if err != nil {
			t.Fatalf("%s: the body cannot be read: %v", m, err)
		}
		statuses[fmt.Sprintf("%s %d", m.method, resp.StatusCode)]++
		if resp.StatusCode >= 500 && resp.StatusCode != 501 {
			t.Fatalf("%s is %d: %s", m, resp.StatusCode, body)
		}
		webtest.CheckContract(t, m.String(), resp.Header)
		m.checkAnswer(t, s.Server, resp, body)
		if m.method == m.op.method && rapid.IntRange(0, 19).Draw(t, "validate") == 0 {
			m.validate(t, schemas[m.op], resp, body)
		}
	})
	t.Logf("%v", statuses)
}

// checkAnswer checks a response against the description of the operation.
func (m *made) checkAnswer(t *rapid.T, s *Server, resp *http.Response, body []byte) {
	mediaType, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	if resp.StatusCode >= 400 && m.method != "HEAD" {
		m.checkError(t, s, resp, mediaType, body)
	}
	switch m.method {
	case "OPTIONS":
		allow := strings.Split(resp.Header.Get("Allow"), ", ")
		missing := slices.ContainsFunc(m.op.methods, func(method string) bool { return !slices.Contains(allow, method) })
		if resp.StatusCode != 204 || missing || !slices.Contains(allow, "OPTIONS") || len(body) > 0 {
			t.Fatalf("%s is %d, Allow %q", m, resp.StatusCode, resp.Header.Get("Allow"))
		}
		return
	case "BREW":
		if resp.StatusCode != 501 {
			t.Fatalf("%s is %d", m, resp.StatusCode)
		}
		return
	case m.op.method:
	case "HEAD":
		if m.op.method != "GET" {
			return
		}
	default:
		if slices.Contains(m.op.methods, m.method) {
			return // another operation's
		}
		if resp.StatusCode < 400 || resp.StatusCode >= 500 { // 405, or what a form says that the document omits
			t.Fatalf("%s is %d", m, resp.StatusCode)
		}
		return
	}
	if resp.StatusCode == 308 && (m.method == "GET" || m.method == "HEAD") && strings.ToLower(m.path) != m.path {
		return // to the slug in lower case
	}
	status, headers := strconv.Itoa(resp.StatusCode), m.op.everyHeader
	switch {
	case len(m.op.Errors[status]) > 0:
		headers = append(slices.Clone(headers), headersOfErrors[resp.StatusCode]...)
		if !slices.Contains([]string{"application/problem+json", "text/markdown", "text/html"}, mediaType) {
			t.Fatalf("%s is %d %s, a type that no error has", m, resp.StatusCode, mediaType)
		}
	case m.op.Responses[status] == nil || resp.StatusCode >= 400:
		t.Fatalf("%s is %d, which is not documented: %s", m, resp.StatusCode, body)
	case resp.StatusCode != 304:
		headers = append(slices.Clone(headers), m.op.Headers...)
		if !slices.Contains(m.op.Formats, mediaType) {
			t.Fatalf("%s is %d %s, a type that is not documented", m, resp.StatusCode, mediaType)
		}
	}
	for _, name := range headers {
		if resp.Header.Get(name) == "" && resp.Header[name] == nil {
			t.Fatalf("%s is %d without the field %s", m, resp.StatusCode, name)
		}
	}
	if m.plain && resp.StatusCode != 200 && resp.StatusCode != 304 {
		t.Fatalf("%s is as documented, and is %d: %s", m, resp.StatusCode, body)
	}
	suspended := resp.StatusCode == 403 && m.op.method != "GET" // by a request before
	if m.refused && resp.StatusCode != 400 && resp.StatusCode != 422 && !suspended && strings.HasPrefix(m.path, "/api/") {
		t.Fatalf("%s is against the document, and is %d", m, resp.StatusCode)
	}
}

// headersOfErrors holds the additional headers of errors by status.
var headersOfErrors = map[int][]string{401: {"WWW-Authenticate"}, 405: {"Allow"}, 429: {"Retry-After"}, 503: {"Retry-After"}}

// checkError checks that an error has a code, a message and a hint, and that the
// code is documented for its status.
func (m *made) checkError(t *rapid.T, s *Server, resp *http.Response, mediaType string, body []byte) {
	code := ""
	if mediaType == "application/problem+json" {
		var problem ui.Error
		if err := json.Unmarshal(body, &problem); err != nil {
			t.Fatalf("%s: %v: %s", m, err, body)
		}
		if code = problem.Code; problem.Message == nil || problem.Hint == nil || problem.Status != resp.StatusCode || problem.RequestID != resp.Header.Get("X-Request-Id") {
			t.Fatalf("%s: the error tells too little: %s", m, body)
		}
	} else {
		if mediaType == "text/html" && bytes.Contains(body, []byte(`id="refused-`)) {
			return // the form again, with what is wrong in words
		}
		for _, c := range s.ErrorCodes() {
			if c.Status == resp.StatusCode && bytes.Contains(body, []byte(c.Code)) && len(c.Code) > len(code) {
				code = c.Code
			}
		}
	}
	if known, ok := s.errorCode(code); !ok || known.Status != resp.StatusCode {
		t.Fatalf("%s is %d with the code %q: %s", m, resp.StatusCode, code, body)
	}
	if m.method == m.op.method && mediaType == "application/problem+json" && !slices.Contains(m.op.Errors[strconv.Itoa(resp.StatusCode)], code) {
		t.Fatalf("%s is %d with the code %s, which is not documented there", m, resp.StatusCode, code)
	}
}

// validate checks the whole response against its schema.
func (m *made) validate(t *rapid.T, schemas *responseSchemas, resp *http.Response, body []byte) {
	address, err := url.Parse(testSite.BaseURL + m.path)
	if err != nil {
		return // an address no client of Go's library can send
	}
	if err := schemas.validate(m.method, address.EscapedPath(), resp, body); err != nil {
		t.Errorf("%s, status %d: %v", m, resp.StatusCode, err)
	}
}
