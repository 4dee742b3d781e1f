package handlers

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

// TestGearPage tests the facts that all formats of the page of a gear have: the lowest
// price, the number for sale, what fits, and the ways to sell it and to follow it.
func TestGearPage(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, test := range []struct{ gear, kind, heading, mount, adapter, fits string }{
		{"canon/eos-r6", "lens", "Compatible lenses", "Canon EF", "Mount Adapter EF-EOS R", "canon/ef-50mm-f1-8-stm"},
		{"canon/ef-50mm-f1-8-stm", "camera", "Compatible cameras", "Canon RF", "Mount Adapter EF-EOS R", "canon/eos-r6"},
		{"leica/q2", "", "", "", "", ""},
	} {
		var page struct {
			Active struct {
				Count  int
				Lowest *models.Money
			}
			Photo *struct{ Src string }
			Fits  *struct {
				Kind, Page string
				Groups     []struct {
					Mount, Adapter string
					Crops, Manual  bool
					Total          int
					Gear           []struct{ Gear, Name string }
				}
			}
		}
		s.json(t, "/gear/"+test.gear, &page)
		_, html := s.do(t, "GET", "/gear/"+test.gear, "Accept", "text/html")
		_, markdown := s.do(t, "GET", "/gear/"+test.gear+".md")
		for _, part := range []string{`href="/sell?gear=` + strings.ReplaceAll(test.gear, "/", "%2F") + `"`, `href="/account/searches/new?query=model%3D` + test.gear + `"`} {
			if !strings.Contains(html, part) {
				t.Errorf("%s has no %s", test.gear, part)
			}
		}
		if page.Active.Count > 0 && (page.Photo == nil || !strings.Contains(html, `fetchpriority="high"`)) {
			t.Errorf("%s has listings and no photo", test.gear)
		}
		if (page.Fits != nil) != (test.kind != "") || strings.Contains(html, `id="fits"`) != (test.kind != "") {
			t.Errorf("%s: what fits is %+v", test.gear, page.Fits)
		}
		if page.Fits == nil || test.kind == "" {
			continue
		}
		found := false
		for _, g := range page.Fits.Groups {
			found = found || g.Mount == test.mount && g.Adapter == test.adapter && !g.Manual && g.Total >= len(g.Gear)
		}
		if page.Fits.Kind != test.kind || !found {
			t.Errorf("%s has no %s by %s: %+v", test.gear, test.mount, test.adapter, page.Fits)
		}
		for _, text := range []string{html, markdown} {
			for _, part := range []string{test.heading, test.adapter, "lensfun"} {
				if !strings.Contains(text, part) {
					t.Errorf("%s: %q is not stated", test.gear, part)
				}
			}
		}
		resp, _ := s.do(t, "GET", page.Fits.Page)
		if resp.StatusCode != 200 {
			t.Errorf("%s is %d", page.Fits.Page, resp.StatusCode)
		}
	}
}

// TestGearSeries tests that the series of a gear is cut to the last years and to one
// condition in every format.
func TestGearSeries(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	type series struct {
		Years     int
		Condition models.Condition
		Series    []struct {
			Period string
			Count  int `json:"sample_size"`
		}
		Estimate struct {
			Forecast []struct{ Period string }
		}
	}
	var all, year, good series
	s.json(t, "/api/trends/canon/eos-r6", &all)
	s.json(t, "/api/trends/canon/eos-r6?years=1", &year)
	s.json(t, "/api/trends/canon/eos-r6?years=1&condition=good", &good)
	if all.Years != 0 || len(all.Series) <= 12 || year.Years != 1 || len(year.Series) == 0 || len(year.Series) > 12 || good.Condition != "good" {
		t.Fatalf("%d months, %d in a year, %+v in good condition", len(all.Series), len(year.Series), good)
	}
	counts := map[string]int{}
	for _, month := range year.Series {
		counts[month.Period] = month.Count
	}
	for _, month := range good.Series {
		if month.Count > counts[month.Period] {
			t.Errorf("%s has %d sales in good condition of %d", month.Period, month.Count, counts[month.Period])
		}
	}
	_, csv := s.do(t, "GET", "/gear/canon/eos-r6.csv?years=1&condition=good")
	if lines := strings.Count(csv, "\n"); lines != len(good.Series)+len(good.Estimate.Forecast)+1 || len(good.Estimate.Forecast) != prices.ForecastMonths {
		t.Errorf("the CSV has %d lines for %d months and a forecast of %d", lines, len(good.Series), len(good.Estimate.Forecast))
	}
	_, svg := s.do(t, "GET", "/gear/canon/eos-r6.svg?condition=good")
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := decoder.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("the SVG is not well-formed: %v", err)
		}
	}
	if !strings.Contains(svg, "in good condition") {
		t.Error("the SVG does not name the condition")
	}
	for _, query := range []string{"years=0", "years=11", "condition=shiny"} {
		if resp, body := s.do(t, "GET", "/api/trends/canon/eos-r6?"+query); resp.StatusCode != 400 && resp.StatusCode != 422 {
			t.Errorf("%s is %d: %s", query, resp.StatusCode, body)
		}
	}
	if resp, _ := s.do(t, "GET", "/api/trends/canon/eos-r6?condition=mint"); resp.StatusCode != 200 {
		t.Errorf("a condition by another name is %d", resp.StatusCode)
	}
}
