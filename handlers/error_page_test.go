package handlers

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// forPrograms matches what the page of an error must not say to people.
var forPrograms = regexp.MustCompile(`GET |POST |/api/|/openapi|[a-z]_[a-z]|If-Match|\bid\b|request id|parameter|slug`)

// TestErrorPagesAreForPeople tests that the pages of errors say nothing that only means
// something to programs, which the JSON and the Markdown do, and that a page that does
// not exist has a search box and links.
func TestErrorPagesAreForPeople(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, c := range []struct {
		path   string
		status int
		says   string
	}{
		{"/no/such/page", 404, `href="/gear"`},
		{"/listings/019aa7d2-7c00-7000-8000-00000000dead", 404, "It may have sold"},
		{"/listings/nonsense", 404, "It may have sold"},
		{"/gear/canon/eos-r66", 404, `href="/gear/canon/eos-r6"`},
		{"/gear/zzqqzz", 404, "in our catalogue"},
		{"/sellers/nobody-at-all", 404, "find this seller"},
		{"/guides/nothing", 404, "find this guide"},
		{"/portfolio/nothing", 404, "portfolio"},
		{"/listings?limit=0", 400, ""},
		{"/listings?budget=many", 400, ""},
		{"/listings?cursor=nonsense", 400, ""},
	} {
		resp, page := s.do(t, "GET", c.path, "Accept", "text/html")
		_, main, _ := strings.Cut(page, `<main id="main"`)
		main, _, _ = strings.Cut(main, "</main>")
		text := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(main, " ")
		if resp.StatusCode != c.status || !strings.Contains(main, c.says) {
			t.Errorf("%s is %d, want %d with %q: %s", c.path, resp.StatusCode, c.status, c.says, main)
		}
		if found := forPrograms.FindString(text); found != "" {
			t.Errorf("%s says %q: %s", c.path, found, text)
		}
		if c.status == 404 && !strings.Contains(main, `name="keyword"`) {
			t.Errorf("%s has no search box: %s", c.path, main)
		}
		if _, markdown := s.do(t, "GET", c.path, "Accept", "text/markdown"); !strings.Contains(markdown, "- code: ") {
			t.Errorf("%s as Markdown has no code: %s", c.path, markdown)
		}
	}
}

// TestErrorsQuoteTheRequest tests that the page of a search explains what is wrong with a
// parameter in both languages, whatever words and characters its value has, and quotes
// the value as it is.
func TestErrorsQuoteTheRequest(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	values := []string{"field", "token", "id", "ids", "scope", "header", "parameter", "slug", "cursor", "errors", "media type", "UTF-8", "GET", "ETag", "URL", "a_b", "a=b",
		"/x", "w/case", "jane@example.org", "`", `"`, `a "b" c`, `\`, "%s", "%d %q", "%!s(MISSING)", "100 %", "%[2]s", "What? It. No", "or", "„x“", "<b>", "0a1b2c3d-4e5f"}
	for _, c := range []struct{ parameter, english, german string }{
		{"brand", `There is no brand "%s".`, "„%s“ kennen wir hier nicht."},
		{"model", `There is no gear "%s".`, "„%s“ kennen wir hier nicht."},
		{"mount", `There's no mount "%s".`, "„%s“ kennen wir hier nicht."},
		{"fits", `There is no gear "%s".`, "„%s“ kennen wir hier nicht."},
		{"category", `There is no category "%s".`, "„%s“ kennen wir hier nicht."},
		{"condition", `There is no condition "%s".`, "„%s“ kennen wir hier nicht."},
		{"functional", `There is no functional "%s".`, "„%s“ kennen wir hier nicht."},
		{"region", `There is no region "%s".`, "„%s“ kennen wir hier nicht."},
		{"ship_to", `There is no region "%s".`, "„%s“ kennen wir hier nicht."},
		{"sensor", `There is no sensor or film format "%s".`, "„%s“"},
		{"deal", `"%s" isn't a valid deal; allowed values: below.`, "„%s“"},
		{"sort", `"%s" isn't a valid sort; allowed values: relevance, `, "„%s“"},
		{"budget", `"%s" isn't an amount`, "„%s“ ist kein Betrag."},
		{"budget_min", `"%s" isn't an amount`, "„%s“ ist kein Betrag."},
		{"budget_max", `"%s" isn't an amount`, "„%s“ ist kein Betrag."},
		{"focal_min", `"%s" isn't a focal length in millimetres, such as 85.`, "„%s“ ist keine Brennweite"},
		{"equivalent_max", `"%s" isn't a focal length in millimetres, such as 85.`, "„%s“ ist keine Brennweite"},
		{"aperture_max", `"%s" isn't an f-number such as 2.8.`, "„%s“ ist keine Blendenzahl"},
		{"released_min", `"%s" isn't a whole number from `, "„%s“ ist keine ganze Zahl von "},
		{"shutter_max", `"%s" isn't a whole number from 1 to 10000000.`, "„%s“ ist keine ganze Zahl von 1 bis 10000000."},
		{"limit", `"%s" isn't a whole number from 1.`, "„%s“ ist keine ganze Zahl ab 1."},
		{"demo", `"%s" isn't true or false.`, "„%s“"},
	} {
		for _, value := range values {
			if c.parameter == "budget" && strings.ContainsAny(value, "-<") {
				continue // a range: one end of it is quoted
			}
			value += " zzqqx"
			for language, want := range map[string]string{"en": c.english, "de": c.german} {
				want = strings.Replace(want, "%s", value, 1)
				resp, page := s.do(t, "GET", "/listings?"+c.parameter+"="+url.QueryEscape(value), "Accept", "text/html", "Accept-Language", language)
				_, main, _ := strings.Cut(page, `<main id="main"`)
				main, _, _ = strings.Cut(main, "</main>")
				if text := html.UnescapeString(main); resp.StatusCode/100 != 4 || !strings.Contains(text, want) {
					t.Errorf("%s=%s in %s is %d, want %s: %s", c.parameter, value, language, resp.StatusCode, want, text)
				}
			}
		}
	}
}
