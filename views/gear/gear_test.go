package gear

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	portfolioviews "github.com/secondlight/secondlight/views/portfolio"
	"github.com/secondlight/secondlight/views/ui"
	"github.com/secondlight/secondlight/views/viewstest"
)

func gearHTML(t *testing.T, p *Trend) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.HTML().Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGearSeries(t *testing.T) {
	trend := viewstest.Trend(70)
	for _, test := range []struct {
		years   int
		grade   models.Condition
		months  int
		current []string
		links   []string
	}{
		{0, "", 69, []string{"All", "All conditions"}, []string{"?years=1#prices", "?years=5#prices", "?condition=excellent#prices"}},
		{1, "", 12, []string{"1 year", "All conditions"}, []string{"canon/eos-r6#prices", "?condition=excellent&amp;years=1#prices", "eos-r6.svg?years=1"}},
		{5, "excellent", 3, []string{"5 years", "Excellent"}, []string{"?condition=excellent#prices", "?years=5#prices", "eos-r6.csv?condition=excellent&amp;years=5"}},
	} {
		p := NewTrend(viewstest.Site(), TrendParts{Gear: viewstest.Gear, Trend: trend, Years: test.years, Grade: test.grade, Months: trend.Months[len(trend.Months)-3:]})
		if len(p.Series) != test.months {
			t.Errorf("%d years: %d months, want %d", test.years, len(p.Series), test.months)
		}
		html := gearHTML(t, p)
		for _, label := range test.current {
			if !strings.Contains(html, `aria-current="true">`+label+`</a>`) {
				t.Errorf("%d years, %s: %q is not current", test.years, test.grade, label)
			}
		}
		for _, link := range test.links {
			if !strings.Contains(html, link) {
				t.Errorf("%d years, %s: no link to %s", test.years, test.grade, link)
			}
		}
		if drawn := strings.Contains(html, `class="overall"`); drawn != (test.grade != "") {
			t.Errorf("%s: the line of all conditions is drawn: %v", test.grade, drawn)
		}
	}
}

func TestBestPhoto(t *testing.T) {
	card := func(demo bool, condition models.Condition, src string) ui.Card {
		return ui.Card{Demo: demo, Condition: condition, Photo: &ui.Photo{Src: src}}
	}
	taken := []portfolioviews.PhotoCard{{Picture: portfolioviews.Picture{Photo: ui.Photo{Src: "taken"}}}}
	for _, test := range []struct {
		listings []ui.Card
		taken    []portfolioviews.PhotoCard
		want     string
	}{
		{nil, nil, ""},
		{nil, taken, "taken"},
		{[]ui.Card{{Condition: "new"}}, taken, "taken"},
		{[]ui.Card{card(true, "good", "a"), card(true, "like_new", "b")}, taken, "b"},
		{[]ui.Card{card(true, "new", "a"), card(false, "good", "b"), card(false, "faulty", "c")}, taken, "b"},
	} {
		got := ""
		if p := bestPhoto(test.listings, test.taken); p != nil {
			got = p.Src
		}
		if got != test.want {
			t.Errorf("the best photo is %q, want %q", got, test.want)
		}
	}
}

func TestFitGroups(t *testing.T) {
	gear := func(model, mount string, category models.Category) *catalog.Gear {
		return &catalog.Gear{Brand: "Canon", BrandSlug: "canon", Model: model, ModelSlug: models.Slug(model), Mount: mount, Category: category}
	}
	var all []catalog.Fitting
	for _, model := range []string{"RF 1mm", "RF 2mm", "RF 3mm", "RF 4mm", "RF 5mm", "RF 6mm", "RF 7mm", "RF 8mm"} {
		all = append(all, catalog.Fitting{Gear: gear(model, "Canon RF", "lens_prime"), Fit: catalog.Fit{Mount: "Canon RF"}})
	}
	all = append(all,
		catalog.Fitting{Gear: gear("RF-S 1mm", "Canon RF", "lens_prime"), Fit: catalog.Fit{Mount: "Canon RF", Crops: true}},
		catalog.Fitting{Gear: gear("EF 1mm", "Canon EF", "lens_prime"), Fit: catalog.Fit{Mount: "Canon EF", Adapter: "EF-EOS R", Keeps: catalog.Keeps{Autofocus: true, Aperture: true, Infinity: true}, Note: "Works."}},
		catalog.Fitting{Gear: gear("FD 1mm", "Canon FD", "lens_prime"), Fit: catalog.Fit{Mount: "Canon FD", Adapter: "FD adapter", Manual: true}},
		catalog.Fitting{Gear: gear("EF-M 1mm", "Canon EF-M", "lens_prime"), Fit: catalog.Fit{Never: true, Note: "Too close."}},
		catalog.Fitting{Gear: gear("Old 1mm", "Canon RF", "lens_prime"), Fit: catalog.Fit{Never: true, Note: "Can damage the camera: it is old."}})
	p := NewTrend(viewstest.Site(), TrendParts{Gear: viewstest.Gear, Trend: viewstest.Trend(3), Fits: all, Popularity: func(slug string) int {
		return int(slug[len(slug)-3])
	}})
	var headings []string
	for i := range p.Fits.Groups {
		headings = append(headings, p.Fits.Groups[i].heading(context.Background()))
	}
	if got := strings.Join(headings, "; "); got != "Canon RF: doesn’t fit; Canon RF; Canon RF, cropped; Canon EF by EF-EOS R; Canon FD by FD adapter; Canon EF-M: doesn’t fit" {
		t.Errorf("the groups are %s", got)
	}
	if first := p.Fits.Groups[1]; first.Total != 8 || len(first.Gear) != 6 || first.Gear[0].Name != "Canon RF 8mm" {
		t.Errorf("the first group is %+v", first)
	}
	var md, tool bytes.Buffer
	if err := p.Markdown(t.Context(), &md); err != nil {
		t.Fatal(err)
	}
	result := p.Result(&TrendOptions{Include: []string{"fits", "specifications"}})
	if err := result.Text(&tool); err != nil || len(result.Fits) != 6 || !result.Fits[0].Damages || len(result.Sources) == 0 {
		t.Errorf("the tool returns %+v, %v", result.Fits, err)
	}
	for _, text := range []string{gearHTML(t, p), md.String(), tool.String()} {
		for _, part := range []string{"Can damage the camera: it is old.", "Too close.", "Autofocus, aperture control and infinity focus still work. Works."} {
			if !strings.Contains(text, part) {
				t.Errorf("%s is not in %s", part, text)
			}
		}
		if strings.Index(text, "Can damage") > strings.Index(text, "Autofocus, aperture") {
			t.Errorf("what can damage the camera is not first in %s", text)
		}
	}
	for _, text := range []string{gearHTML(t, p), md.String()} {
		for _, part := range []string{"general knowledge, not checked", "Compatible lenses", "EF-EOS R", "Works.", "Made for a smaller sensor", "FD adapter", "lensfun"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s is not in %s", part, text)
			}
		}
	}
}

// TestSourcesOfSpecs checks that every specification that a page shows is of a field with a source.
func TestSourcesOfSpecs(t *testing.T) {
	lens := &catalog.Gear{Brand: "Sigma", Model: "30mm f/1.4", Category: "lens_prime", Mount: "Sony E", Format: "APS-C", FocalMin: 30, FocalMax: 30, Aperture: 1.4, Year: 2016, LaunchPrice: "339.00 EUR"}
	for _, g := range []*catalog.Gear{lens, viewstest.Gear} {
		named := 0
		for _, source := range sourcesOf(g, ui.SpecsOf(g)) {
			named += len(source.Names)
			for _, name := range source.Names {
				if specFields[name] == "" || source.Source == "" {
					t.Errorf("%s has no source", name)
				}
			}
		}
		if specs := ui.SpecsOf(g); named != len(specs) {
			t.Errorf("%d of %d specifications have a source", named, len(specs))
		}
	}
}
