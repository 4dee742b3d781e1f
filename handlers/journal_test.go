package handlers

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/content"
)

// writtenPages are the addresses of everything somebody wrote.
func writtenPages() []string {
	all := []string{"/about", "/guides", "/journal"}
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

// TestWrittenLinksLeadSomewhere follows every link and picture of everything
// written, and of what stands around it, to a page that answers and, where the
// link names a place on it, has that place.
func TestWrittenLinksLeadSomewhere(t *testing.T) {
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
				t.Errorf("%s links to %s, and the page has no such place", page, m[1])
			}
		}
	}
}

// TestWrittenMarkdownLinks holds the Markdown of what is written to absolute
// links, since it is read away from the site.
func TestWrittenMarkdownLinks(t *testing.T) {
	s := newTestServer(t)
	for _, page := range writtenPages() {
		path, query, _ := strings.Cut(page, "?")
		_, body := s.do(t, "GET", address(path, Markdown, query))
		if i := strings.Index(body, "](/"); i >= 0 {
			t.Errorf("%s in Markdown has a link without a site: %.60s", page, body[i:])
		}
	}
}

func TestJournalTags(t *testing.T) {
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
