package handlers

import (
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"go.yaml.in/yaml/v3"
)

var update = flag.Bool("update", false, "write the golden files")

func TestOpenAPIAsYAMLIsTheSame(t *testing.T) {
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

// TestOpenAPIIsPublished holds the document to what was published: whoever
// changes the interface sees it here, and moves APIVersion.
func TestOpenAPIIsPublished(t *testing.T) {
	const golden = "testdata/openapi.json"
	s := New(market())
	got, err := encodeDocument(s.openAPI(nil))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("the interface differs from %s: move APIVersion if it was published, and run go test ./handlers -run OpenAPI -update", golden)
	}
}

// TestAnswersFitTheDocument validates live answers, good and bad, against the
// document the server publishes.
func TestAnswersFitTheDocument(t *testing.T) {
	s := newTestServer(t, func(c *Config) { c.Site.BaseURL = "http://secondlight.example" })
	_, published := s.do(t, "GET", "/openapi.json")
	document, err := libopenapi.NewDocument([]byte(published))
	if err != nil {
		t.Fatal(err)
	}
	check, errs := validator.NewValidator(document)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if valid, faults := check.ValidateDocument(); !valid {
		for _, f := range faults {
			t.Errorf("the document is not valid: %s %s", f.Message, f.Reason)
		}
	}
	validate := func(address string, header ...string) {
		resp, body := s.do(t, "GET", address, header...)
		resp.Body = http.NoBody
		if body != "" {
			resp.Body = readCloser{strings.NewReader(body)}
		}
		req, err := http.NewRequest("GET", "http://secondlight.example"+address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if valid, faults := check.ValidateHttpResponse(req, resp); !valid {
			for _, f := range faults {
				t.Errorf("GET %s %q, status %d: %s: %s", address, header, resp.StatusCode, f.Message, f.Reason)
				for _, e := range f.SchemaValidationErrors {
					t.Errorf("  %s at %s", e.Reason, e.FieldPath)
				}
			}
		}
	}
	for _, target := range s.targets() {
		if target.op.Path != "" && target.where == pages {
			continue // described at its API address
		}
		for _, accept := range []string{"application/json", "text/markdown", "text/html", "image/png"} {
			validate(target.address, "Accept", accept)
		}
		validate(target.address, "Accept", "application/json", "If-None-Match", "*")
		if target.where == api {
			path, _, _ := strings.Cut(target.address, "?")
			validate(path + "?no_such_parameter=1")
		}
		if strings.Contains(target.op.Path+target.op.Page, "{") {
			cut := strings.LastIndexByte(target.address, '/')
			validate(target.address[:cut+1]+"no-such-thing", "Accept", "application/json")
		}
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }
