package views

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/secondlight/secondlight/views/ui"
	"github.com/secondlight/secondlight/views/viewstest"
)

func commonMark(t testing.TB, md string) string {
	t.Helper()
	var b bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(md), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMarkdownPath(t *testing.T) {
	for path, want := range map[string]string{
		"/":                         "/index.md",
		"/gear/canon/eos-r6":        "/gear/canon/eos-r6.md",
		"/listings?keyword=r6&x=.1": "/listings.md?keyword=r6&x=.1",
		"/guides/grades#new":        "/guides/grades.md#new",
		"/gear/canon/eos-r6.csv":    "/gear/canon/eos-r6.csv",
		"/api/listings/search?a=b":  "/api/listings/search?a=b",
	} {
		if got := ui.MarkdownPath(path); got != want {
			t.Errorf("MarkdownPath(%q) = %q, want %q", path, got, want)
		}
	}
}

var tags = regexp.MustCompile(`<[^>]*>`)

// FuzzMarkdownText checks that escaped text renders as it was written in headings,
// paragraphs, links and tables.
func FuzzMarkdownText(f *testing.F) {
	for _, seed := range []string{viewstest.Nasty, "- a", "1. a", "--- ", "=== x", "+ a", "#1 lens", "B&H &lt; a", "a_b_c *x* ~y~", `\| \`, "![x](y)", "> q", "12) x", "T* 1.4/50", "www.x.org", "a|b", "`", "&amp;"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Z, r) && r != ' ' }) {
			return
		}
		want := strings.Join(strings.Fields(s), " ")
		if want == "" {
			return
		}
		text := ui.MarkdownText(s)
		for where, md := range map[string]string{
			"heading": "# " + text + "\n", "line": text + "\n", "quotation": "> " + text + "\n",
			"table": "| a | b |\n| --- | --- |\n| " + text + " | x |\n", "link": "[" + text + "](https://secondlight.test/x)\n",
		} {
			rendered := commonMark(t, md)
			if where == "table" {
				if n := strings.Count(rendered, "<td>"); n != 2 {
					t.Fatalf("%q makes %d cells: %s", s, n, rendered)
				}
				_, rendered, _ = strings.Cut(rendered, "<td>")
				rendered, _, _ = strings.Cut(rendered, "</td>")
			}
			if got := html.UnescapeString(strings.TrimSpace(tags.ReplaceAllString(rendered, ""))); got != want {
				t.Fatalf("%s: %q is read back as %q from %q", where, want, got, md)
			}
		}
	})
}
