package handlers

import (
	"strings"
	"testing"
)

// TestCategoryPages reads category pages in their formats, where they lead to, and what leads to them.
func TestCategoryPages(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for path, title := range map[string]string{
		"/used/cameras": "Used cameras", "/used/cameras/mirrorless": "Used mirrorless cameras", "/used/lenses": "Used lenses", "/used/lenses/fujifilm-x": "Used lenses for Fujifilm X",
		"/used/lenses/prime": "Used prime lenses", "/used/canon": "Used Canon gear", "/used/canon/lenses": "Used Canon lenses",
	} {
		_, page := s.do(t, "GET", path, "Accept", "text/html")
		for _, want := range []string{"<h1>" + title + "</h1>", `rel="canonical" href="` + baseOf(page) + path + `"`, "from €", "<title>" + title} {
			if !strings.Contains(page, want) {
				t.Errorf("%s doesn't have %q", path, want)
			}
		}
		if _, text := s.do(t, "GET", path+".md"); !strings.Contains(text, "# "+title) {
			t.Errorf("%s as Markdown is %.100s", path, text)
		}
		if answer := s.askJSON(t, path+".json"); answer["total"].(float64) == 0 {
			t.Errorf("%s as JSON finds nothing", path)
		}
	}
	for search, path := range map[string]string{
		"/listings?category=lens&mount=Fujifilm+X": "/used/lenses/fujifilm-x", "/listings?category=dslr": "/used/cameras/dslr", "/listings?brand=canon": "/used/canon",
		"/listings?brand=canon&sort=price": "/used/canon", "/listings?brand=canon&budget=500": "/listings?brand=canon&budget=500", "/listings": "/listings",
	} {
		if _, page := s.do(t, "GET", search, "Accept", "text/html"); !strings.Contains(strings.ReplaceAll(page, "&amp;", "&"), `rel="canonical" href="`+baseOf(page)+path+`"`) {
			_, is, _ := strings.Cut(page, `rel="canonical"`)
			t.Errorf("%s isn't %s in canonical form: %.120s", search, path, is)
		}
	}
	_, used := s.do(t, "GET", "/sitemaps/used.xml")
	_, lenses := s.do(t, "GET", "/used/lenses", "Accept", "text/html")
	_, home := s.do(t, "GET", "/", "Accept", "text/html")
	for _, path := range []string{"/used/lenses", "/used/lenses/canon-ef", "/used/canon", "/used/canon/cameras"} {
		if !strings.Contains(used, path+"</loc>") {
			t.Errorf("the sitemap doesn't have %s", path)
		}
	}
	if !strings.Contains(lenses, `href="/used/lenses/canon-ef"`) || strings.Count(home, `href="/used/lenses"`) < 2 {
		t.Error("the page of lenses doesn't link to those of mounts, or header and footer not to it")
	}
	if strings.Contains(lenses, `<a href="/used/cameras/`) {
		t.Error("the page of lenses links to kinds of cameras")
	}
	for _, path := range []string{"/used/nothing", "/used/lenses/nothing", "/used/canon/mirrorless"} {
		if resp, _ := s.do(t, "GET", path, "Accept", "text/html"); resp.StatusCode != 404 {
			t.Errorf("%s is %d", path, resp.StatusCode)
		}
	}
}

// baseOf returns the base URL of the canonical link of a page.
func baseOf(page string) string {
	_, rest, _ := strings.Cut(page, `rel="canonical" href="`)
	scheme, rest, _ := strings.Cut(rest, "://")
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}
