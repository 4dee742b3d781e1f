package search

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/models"
)

// docIn returns a listing in a region.
func docIn(region models.Region, condition models.Condition) Doc {
	return Doc{ID: uuid.Must(uuid.NewV7()).String(), Category: "other", Title: "tripod", Condition: condition, Region: region, Seller: "anna", Price: 100_00, Published: 1}
}

func TestInvalidRegionsCountAsTheirCountry(t *testing.T) {
	t.Parallel()
	x := New(realLookup())
	for _, region := range []models.Region{"US-CA", "US-ZZ", "US-99", "DE", "DE-XXX", "ZZ", "ZZ-1", "us", "anywhere", ""} {
		if err := x.Put(docIn(region, models.ConditionGood)); err != nil {
			t.Fatal(err)
		}
	}
	for region, want := range map[models.Region]int{"US": 3, "US-CA": 1, "US-ZZ": 0, "DE": 2, "ZZ": 0, "": 10} {
		r, err := x.Search(Query{Filter: Filter{Regions: slices.DeleteFunc([]models.Region{region}, func(r models.Region) bool { return r == "" })}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Total != want {
			t.Errorf("%d listings in region %q, want %d", r.Total, region, want)
		}
	}
	r, err := x.Search(Query{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(r.Facets.Region), "[{US 3} {DE 2}]"; got != want {
		t.Errorf("the facet of regions is %s, want %s", got, want)
	}
}

// TestCellsAreBounded indexes listings in made-up regions without end.
func TestCellsAreBounded(t *testing.T) {
	t.Parallel()
	x := New(realLookup())
	docs := make([]Doc, 0, 20_000)
	for i := range cap(docs) {
		docs = append(docs, docIn(models.Region(fmt.Sprintf("%c%c-%d", 'A'+i%26, 'A'+i/26%26, i)), models.Conditions[i%len(models.Conditions)]))
	}
	load(t, x, docs)
	countries := 26 * 26
	if n, limit := len(x.current.Load().state.cells.cells), (countries+1)*len(models.Conditions); n > limit {
		t.Errorf("%d cells of %d listings in regions that don't exist, at most %d are allowed", n, len(docs), limit)
	}
	if r, err := x.Search(Query{}); err != nil || r.Total != len(docs) {
		t.Errorf("%d listings found, want %d; %v", r.Total, len(docs), err)
	}
}

func TestFoldWhenCellsRunOut(t *testing.T) {
	t.Parallel()
	c := newCells()
	california := values{string(models.ConditionGood)}
	california[byRegion] = "US-CA"
	for _, test := range []struct {
		cells int
		want  string
	}{{0, "US-CA"}, {subdivisionCells, "US"}, {countryCells, ""}} {
		c.cells = make([]cell, test.cells)
		if got := c.fold(california)[byRegion]; got != test.want {
			t.Errorf("with %d cells the region counts as %q, want %q", test.cells, got, test.want)
		}
	}
}
