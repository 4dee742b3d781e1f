package content

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestGuides(t *testing.T) {
	for _, g := range Guides() {
		if GuideBySlug(g.Slug) != g {
			t.Errorf("%s is not found by its name", g.Slug)
		}
		if strings.HasPrefix(g.Markdown, "# ") {
			t.Errorf("%s repeats its title as a heading", g.Slug)
		}
	}
	if GuideBySlug("condition-grades") == nil {
		t.Error("there is no guide to the condition grades, which every listing links to")
	}
	if GuideBySlug("none") != nil {
		t.Error("a guide nobody wrote is found")
	}
}

func TestParseGuide(t *testing.T) {
	const head = "---\ntitle: Grades\ndescription: What: they mean.\n---\n"
	g, err := parseGuide("grades", head+"\nText[^1] <script>x</script> [bad](javascript:x)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[^1]: Note.\n")
	if err != nil {
		t.Fatal(err)
	}
	if g.Title != "Grades" || g.Description != "What: they mean." || !strings.HasPrefix(g.Markdown, "Text") {
		t.Errorf("read as %+v", g)
	}
	for _, want := range []string{"<table>", "footnote"} {
		if !strings.Contains(g.HTML, want) {
			t.Errorf("no %s in %s", want, g.HTML)
		}
	}
	for _, never := range []string{"<script", "javascript:"} {
		if strings.Contains(g.HTML, never) {
			t.Errorf("%s came through: %s", never, g.HTML)
		}
	}
	for name, text := range map[string]string{
		"no head": "Text", "not closed": "---\ntitle: a\n", "no title": "---\ndescription: a\n---\nText",
		"unknown field": "---\ntitle: a\ndescription: b\nauthor: c\n---\nText",
	} {
		if _, err := readGuides(fstest.MapFS{"guides/a.md": {Data: []byte(text)}}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
