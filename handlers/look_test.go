package handlers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// TestEditLook tests that the rows of the form of the look become menus and sections in their places,
// that those that aren't visible are kept, and that visitors don't see them.
func TestEditLook(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	op := s.join(t, "the-operator", models.RoleOperator)
	form := "version=0&theme=paper&accent=%231f5fae&accent_dark=&fonts=sans" +
		"&header_place=2&header_label=Notes&header_target=%2Fjournal&header_address=&header_visible=true" +
		"&header_place=1&header_label=Elsewhere&header_target=other&header_address=https%3A%2F%2Fada.example%2F&header_visible=true" +
		"&header_place=3&header_label=Later&header_target=%2Fabout&header_address=&header_visible=false" +
		"&header_place=4&header_label=&header_target=%2F&header_address=&header_visible=true" +
		"&home_place=2&home_section=hero&home_visible=true&home_place=1&home_section=newest&home_visible=true&home_place=3&home_section=deals&home_visible=false"
	resp, page := op.post(t, "/admin/look", form)
	if resp.StatusCode != 303 || resp.Header.Get("Location") != "/admin/look" {
		t.Fatalf("saved with %d to %s: %s", resp.StatusCode, resp.Header.Get("Location"), page)
	}
	site := op.ask(t, "GET", "/api/admin/site", "", 200)
	if got := fmt.Sprint(site["header_links"], site["home_sections"], site["accent"], site["fonts"]); got != "[Elsewhere | https://ada.example/ Notes | /journal Later | /about | hidden] [newest hero]#1f5faesans" {
		t.Errorf("the settings are %s", got)
	}
	if _, home := s.do(t, "GET", "/", "Accept", "text/html"); !strings.Contains(home, "Elsewhere") || strings.Contains(home, ">Later<") {
		t.Error("visitors see what is hidden, or don't see the menu")
	}
	if page := op.read(t, "/admin/look"); !strings.Contains(page, `value="Later"`) || !strings.Contains(page, `data-light-grounds="#fbfaf7`) {
		t.Error("the form lacks a row or the colours of a theme")
	}
	op.ask(t, "PATCH", "/api/admin/site", `{"version":1,"header_links":["Notes | /journal","Later | /about | hidden"]}`, 200)
	for field, want := range map[string]string{"accent=%23ffcc00": "is hard to read", "theme=nonsense": "no theme", "header_label=x&header_target=other&header_address=javascript%3Ax": "path such as"} {
		if _, page := op.post(t, "/admin/look", "version=2&"+field); !strings.Contains(page, want) {
			t.Errorf("%s is answered without %q", field, want)
		}
	}
	if page := op.read(t, "/account"); strings.Count(page, `href="/admin`) != 1+1 || !strings.Contains(page, "Manage site") { // and the checklist of the header
		t.Errorf("the account has %d links to administration", strings.Count(page, `href="/admin`))
	}
}
