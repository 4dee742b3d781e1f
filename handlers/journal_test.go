package handlers

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/web"
)

// writtenPages returns the paths of all text pages.
func writtenPages() []string {
	all := []string{"/guides", "/journal"}
	for _, slug := range content.PageSlugs {
		all = append(all, "/"+slug)
	}
	for _, t := range content.Guides() {
		all = append(all, "/guides/"+t.Slug)
	}
	for _, t := range content.Journal() {
		all = append(all, "/journal/"+t.Slug)
		for _, tag := range t.Tags {
			all = append(all, "/journal?tag="+tag)
		}
	}
	return all
}

var reference = regexp.MustCompile(`\s(?:href|src)="([^"]*)"`)

// TestWrittenLinksLeadSomewhere follows every link and image of the text pages. Each
// must exist and, if it has a fragment, have an element with that id.
func TestWrittenLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	pages := map[string]string{}
	get := func(path string) string {
		if body, ok := pages[path]; ok {
			return body
		}
		resp, body := s.do(t, "GET", path, "Accept", "text/html, */*;q=0.5")
		switch to := resp.Header.Get("Location"); {
		case resp.StatusCode == 303 && strings.HasPrefix(to, "/sign-in?"):
			body = "a page of members, behind " + to
		case resp.StatusCode != 200:
			body = ""
		}
		pages[path] = body
		return body
	}
	for _, page := range writtenPages() {
		body := get(page)
		if body == "" {
			t.Errorf("%s does not answer", page)
		}
		for _, m := range reference.FindAllStringSubmatch(body, -1) {
			link, err := url.Parse(html.UnescapeString(m[1]))
			if err != nil {
				t.Errorf("%s links to %q: %v", page, m[1], err)
				continue
			}
			if link.Scheme == "https" {
				continue
			}
			if link.Scheme != "" || link.Path != "" && !strings.HasPrefix(link.Path, "/") {
				t.Errorf("%s links to %q, which is neither a path of this site nor https", page, m[1])
				continue
			}
			there := body
			if link.Path != "" {
				there = get(link.RequestURI())
			}
			if there == "" {
				t.Errorf("%s links to %s, where nothing is", page, m[1])
			} else if link.Fragment != "" && !strings.Contains(there, `id="`+html.EscapeString(link.Fragment)+`"`) {
				t.Errorf("%s links to %s, and the page has no such fragment", page, m[1])
			}
		}
	}
}

// TestWrittenMarkdownLinks checks that the Markdown of texts has absolute links
// only, since it is read outside the site.
func TestWrittenMarkdownLinks(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, page := range writtenPages() {
		path, query, _ := strings.Cut(page, "?")
		_, body := s.do(t, "GET", web.Address(path, web.Markdown, query))
		if i := strings.Index(body, "](/"); i >= 0 {
			t.Errorf("%s in Markdown has a link without a site: %.60s", page, body[i:])
		}
	}
}

func TestJournalTags(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for tag, want := range map[string]int{"film": 1, "portfolio": 2, "nothing-has-this": 0, "%3Cscript%3E": 0} {
		resp, body := s.do(t, "GET", "/journal?tag="+tag, "Accept", "text/html")
		if got := strings.Count(body, `<h2><a href="/journal/`); resp.StatusCode != 200 || got != want {
			t.Errorf("/journal?tag=%s is %d and lists %d pieces, want %d", tag, resp.StatusCode, got, want)
		}
		if none := want == 0; strings.Contains(body, `content="noindex"`) != none {
			t.Errorf("/journal?tag=%s: to be indexed is %v", tag, !none)
		}
	}
	if resp, body := s.do(t, "GET", "/journal/condition-grades"); resp.StatusCode != 404 || !strings.Contains(body, "/journal/") {
		t.Errorf("a piece nobody wrote is %d: %s", resp.StatusCode, body)
	}
}
