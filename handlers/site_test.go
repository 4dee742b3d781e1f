package handlers

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/admin"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// TestEditSite tests that settings apply at once, in all formats, and that bad ones are
// refused with a hint.
func TestEditSite(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	op := s.join(t, "the-operator", models.RoleOperator)
	edited := op.ask(t, "PATCH", "/api/admin/site", `{"version":0,"name":"Foto Ecke","tagline":"Leica, serviced","accent":"#1f5fae","fonts":"sans",
		"header_links":["Prints | /journal"],"footer_links":["Instagram | https://instagram.example/ada"],"home_sections":["newest","hero"],"fees_note":"Prices <b>include</b> VAT.","languages":["de","en"]}`, 200)
	if edited["version"] != 1.0 || edited["name"] != "Foto Ecke" {
		t.Fatalf("answered %v", edited)
	}
	_, home := s.do(t, "GET", "/", "Accept", "text/html")
	for _, want := range []string{`<html lang="de">`, "Foto Ecke", "Leica, serviced", `href="/journal">Prints`, "https://instagram.example/ada", "/brand/"} {
		if !strings.Contains(home, want) {
			t.Errorf("the home page lacks %s", want)
		}
	}
	if strings.Contains(home, "sort=deal") || strings.Index(home, `id="newest"`) > strings.Index(home, `class="hero"`) && strings.Contains(home, `id="newest"`) {
		t.Error("the sections of the home page are not those that are set")
	}
	style := home[strings.Index(home, "/brand/"):]
	style = style[:strings.IndexByte(style, '"')]
	if resp, css := s.do(t, "GET", style); resp.StatusCode != 200 || !strings.Contains(css, "--safelight:#1f5fae") || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/css") {
		t.Errorf("%s is %d: %s", style, resp.StatusCode, css)
	}
	if _, fees := s.do(t, "GET", "/fees", "Accept", "text/html"); strings.Contains(fees, "<b>include") || !strings.Contains(fees, "include") {
		t.Error("the note about fees is missing, or markup")
	}
	for body, code := range map[string]string{
		`{"version":0,"name":"Late"}`:                       "site_changed",
		`{"version":1,"accent":"#ffcc00"}`:                  "invalid_parameter",
		`{"version":1,"accent":"red;}body{display:none}"}`:  "invalid_parameter",
		`{"version":1,"header_links":["x | javascript:1"]}`: "invalid_parameter",
	} {
		resp, text := s.send(t, "PATCH", "/api/admin/site", body, "Authorization", "Bearer "+op.token, "Content-Type", "application/json")
		if resp.StatusCode < 400 || !strings.Contains(text, code) {
			t.Errorf("%s is %d: %s", body, resp.StatusCode, text)
		}
	}
	if audit := op.ask(t, "GET", "/api/audit", "", 200); !strings.Contains(fmt.Sprint(audit), "edit_site") {
		t.Errorf("the audit log is %v", audit)
	}
}

// TestRename tests that no document keeps the old name of the site.
func TestRename(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	op := s.join(t, "the-operator", models.RoleOperator)
	texts := func() (all []string) {
		for _, path := range []string{"/", "/developers", "/openapi.json", "/openapi-health.json", "/agent.txt", "/llms.txt", "/manifest.webmanifest", "/opensearch.xml", "/robots.txt", "/.well-known/oauth-protected-resource", "/api/mcp/server-card"} {
			_, text := s.do(t, "GET", path)
			all = append(all, path+": "+text)
		}
		_, text := s.send(t, "POST", "/api/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
			"Content-Type", "application/json", "Accept", "application/json, text/event-stream")
		all = append(all, "initialize: "+text)
		resp, _ := s.do(t, "GET", "/api/me")
		return append(all, "challenge: "+resp.Header.Get("WWW-Authenticate"))
	}
	texts() // now they are cached
	op.ask(t, "PATCH", "/api/admin/site", `{"version":0,"name":"Foto Ecke"}`, 200)
	for _, text := range texts() {
		if !strings.Contains(text, "Foto Ecke") {
			t.Errorf("the new name is missing in %.600s", text)
		}
	}
}

// TestPurpose tests that the pages of the other half are not found, and listed nowhere.
func TestPurpose(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newMarketServer(t)
	op := s.join(t, "the-operator", models.RoleOperator)
	for version, c := range []struct{ purpose, gone, there string }{
		{"shop", "/portfolio /portfolio.json /api/portfolio /kit", "/listings /gear"},
		{"portfolio", "/listings /api/listings/search /gear /gear/canon/eos-r6 /sell /prices", "/portfolio /journal"},
		{"portfolio_and_shop", "", "/portfolio /listings"},
	} {
		op.ask(t, "PATCH", "/api/admin/site", fmt.Sprintf(`{"version":%d,"purpose":%q}`, version, c.purpose), 200)
		for path := range strings.FieldsSeq(c.gone) {
			if resp, _ := s.do(t, "GET", path); resp.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %s is %d", c.purpose, path, resp.StatusCode)
			}
		}
		for path := range strings.FieldsSeq(c.there) {
			if resp, _ := s.do(t, "GET", path); resp.StatusCode != http.StatusOK {
				t.Errorf("%s: %s is %d", c.purpose, path, resp.StatusCode)
			}
		}
		gone, _, _ := strings.Cut(c.gone, " ")
		for _, document := range []string{"/", "/sitemap.xml", "/llms.txt", "/agent.txt", "/openapi.json"} {
			if _, text := s.do(t, "GET", document); gone != "" && (strings.Contains(text, s.site.BaseURL+gone) || strings.Contains(text, `href="`+gone+`"`) || strings.Contains(text, `"/api`+gone+`/search":`)) {
				t.Errorf("%s: %s names %s: %s", c.purpose, document, gone, around(text, gone))
			}
		}
	}
}

// TestSitePictures tests that a logo is decoded and encoded again, and that SVG and other
// files are refused.
func TestSitePictures(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	op := s.join(t, "the-operator", models.RoleOperator)
	send := func(file []byte, status int) map[string]any {
		return op.ask(t, "POST", "/api/admin/site/pictures", `{"kind":"logo","picture":["`+base64.StdEncoding.EncodeToString(file)+`"]}`, status)
	}
	path, _ := send(picturetest.JPEG(t, 1200, 300), 200)["logo"].(string)
	if !strings.HasSuffix(path, "-480x120.png") {
		t.Fatalf("the logo is at %q", path)
	}
	if resp, body := s.do(t, "GET", path); resp.StatusCode != 200 || !strings.HasPrefix(body, "\x89PNG") {
		t.Errorf("%s is %d", path, resp.StatusCode)
	}
	if _, home := s.do(t, "GET", "/", "Accept", "text/html"); !strings.Contains(home, `src="`+path+`" alt="Secondlight" width="160" height="40"`) {
		t.Error("the home page lacks the logo")
	}
	send([]byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>`), 400)
	send([]byte("GIF89a"), 400)
	if logo, _ := op.ask(t, "POST", "/api/admin/site/pictures", `{"kind":"logo"}`, 200)["logo"].(string); logo != "" {
		t.Errorf("the logo is still %q", logo)
	}
	if picture, err := s.store.Site.SitePicture(context.Background(), strings.TrimSuffix(strings.TrimPrefix(path, "/brand/"), ".png")); err != nil || picture == nil {
		t.Errorf("pictures that pages in caches show are gone: %v", err)
	}
}

// around returns the text around the first mention of a path.
func around(text, path string) string {
	i := strings.Index(text, path+`"`)
	if i < 0 {
		return ""
	}
	return text[max(0, i-80):min(len(text), i+80)]
}

// TestThemes tests that a theme is previewed for operators alone, and chosen.
func TestThemes(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	op := s.join(t, "the-operator", models.RoleOperator)
	_, before := s.do(t, "GET", "/", "Accept", "text/html")
	resp, preview := s.do(t, "GET", admin.AdminSitePage+"/preview?theme=darkroom&light=dark", "Accept", "text/html", "Authorization", "Bearer "+op.token)
	at := strings.Index(preview, "/brand/")
	if resp.StatusCode != http.StatusOK || at < 0 || !strings.Contains(preview, `data-theme="dark"`) || !strings.Contains(preview, "Film, glass") {
		t.Fatalf("the preview is %d", resp.StatusCode)
	}
	path := preview[at : at+strings.IndexByte(preview[at:], '"')]
	if resp, css := s.do(t, "GET", path); resp.StatusCode != http.StatusOK || !strings.Contains(css, "--paper:#0b0908") {
		t.Errorf("%s is %d: %s", path, resp.StatusCode, css)
	}
	if resp, _ := s.do(t, "GET", admin.AdminSitePage+"/preview?theme=darkroom"); resp.StatusCode == http.StatusOK {
		t.Error("everybody sees the preview")
	}
	if _, after := s.do(t, "GET", "/", "Accept", "text/html"); strings.Contains(before+after, "/brand/") {
		t.Error("the preview changes the site")
	}
	if edited := op.ask(t, "PATCH", "/api/admin/site", `{"version":0,"theme":"darkroom"}`, 200); edited["theme"] != "darkroom" {
		t.Errorf("answered %v", edited)
	}
	if _, home := s.do(t, "GET", "/", "Accept", "text/html"); !strings.Contains(home, path) || !strings.Contains(home, "Film, glass") {
		t.Error("the theme is not used")
	}
	if _, page := s.do(t, "GET", "/", "Accept", "text/html"); !strings.Contains(page, `content="#1c1715"`) || !strings.Contains(page, `content="#0b0908"`) {
		t.Error("the bars of browsers don't have the colour of the theme")
	}
	if _, manifest := s.do(t, "GET", "/manifest.webmanifest"); !strings.Contains(manifest, "#1c1715") {
		t.Errorf("the manifest doesn't have the colour of the theme: %s", manifest)
	}
	op.ask(t, "PATCH", "/api/admin/site", `{"version":1,"theme":"nonsense"}`, 400)
	op.ask(t, "PATCH", "/api/admin/site", `{"version":1,"accent":"#c02f0c"}`, 400) // unreadable in the darkroom
}
