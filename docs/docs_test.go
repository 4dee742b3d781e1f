package docs

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestAll checks that each document says for whom it is, is listed in its place and in the index, and
// links to documents and samples that are published.
func TestAll(t *testing.T) {
	index, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(All()) != len(order) {
		t.Errorf("there are %d documents, order has %d", len(All()), len(order))
	}
	german := 0
	for _, d := range All() {
		if !slices.Contains(order, d.Slug) {
			t.Errorf("order lacks %s", d.Slug)
		}
		if !strings.Contains(string(index), "]("+d.File+")") {
			t.Errorf("README.md lacks %s", d.File)
		}
		for language, version := range d.Versions() {
			if language == "de" {
				german++
			}
			if !regexp.MustCompile(`\A\*\*(?:For|Für):\*\* .+ \*\*(?:You need|Du brauchst):\*\* .+ \*\*(?:Takes|Dauer):\*\* .+`).MatchString(version.Markdown) && !strings.HasPrefix(d.Slug, "price") {
				t.Errorf("%s in %s does not say for whom it is, what it needs and how long it takes", d.Slug, language)
			}
			for _, m := range regexp.MustCompile(`href="(/docs/[^"#]+)`).FindAllStringSubmatch(version.HTML, -1) {
				slug := strings.TrimPrefix(m[1], "/docs/")
				if _, sample := Samples()[strings.TrimPrefix(slug, "samples/")]; BySlug(slug) == nil && !sample {
					t.Errorf("%s in %s links to %s", d.Slug, language, m[1])
				}
			}
			if strings.Contains(version.HTML, ".md\"") && strings.Contains(version.HTML, `href="../`) {
				t.Errorf("%s in %s has a relative link", d.Slug, language)
			}
		}
	}
	if german < 7 {
		t.Errorf("%d documents are in German", german)
	}
}

// TestMentions checks that documents are found by words of any of their languages.
func TestMentions(t *testing.T) {
	d := BySlug("first-shop")
	if !d.Mentions("REJECTED rows") || !d.Mentions("Währung") || d.Mentions("rejected zebra") {
		t.Error("the search of documents is wrong")
	}
}
