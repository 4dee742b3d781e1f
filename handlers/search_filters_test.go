package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
)

// TestSearchFilters compares the totals of searches by specification, shutter count,
// region and demonstration with the listings in the database, in the API, on pages and
// by MCP.
func TestSearchFilters(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	for _, test := range []struct {
		query  string
		label  string // of the chosen filter on the page
		admits func(l *models.Listing, g *catalog.Gear) bool
	}{
		{"focal_min=200", "200 mm and longer", func(_ *models.Listing, g *catalog.Gear) bool { return g.FocalMax >= 200 }},
		{"focal_min=70mm&focal_max=200", "up to 200 mm", func(_ *models.Listing, g *catalog.Gear) bool { return g.FocalMax >= 70 && g.FocalMin <= 200 }},
		{"focal_min=85&focal_max=85&category=lens_prime", "85 mm and longer", func(_ *models.Listing, g *catalog.Gear) bool {
			return g.Category == "lens_prime" && g.FocalMin == 85
		}},
		{"equivalent_max=24", "equivalent to 24 mm at most", func(_ *models.Listing, g *catalog.Gear) bool {
			low, _ := g.Equivalent()
			return low > 0 && low <= 24
		}},
		{"equivalent_min=50&equivalent_max=50", "equivalent to 50 mm and longer", func(_ *models.Listing, g *catalog.Gear) bool {
			low, high := g.Equivalent()
			return high >= 50 && low <= 50
		}},
		{"aperture_max=f/1.8", "f/1.8 or faster", func(_ *models.Listing, g *catalog.Gear) bool { return g.Aperture > 0 && g.Aperture <= 1.8 }},
		{"sensor=Full+frame&category=camera", "Full frame", func(_ *models.Listing, g *catalog.Gear) bool {
			return g.Format == "Full frame" && g.Category.Family() == "camera"
		}},
		{"sensor=MFT", "Micro Four Thirds", func(_ *models.Listing, g *catalog.Gear) bool { return g.Format == "Micro Four Thirds" }},
		{"sensor=medium_format", "Medium format", func(_ *models.Listing, g *catalog.Gear) bool { return strings.HasSuffix(g.Format, "medium format") }},
		{"fits=EOS+R6", "Fits Canon EOS R6", s.fitting("canon/eos-r6")},
		{"fits=a7iii&category=lens-zoom", "Fits Sony Alpha 7 III", func(l *models.Listing, g *catalog.Gear) bool {
			return g.Category == "lens_zoom" && s.fitting("sony/alpha-7-iii")(l, g)
		}},
		{"fits=canon/ef-50mm-f1-8-stm", "Fits Canon EF 50mm f/1.8 STM", s.fitting("canon/ef-50mm-f1-8-stm")},
		{"defects=fungus,haze", "Haze", func(l *models.Listing, _ *catalog.Gear) bool {
			return slices.Contains(l.Defects, "fungus") || slices.Contains(l.Defects, "haze")
		}},
		{"without_defects=Pilz,scratches&category=lens", "No fungus", func(l *models.Listing, g *catalog.Gear) bool {
			return g.Category.Family() == "lens" && !slices.Contains(l.Defects, "fungus") && !slices.Contains(l.Defects, "scratches")
		}},
		{"released_min=2018", "released 2018 or later", func(_ *models.Listing, g *catalog.Gear) bool { return g.Year >= 2018 }},
		{"shutter_max=20000", "at most 20000 shutter actuations", func(l *models.Listing, _ *catalog.Gear) bool { return l.Shutter > 0 && l.Shutter <= 20000 }},
		{"region=EU", "European Union", func(l *models.Listing, _ *catalog.Gear) bool { return models.RegionEU.Covers(l.Region) }},
		{"demo=true", "demo data only", func(*models.Listing, *catalog.Gear) bool { return true }},
		{"demo=false", "no demo data", func(*models.Listing, *catalog.Gear) bool { return false }},
	} {
		want := 0
		must(s.store.Listings.EachActiveListing(t.Context(), func(l *models.Listing) error {
			g := s.catalog.Gear(l.Gear)
			if g == nil {
				g = &catalog.Gear{}
			}
			if test.admits(l, g) {
				want++
			}
			return nil
		}))
		if want == 0 && test.query != "demo=false" {
			t.Errorf("%s: no listing tests it", test.query)
		}
		var found struct {
			Total int
			Links struct{ Page string }
		}
		s.json(t, "/api/listings/search?"+test.query, &found)
		if found.Total != want {
			t.Errorf("%s finds %d listings, want %d", test.query, found.Total, want)
		}
		_, page := s.do(t, "GET", found.Links.Page)
		if !strings.Contains(page, test.label+"<span") {
			t.Errorf("%s does not show the filter %q", found.Links.Page, test.label)
		}
		values, err := url.ParseQuery(test.query)
		must(err)
		arguments := map[string]any{}
		for name := range values {
			arguments[name] = values.Get(name)
		}
		result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "search_listings", Arguments: arguments})
		if err != nil || result.IsError {
			t.Errorf("%v: %v %+v", arguments, err, result)
		} else if got := result.StructuredContent.(map[string]any)["total"]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the tool finds %v listings with %v, want %d", got, arguments, want)
		}
	}
	for query, field := range map[string]string{
		"focal_min=200&focal_max=70": "focal_max", "equivalent_min=50&equivalent_max=24": "equivalent_max", "focal_min=wide": "focal_min", "aperture_max=0": "aperture_max",
		"sensor=fullframed": "sensor", "released_min=99": "released_min", "shutter_max=-1": "shutter_max", "fits=canon/eos-r66": "fits", "region=EUR": "region", "demo=perhaps": "demo", "deal=within": "deal",
	} {
		resp, body := s.do(t, "GET", "/api/listings/search?"+query)
		if resp.StatusCode != 400 && resp.StatusCode != 422 || !strings.Contains(body, `"field":"`+field+`"`) {
			t.Errorf("%s is %d: %s", query, resp.StatusCode, body)
		}
	}
	resp, body := s.do(t, "GET", "/listings?aperture_max=f%2F2.8&sensor=FF&brand=canon&fits=EOS+R6", "Accept", "text/html")
	for _, part := range []string{`<input name="fits" value="Canon EOS R6"`, `name="brand" value="canon"`, `<input name="aperture_max" type="number" min="0.5" step="any" value="2.8"`, `<option value="full_frame" selected>`} {
		if resp.StatusCode != 200 || !strings.Contains(body, part) {
			t.Errorf("the form does not have %s", part)
		}
	}
}

// TestSearchLists sends two values of every parameter of a search that takes several, as people
// and programs write them, and compares the totals with those of the values apart. A restriction
// finds the listings of both; the others restrict nothing.
func TestSearchLists(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	ann := s.join(t, "searcher", models.RoleMember)
	two := map[string][2]string{"brand": {"canon", "nikon"}, "condition": {"excellent", "good"}, "functional": {"fully_working", "minor_fault"}, "region": {"DE", "FR"}, "ship_to": {"DE", "FR"}}
	total := func(query string) int {
		var found struct{ Total int }
		s.json(t, "/api/listings/search?"+query, &found)
		return found.Total
	}
	for i := range search.Params {
		p := &search.Params[i]
		if !p.Many() || p.Name == "defects" || p.Name == "without_defects" { // of which an item has several: see TestSearchFilters
			continue
		}
		name, a, b := p.Name, two[p.Name][0], two[p.Name][1]
		one, other, all := total(name+"="+a), total(name+"="+b), total("")
		want := one + other
		if p.Label == "" {
			want = all
		}
		if one == 0 || other == 0 || want > all {
			t.Errorf("%s: %d, %d and %d listings test nothing", name, one, other, all)
		}
		lists := []string{name + "=" + a + "," + b, name + "=" + b + "&" + name + "=" + a, name + "=" + a + "%2C+" + b}
		for _, list := range lists {
			if got := total(list); got != want {
				t.Errorf("%s finds %d listings, want %d", list, got, want)
			}
			for _, suffix := range []string{"", ".md"} {
				count := regexp.MustCompile(`([0-9,]+) listings?\b`)
				_, page := s.do(t, "GET", "/listings"+suffix+"?"+list, "Accept", "text/html, text/markdown;q=0.5")
				if found := count.FindStringSubmatch(page); found == nil || strings.ReplaceAll(found[1], ",", "") != fmt.Sprint(want) {
					t.Errorf("/listings%s?%s shows %q, want %d", suffix, list, found, want)
				}
			}
			if _, page := s.do(t, "GET", "/listings?"+list, "Accept", "text/html"); name == "ship_to" && !strings.Contains(page, `<option value="DE,FR" selected>Germany, France</option>`) {
				t.Errorf("the form of /listings?%s does not keep the countries", list)
			}
			if _, feed := s.do(t, "GET", "/listings?"+list, "Accept", "application/atom+xml"); want > 0 && !strings.Contains(feed, "<entry>") {
				t.Errorf("the feed of %s is empty", list)
			}
		}
		for _, value := range []any{[]string{a, b}, a + "," + b} {
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "search_listings", Arguments: map[string]any{name: value}})
			if err != nil || result.IsError || fmt.Sprint(result.StructuredContent.(map[string]any)["total"]) != fmt.Sprint(want) {
				t.Errorf("the tool with %s=%v: %v %+v, want %d", name, value, err, result, want)
			}
			body, err := json.Marshal(map[string]any{name: value, "keyword": "boxed", "every": "daily"})
			must(err)
			if p.Label == "" {
				continue // a saved search has no place
			}
			saved := fmt.Sprint(ann.ask(t, "POST", "/api/searches", string(body), 201))
			if !strings.Contains(saved, name+"="+a+"&"+name+"="+b) {
				t.Errorf("the saved search of %s is %s", body, saved)
			}
		}
	}
}

// fitting returns whether gear fits a gear without a manual adapter.
func (s *testServer) fitting(slug string) func(*models.Listing, *catalog.Gear) bool {
	return func(_ *models.Listing, g *catalog.Gear) bool {
		fit, ok := s.catalog.Fits(s.catalog.Gear(slug), g)
		return ok && !fit.Manual
	}
}

// TestSavedSearchKeepsFilters tests that a saved search, and so its feed and alerts,
// has the filters of the search.
func TestSavedSearchKeepsFilters(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	made := ann.ask(t, "POST", "/api/searches", `{"focal_min":70,"aperture_max":2.8,"sensor":"full frame","fits":"EOS R6","shutter_max":50000,"deal":"below","region":"EU","demo":false,"every":"daily"}`, 201)
	const want = "deal=below&region=EU&focal_min=70&aperture_max=2.8&sensor=full_frame&fits=canon/eos-r6&shutter_max=50000&demo=false"
	if href := fmt.Sprint(made["href"], made["query"], made); !strings.Contains(href, want) {
		t.Errorf("the saved search is %v, want %s", made, want)
	}
}
