package handlers

import (
	"strings"
	"testing"

	"github.com/secondlight/secondlight/views/viewstest"
)

// TestFacesStateTheSameFacts holds what the site really answers to one set of
// facts: what the JSON of a page says, its HTML and its Markdown say too.
func TestFacesStateTheSameFacts(t *testing.T) {
	s := newTestServer(t)
	for _, target := range s.targets() {
		if target.where != pages || target.op.Name == "read_reference" { // its JSON is of schemas, which people read in /openapi.json
			continue
		}
		_, json := s.do(t, "GET", target.address, "Accept", "application/json")
		for _, accept := range []string{"text/html", "text/markdown"} {
			_, text := s.do(t, "GET", target.address, "Accept", accept)
			missing, err := viewstest.Missing([]byte(json), text)
			if err != nil {
				t.Fatalf("%s: %v", target.address, err)
			}
			if len(missing) > 0 {
				t.Errorf("%s as %s does not state %s", target.address, accept, strings.Join(missing, "; "))
			}
		}
	}
}
