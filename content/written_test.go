package content

import (
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// TestWrittenIsHostile renders Markdown that tries to be more than text.
func TestWrittenIsHostile(t *testing.T) {
	for markdown, want := range map[string]string{
		"[a](javascript:alert(1))":                     "<p>a</p>\n",
		"[a](JaVaScRiPt:alert(1))":                     "<p>a</p>\n",
		"[a](java&#115;cript:alert(1))":                "<p>a</p>\n",
		"[a](vbscript:x) [b](data:text/html,x)":        "<p>a b</p>\n",
		"[a](data:image/png;base64,AAAA)":              "<p>a</p>\n",
		"[a](//evil.example)":                          "<p>a</p>\n",
		"[a](/\\evil.example)":                         "<p>a</p>\n",
		"[a](https://user@evil.example)":               "<p>a</p>\n",
		"[a](file:///etc/passwd)":                      "<p>a</p>\n",
		"<javascript:alert(1)>":                        "<p>javascript:alert(1)</p>\n",
		"[a][b]\n\n[b]: javascript:alert(1)":           "<p>a</p>\n",
		"![a](https://evil.example/track.gif)":         "<p>a</p>\n",
		"![a](//evil.example/track.gif)":               "<p>a</p>\n",
		"![a](data:image/png;base64,AAAA)":             "<p>a</p>\n",
		"[![a](javascript:1)](javascript:2)":           "<p>a</p>\n",
		"![a](/pictures/0a-40x30.jpg)":                 `<p><img src="/pictures/0a-40x30.jpg" alt="a" width="40" height="30" loading="lazy"></p>` + "\n",
		"![a](/static/journal/alps-40x30.webp)":        `<p><img src="/static/journal/alps-40x30.webp" alt="a" width="40" height="30" loading="lazy"></p>` + "\n",
		"![a](/static/guides/lens.svg#40x30)":          `<p><img src="/static/guides/lens.svg" alt="a" width="40" height="30" loading="lazy"></p>` + "\n",
		"![a](/pictures/0a-40x30.jpg \"onload=\\\"\")": `<figure><img src="/pictures/0a-40x30.jpg" alt="a" width="40" height="30" loading="lazy"><figcaption>onload=\&quot;</figcaption></figure>` + "\n",
		"<script>alert(1)</script>":                    "<!-- raw HTML omitted -->\n",
		"a <b onclick=x>b</b>":                         "<p>a <!-- raw HTML omitted -->b<!-- raw HTML omitted --></p>\n",
		"---\ntitle: x\n---\nb":                        "<hr>\n<h2 id=\"title-x\">title: x</h2>\n<p>b</p>\n",
		"[a](/gear) [b](#c) [d](https://e.example/)":   "<p><a href=\"/gear\">a</a> <a href=\"#c\">b</a> <a href=\"https://e.example/\">d</a></p>\n",
		"<ada@shop.example> [t](tel:+49-30-1)":         "<p><a href=\"mailto:ada@shop.example\">ada@shop.example</a> <a href=\"tel:+49-30-1\">t</a></p>\n",
	} {
		if got := (&Written{Markdown: markdown}).Text().HTML; got != want {
			t.Errorf("%q became %q, want %q", markdown, got, want)
		}
	}
}

// TestLinks tests which links of a text are found, and which of them are removed.
func TestLinks(t *testing.T) {
	want := []Link{{Address: "/gear"}, {Address: "javascript:1", Removed: true}, {Address: "/pictures/1.jpg", Picture: true, Alt: "A lens"}, {Address: "//x.example/y.gif", Picture: true, Removed: true}, {Address: "https://shop.example"}}
	if got := Links("[a](/gear) [b](javascript:1) ![A *lens*](/pictures/1.jpg)\n\n![](//x.example/y.gif) <https://shop.example>"); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

// TestWritten tests which text of several a site shows.
func TestWritten(t *testing.T) {
	day := time.Date(2027, 1, 2, 0, 0, 0, 0, time.UTC)
	file := fstest.MapFS{"fees.md": {Data: []byte("---\ntitle: Fees of the file\ndescription: d\ndate: 2026-11-02\n---\nText")}}
	written := func(section, slug, language, title string) Written {
		return Written{Section: section, Slug: slug, Language: language, Title: title, Markdown: "## One\n", Date: day, Updated: day}
	}
	all := []Written{written("pages", "fees", "en", "Our fees"), written("pages", "terms", "de", "Unsere AGB"), written("guides", "selling-well", "en", "Selling here"),
		written("journal", "winter", "de", "Winter"), written("journal", "spring", "de", "Frühling"), written("journal", "spring", "en", "Spring")}
	p := OpenPages(file, []string{"en", "de"}, Facts{}, slog.New(slog.DiscardHandler))
	if got := p.BySlug("fees").Title; got != "Fees of the file" {
		t.Errorf("without a text in the database the page is %q", got)
	}
	if len(p.Journal()) != 0 {
		t.Error("a site without demonstration data has our journal")
	}
	p.Use([]string{"en", "de"}, Facts{}, all)
	if original, file := p.Original("pages", "fees", "en"); original == nil || original.Title != "Fees of the file" || !file {
		t.Errorf("the original is %+v, from a file: %v", original, file)
	}
	for path, want := range map[string]string{
		"pages/fees/en": "Our fees", "pages/terms/de": "Unsere AGB", "pages/terms/en": EmbeddedPage("terms").Title,
		"guides/selling-well/en": "Selling here", "journal/winter/en": "Winter", "journal/spring/en": "Spring", "journal/spring/de": "Frühling",
	} {
		part := strings.Split(path, "/")
		text := map[string]func(string) *Text{"pages": p.BySlug, "guides": p.GuideBySlug, "journal": p.EntryBySlug}[part[0]](part[1])
		if text == nil || text.In(part[2]).Title != want {
			t.Errorf("%s is %+v, want %q", path, text, want)
		}
	}
	if g := p.GuideBySlug("selling-well"); g.In("de").Language != "de" || g.Date.Equal(day) || !g.Updated.Equal(day) {
		t.Errorf("the guide is from %v, changed %v, in German: %v", g.Date, g.Updated, g.In("de").Language)
	}
	if len(Guides()) != len(p.Guides()) || Guides()[0].Title != p.Guides()[0].Title {
		t.Error("the guides have changed")
	}
	p.Use([]string{"de"}, Facts{Demo: true}, all)
	if got := p.BySlug("terms"); got.Title != "Unsere AGB" || len(p.Journal()) != 2+len(Journal()) {
		t.Errorf("a site in German has the terms %q, and %d entries", got.Title, len(p.Journal()))
	}
	p.Use([]string{"en"}, Facts{}, nil)
	if len(p.Journal()) != 0 || p.BySlug("fees").Title != "Fees of the file" {
		t.Error("the originals are not back")
	}
}

// FuzzWritten checks that no text that the owner writes has a script or an address of
// another kind.
func FuzzWritten(f *testing.F) {
	f.Add("[a](javascript:alert(1)) <b> ![x](//y.example)")
	f.Add("[a]: data:x\n[![a]](<java\nscript:x>)")
	f.Fuzz(func(t *testing.T, markdown string) {
		html := strings.ToLower((&Written{Markdown: markdown}).Text().HTML)
		for _, never := range []string{"<script", `href="javascript:`, `href="data:`, `href="//`, `src="//`, `src="h`, `src="d`} {
			if strings.Contains(html, never) {
				t.Errorf("%q became %q", markdown, html)
			}
		}
	})
}
