package handlers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/secondlight/secondlight/handlers/document"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/webtest"
	textviews "github.com/secondlight/secondlight/views/text"
)

// target is a URL of an operation that returns 200.
type target struct {
	op      *web.Operation
	address string
	api     bool // an API address, else a page
}

// targets returns all URLs of all operations.
func (s *Server) targets() []target {
	var all []target
	for _, op := range s.Operations() {
		if !op.Open() {
			continue
		}
		if op.Page != "" {
			all = append(all, target{op, op.ExampleTarget(op.Page, op.Examples()), false})
		}
		if op.Path != "" {
			all = append(all, target{op, op.ExampleTarget(op.Path, op.Examples()), true})
		}
	}
	return all
}

// errorCode returns the documentation of an error code, and whether there is any.
func (s *Server) errorCode(code string) (web.ErrorCode, bool) {
	all := s.ErrorCodes()
	i := slices.IndexFunc(all, func(c web.ErrorCode) bool { return c.Code == code })
	if i < 0 {
		return web.ErrorCode{}, false
	}
	return all[i], true
}

// TestAcceptOnEveryAddress requests every URL in every format, with every Accept value
// of the table.
func TestAcceptOnEveryAddress(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	for _, target := range s.targets() {
		bodies := map[string]string{}
		for _, c := range webtest.AcceptTable {
			want := c.Page
			if target.api {
				want = c.API
			}
			if strings.HasPrefix(c.Accept, "image/*") && slices.Contains(target.op.Formats, web.SVG) {
				want = web.SVG.MediaType()
			}
			var header []string
			for _, line := range strings.Split(c.Accept, "\n") {
				header = append(header, "Accept", line)
			}
			resp, body := s.do(t, "GET", target.address, header...)
			webtest.CheckContract(t, target.address, resp.Header)
			got, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
			if want == "" {
				if resp.StatusCode != 406 || !strings.Contains(body, "text/markdown") {
					t.Errorf("%s with Accept %q is %d %s, want 406 naming what there is", target.address, c.Accept, resp.StatusCode, body)
				}
				continue
			}
			if resp.StatusCode != 200 || got != want {
				t.Errorf("%s with Accept %q is %d %s, want 200 %s", target.address, c.Accept, resp.StatusCode, got, want)
			}
			if !target.op.Live {
				if bodies[want] != "" && bodies[want] != resp.Header.Get("ETag") {
					t.Errorf("%s has two ETags for %s", target.address, want)
				}
				bodies[want] = resp.Header.Get("ETag")
			}
		}
		tags := map[string]bool{}
		for _, tag := range bodies {
			tags[tag] = true
		}
		if len(tags) != len(bodies) {
			t.Errorf("%s has one ETag for two formats: %v", target.address, bodies)
		}
	}
}

// TestSuffixes asks every page for every format by its suffix, whatever Accept says.
func TestSuffixes(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, target := range s.targets() {
		if target.api {
			continue
		}
		path, query, _ := strings.Cut(target.address, "?")
		for format := web.HTML; format <= web.JSONFeed; format++ {
			want := 200
			if !slices.Contains(target.op.AllFormats(false), format) {
				want = 404
			}
			at := web.Address(path, format, query)
			resp, body := s.do(t, "GET", at, "Accept", "*/*")
			if resp.StatusCode != want {
				t.Errorf("%s is %d, want %d: %.200s", at, resp.StatusCode, want, body)
			}
			if want != 200 {
				continue
			}
			if got := resp.Header.Get("Content-Type"); got != format.ContentType() {
				t.Errorf("%s is sent with %s", at, got)
			}
			if (format == web.Atom || format == web.JSONFeed) && target.op.FeedQuery != "" {
				at = web.Address(path, format, target.op.FeedQuery)
			}
			if got := resp.Header.Get("Content-Location"); got != at {
				t.Errorf("%s says it is at %q", at, got)
			}
			if noindex := resp.Header.Get("X-Robots-Tag") == "noindex"; noindex != (format != web.HTML) {
				t.Errorf("%s: X-Robots-Tag is %q", at, resp.Header.Get("X-Robots-Tag"))
			}
			links := resp.Header.Get("Link")
			for _, other := range target.op.AllFormats(false) {
				link := fmt.Sprintf(`rel="alternate"; type="%s"`, other.MediaType())
				// HTML has the links to its other formats in itself.
				if strings.Contains(links, link) != (other != format && (format != web.HTML || other == web.Markdown)) {
					t.Errorf("%s: Link %s and %s", at, links, link)
				}
			}
			if resp, _ := s.do(t, "GET", at, "Accept", "image/png"); resp.StatusCode != 200 && format != web.HTML {
				t.Errorf("%s heeds Accept: %d", at, resp.StatusCode)
			}
		}
	}
}

// TestJSONFitsItsSchema checks every operation's JSON against its published schema,
// which allows no other members.
func TestJSONFitsItsSchema(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	for _, target := range s.targets() {
		resolved, err := vocabulary.SchemaOf(target.op.OutputType()).Resolve(nil)
		if err != nil {
			t.Fatalf("schema of %s: %v", target.op.Name, err)
		}
		_, body := s.do(t, "GET", target.address, "Accept", "application/json")
		var value any
		if err := json.Unmarshal([]byte(body), &value); err != nil {
			t.Errorf("%s: %v", target.address, err)
			continue
		}
		if err := resolved.Validate(value); err != nil {
			t.Errorf("%s does not fit its schema: %v", target.address, err)
		}
	}
}

// TestNothingIsLeftOut walks the registry and fails on drift: each operation is
// complete, in the OpenAPI document, and in the reference.
func TestNothingIsLeftOut(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	type spec struct {
		Paths map[string]map[string]struct {
			OperationID string
			Parameters  []struct{ Name, In, Description string }
			RequestBody struct {
				Content map[string]struct {
					Schema struct{ Properties map[string]any }
				}
			}
			RequestHeaders []string            `json:"x-request-headers"`
			Errors         map[string][]string `json:"x-errors"`
		}
	}
	specs := map[string]spec{}
	for _, name := range []string{"openapi.json", "openapi-admin.json"} {
		_, document := s.do(t, "GET", "/"+name)
		var described spec
		if err := json.Unmarshal([]byte(document), &described); err != nil {
			t.Fatal(err)
		}
		specs[name] = described
	}
	formats, formatSuffix := map[string]string{}, map[string]string{}
	for _, format := range []web.Format{web.HTML, web.Markdown, web.JSON} {
		formatSuffix[format.String()] = format.Suffix()
		_, formats[format.String()] = s.do(t, "GET", "/developers"+format.Suffix())
	}
	name := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	for _, op := range s.Operations() {
		if !name.MatchString(op.Name) || op.Title == "" || op.Summary == "" || op.Description == "" || document.TagText[op.Tag] == "" {
			t.Errorf("operation %s is not described: %q %q %q %q", op.Name, op.Title, op.Summary, op.Description, op.Tag)
		}
		path := op.Path
		if path == "" {
			path = op.Page
		}
		if !op.Published() {
			continue
		}
		document, other := "openapi.json", "openapi-admin.json"
		if op.ForOperators() {
			document, other = other, document
		}
		if specs[other].Paths[path][strings.ToLower(op.Method)].OperationID != "" {
			t.Errorf("%s describes %s", other, op.Name)
		}
		described := specs[document].Paths[path][strings.ToLower(op.Method)]
		params := op.Parameters(nil)
		if described.OperationID != op.ID() || len(described.Parameters)+len(described.RequestHeaders)+len(described.RequestBody.Content["application/json"].Schema.Properties) != len(params) {
			t.Errorf("%s does not describe %s at %s", document, op.Name, path)
		}
		for _, code := range op.Errors {
			known, ok := s.errorCode(code)
			if !ok || !slices.Contains(described.Errors[fmt.Sprint(known.Status)], code) {
				t.Errorf("%s does not say that %s fails with %s", document, op.Name, code)
			}
		}
		for format, body := range formats {
			if op.Access != web.Operators && !strings.Contains(body, op.Name) {
				t.Errorf("/developers in %s leaves out %s", format, op.Name)
			}
			suffix := formatSuffix[format]
			_, page := s.do(t, "GET", textviews.OperationPath(op.Name)+suffix)
			for _, p := range params {
				if p.Name != "Idempotency-Key" && !strings.Contains(page, p.Name) { // every write has it
					t.Errorf("%s%s leaves out %s", textviews.OperationPath(op.Name), suffix, p.Name)
				}
			}
			if head, response, _ := strings.Cut(page, "```json"); suffix == ".md" && (len(head) > 4_500 || len(response) > 9_000) { // a search has the most parameters
				t.Errorf("%s.md has %d bytes, and a response of %d", textviews.OperationPath(op.Name), len(head), len(response))
			}
		}
		if _, err := op.InputSchema().Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true}); err != nil {
			t.Errorf("input schema of %s: %v", op.Name, err)
		}
	}
}

// TestCachedResponsesAreTheSame tests that a cached response equals the original,
// header by header, except for those that differ per request.
func TestCachedResponsesAreTheSame(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	for _, target := range s.targets() {
		for _, accept := range []string{"text/html", "text/markdown", "application/json"} {
			for _, coding := range []string{"identity", "br", "gzip"} {
				var first, last string
				for range 3 {
					resp, body := s.do(t, "GET", target.address, "Accept", accept, "Accept-Encoding", coding)
					for name := range resp.Header {
						if strings.HasPrefix(name, "Ratelimit") || name == "X-Request-Id" || name == "Date" {
							resp.Header.Del(name)
						}
					}
					var b bytes.Buffer
					if err := resp.Header.Write(&b); err != nil {
						t.Fatal(err)
					}
					if last = b.String() + body; first == "" {
						first = last
					}
				}
				if first != last {
					t.Errorf("%s as %s in %s:\n%s\nfrom the cache:\n%s", target.address, accept, coding, first, last)
				}
			}
		}
	}
}
