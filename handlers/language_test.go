package handlers

import (
	"strings"
	"testing"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// languageOf returns the language of an HTML document.
func languageOf(t *testing.T, document string) string {
	t.Helper()
	_, rest, ok := strings.Cut(document, `<html lang="`)
	code, _, ended := strings.Cut(rest, `"`)
	if !ok || !ended {
		t.Fatalf("no language in %.200s", document)
	}
	return code
}

func TestLanguageIsNegotiated(t *testing.T) {
	s := newMarketServer(t)
	for _, c := range []struct{ accept, cookie, want string }{
		{"", "", "en"},
		{"de", "", "de"},
		{"de-AT,de;q=0.9,en;q=0.5", "", "de"},
		{"gsw-CH", "", "de"},
		{"en-US,en;q=0.9,de;q=0.8", "", "en"},
		{"en;q=0.3,de;q=0.8", "", "de"},
		{"fr,de;q=0.1", "", "de"},
		{"de;q=0,en", "", "en"},
		{"fr", "", "en"},
		{"*", "", "en"},
		{"no language at all;;q=x", "", "en"},
		{"de," + strings.Repeat("x-y,", 100), "", "en"}, // too long to parse
		{"en", "language=de", "de"},
		{"de", "theme=dark; language=en", "en"},
		{"de", "language=xx", "de"},
	} {
		header := []string{"Accept", "text/html"}
		if c.accept != "" {
			header = append(header, "Accept-Language", c.accept)
		}
		if c.cookie != "" {
			header = append(header, "Cookie", c.cookie)
		}
		for range 3 { // from the cache, too
			resp, body := s.do(t, "GET", "/gear", header...)
			if got := languageOf(t, body); got != c.want || resp.Header.Get("Content-Language") != c.want {
				t.Errorf("Accept-Language %q, Cookie %q: %s, Content-Language %s, want %s", c.accept, c.cookie, got, resp.Header.Get("Content-Language"), c.want)
			}
		}
	}
}

// TestFilesAreInTheReadersLanguage tests charts, which people read as files too.
func TestFilesAreInTheReadersLanguage(t *testing.T) {
	s := newMarketServer(t)
	for address, german := range map[string]string{"/gear/canon/eos-r6.svg": "Verkaufspreise", "/prices/charts/kinds.svg": "Preise nach Kategorie"} {
		for range 2 { // from the cache, too
			if resp, body := s.do(t, "GET", address, "Accept-Language", "de"); !strings.Contains(body, german) || resp.Header.Get("Content-Language") != "de" {
				t.Errorf("%s is not in German: %.300s", address, body)
			}
			if _, body := s.do(t, "GET", address); strings.Contains(body, german) {
				t.Errorf("%s is in German for everybody", address)
			}
		}
	}
}

func TestSiteHasADefaultLanguage(t *testing.T) {
	s := newMarketServer(t, func(cfg *Config) {
		cfg.Site.Defaults.Languages = []*languages.Language{languages.German, languages.English}
	})
	for accept, want := range map[string]string{"fr": "de", "en": "en", "": "de"} {
		if _, body := s.do(t, "GET", "/", "Accept", "text/html", "Accept-Language", accept); languageOf(t, body) != want {
			t.Errorf("Accept-Language %q: %s, want %s", accept, languageOf(t, body), want)
		}
	}
	if _, body := s.do(t, "GET", "/api/gear", "Accept", "application/json"); strings.Contains(body, "Kameras") {
		t.Errorf("JSON is in German: %.200s", body)
	}
}

func TestVaryNamesTheLanguageWhereItMatters(t *testing.T) {
	s := newMarketServer(t)
	for _, c := range []struct {
		path     string
		language bool
	}{
		{"/", true}, {"/listings", true}, {"/gear.md", true}, {"/no-such-page", true},
		{"/gear.json", false}, {"/api/gear", false}, {"/openapi.json", false}, {"/static/site.js", false},
	} {
		resp, _ := s.do(t, "GET", c.path, "Accept-Language", "de")
		vary, of := resp.Header.Get("Vary"), resp.Header.Get("Content-Language")
		if strings.Contains(vary, "Accept-Language") != c.language || strings.Contains(vary, "Accept-Language") && !strings.Contains(vary, "Cookie") || (of == "de") != c.language {
			t.Errorf("%s: Vary %q, Content-Language %q", c.path, vary, of)
		}
	}
}

func TestJSONIsTheSameInEveryLanguage(t *testing.T) {
	s := newMarketServer(t)
	for _, path := range []string{"/api/listings/search?keyword=r6", "/api/gear", "/listings.json", "/api/listings/unknown"} {
		_, english := s.do(t, "GET", path, "Accept-Language", "en")
		_, german := s.do(t, "GET", path, "Accept-Language", "de")
		if withoutRequestID(english) != withoutRequestID(german) {
			t.Errorf("%s differs:\n%s\n%s", path, english, german)
		}
	}
}

func TestCacheKeepsLanguagesApart(t *testing.T) {
	s := newMarketServer(t)
	for _, path := range []string{"/", "/listings?keyword=r6", "/gear"} {
		texts := map[string]string{}
		for range 4 {
			for _, code := range []string{"en", "de"} {
				_, body := s.do(t, "GET", path, "Accept-Language", code)
				if texts[code] == "" {
					texts[code] = body
				} else if texts[code] != body {
					t.Errorf("%s in %s changes", path, code)
				}
			}
		}
		if texts["en"] == texts["de"] {
			t.Errorf("%s is the same in both languages", path)
		}
	}
}

func TestMemberGetsLinksInTheLanguageOfThePage(t *testing.T) {
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	for range 3 {
		_, body := s.do(t, "GET", "/gear", "Cookie", ann.cookie+"; language=de", "Accept", "text/html")
		if !strings.Contains(body, `href="/account"`) || !strings.Contains(body, ">Verkaufen<") || strings.Contains(body, ">Anmelden<") {
			t.Fatalf("the links of a member are missing or not German")
		}
	}
}

func TestSwitchingTheLanguage(t *testing.T) {
	s := newMarketServer(t)
	_, page := s.do(t, "GET", "/gear?keyword=r6", "Accept", "text/html")
	if !strings.Contains(page, `action="/language"`) || !strings.Contains(page, `lang="de">Deutsch</button>`) {
		t.Fatal("the page has no form that chooses the language")
	}
	form := []string{"Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html", "Sec-Fetch-Site", "same-origin"}
	resp, _ := s.send(t, "POST", "/language", "language=de&next=%2Fgear%3Fkeyword%3Dr6", form...)
	cookie := resp.Header.Get("Set-Cookie")
	if resp.StatusCode != 303 || resp.Header.Get("Location") != "/gear?keyword=r6" || !strings.HasPrefix(cookie, "language=de;") {
		t.Fatalf("status %d, Location %q, Set-Cookie %q", resp.StatusCode, resp.Header.Get("Location"), cookie)
	}
	chosen, _, _ := strings.Cut(cookie, ";")
	if _, body := s.do(t, "GET", "/gear", "Accept", "text/html", "Accept-Language", "en", "Cookie", chosen); languageOf(t, body) != "de" {
		t.Error("the choice does not last")
	}
	for _, body := range []string{"language=xx&next=/", "next=/", "language=de%00"} {
		if resp, _ := s.send(t, "POST", "/language", body, form...); resp.StatusCode != 400 || resp.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s is %d", body, resp.StatusCode)
		}
	}
	if resp, _ := s.send(t, "POST", "/language", "language=de&next=https://elsewhere.example/", form...); strings.Contains(resp.Header.Get("Location"), "elsewhere") {
		t.Errorf("redirects to another site: %s", resp.Header.Get("Location"))
	}
	if resp, _ := s.send(t, "POST", "/language", "language=de&next=/", "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "cross-site"); resp.StatusCode != 403 {
		t.Errorf("another site can choose the language: %d", resp.StatusCode)
	}
}

func TestLanguageOfAMemberIsStored(t *testing.T) {
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	if resp, _ := ann.post(t, "/language", "language=de&next=/account"); resp.StatusCode != 303 {
		t.Fatalf("status %d", resp.StatusCode)
	}
	if body := ann.read(t, "/account"); languageOf(t, body) != "de" {
		t.Error("the member's other browsers are not German")
	}
	for accept, want := range map[string]string{"en-GB": "en", "fr": "de"} {
		if _, body := s.do(t, "GET", "/account", "Cookie", ann.cookie, "Accept", "text/html", "Accept-Language", accept); languageOf(t, body) != want {
			t.Errorf("a browser that asks for %s gets %s", accept, languageOf(t, body))
		}
	}
	account, err := s.store.Accounts.Account(t.Context(), ann.ID)
	if err != nil || account.Language != "de" {
		t.Errorf("stored %q: %v", account.Language, err)
	}
}
