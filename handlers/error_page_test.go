package handlers

import (
	"regexp"
	"strings"
	"testing"
)

// forPrograms matches what the page of an error must not say to people.
var forPrograms = regexp.MustCompile(`GET |POST |/api/|/openapi|[a-z]_[a-z]|If-Match|\bid\b|request id|parameter|slug`)

// TestErrorPagesAreForPeople tests that the pages of errors say nothing that only means
// something to programs, which the JSON and the Markdown do, and that a page that does
// not exist has a search box and links.
func TestErrorPagesAreForPeople(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, c := range []struct {
		path   string
		status int
		says   string
	}{
		{"/no/such/page", 404, `href="/gear"`},
		{"/listings/019aa7d2-7c00-7000-8000-00000000dead", 404, "It may have sold"},
		{"/listings/nonsense", 404, "It may have sold"},
		{"/gear/canon/eos-r66", 404, `href="/gear/canon/eos-r6"`},
		{"/gear/zzqqzz", 404, "in our catalogue"},
		{"/sellers/nobody-at-all", 404, "find this seller"},
		{"/guides/nothing", 404, "find this guide"},
		{"/portfolio/nothing", 404, "portfolio"},
		{"/listings?limit=0", 400, ""},
		{"/listings?budget=many", 400, ""},
		{"/listings?cursor=nonsense", 400, ""},
	} {
		resp, page := s.do(t, "GET", c.path, "Accept", "text/html")
		_, main, _ := strings.Cut(page, `<main id="main"`)
		main, _, _ = strings.Cut(main, "</main>")
		text := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(main, " ")
		if resp.StatusCode != c.status || !strings.Contains(main, c.says) {
			t.Errorf("%s is %d, want %d with %q: %s", c.path, resp.StatusCode, c.status, c.says, main)
		}
		if found := forPrograms.FindString(text); found != "" {
			t.Errorf("%s says %q: %s", c.path, found, text)
		}
		if c.status == 404 && !strings.Contains(main, `name="keyword"`) {
			t.Errorf("%s has no search box: %s", c.path, main)
		}
		if _, markdown := s.do(t, "GET", c.path, "Accept", "text/markdown"); !strings.Contains(markdown, "- code: ") {
			t.Errorf("%s as Markdown has no code: %s", c.path, markdown)
		}
	}
}
