package handlers

import (
	"regexp"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/views"
	"github.com/secondlight/secondlight/views/viewstest"
)

// TestFacesStateTheSameFacts holds what the site really answers to one set of
// facts: what the JSON of a page says, its HTML and its Markdown say too.
func TestFacesStateTheSameFacts(t *testing.T) {
	t.Parallel()
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

// What lists of members leave to the page of the listing they name, and what HTML
// says otherwise: buttons stand for the steps that programs take by name, and "You"
// for the handle of who reads.
var (
	onListing = regexp.MustCompile(`^\.listings\[\d+\]\.steps|^\.(listings\[\d+\]|watches\[\d+\]\.listing|listing)\.(gear|category|mount|seller): `)
	otherwise = regexp.MustCompile(`\.steps\[\d+\]\.(name|api): |\.sender: `)
)

// TestMembersFacesStateTheSameFacts holds the pages of members to it too, by the
// invented answers of the reference.
func TestMembersFacesStateTheSameFacts(t *testing.T) {
	s := newTestServer(t)
	shown := 0
	for i := range s.ops {
		op := &s.ops[i]
		if op.Sample == nil || op.Page == "" || op.Name == "prepare_listing" { // a desk: the form in place of what its JSON says of the listing
			continue
		}
		shown++
		facts, err := s.renderSafely(op.Sample(), JSON)
		if err != nil {
			t.Fatal(err)
		}
		for _, face := range []Face{HTML, Markdown} {
			text, err := s.renderTo(nil, op.Sample(), face, &views.Viewer{Handle: "anna-keller"})
			if err != nil {
				t.Fatal(err)
			}
			missing, err := viewstest.Missing(facts, string(text))
			if err != nil {
				t.Fatal(err)
			}
			for _, fact := range missing {
				if !onListing.MatchString(fact) && !(face == HTML && otherwise.MatchString(fact)) {
					t.Errorf("%s: the %s does not state %s", op.Name, face, fact)
				}
			}
		}
	}
	if shown < 40 {
		t.Errorf("only %d pages were looked at", shown)
	}
}
