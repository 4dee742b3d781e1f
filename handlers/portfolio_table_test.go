package handlers

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/portfolio"
)

// TestSeveralPhotos tests that texts, visibility, place and order of several photographs are
// changed at once, and that visitors get nothing of hidden ones in any format.
func TestSeveralPhotos(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := newMarketServer(t, func(c *Config) {
		c.DataDir = folder
		c.Library = portfolio.Open(os.DirFS(folder), c.Catalog, filepath.Join(folder, "photos"), c.Log)
	})
	owner := s.join(t, "owner-of-many", models.RoleOperator)
	owner.ask(t, "POST", "/api/admin/portfolio", `{"title":"Iceland"}`, 201)
	data, err := os.ReadFile("../content/portfolio/forms-of-life/acanthus-mollis.jpg")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"photo-1.jpg", "photo-10.jpg", "photo-2.jpg", "Photo-3.jpg"}
	for i, name := range names {
		picture := append(append([]byte{}, data[:2]...), append([]byte{0xff, 0xfe, 0, 3, byte('a' + i)}, data[2:]...)...)
		if err := os.WriteFile(filepath.Join(folder, "portfolio", "iceland", name), picture, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.library.Reload()
	change := func(body, want string) map[string]any {
		t.Helper()
		page := owner.ask(t, "PATCH", "/api/admin/portfolio/iceland/photos", body, 200)
		var files []string
		for _, photo := range page["photos"].([]any) {
			files = append(files, strings.TrimSuffix(photo.(map[string]any)["file"].(string), ".jpg"))
		}
		if got := strings.Join(files, " "); got != want {
			t.Errorf("after %s the order is %s, want %s", body, got, want)
		}
		return page
	}
	change(`{"sort":"name"}`, "photo-1 photo-2 Photo-3 photo-10")
	change(`{"photos":["photo-1.jpg","Photo-3.jpg"],"position":3}`, "photo-2 photo-10 photo-1 Photo-3")
	change(`{"photos":["photo-1.jpg"],"position":9}`, "photo-2 photo-10 Photo-3 photo-1")
	page := change(`{"photos":["photo-2.jpg","photo-10.jpg"],"location":"Skógar","hidden":true}`, "photo-2 photo-10 Photo-3 photo-1")
	for i, photo := range page["photos"].([]any) {
		if p := photo.(map[string]any); (p["location"] == "Skógar") != (i < 2) || (p["hidden"] == true) != (i < 2) {
			t.Errorf("%v", p)
		}
	}
	owner.ask(t, "PATCH", "/api/admin/portfolio/iceland/photos", `{"photos":["none.jpg"],"title":"x"}`, 404)
	owner.ask(t, "PUT", "/api/admin/portfolio/iceland", `{"title":"Iceland","visibility":"public"}`, 200)

	var keys []string
	for _, photo := range owner.ask(t, "GET", "/api/admin/portfolio/iceland", "", 200)["photos"].([]any) {
		if p := photo.(map[string]any); p["hidden"] == true {
			src := p["photo"].(map[string]any)["src"].(string)
			keys = append(keys, src[strings.LastIndex(src, "/")+1:][:16])
		}
	}
	if len(keys) != 2 {
		t.Fatalf("hidden photographs %v", keys)
	}
	for _, path := range []string{"/portfolio/iceland", "/portfolio/iceland.md", "/portfolio/iceland.json", "/api/portfolio/iceland", "/portfolio", "/portfolio.atom", "/portfolio.json", "/", "/sitemap.xml", "/sitemap-portfolio.xml", "/portfolio/iceland/photo-1", "/portfolio/iceland/photo-3"} {
		for _, accept := range []string{"text/html", "*/*"} {
			_, body := s.do(t, "GET", path, "Accept", accept)
			for _, leaked := range append([]string{"photo-2", "photo-10", "Skógar"}, keys...) {
				if strings.Contains(body, leaked) {
					t.Errorf("%s has %s", path, leaked)
				}
			}
		}
	}
	for _, path := range []string{"/portfolio/iceland/photo-2", "/api/portfolio/iceland/photo-10", fmt.Sprintf("/photos/%s-480.jpg", keys[0])} {
		if resp, _ := s.do(t, "GET", path); resp.StatusCode != 404 {
			t.Errorf("%s is %d", path, resp.StatusCode)
		}
	}
}

// TestPortfolioAlone tests that a portfolio without a shop says nothing of one, in every layout
// of its home page.
func TestPortfolioAlone(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t, func(c *Config) { c.Library = portfolio.Open(testPortfolio(), c.Catalog, t.TempDir(), c.Log) })
	op := s.join(t, "photographer", models.RoleOperator)
	for i, layout := range models.HomeLayouts {
		op.ask(t, "PATCH", "/api/admin/site", fmt.Sprintf(`{"version":%d,"purpose":"portfolio","owner":"Mara Vogt","home_layout":%q,"home_sections":["hero","projects","photographs","journal","text","quote"],"home_text":"I photograph **coasts**.","home_quote":"Quiet pictures."}`, i, layout), 200)
		_, home := s.do(t, "GET", "/", "Accept", "text/html")
		for _, want := range []string{fmt.Sprintf("data-layout=%q", layout), "<strong>coasts</strong>", "Quiet pictures.", `href="/portfolio/ridges"`, `href="/portfolio/ridges/first-light"`, "/photos/"} {
			if !strings.Contains(home, want) {
				t.Errorf("the %s home page lacks %s", layout, want)
			}
		}
		_, markdown := s.do(t, "GET", "/", "Accept", "text/markdown")
		for _, want := range []string{"**coasts**", "> Quiet pictures.", "## Projects", "## Newest photographs"} {
			if !strings.Contains(markdown, want) {
				t.Errorf("the %s home page as Markdown lacks %s:\n%s", layout, want, markdown)
			}
		}
	}
	for _, path := range []string{"/", "/portfolio", "/portfolio?camera=canon/eos-r6", "/portfolio/ridges", "/portfolio/ridges/first-light", "/journal", "/contact"} {
		_, body := s.do(t, "GET", path, "Accept", "text/html")
		for _, wrong := range []string{"completed sales", "Lensfun", `href="/developers"`, `href="/gear`, `href="/listings`, `href="/prices`, `href="/sell"`, `href="/compare`, `href="/terms"`} {
			if strings.Contains(body, wrong) {
				t.Errorf("%s has %s", path, wrong)
			}
		}
		foot := body[strings.Index(body, "<footer"):]
		for _, want := range []string{"Mara Vogt", `href="/imprint"`, `href="/privacy"`, "application/atom+xml"} {
			if !strings.Contains(foot, want) {
				t.Errorf("the footer of %s lacks %s", path, want)
			}
		}
	}
}
