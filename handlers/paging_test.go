package handlers

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

var nextLink = regexp.MustCompile(`<([^>]*)>; rel="next"`)

// TestNextLinks reads lists to their ends by Link: rel="next" and expects every entry
// once, in pages of the limit of the first request.
func TestNextLinks(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for target, key := range map[string]string{
		"/api/gear?keyword=canon+50mm&limit=7":                     "gear",
		"/api/gear/leica?limit=40":                                 "gear",
		"/gear/pentax.json?limit=90":                               "gear",
		"/api/portfolio?tag=mountains&limit=2":                     "photos",
		"/api/portfolio/ridges?limit=2":                            "photos",
		"/api/listings/search?keyword=leica+m6&limit=3&sort=price": "listings",
	} {
		limit := target[strings.Index(target, "limit="):]
		limit, _, _ = strings.Cut(limit, "&")
		seen, total, pages := map[string]bool{}, 0, 0
		for at := target; at != ""; pages++ {
			resp, body := s.do(t, "GET", at, "Accept", "application/json")
			var page map[string]json.RawMessage
			var entries []json.RawMessage
			if err := json.Unmarshal([]byte(body), &page); err != nil || resp.StatusCode != 200 {
				t.Fatalf("%s: %d %v %.200s", at, resp.StatusCode, err, body)
			}
			must(json.Unmarshal(page[key], &entries))
			must(json.Unmarshal(page["total"], &total))
			for _, e := range entries {
				seen[string(e)] = true
			}
			at = ""
			if next := nextLink.FindStringSubmatch(resp.Header.Get("Link")); next != nil {
				at = next[1]
				if !strings.Contains(at, limit) {
					t.Fatalf("the next page of %s is %s, without %s", target, at, limit)
				}
			}
			if (at == "") != (page["next_cursor"] == nil) {
				t.Fatalf("a page of %s has the cursor %s and the next page %q", target, page["next_cursor"], at)
			}
		}
		if len(seen) != total || pages < 2 {
			t.Errorf("%s: %d of %d entries on %d pages", target, len(seen), total, pages)
		}
	}
	for page, want := range map[string]string{
		"/gear?keyword=canon&limit=5":          `/gear?keyword=canon&amp;limit=5&amp;cursor=5`,
		"/gear/canon?limit=5":                  `/gear/canon?limit=5&amp;cursor=`,
		"/gear/canon":                          `/gear/canon?cursor=`,
		"/portfolio/ridges?limit=2":            `/portfolio/ridges?limit=2&amp;cursor=2`,
		"/portfolio?subject=landscape&limit=2": `/portfolio?subject=landscape&amp;limit=2&amp;cursor=2`,
	} {
		if _, html := s.do(t, "GET", page, "Accept", "text/html"); !strings.Contains(html, `href="`+want) {
			t.Errorf("%s does not lead to %s", page, want)
		}
	}
}

// TestUpperCaseSlugsRedirect tests that addresses with upper-case letters lead to those
// in lower case, on pages and in the API.
func TestUpperCaseSlugsRedirect(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for target, want := range map[string]string{
		"/gear/Canon":                    "/gear/canon",
		"/gear/Canon/EOS-R6.md":          "/gear/canon/eos-r6.md",
		"/api/gear/LEICA?limit=2":        "/api/gear/leica?limit=2",
		"/api/trends/Canon/EOS-R6":       "/api/trends/canon/eos-r6",
		"/portfolio/Ridges/Haze?utm_x=Y": "/portfolio/ridges/haze?utm_x=Y",
		"/guides/Condition-Grades":       "/guides/condition-grades",
	} {
		resp, _ := s.do(t, "GET", target)
		if resp.StatusCode != 308 || resp.Header.Get("Location") != want {
			t.Errorf("%s is %d to %q, want %s", target, resp.StatusCode, resp.Header.Get("Location"), want)
		}
		if resp, _ := s.do(t, "GET", want); resp.StatusCode != 200 {
			t.Errorf("%s is %d", want, resp.StatusCode)
		}
	}
}

// TestFacetsLeadToTheAPI follows the facets of lists: href returns JSON with as many
// entries as the facet counts, whatever the client accepts, and page returns HTML.
func TestFacetsLeadToTheAPI(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, target := range []string{"/api/listings/search?keyword=leica&category=camera", "/api/portfolio"} {
		var list struct {
			Facets map[string][]struct {
				Value, Href, Page string
				Count             int
				Active            bool
			}
		}
		s.json(t, target, &list)
		for name, facets := range list.Facets {
			for _, f := range facets[:min(len(facets), 2)] {
				var found struct{ Total int }
				resp, body := s.do(t, "GET", f.Href, "Accept", "*/*")
				if err := json.Unmarshal([]byte(body), &found); err != nil || !f.Active && found.Total != f.Count {
					t.Errorf("%s %s leads to %s: %d, %d entries, want %d", name, f.Value, f.Href, resp.StatusCode, found.Total, f.Count)
				}
				if resp, _ := s.do(t, "GET", f.Page, "Accept", "*/*"); resp.StatusCode != 200 || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
					t.Errorf("%s %s has the page %s, which is %d as %s", name, f.Value, f.Page, resp.StatusCode, resp.Header.Get("Content-Type"))
				}
			}
		}
	}
}
