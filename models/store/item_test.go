package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/importer"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// Every field of an item is agreed on and compared, unless it is private.
func TestItemFields(t *testing.T) {
	storetest.FullItem(t)
	seen := map[string]bool{}
	for _, f := range models.ItemFields {
		if f.Name == "" || f.Label == "" || f.Form.Label == "" {
			t.Errorf("the row of %q lacks a name or a label", f.Name)
		}
		if f.Private != (f.Description == "") {
			t.Errorf("%s: private is %v, the description %q", f.Name, f.Private, f.Description)
		}
		if f.Private == f.Agreed || f.Private == f.Compared {
			t.Errorf("%s: private is %v, agreed %v, compared %v", f.Name, f.Private, f.Agreed, f.Compared)
		}
		if seen[f.Name] {
			t.Errorf("there are two fields %s", f.Name)
		}
		seen[f.Name] = true
	}
}

// The values of a field are accepted up to its limits.
func TestItemLimits(t *testing.T) {
	for _, f := range models.ItemFields {
		wrong := map[string][]string{} // by what is wrong
		var allowed []string
		switch f.Kind {
		case models.CodeField, models.CodesField:
			allowed, wrong["another code"] = f.Choices[:1], []string{"unheard_of"}
		case models.LinesField:
			allowed = slices.Repeat([]string{strings.Repeat("ü", f.Max)}, f.MaxItems)
			wrong["too many lines"] = append(slices.Clone(allowed), "one more")
			wrong["a line that is too long"] = []string{strings.Repeat("ü", f.Max+1)}
			wrong["a NUL"] = []string{"\x00"}
		case models.TextField:
			allowed, wrong["too long"], wrong["a NUL"] = []string{strings.Repeat("ü", f.Max)}, []string{strings.Repeat("ü", f.Max+1)}, []string{"\x00"}
		case models.NumberField:
			allowed, wrong["too high"], wrong["below 0"] = []string{fmt.Sprint(f.Max)}, []string{fmt.Sprint(f.Max + 1)}, []string{"-1"}
		case models.DayField:
			allowed, wrong["no day"] = []string{"2027-02-28"}, []string{"2027-02-29"}
		}
		check := func(values []string) error {
			var l models.Listing
			if err := f.Set(&l.Item, values...); err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			return l.Check(false)
		}
		if err := check(allowed); err != nil {
			t.Errorf("%s: the highest allowed value: %v", f.Name, err)
		}
		for what, values := range wrong {
			var e *problem.Error
			if err := check(values); !errors.As(err, &e) || len(e.Fields) != 1 || e.Fields[0].Field != f.Name {
				t.Errorf("%s: %s: %v", f.Name, what, err)
			}
		}
	}
}

// SameItem reports those of the named fields that differ.
func sameItem(t *testing.T, where string, got, want *models.Item, is func(*models.ItemField) bool) {
	t.Helper()
	for _, f := range models.ItemFields {
		expected := f.Values(want)
		if !is(f) {
			expected = nil
		}
		if !slices.Equal(f.Values(got), expected) {
			t.Errorf("%s has the %s %q, want %q", where, f.Name, f.Values(got), expected)
		}
	}
}

// Every field is stored, and becomes part of an agreement unless it is private.
func TestItemIsStored(t *testing.T) {
	item := storetest.FullItem(t)
	eachSaleMarket(t, func(t *testing.T, m *saleMarket) {
		ctx := t.Context()
		id := inStatus(t, m.Store, m.jane, models.StatusActive)
		_, err := m.Listings.EditListing(ctx, id, m.jane, 0, func(l *models.Listing) error { l.Item = item; return nil })
		must(t, err)
		l, err := m.Listings.OwnListing(ctx, id, m.jane)
		must(t, err)
		sameItem(t, "the listing", &l.Item, &item, func(*models.ItemField) bool { return true })
		o, err := m.Trades.MakeOffer(ctx, id, m.john, 40000, "", models.DeliveryRequest{})
		must(t, err)
		m.take(o.ID, store.Answer{Step: models.Accept, By: m.jane})
		a, err := m.Trades.Agreement(ctx, o.ID)
		must(t, err)
		sameItem(t, "the agreement", &a.Listing.Item, &item, func(f *models.ItemField) bool { return f.Agreed })
	})
}

// Every field that is not private is exported to a CSV file and imported from it.
func TestItemInCSV(t *testing.T) {
	item := storetest.FullItem(t)
	store := storetest.Open(t, storetest.SQLite(t), func() time.Time { return importNow })
	im := newImporter(t, store)
	var got []models.Listing
	im.Imported = func(l *models.Listing) { got = append(got, *l) }
	var file, rejects bytes.Buffer
	must(t, importer.WriteListings(&file, im.Catalog, im.Currency, "anna", func(yield func(*models.Listing) error) error {
		return yield(&models.Listing{ExternalID: "a", Title: "Canon EOS R6", Gear: "canon/eos-r6", Category: "mirrorless", Item: item, Price: 90000, Region: "DE", Status: models.StatusActive})
	}))
	report, err := im.Listings(t.Context(), &file, &rejects)
	if err != nil || len(got) != 1 {
		t.Fatalf("%+v, %v: %s", report, err, rejects.String())
	}
	sameItem(t, "the file", &got[0].Item, &item, func(f *models.ItemField) bool { return !f.Private })
}

// What a member wrote about an item is searched for held words.
func TestItemTexts(t *testing.T) {
	item := storetest.FullItem(t)
	for _, f := range models.ItemFields {
		want := f.Written() && !f.Private
		if got := slices.Contains(item.Texts(), f.Values(&item)[0]); got != want {
			t.Errorf("%s is in the texts: %v, want %v", f.Name, got, want)
		}
	}
}
