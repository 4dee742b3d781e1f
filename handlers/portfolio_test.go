package handlers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/webtest"
	"github.com/secondlight/secondlight/models/portfolio"
	gearviews "github.com/secondlight/secondlight/views/gear"
	portfolioviews "github.com/secondlight/secondlight/views/portfolio"
	"github.com/secondlight/secondlight/views/ui"
	"github.com/secondlight/secondlight/views/viewstest"
)

func (s *testServer) json(t *testing.T, target string, v any) {
	t.Helper()
	resp, body := s.do(t, "GET", target, "Accept", "application/json")
	if err := json.Unmarshal([]byte(body), v); err != nil || resp.StatusCode != 200 {
		t.Fatalf("%s: %d %v %.300s", target, resp.StatusCode, err, body)
	}
}

// TestPortfolioToGearAndBack walks from the portfolio to a photograph, to the
// camera it was taken with, and back, as a reader of each format would.
func TestPortfolioToGearAndBack(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	var all portfolioviews.Portfolio
	s.json(t, "/api/portfolio", &all)
	if all.Total != 15 || len(all.Projects) != 4 || len(all.Facets.Camera) != 2 {
		t.Fatalf("%d photographs in %d projects, %d cameras", all.Total, len(all.Projects), len(all.Facets.Camera))
	}
	var photo portfolioviews.ProjectPhoto
	s.json(t, "/api/portfolio/ridges/first-light", &photo)
	if photo.Camera == nil || photo.Camera.Slug != "canon/eos-r6" || photo.Camera.Median == nil || photo.Camera.ForSale == 0 || photo.Lens == nil || photo.Exposure.Text != "ƒ/11 · 1/60 s · ISO 100 · 15 mm" || photo.Previous != nil || photo.Following == nil {
		t.Fatalf("%+v", photo)
	}
	var gear gearviews.Trend
	s.json(t, "/api/trends/canon/eos-r6", &gear)
	if len(gear.Photos) != 6 || *gear.Summary.Median != *photo.Camera.Median || gear.Active.Count != photo.Camera.ForSale {
		t.Errorf("the gear's page has %d photographs, a median of %v, %d for sale", len(gear.Photos), gear.Summary.Median, gear.Active.Count)
	}
	for _, c := range gear.Photos {
		if c.Label == "" {
			t.Errorf("%s does not say what it is", c.Page)
		}
	}
	for _, walk := range []struct {
		from string
		to   []string
	}{
		{"/portfolio", []string{"/portfolio/ridges", "/portfolio?camera=canon/eos-r6", "/portfolio?focal=21-35", "/kit"}},
		{"/portfolio/ridges", []string{"/portfolio/ridges/first-light", "/portfolio/ridges/last-light"}},
		{"/portfolio/ridges/haze", []string{"/gear/canon/eos-r6", "/gear/canon/rf-35mm-f1-8-macro-is-stm", "/portfolio/ridges/first-light", "/portfolio/ridges/the-pass", "/portfolio/ridges"}},
		{"/gear/canon/eos-r6", []string{"/portfolio/ridges/haze", "/portfolio?camera=canon/eos-r6"}},
		{"/gear/canon/rf-35mm-f1-8-macro-is-stm", []string{"/portfolio/ridges/haze", "/portfolio?lens=canon/rf-35mm-f1-8-macro-is-stm"}},
	} {
		_, html := s.do(t, "GET", walk.from)
		_, md := s.do(t, "GET", walk.from, "Accept", "text/markdown")
		for _, to := range walk.to {
			if !strings.Contains(html, `href="`+to+`"`) {
				t.Errorf("%s does not lead to %s", walk.from, to)
			}
			if !strings.Contains(md, testSite.URL(ui.MarkdownPath(to))) {
				t.Errorf("%s in Markdown does not lead to %s", walk.from, to)
			}
		}
	}
}

// TestPortfolioFormats checks that filtered pages and a photo without camera state
// the same facts in all formats.
func TestPortfolioFormats(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, target := range []string{"/portfolio?camera=canon/eos-r6", "/portfolio?focal=21-35&limit=2", "/portfolio?subject=landscape&tag=night", "/portfolio?subject=plants&camera=canon/eos-r6", "/portfolio?lens=fujifilm/xf-23mm-f2-r-wr&focal=300-", "/portfolio/far-from-home", "/portfolio/far-from-home/nagasaki-boats", "/kit"} {
		_, facts := s.do(t, "GET", target, "Accept", "application/json")
		for _, accept := range []string{"text/html", "text/markdown"} {
			resp, text := s.do(t, "GET", target, "Accept", accept)
			missing, err := viewstest.Missing([]byte(facts), text)
			if err != nil || resp.StatusCode != 200 || len(missing) > 0 {
				t.Errorf("%s as %s: %d, %v, does not state %s", target, accept, resp.StatusCode, err, strings.Join(missing, "; "))
			}
		}
	}
	for target, want := range map[string]string{
		"/api/portfolio?camera=canon/eos-r66":  "Did you mean canon/",
		"/api/portfolio?lens=canon/eos-r6":     "isn't a lens",
		"/api/portfolio?focal=35mm":            "a focal length",
		"/api/portfolio?subject=landscapes":    "Did you mean landscape?",
		"/api/portfolio?tag=weddings":          "Use one of ",
		"/api/portfolio?camra=canon/eos-r6":    "Did you mean `camera`?",
		"/api/portfolio/none":                  "project_not_found",
		"/api/portfolio/none/haze":             "project_not_found",
		"/api/portfolio/ridges/none":           "/portfolio/ridges",
		"/api/portfolio/ridges?cursor=x":       "invalid_cursor",
		"/api/portfolio?focal=21-35&cursor=99": "invalid_cursor",
	} {
		resp, body := s.do(t, "GET", target)
		if resp.StatusCode != 400 && resp.StatusCode != 404 && resp.StatusCode != 422 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s, want %s", target, resp.StatusCode, body, want)
		}
	}
}

// TestPortfolioBySubjectAndTag checks filters and facets against the front matter of the
// demonstration portfolio.
func TestPortfolioBySubjectAndTag(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for query, want := range map[string]int{
		"subject=landscape": 9, "subject=Plants": 2, "subject=animals": 1, "tag=mountains": 9, "tag=Black+and+White": 7, "tag=stars": 2,
		"subject=landscape&tag=public-domain": 1, "subject=landscape&tag=dawn&camera=canon/eos-r6": 1, "subject=plants&tag=night": 0,
	} {
		var found portfolioviews.Portfolio
		s.json(t, "/api/portfolio?"+query, &found)
		if found.Total != want || len(found.Photos) != want {
			t.Errorf("%s finds %d photos (%q), want %d", query, found.Total, found.Title, want)
		}
	}
	var all, night portfolioviews.Portfolio
	s.json(t, "/api/portfolio", &all)
	if first := all.Facets.Subject[0]; first.Value != "landscape" || first.Label != "Landscape" || first.Count != 9 || len(all.Facets.Subject) != 6 {
		t.Errorf("the subjects are %+v", all.Facets.Subject)
	}
	s.json(t, "/api/portfolio?tag=night", &night)
	if len(night.Facets.Subject) != 1 || night.Facets.Subject[0].Count != 3 || len(night.Facets.Tag) != len(all.Facets.Tag) || night.Photos[0].Subject != "Landscape" ||
		night.Title != "Photographs tagged “night”" {
		t.Errorf("tagged night: %+v", night)
	}
}

// TestPortfolioPages reads a project in pages and finds each photograph once.
func TestPortfolioPages(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	seen := map[string]bool{}
	target := "/api/portfolio/ridges?limit=2"
	for range 10 {
		var page portfolioviews.Project
		s.json(t, target, &page)
		for _, c := range page.Photos {
			if seen[c.Page] {
				t.Errorf("%s stands on two pages", c.Page)
			}
			seen[c.Page] = true
		}
		if page.NextCursor == "" {
			break
		}
		target = "/api/portfolio/ridges?limit=2&cursor=" + page.NextCursor
	}
	if len(seen) != 5 {
		t.Errorf("%d photographs", len(seen))
	}
}

func TestPictures(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, photo := range s.library.Portfolio().Photos() {
		for _, size := range photo.Sizes() {
			target := fmt.Sprintf("/photos/%s-%d.jpg", photo.Key, size)
			resp, body := s.do(t, "GET", target)
			img, err := jpeg.DecodeConfig(strings.NewReader(body))
			w, h := photo.In(size)
			if resp.StatusCode != 200 || err != nil || img.Width != w || img.Height != h || resp.Header.Get("Cache-Control") != web.CacheImmutable || resp.Header.Get("Content-Type") != "image/jpeg" {
				t.Errorf("%s: %d %v, %d × %d, want %d × %d", target, resp.StatusCode, err, img.Width, img.Height, w, h)
			}
			webtest.CheckContract(t, target, resp.Header)
			for _, never := range []string{"Exif", "Canon", "FUJIFILM", "Adobe"} {
				if bytes.Contains([]byte(body), []byte(never)) {
					t.Errorf("%s carries %s", target, never)
				}
			}
			if again, _ := s.do(t, "GET", target, "If-None-Match", resp.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
				t.Errorf("%s with its ETag: %d", target, again.StatusCode)
			}
		}
	}
	key := s.library.Portfolio().Photos()[0].Key
	for _, file := range []string{key + "-481.jpg", key + "-0480.jpg", key + "-99999.jpg", "0123456789abcdef-480.jpg", key + ".png", key + "-480.png", "..%2f" + key + "-480.jpg"} {
		if resp, body := s.do(t, "GET", "/photos/"+file); resp.StatusCode != 404 {
			t.Errorf("%s: %d %.100s", file, resp.StatusCode, body)
		}
	}
}

// TestPicturesHaveDimensions checks that every image of the portfolio's pages has a
// width, a height and a placeholder, so that the layout doesn't shift.
func TestPicturesHaveDimensions(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	img := regexp.MustCompile(`<img [^>]*>`)
	for _, target := range []string{"/portfolio", "/portfolio/ridges", "/portfolio/ridges/haze", "/portfolio?camera=canon/eos-r6"} {
		_, html := s.do(t, "GET", target)
		placeholders, pictures := 0, 0
		for _, tag := range img.FindAllString(html, -1) {
			if !strings.Contains(tag, ` width="`) || !strings.Contains(tag, ` height="`) || !strings.Contains(tag, ` alt="`) {
				t.Errorf("%s: %s", target, tag)
			}
			if strings.Contains(tag, "data:image/png") {
				placeholders++
			} else {
				pictures++
			}
		}
		if placeholders == 0 || placeholders != pictures {
			t.Errorf("%s has %d pictures and %d placeholders", target, pictures, placeholders)
		}
	}
}

// TestKit checks the total value of the kit.
func TestKit(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	var kit portfolioviews.Kit
	s.json(t, "/api/kit", &kit)
	sum := 0.0
	for _, item := range kit.Items {
		var value float64
		if item.Value != nil {
			if _, err := fmt.Sscan(item.Value.Amount, &value); err != nil {
				t.Fatal(err)
			}
		}
		sum += value
	}
	if len(kit.Items) != 8 || kit.Worth == nil || fmt.Sprintf("%.2f", sum) != kit.Worth.Amount || !strings.HasPrefix(kit.Notice, "Demonstration") {
		t.Errorf("%d items, worth %v, the sum is %.2f", len(kit.Items), kit.Worth, sum)
	}
}

// TestEmptyPortfolio tests a site without photos.
func TestEmptyPortfolio(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Config){
		"none":  func(c *Config) { c.Library = nil },
		"empty": func(c *Config) { c.Library = emptyLibrary(t, c) },
	} {
		s := newTestServer(t, change)
		for _, target := range []string{"/portfolio", "/kit", "/portfolio?camera=canon/eos-r6", "/gear/canon/eos-r6"} {
			for _, accept := range []string{"text/html", "text/markdown", "application/json"} {
				if resp, body := s.do(t, "GET", target, "Accept", accept); resp.StatusCode != 200 || strings.Contains(body, ":null,") && strings.Contains(body, `"photos":null`) {
					t.Errorf("%s: %s as %s: %d %.200s", name, target, accept, resp.StatusCode, body)
				}
			}
		}
		if resp, _ := s.do(t, "GET", "/photos/0123456789abcdef-480.jpg"); resp.StatusCode != 404 {
			t.Errorf("%s: a picture: %d", name, resp.StatusCode)
		}
	}
}

func emptyLibrary(t *testing.T, c *Config) *portfolio.Library {
	return portfolio.Open(fstest.MapFS{}, c.Catalog, t.TempDir(), quiet(*c).Log)
}
