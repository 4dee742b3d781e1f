package handlers

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/text"
	"github.com/secondlight/secondlight/static"
)

// TestWebManifest checks the web app manifest, and that its icons are served.
func TestWebManifest(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) {
		c.Site.Defaults.Name, c.Site.Defaults.Languages = "Foto Ecke", []*languages.Language{languages.German, languages.English}
	})
	resp, body := s.do(t, "GET", "/manifest.webmanifest")
	if got := resp.Header.Get("Content-Type"); got != "application/manifest+json" {
		t.Errorf("its type is %s", got)
	}
	var manifest struct {
		Name, Lang string
		ThemeColor string `json:"theme_color"`
		StartURL   string `json:"start_url"`
		Icons      []struct{ Src, Sizes, Purpose string }
		Shortcuts  []struct{ Name, URL string }
	}
	if err := json.Unmarshal([]byte(body), &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Name != "Foto Ecke" || manifest.StartURL != "/" || len(manifest.Icons) != 3 || len(manifest.Shortcuts) == 0 {
		t.Errorf("the manifest is %s", body)
	}
	if manifest.Lang != "de" || manifest.Shortcuts[0].Name != "Alle Anzeigen" {
		t.Errorf("it is not in the first language of the site: %s", body)
	}
	for _, icon := range manifest.Icons {
		if resp, _ := s.do(t, "GET", icon.Src); resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "image/png" {
			t.Errorf("%s is %d", icon.Src, resp.StatusCode)
		}
	}
	sheet, _ := static.ByName("site.css")
	if !strings.Contains(string(sheet.Body), "--paper:"+manifest.ThemeColor) {
		t.Errorf("pages do not have the background %s", manifest.ThemeColor)
	}
}

// TestServiceWorker checks that the service worker stores files that exist, and that its
// version changes with the offline page.
func TestServiceWorker(t *testing.T) {
	t.Parallel()
	release := regexp.MustCompile(`^const release = (\{.*\})\n`)
	versions := map[string]bool{}
	for _, name := range []string{"Foto Ecke", "Kamera"} {
		s := newTestServer(t, func(c *Config) { c.Site.Defaults.Name = name })
		resp, body := s.do(t, "GET", "/service-worker.js")
		if got := resp.Header.Get("Content-Type"); !strings.HasPrefix(got, "text/javascript") || resp.Header.Get("Cache-Control") == "" || strings.Contains(resp.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("its type is %s, caching %s", got, resp.Header.Get("Cache-Control"))
		}
		m := release.FindStringSubmatch(body)
		if m == nil {
			t.Fatalf("it begins with %.100s", body)
		}
		var of struct {
			Version string
			Files   []string
		}
		if err := json.Unmarshal([]byte(m[1]), &of); err != nil {
			t.Fatal(err)
		}
		for _, path := range of.Files {
			if resp, _ := s.do(t, "GET", path, "Accept", "*/*"); resp.StatusCode != 200 || strings.HasPrefix(resp.Header.Get("Cache-Control"), "private") {
				t.Errorf("%s is %d, %s", path, resp.StatusCode, resp.Header.Get("Cache-Control"))
			}
		}
		_, page := s.do(t, "GET", text.OfflinePage)
		for _, needed := range regexp.MustCompile(`/static/[^"]+\.(?:css|js|woff2)`).FindAllString(page, -1) {
			if !strings.Contains(m[1], `"`+needed+`"`) {
				t.Errorf("%s needs %s, which is not stored", text.OfflinePage, needed)
			}
		}
		versions[of.Version] = true
	}
	if len(versions) != 2 {
		t.Errorf("two sites have the versions %v", versions)
	}
}
