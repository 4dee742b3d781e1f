package handlers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// responseSchemas validates responses against an OpenAPI document.
type responseSchemas struct {
	paths      []string        // with parameters in braces
	statuses   map[string]bool // that are documented, by responseName without a type
	documented map[string]bool // by responseName
	all        *jsonschema.Resolved
}

// responseName identifies a response.
func responseName(method, path, status, mediaType string) string {
	return strings.ToUpper(method) + " " + path + " " + status + " " + mediaType
}

// newResponseSchemas reads an OpenAPI document. All its schemas are one, of an object with a
// property for each response, because references are resolved within one schema.
func newResponseSchemas(t testing.TB, document []byte) *responseSchemas {
	t.Helper()
	type response struct {
		Ref     string `json:"$ref"`
		Content map[string]struct{ Schema json.RawMessage }
	}
	var doc struct {
		Paths      map[string]map[string]struct{ Responses map[string]response }
		Components struct {
			Schemas   map[string]json.RawMessage
			Responses map[string]response
		}
	}
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(document), "#/components/schemas/", "#/$defs/")), &doc); err != nil {
		t.Fatal(err)
	}
	r := &responseSchemas{statuses: map[string]bool{}, documented: map[string]bool{}}
	properties := map[string]json.RawMessage{}
	for path, operations := range doc.Paths {
		r.paths = append(r.paths, path)
		for method, operation := range operations {
			for status, answer := range operation.Responses {
				r.statuses[responseName(method, path, status, "")] = true
				if name, ok := strings.CutPrefix(answer.Ref, "#/components/responses/"); ok {
					answer = doc.Components.Responses[name]
				}
				for mediaType, content := range answer.Content {
					if name := responseName(method, path, status, mediaType); content.Schema != nil {
						properties[name], r.documented[name] = content.Schema, true
					}
				}
			}
		}
	}
	// Of the paths that match an address, the one with the fewest parameters is first.
	slices.SortFunc(r.paths, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "{"), strings.Count(b, "{")), cmp.Compare(a, b))
	})
	text, err := json.Marshal(map[string]any{"$defs": doc.Components.Schemas, "properties": properties})
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	if r.all, err = schema.Resolve(nil); err != nil {
		t.Fatal(err)
	}
	return r
}

// validate returns how a JSON response to a method and a path differs from the document. No
// schema describes the other formats.
func (r *responseSchemas) validate(method, path string, resp *http.Response, body []byte) error {
	mediaType, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	if mediaType != "application/json" && mediaType != "application/problem+json" || len(body) == 0 {
		return nil
	}
	at := slices.IndexFunc(r.paths, func(template string) bool { return matchesPath(template, path) })
	if at < 0 {
		return fmt.Errorf("the path is not documented")
	}
	status := strconv.Itoa(resp.StatusCode)
	if !r.statuses[responseName(method, r.paths[at], status, "")] {
		status = "default"
	}
	name := responseName(method, r.paths[at], status, mediaType)
	if !r.documented[name] {
		return fmt.Errorf("%s is not documented", name)
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return err
	}
	return r.all.Validate(map[string]any{name: value})
}

// matchesPath reports whether a path is of a template with parameters in braces.
func matchesPath(template, path string) bool {
	parts, of := strings.Split(path, "/"), strings.Split(template, "/")
	if len(parts) != len(of) {
		return false
	}
	for i, part := range of {
		if part != parts[i] && !strings.HasPrefix(part, "{") {
			return false
		}
	}
	return true
}

// TestResponseSchemas checks that validate notices what does not fit.
func TestResponseSchemas(t *testing.T) {
	t.Parallel()
	const document = `{"paths": {"/a/{id}": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}, "404": {"$ref": "#/components/responses/E"}}}}, "/a/b": {"get": {"responses": {"default": {"$ref": "#/components/responses/E"}}}}},
		"components": {"schemas": {"A": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}, "e": {"$ref": "#/components/schemas/E"}}, "additionalProperties": false}, "E": {"enum": ["x", null]}},
			"responses": {"E": {"content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/E"}}}}}}}`
	schemas := newResponseSchemas(t, []byte(document))
	for _, c := range []struct {
		path, mediaType string
		status          int
		body            string
		fits            bool
	}{
		{"/a/1", "application/json", 200, `{"n": 1, "e": null}`, true},
		{"/a/1", "application/json; charset=utf-8", 200, `{"n": 1.5}`, false},
		{"/a/1", "application/json", 200, `{"n": 1, "e": "y"}`, false},
		{"/a/1", "application/json", 200, `{}`, false},
		{"/a/1", "application/json", 200, `{"n": 1, "more": 1}`, false},
		{"/a/1", "application/json", 200, `{`, false},
		{"/a/1", "application/json", 201, `{"n": 1}`, false},
		{"/a/1", "application/problem+json", 404, `"x"`, true},
		{"/a/1", "application/problem+json", 404, `"y"`, false},
		{"/a/1", "application/json", 404, `"x"`, false},
		{"/a/b", "application/problem+json", 418, `"x"`, true},
		{"/a/b", "application/json", 200, `{"n": 1}`, false},
		{"/a/b/c", "application/json", 200, `{"n": 1}`, false},
		{"/a/1", "text/html", 418, `<p>`, true},
	} {
		err := schemas.validate("GET", c.path, &http.Response{StatusCode: c.status, Header: http.Header{"Content-Type": {c.mediaType}}}, []byte(c.body))
		if (err == nil) != c.fits {
			t.Errorf("%s, %d, %s: %v", c.path, c.status, c.body, err)
		}
	}
}
