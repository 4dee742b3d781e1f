package views

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
	"github.com/secondlight/secondlight/views/viewstest"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGoldens(t *testing.T) {
	for name, page := range testPages() {
		golden(t, name+".html", viewstest.Main(viewstest.HTML(t, page)))
		golden(t, name+".md", viewstest.Markdown(t, page))
	}
}

// TestGermanGoldens has those of the pages of shoppers, and of texts.
func TestGermanGoldens(t *testing.T) {
	german := languages.German.NewContext(context.Background())
	for _, name := range []string{"home", "search", "empty", "listing", "sold", "gear", "brand", "seller", "error", "guides", "entry", "about", "terms", "gallery-locked", "gallery", "gallery-photo", "gallery-editor"} {
		page := testPages()[name]
		golden(t, name+".de.html", viewstest.Main(viewstest.HTMLIn(t, german, page)))
		var b bytes.Buffer
		if err := page.Markdown(german, &b); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".de.md", b.String())
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: go test ./views -update writes it", err)
	}
	if got != string(want) {
		t.Errorf("%s differs from its golden file; when it should, go test ./views -update and read the difference", name)
	}
}

func TestDocuments(t *testing.T) {
	inline := regexp.MustCompile(`(?i)\sstyle=|<style|<script|\son[a-z]+=|="javascript:`)
	allowed := regexp.MustCompile(`<script (type="module" )?src="/static/[^"]+"( defer)?( data-[a-z]+="[^"<>]*")*>|<script src="/static/theme\.[0-9a-f]+\.js">|<script type="application/ld\+json">`)
	heading := regexp.MustCompile(`<h1[ >]`)
	id := regexp.MustCompile(`\sid="([^"]*)"`)
	for name, page := range testPages() {
		html := viewstest.HTML(t, page)
		if bad := inline.FindString(allowed.ReplaceAllString(html, "")); bad != "" {
			t.Errorf("%s: %q is against the site's own content policy", name, bad)
		}
		if n := len(heading.FindAllString(html, -1)); n != 1 {
			t.Errorf("%s: %d headings of the first level", name, n)
		}
		seen := map[string]bool{}
		for _, m := range id.FindAllStringSubmatch(html, -1) {
			if seen[m[1]] {
				t.Errorf("%s: two elements have the id %s", name, m[1])
			}
			seen[m[1]] = true
		}
		for _, want := range []string{`<html lang="en">`, `rel="canonical"`, `type="text/markdown"`, `type="application/json"`, `href="#main"`, ui.DemoNotice} {
			if !strings.Contains(html, want) {
				t.Errorf("%s: no %s", name, want)
			}
		}
		if strings.Contains(html, "%!") || strings.Contains(viewstest.Markdown(t, page), "%!") {
			t.Errorf("%s: a format went wrong", name)
		}
	}
}

func TestImagesHaveSizes(t *testing.T) {
	img := regexp.MustCompile(`<img [^>]*>`)
	for name, page := range testPages() {
		for _, tag := range img.FindAllString(viewstest.HTML(t, page), -1) {
			if strings.Contains(tag, `class="ground"`) {
				continue // the placeholder of the picture that follows
			}
			for _, attribute := range []string{` width="`, ` height="`, ` alt="`, ` srcset="/`, ` sizes="`} {
				if !strings.Contains(tag, attribute) {
					t.Errorf("%s: no%s in %s", name, attribute, tag)
				}
			}
		}
	}
}

func TestUserTextStaysText(t *testing.T) {
	for name, page := range testPages() {
		if html := viewstest.HTML(t, page); strings.Contains(html, "<script>alert") {
			t.Errorf("%s: a title became an element", name)
		}
		md := viewstest.Markdown(t, page)
		if rendered := commonMark(t, md); strings.Contains(rendered, "<script") || strings.Contains(rendered, `href="javascript:`) || strings.Contains(rendered, "raw HTML omitted") {
			t.Errorf("%s: a title became Markdown: %s", name, md)
		}
	}
}

func TestSearchPageIsLean(t *testing.T) {
	html := viewstest.HTML(t, foundPage(ui.Query{Filter: search.Filter{Keyword: "canon r6"}}, 24))
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(html)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if len(html) > 90<<10 || packed.Len() > 14<<10 {
		t.Errorf("the search page of 24 cards has %d bytes, %d compressed", len(html), packed.Len())
	}
	t.Logf("%d bytes, %d compressed", len(html), packed.Len())
}
