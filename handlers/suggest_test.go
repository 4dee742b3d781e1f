package handlers

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	searchviews "github.com/secondlight/secondlight/views/search"
)

// suggestions returns the response of /api/suggest.
func suggestions(t *testing.T, s *testServer, typed string) (p searchviews.Suggestions) {
	t.Helper()
	resp, body := s.do(t, "GET", "/api/suggest?q="+url.QueryEscape(typed))
	if resp.StatusCode != 200 {
		t.Fatalf("%q: %d %s", typed, resp.StatusCode, body)
	}
	if len(body) > 3000 {
		t.Errorf("%q: %d bytes", typed, len(body))
	}
	must(json.Unmarshal([]byte(body), &p))
	return p
}

// TestSuggestionsLeadToTheirListings follows every suggestion, and compares its number
// of listings with that of the search.
func TestSuggestionsLeadToTheirListings(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for typed, first := range map[string]string{"canon": "brand canon", "canon eos r6": "gear canon/eos-r6", "lens": "category lens", "nifty fi": "", "macr": "category lens_macro", "α7 iii": "gear sony/alpha-7-iii"} {
		p := suggestions(t, s, typed)
		if len(p.Suggestions) == 0 || len(p.Suggestions) > 8 {
			t.Fatalf("%q: %d suggestions", typed, len(p.Suggestions))
		}
		if got := p.Suggestions[0].Kind + " " + p.Suggestions[0].Value; first != "" && got != first {
			t.Errorf("%q suggests %s first, want %s", typed, got, first)
		}
		for _, row := range p.Suggestions {
			resp, body := s.do(t, "GET", row.Href)
			if page, _ := s.do(t, "GET", row.Page, "Accept", "text/html"); resp.StatusCode != 200 || page.StatusCode != 200 {
				t.Fatalf("%q: %s is %d, %s is %d", typed, row.Href, resp.StatusCode, row.Page, page.StatusCode)
			}
			var found struct {
				Total  int
				Active struct{ Count int }
			}
			must(json.Unmarshal([]byte(body), &found))
			if found.Total+found.Active.Count != row.ForSale {
				t.Errorf("%q: %s has %d for sale, %s finds %d", typed, row.Value, row.ForSale, row.Href, found.Total)
			}
		}
	}
}

// TestSuggestionsComeFromTheCatalogue checks that what members write is never
// suggested.
func TestSuggestionsComeFromTheCatalogue(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "quuxblatt", models.RoleMember)
	ann.list(t, r6)
	ann.ask(t, "POST", "/api/searches", `{"keyword":"quuxblatt"}`, 201)
	if p := suggestions(t, s, "quuxb"); len(p.Suggestions) > 0 {
		t.Errorf("the handle of a member is suggested: %v", p.Suggestions)
	}
	_, own := s.do(t, "GET", "/api/suggest?q=canon", "Authorization", "Bearer "+ann.token)
	resp, anonymous := s.do(t, "GET", "/api/suggest?q=canon")
	if own != anonymous || resp.Header.Get("Cache-Control") != "public, max-age=300" {
		t.Errorf("a member's suggestions differ, or are %q", resp.Header.Get("Cache-Control"))
	}
	for query, status := range map[string]int{"": 400, "?q=": 400, "?q=" + strings.Repeat("x", 101): 400, "?q=r6&keyword=r6": 400, "?q=" + strings.Repeat("x", 100): 200} {
		if resp, body := s.do(t, "GET", "/api/suggest"+query); resp.StatusCode != status {
			t.Errorf("%q is %d: %s", query, resp.StatusCode, body)
		}
	}
}

// BenchmarkSuggestAnswer measures suggestions that are not cached, from the request to
// the response.
func BenchmarkSuggestAnswer(b *testing.B) {
	s := build(quiet(m()))
	handler := s.Handler()
	typed := []string{"c", "so", "canon", "canon eos r", "nifty fi", "50mm 1", "cannon", "a7 mark i"}
	ctx := requestFor("/")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		// The spaces are trimmed, but not in the key of the cache.
		q := typed[i%len(typed)] + fmt.Sprintf("%*s", 1+i/len(typed)%64, "")
		ctx.Request.SetRequestURI("/api/suggest?q=" + url.QueryEscape(q) + strings.Repeat("+", i/512%20))
		serveOnce(handler, ctx)
	}
}
