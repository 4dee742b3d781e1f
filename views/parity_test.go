package views_test

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/views"
	"github.com/secondlight/secondlight/views/ui"
	"github.com/secondlight/secondlight/views/viewstest"
)

// checkbox matches the links of facets that pages have as checkboxes.
var checkbox = regexp.MustCompile(`^\.facets\.(brand|condition|functional|region|defects|without_defects)\[\d+\]\.page`)

func TestFormatsStateTheSameFacts(t *testing.T) {
	for name, page := range views.TestPages() {
		var html, markdown bytes.Buffer
		if err := ui.Document(views.TestSite(), page).Render(context.Background(), &html); err != nil {
			t.Fatal(err)
		}
		if err := page.Markdown(t.Context(), &markdown); err != nil {
			t.Fatal(err)
		}
		for format, text := range map[string]string{"HTML": html.String(), "Markdown": markdown.String()} {
			missing, err := viewstest.Missing(views.JSONOf(page), text)
			if err != nil {
				t.Fatal(err)
			}
			if format == "HTML" && name == "error" {
				continue // people read it in other words
			}
			for _, fact := range missing {
				if format == "HTML" && checkbox.MatchString(fact) {
					continue // the page has a checkbox for the value
				}
				if format == "HTML" && name == "search" && strings.HasPrefix(fact, ".facets.") {
					continue // it links to a page with all filters, as total is
				}
				t.Errorf("%s: the %s does not state %s", name, format, fact)
			}
		}
	}
}
