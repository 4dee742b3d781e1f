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
	render := func(name, text string) string {
		page, b := views.TestPages()[name], bytes.Buffer{}
		viewstest.Fill(page, text)
		if err := page.Markdown(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for name := range views.TestPages() {
		plain := viewstest.Structure(render(name, viewstest.Mark+" text"))
		for _, text := range viewstest.Injections {
			markdown := render(name, text)
			for _, wrong := range viewstest.CheckMarkdown(markdown, views.TestSite().BaseURL) {
				t.Errorf("%s with %q: %s", name, text, wrong)
			}
			if got := viewstest.Structure(markdown); !maps.Equal(got, plain) {
				t.Errorf("%s with %q is made of %v, not %v", name, text, got, plain)
			}
		}
	}
}
