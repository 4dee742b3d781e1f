package handlers

import (
	"cmp"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/secondlight/secondlight/handlers/document"
	"github.com/secondlight/secondlight/handlers/web"
	adminviews "github.com/secondlight/secondlight/views/admin"
)

var update = flag.Bool("update", false, "write the golden files")

func TestOpenAPIAsYAMLIsTheSame(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	_, asJSON := s.do(t, "GET", "/openapi.json")
	_, asYAML := s.do(t, "GET", "/openapi.yaml")
	var a, b any
	if err := json.Unmarshal([]byte(asJSON), &a); err != nil {
		t.Fatal(err)
	}
	var y any
	if err := yaml.Unmarshal([]byte(asYAML), &y); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(y)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(again, &b); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Error("the two documents differ")
	}
}

// TestOpenAPIIsPublished compares the documents with the published ones. A change
// to the API requires a new version.
func TestOpenAPIIsPublished(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := New(m())
	for golden, document := range map[string]web.Object{
		"testdata/openapi.json":        s.OpenAPI(),
		"testdata/openapi-admin.json":  s.OpenAPISubset(document.Documents{Deps: s.document}.AdminOpenAPIHead(), (*web.Operation).ForOperators),
		"testdata/openapi-health.json": s.OpenAPISubset(document.Documents{Deps: s.document}.HealthOpenAPIHead(), document.ChecksHealth),
	} {
		got, err := web.EncodeIndentedJSON(document)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case string(got) == string(want):
		case versionOf(t, got) == versionOf(t, want):
			t.Errorf("the interface differs from %s under the same version: move the version in api.go, then run go test ./handlers -run OpenAPI -update", golden)
		case *update:
			must(os.WriteFile(golden, got, 0o644))
		default:
			t.Errorf("%s is of version %s: run go test ./handlers -run OpenAPI -update", golden, versionOf(t, want))
		}
	}
}

// versionOf returns the version in a document.
func versionOf(t *testing.T, document []byte) string {
	var doc struct{ Info struct{ Version string } }
	if err := json.Unmarshal(document, &doc); err != nil || doc.Info.Version == "" {
		t.Fatalf("a document without a version: %v", err)
	}
	return doc.Info.Version
}

// TestHealthDocument checks that the description of the health check has what
// monitors rely on.
func TestHealthDocument(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	_, published := s.do(t, "GET", "/openapi-health.json")
	var doc struct {
		OpenAPI string
		Info    struct{ Version string }
		Servers []struct{ URL string }
		Paths   map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]struct{ Example json.RawMessage }
			}
		}
	}
	if err := json.Unmarshal([]byte(published), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.OpenAPI != "3.0.3" || doc.Info.Version != "1.2.1" || len(doc.Servers) != 1 || doc.Servers[0].URL != testSite.BaseURL || len(doc.Paths) != 1 {
		t.Errorf("the document is of %s, version %s, servers %v, %d paths", doc.OpenAPI, doc.Info.Version, doc.Servers, len(doc.Paths))
	}
	example := doc.Paths["/api/health"]["get"].Responses["200"].Content["application/json"].Example
	var health adminviews.Health
	if err := json.Unmarshal(example, &health); err != nil || health.Status != "ok" || health.Timestamp != "2026-11-21T09:00:00.123456Z" {
		t.Errorf("the example is %s: %v", example, err)
	}
}

// TestEveryPropertyIsDescribed tests that every property of every schema has a
// description.
func TestEveryPropertyIsDescribed(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := serveTest(t, New(quiet(m())))
	for document, least := range map[string]int{"/openapi.json": 50, "/openapi-admin.json": 5} {
		_, published := s.do(t, "GET", document)
		var doc struct {
			Components struct {
				Schemas map[string]struct {
					Description string
					Properties  map[string]struct{ Description string }
				}
			}
		}
		if err := json.Unmarshal([]byte(published), &doc); err != nil {
			t.Fatal(err)
		}
		if len(doc.Components.Schemas) < least {
			t.Errorf("%s has only %d schemas", document, len(doc.Components.Schemas))
		}
		for name, schema := range doc.Components.Schemas {
			if schema.Description == "" {
				t.Errorf("%s: say what it is in nouns", name)
			}
			for property, of := range schema.Properties {
				if of.Description == "" {
					t.Errorf("%s.%s: describe it in its jsonschema tag, or in the vocabulary if it means the same everywhere", name, property)
				}
			}
		}
	}
}

// TestAnswersFitTheDocument validates real responses, including errors, against the
// published document.
func TestAnswersFitTheDocument(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Site.BaseURL = "http://secondlight.example" })
	_, published := s.do(t, "GET", "/openapi.json")
	schemas := newResponseSchemas(t, []byte(published))
	documented := documentedHeaders(t, published)
	validate := func(address string, header ...string) {
		resp, body := s.do(t, "GET", address, header...)
		for name := range resp.Header {
			if !browserFields[name] && !documented[strings.ToLower(name)] {
				t.Errorf("GET %s %q, status %d: the field %s is not documented", address, header, resp.StatusCode, name)
			}
		}
		path, _, _ := strings.Cut(address, "?")
		if err := schemas.validate("GET", path, resp, []byte(body)); err != nil {
			t.Errorf("GET %s %q, status %d: %v", address, header, resp.StatusCode, err)
		}
	}
	for _, target := range s.targets() {
		if target.op.Path != "" && !target.api {
			continue // described at its API address
		}
		for _, accept := range []string{"application/json", "text/markdown", "text/html", "image/png"} {
			validate(target.address, "Accept", accept)
		}
		validate(target.address, "Accept", "application/json", "If-None-Match", "*")
		if target.api {
			path, _, _ := strings.Cut(target.address, "?")
			validate(path + "?no_such_parameter=1")
		}
		if strings.HasSuffix(cmp.Or(target.op.Path, target.op.Page), "}") {
			cut := strings.LastIndexByte(target.address, '/')
			validate(target.address[:cut+1]+"no-such-thing", "Accept", "application/json")
		}
	}
}

// browserFields holds the standard headers of HTTP and the security headers for
// browsers, which are not documented.
var browserFields = map[string]bool{"Content-Type": true, "Content-Length": true, "Content-Encoding": true, "Date": true, "Server": true,
	"Content-Security-Policy": true, "X-Content-Type-Options": true, "Referrer-Policy": true, "Permissions-Policy": true,
	"Cross-Origin-Opener-Policy": true, "Strict-Transport-Security": true}

// documentedHeaders returns the headers that the document describes, in lower case.
func documentedHeaders(t *testing.T, document string) map[string]bool {
	var doc struct {
		Headers struct{ Definitions map[string]any } `json:"x-headers"`
	}
	if err := json.Unmarshal([]byte(document), &doc); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for name := range doc.Headers.Definitions {
		names[strings.ToLower(name)] = true
	}
	return names
}
