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
)

// target is an address of an operation that answers 200, and which side it is on.
type target struct {
	op      *Operation
	address string
	where   side
}

// targets are all addresses of all operations.
func (s *Server) targets() []target {
	var all []target
	for i := range s.ops {
		op := &s.ops[i]
		if !op.Open() {
			continue
		}
		if op.Page != "" {
			all = append(all, target{op, op.exampleTarget(op.Page, op.examples()), pages})
		}
		if op.Path != "" {
			all = append(all, target{op, op.exampleTarget(op.Path, op.examples()), api})
		}
	}
	return all
}

// TestAcceptOnEveryAddress asks every address of the site for every face by
// every Accept value of the table.
func TestAcceptOnEveryAddress(t *testing.T) {
	s := newTestServer(t)
	for _, target := range s.targets() {
		bodies := map[string]string{}
		for _, c := range acceptTable {
			want := c.page
			if target.where == api {
				want = c.api
			}
			if strings.HasPrefix(c.accept, "image/*") && slices.Contains(target.op.Faces, SVG) {
				want = SVG.MediaType()
			}
			var header []string
			for _, line := range strings.Split(c.accept, "\n") {
				header = append(header, "Accept", line)
			}
			resp, body := s.do(t, "GET", target.address, header...)
			checkContract(t, target.address, resp.Header)
			got, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
			if want == "" {
				if resp.StatusCode != 406 || !strings.Contains(body, "text/markdown") {
					t.Errorf("%s with Accept %q is %d %s, want 406 naming what there is", target.address, c.accept, resp.StatusCode, body)
				}
				continue
			}
			if resp.StatusCode != 200 || got != want {
				t.Errorf("%s with Accept %q is %d %s, want 200 %s", target.address, c.accept, resp.StatusCode, got, want)
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
			t.Errorf("%s has one ETag for two faces: %v", target.address, bodies)
		}
	}
}

// TestSuffixes asks every page for every face by its suffix, whatever Accept says.
func TestSuffixes(t *testing.T) {
	s := newTestServer(t)
	for _, target := range s.targets() {
		if target.where != pages {
			continue
		}
		path, query, _ := strings.Cut(target.address, "?")
		for face := HTML; face < faces; face++ {
			want := 200
			if !slices.Contains(target.op.offers(false), face) {
				want = 404
			}
			at := address(path, face, query)
			resp, body := s.do(t, "GET", at, "Accept", "*/*")
			if resp.StatusCode != want {
				t.Errorf("%s is %d, want %d: %.200s", at, resp.StatusCode, want, body)
			}
			if want != 200 {
				continue
			}
			if got := resp.Header.Get("Content-Type"); got != face.ContentType() {
				t.Errorf("%s is sent with %s", at, got)
			}
			if face.feed() && target.op.FeedQuery != "" {
				at = address(path, face, target.op.FeedQuery)
			}
			if got := resp.Header.Get("Content-Location"); got != at {
				t.Errorf("%s says it is at %q", at, got)
			}
			if noindex := resp.Header.Get("X-Robots-Tag") == "noindex"; noindex != (face != HTML) {
				t.Errorf("%s: X-Robots-Tag is %q", at, resp.Header.Get("X-Robots-Tag"))
			}
			links := resp.Header.Get("Link")
			for _, other := range target.op.offers(false) {
				link := fmt.Sprintf(`rel="alternate"; type="%s"`, other.MediaType())
				if strings.Contains(links, link) != (other != face) {
					t.Errorf("%s: Link %s and %s", at, links, link)
				}
			}
			if resp, _ := s.do(t, "GET", at, "Accept", "image/png"); resp.StatusCode != 200 && face != HTML {
				t.Errorf("%s heeds Accept: %d", at, resp.StatusCode)
			}
		}
	}
}

// TestJSONFitsItsSchema holds every operation's JSON to the closed schema that
// is published for it: nothing that is not described, nothing missing.
func TestJSONFitsItsSchema(t *testing.T) {
	s := newTestServer(t)
	for _, target := range s.targets() {
		resolved, err := schemaOf(target.op.out).Resolve(nil)
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
	s := newTestServer(t)
	_, document := s.do(t, "GET", "/openapi.json")
	var spec struct {
		Paths map[string]map[string]struct {
			OperationID string
			Parameters  []struct{ Name, In, Description string }
			RequestBody struct {
				Content map[string]struct {
					Schema struct{ Properties map[string]any }
				}
			}
			Responses map[string]json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(document), &spec); err != nil {
		t.Fatal(err)
	}
	faces := map[string]string{}
	for _, face := range []Face{HTML, Markdown, JSON} {
		_, faces[face.String()] = s.do(t, "GET", "/developers"+face.Suffix())
	}
	name := regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)
	for i := range s.ops {
		op := &s.ops[i]
		if !name.MatchString(op.Name) || op.Title == "" || op.Summary == "" || op.Description == "" || tagText[op.Tag] == "" {
			t.Errorf("operation %s is not described: %q %q %q %q", op.Name, op.Title, op.Summary, op.Description, op.Tag)
		}
		path := op.Path
		if path == "" {
			path = op.Page
		}
		if !op.published() {
			continue
		}
		described := spec.Paths[path][strings.ToLower(op.Method)]
		params := len(op.plan.params)
		if op.takesKey() {
			params++ // its Idempotency-Key
		}
		if described.OperationID != op.ID() || len(described.Parameters)+len(described.RequestBody.Content["application/json"].Schema.Properties) != params {
			t.Errorf("openapi.json does not describe %s at %s", op.Name, path)
		}
		for _, code := range op.Errors {
			known, ok := errorCode(code)
			if !ok || !strings.Contains(string(described.Responses[fmt.Sprint(known.Status)]), code) {
				t.Errorf("openapi.json does not say that %s fails with %s", op.Name, code)
			}
		}
		for face, body := range faces {
			if !strings.Contains(body, op.Name) {
				t.Errorf("/developers in %s leaves out %s", face, op.Name)
			}
			for _, p := range op.plan.params {
				if !strings.Contains(body, p.Name) {
					t.Errorf("/developers in %s leaves out %s of %s", face, p.Name, op.Name)
				}
			}
		}
		if _, err := op.inputSchema().Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true}); err != nil {
			t.Errorf("input schema of %s: %v", op.Name, err)
		}
	}
}

// TestFinishedAnswersAreTheSame holds that an answer from the cache equals the
// one it was made from, field by field, but for what belongs to one request.
func TestFinishedAnswersAreTheSame(t *testing.T) {
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
