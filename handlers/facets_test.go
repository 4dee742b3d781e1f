package handlers

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestSearchWithoutFacets reads searches with facets=false: the response is the same but for
// the facets, and so are the next pages.
func TestSearchWithoutFacets(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, query := range []string{"", "?keyword=canon", "?brand=leica&budget=500-&sort=price", "?region=DE&category=lens"} {
		var with, without struct {
			Total    int
			Listings []json.RawMessage
			Facets   map[string][]any
			Links    map[string]string
		}
		less := "?facets=false"
		if query != "" {
			less = query + "&facets=false"
		}
		_, whole := s.do(t, "GET", "/api/listings/search"+query)
		must(json.Unmarshal([]byte(whole), &with))
		resp, body := s.do(t, "GET", "/api/listings/search"+less)
		must(json.Unmarshal([]byte(body), &without))
		if with.Total == 0 || without.Total != with.Total || len(without.Listings) != len(with.Listings) || string(without.Listings[0]) != string(with.Listings[0]) {
			t.Errorf("%s has %d listings, %d of %d", less, len(without.Listings), without.Total, with.Total)
		}
		for name := range with.Facets {
			if values, ok := without.Facets[name]; !ok || len(values) > 0 {
				t.Errorf("%s has the facet %s: %v", less, name, values)
			}
		}
		if len(body) > len(whole)*4/5 {
			t.Errorf("%s has %d bytes of %d", less, len(body), len(whole))
		}
		for name, link := range without.Links {
			if strings.HasPrefix(link, "/api/") != strings.Contains(link, "facets=false") {
				t.Errorf("%s: the link %s is %s", less, name, link)
			}
		}
		if !strings.Contains(resp.Header.Get("Link"), "facets=false") || without.Links["next"] == "" {
			t.Errorf("%s: Link is %s", less, resp.Header.Get("Link"))
		}
	}
}
