package handlers

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/content"
	textviews "github.com/secondlight/secondlight/views/text"
)

// TestTextPages reads the pages about the site in each format and finds them in every
// document that lists pages.
func TestTextPages(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) {
		c.Site.Defaults.Owner, c.Site.Defaults.Address, c.Site.Defaults.Email = "Ada Ortega", "1 Mill Road, Ely", "ada@shop.example"
	})
	read := func(path string) string {
		t.Helper()
		resp, body := s.do(t, "GET", path)
		if resp.StatusCode != 200 {
			t.Fatalf("%s is %d", path, resp.StatusCode)
		}
		return body
	}
	sitemap, index, full, home := read("/sitemaps/pages.xml"), read("/llms.txt"), read("/llms-full.txt"), read("/")
	for _, slug := range content.PageSlugs {
		page := read("/" + slug + ".json")
		var got textviews.TextPage
		if err := json.Unmarshal([]byte(page), &got); err != nil || got.Body == "" || got.Updated == "" {
			t.Errorf("/%s.json is %s, %v", slug, page, err)
		}
		if html := read("/" + slug); !strings.Contains(html, "<h1>"+got.Title+"</h1>") || !strings.Contains(html, got.Description) {
			t.Errorf("/%s does not have its title %q and description", slug, got.Title)
		}
		if md := read("/" + slug + ".md"); !strings.HasPrefix(md, "# "+got.Title+"\n") || strings.Contains(md, "{{") {
			t.Errorf("/%s.md is %s", slug, md)
		}
		if !strings.Contains(sitemap, s.site.BaseURL+"/"+slug) {
			t.Errorf("the sitemap does not have /%s", slug)
		}
		named := regexp.MustCompile(`(` + regexp.QuoteMeta(s.site.BaseURL) + `| )/` + slug + `\b`)
		for name, document := range map[string]string{"llms.txt": index, "llms-full.txt": full} {
			if !named.MatchString(document) {
				t.Errorf("%s does not have /%s", name, slug)
			}
		}
		if !strings.Contains(home, `href="/`+slug+`"`) {
			t.Errorf("the footer does not link to /%s", slug)
		}
	}
	for _, text := range slices.Concat(content.Guides(), content.Journal()) {
		for _, version := range []*content.Text{text, text.In("de")} {
			pictures := regexp.MustCompile(`<img src="([^"]*)" alt="[^"]`).FindAllStringSubmatch(version.HTML, -1)
			if len(pictures) == 0 || len(pictures) != strings.Count(version.HTML, "<img ") || version.Picture() != pictures[0][1] {
				t.Errorf("%s in %q has the pictures %q, the first is %q", text.Slug, version.Language, pictures, version.Picture())
			}
			for _, picture := range pictures {
				read(picture[1])
			}
		}
	}
	if imprint := read("/imprint.md"); !strings.Contains(imprint, "Ada Ortega") || !strings.Contains(imprint, "1 Mill Road, Ely") || strings.Contains(imprint, "incomplete") {
		t.Errorf("the imprint is %s", imprint)
	}
}

// TestOwnersPageReplacesTheEmbeddedOne writes a page while the site runs.
func TestOwnersPageReplacesTheEmbeddedOne(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := newTestServer(t, func(c *Config) { c.DataDir = dir })
	etag := map[string]string{}
	for _, path := range []string{"/fees", "/fees.md"} {
		resp, body := s.do(t, "GET", path)
		if strings.Contains(body, "five per cent") {
			t.Errorf("%s has the owner's text", path)
		}
		etag[path] = resp.Header.Get("ETag")
	}
	if err := os.MkdirAll(filepath.Join(dir, "pages"), 0o700); err != nil {
		t.Fatal(err)
	}
	text := "---\ntitle: Our fees\ndescription: What we take.\ndate: 2026-11-23\n---\n{{.Site}} takes five per cent.\n"
	if err := os.WriteFile(filepath.Join(dir, "pages", "fees.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.pages.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	for path, old := range etag {
		resp, body := s.do(t, "GET", path, "If-None-Match", old)
		if resp.StatusCode != 200 || !strings.Contains(body, s.site.Name()+" takes five per cent.") {
			t.Errorf("%s is %d without the owner's text", path, resp.StatusCode)
		}
	}
}
