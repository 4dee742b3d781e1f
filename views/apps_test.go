package views

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/secondlight/secondlight/models"
	appsviews "github.com/secondlight/secondlight/views/apps"
	"github.com/secondlight/secondlight/views/ui"
)

// TestAppDocument tests that the document of an app is complete in itself: it names no
// other file, and its colours are the tokens.
func TestAppDocument(t *testing.T) {
	site := ui.Site{BaseURL: "https://secondlight.example", Defaults: ui.SiteSettings{SiteSettings: models.SiteSettings{Name: "Second </script> & light"}}}
	document := appsviews.AppDocument(&site, "Listing")
	doc, err := html.Parse(strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	scripts := 0
	for n := range doc.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "src" || a.Key == "style" || strings.HasPrefix(a.Key, "on") || n.Data == "link" {
				t.Errorf("%s has the attribute %s=%q", n.Data, a.Key, a.Val)
			}
		}
		if n.Data == "script" {
			scripts++
		}
	}
	if scripts != 2 {
		t.Errorf("%d scripts: the words and the code", scripts)
	}
	for _, word := range []string{"url(", "@import", "innerHTML", "insertAdjacentHTML", "eval("} {
		if strings.Contains(document, word) {
			t.Errorf("the document contains %q", word)
		}
	}
	light, dark := tokens(t)
	for _, set := range []map[string]string{light, dark} {
		for name := range set {
			if !strings.Contains(document, "--"+name+":") {
				t.Errorf("the style sheet lacks --%s", name)
			}
		}
	}
}
