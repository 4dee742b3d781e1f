package views_test

import (
	"bytes"
	"maps"
	"testing"

	"github.com/secondlight/secondlight/views"
	"github.com/secondlight/secondlight/views/viewstest"
)

// TestInjections checks that the Markdown of every page delimits what others wrote,
// and that it changes nothing but text.
func TestInjections(t *testing.T) {
	if n := len(viewstest.Injections); n < 100 {
		t.Fatalf("only %d texts", n)
	}
	// rendered returns the Markdown of all pages with a text in each of their texts.
	rendered := func(text string) map[string]string {
		all := map[string]string{}
		for name, page := range views.TestPages() {
			if name == "gallery-photo" {
				continue // its photo is the owner's, unlike those that are filled
			}
			var b bytes.Buffer
			viewstest.Fill(page, text)
			if err := page.Markdown(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			all[name] = b.String()
		}
		return all
	}
	plain := map[string]map[string]int{}
	for name, markdown := range rendered(viewstest.Mark + " text") {
		plain[name] = viewstest.Structure(markdown)
	}
	for _, text := range viewstest.Injections {
		for name, markdown := range rendered(text) {
			for _, wrong := range viewstest.CheckMarkdown(markdown, views.TestSite().BaseURL) {
				t.Errorf("%s with %q: %s", name, text, wrong)
			}
			if got := viewstest.Structure(markdown); !maps.Equal(got, plain[name]) {
				t.Errorf("%s with %q is made of %v, not %v", name, text, got, plain[name])
			}
		}
	}
}
