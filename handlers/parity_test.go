package handlers

import (
	"context"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
	"github.com/secondlight/secondlight/views/viewstest"
)

// allFilters matches the link of a search to its page with all filters.
var allFilters = regexp.MustCompile(`<a class="more" rel="nofollow" href="([^"]+)"`)

// TestFormatsStateTheSameFacts checks that all formats of a page state the same
// facts: whatever is in its JSON is also in its HTML and Markdown.
func TestFormatsStateTheSameFacts(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	for _, target := range s.targets() {
		if target.api || target.op.Name == "read_reference" || target.op.Name == "get_operation" { // their JSON is of schemas, which people read in /openapi.json
			continue
		}
		_, json := s.do(t, "GET", target.address, "Accept", "application/json")
		for _, accept := range []string{"text/html", "text/markdown"} {
			_, text := s.do(t, "GET", target.address, "Accept", accept)
			if more := allFilters.FindStringSubmatch(text); more != nil {
				_, all := s.do(t, "GET", html.UnescapeString(more[1]), "Accept", accept)
				text += all
			}
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
// says otherwise: buttons stand for the steps that programs take by name, "You" for the
// handle of who reads, and names lead to conversations. Webhooks are on the pages under
// Advanced. Steps of the checklist have titles, and the state of gear is a sentence.
var (
	onListing = regexp.MustCompile(`^\.steps\[\d+\]\.step: |^\.listings\[\d+\]\.steps|^\.(listings\[\d+\]|watching\[\d+\]|watches\[\d+\]\.listing|listing)\.(gear|category|mount|seller): `)
	otherwise = regexp.MustCompile(`\.steps\[\d+\]\.(name|step|api): |\.sender: |\.with\.page: |\.webhook(_secret)?: |^\.state: `)
)

// TestMembersFormatsStateTheSameFacts checks the same for members' pages, with the
// samples of the reference.
func TestMembersFormatsStateTheSameFacts(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	shown := 0
	for _, op := range s.Operations() {
		if op.Sample == nil || op.Page == "" || op.Name == "prepare_listing" { // the listing form, whose JSON is the listing
			continue
		}
		shown++
		facts, err := s.Render(op.Sample(), web.JSON)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []web.Format{web.HTML, web.Markdown} {
			text, err := s.renderFor(op.Sample(), format, "anna-keller")
			if err != nil {
				t.Fatal(err)
			}
			missing, err := viewstest.Missing(facts, text)
			if err != nil {
				t.Fatal(err)
			}
			for _, fact := range missing {
				if !onListing.MatchString(fact) && !(format == web.HTML && otherwise.MatchString(fact)) {
					t.Errorf("%s: the %s does not state %s", op.Name, format, fact)
				}
			}
		}
	}
	if shown < 40 {
		t.Errorf("only %d pages were looked at", shown)
	}
}

// renderFor returns a page as HTML as a member reads it, or in another format.
func (s *Server) renderFor(page web.Page, format web.Format, handle string) (string, error) {
	if format != web.HTML {
		text, err := s.Render(page, format)
		return string(text), err
	}
	ctx, text := context.Background(), &strings.Builder{}
	err := ui.Document(&s.cfg.Site, page.(ui.Page)).Render((&ui.Viewer{Handle: handle, Role: models.RoleOperator}).NewContext(ctx), text)
	return text.String(), err
}
