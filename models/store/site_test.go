package store_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestSiteSettingsCheck tests which values are refused, and for which field.
func TestSiteSettingsCheck(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1001)
	for want, s := range map[string]models.SiteSettings{
		"":              {Name: " Foto  Ecke ", Accent: "#C02F0C", AccentDark: "#ff7a52", Languages: []string{"de", "en"}, Currency: "chf", Country: "ch", Home: []models.HomeSection{models.HomeNewest}},
		"name":          {Name: long},
		"tagline":       {Tagline: "a\x00b"},
		"email":         {Email: "nobody"},
		"purpose":       {Purpose: "blog"},
		"currency":      {Currency: "EURO"},
		"country":       {Country: "US-CA"},
		"languages":     {Languages: []string{"de", "de"}},
		"accent":        {Accent: "#ffcc00"},
		"accent_dark":   {AccentDark: "#300000"},
		"fonts":         {Fonts: "comic"},
		"home_sections": {Home: []models.HomeSection{"hero", "hero"}},
		"fees_note":     {FeesNote: long},
		"header_links":  {HeaderLinks: []models.SiteLink{{Label: "x", Href: "javascript:alert(1)"}}},
		"footer_links":  {FooterLinks: []models.SiteLink{{Label: "x", Href: "//evil.example"}}},
		"shipping_note": {ShippingNote: long},
	} {
		err := s.Check([]string{"en", "de"}, nil)
		var e *problem.Error
		if want == "" && err != nil || want != "" && (!errors.As(err, &e) || len(e.Fields) != 1 || e.Fields[0].Field != want) {
			t.Errorf("%+v: got %v, want an error of %q", s, err, want)
		}
		if want == "" && (s.Name != "Foto Ecke" || s.Accent != "#c02f0c" || s.Currency != "CHF" || s.Country != "CH") {
			t.Errorf("normalised to %+v", s)
		}
	}
	for _, css := range []string{"red;}body{display:none}", "#fff", "#c02f0c;", "url(//evil.example)", "#c02f0c\n}"} {
		s := models.SiteSettings{Accent: css}
		if s.Check(nil, nil) == nil {
			t.Errorf("%q is accepted as a colour", css)
		}
	}
}

// TestReadableColor tests that the suggested colour has enough contrast.
func TestReadableColor(t *testing.T) {
	t.Parallel()
	for _, hex := range []string{"#ffcc00", "#00ff00", "#777777", "#ffffff", "#000000", "#c02f0c", "#ff7a52", "#3355ff"} {
		c, _ := models.ParseColor(hex)
		for _, ground := range []models.Ground{models.LightGround, models.DarkGround} {
			if near := ground.Readable(c); ground.Contrast(near) < models.MinContrast {
				t.Errorf("%s: the suggestion %s has a contrast of %.2f", hex, near, ground.Contrast(near))
			}
		}
	}
	if got := models.Contrast(models.Color{}, models.Color{R: 255, G: 255, B: 255}); got < 20.99 || got > 21.01 {
		t.Errorf("black on white is %.2f", got)
	}
}

// TestSiteSettings tests that settings are stored, versioned, announced and audited.
func TestSiteSettings(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		operator := seller(t, s)
		got, version, err := s.Site.SiteSettings(ctx)
		must(t, err)
		if version != 0 || !reflect.DeepEqual(got, &models.SiteSettings{}) {
			t.Fatalf("without a row: %+v, version %d", got, version)
		}
		before, err := s.Position(ctx)
		must(t, err)
		want := &models.SiteSettings{Name: "Foto Ecke", Currency: "CHF", HeaderLinks: []models.SiteLink{{Label: "Prints", Href: "/journal"}}}
		version, err = s.Site.EditSite(ctx, operator, 0, want)
		must(t, err)
		got, stored, err := s.Site.SiteSettings(ctx)
		must(t, err)
		if version != 1 || stored != 1 || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, version %d", got, stored)
		}
		entries, err := s.Entries(ctx, before, 10)
		must(t, err)
		if len(entries) != 1 || entries[0].Kind != models.SiteChanged || entries[0].Public() {
			t.Errorf("changes are %+v", entries)
		}
		log, err := s.Moderation.Audit(ctx, store.AuditFilter{}, store.AuditKey{}, 10)
		must(t, err)
		if len(log) != 1 || log[0].Action != models.EditSite || log[0].Note != "name, currency, header_links" {
			t.Errorf("audit is %+v", log)
		}
		_, err = s.Site.EditSite(ctx, operator, 0, &models.SiteSettings{Name: "Late"})
		wantError(t, err, problem.Changed, "site_changed")

		must(t, s.Listings.InsertListings(ctx, []models.Listing{someListing(operator, 1)}))
		_, err = s.Site.EditSite(ctx, operator, 1, &models.SiteSettings{Currency: "EUR"})
		wantError(t, err, problem.Conflict, "currency_in_use")
		must(t, s.Site.AddSitePicture(ctx, "abc", []byte{1, 2, 3}))
		picture, err := s.Site.SitePicture(ctx, "abc")
		must(t, err)
		if none, err := s.Site.SitePicture(ctx, "x"); len(picture) != 3 || none != nil || err != nil {
			t.Errorf("pictures are %v and %v, %v", picture, none, err)
		}
	})
}
