package prices

import (
	"testing"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models/catalog"
)

func TestUnpriced(t *testing.T) {
	all, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		t.Fatal(err)
	}
	gear := all.All()[:20]
	slug := func(i int) string { return gear[i].Slug() }
	sales := map[string]int{slug(0): MinSales, slug(1): 1, slug(2): 4, slug(3): 3, slug(4): 1, "other/gear": 4}
	for i := 10; i < 20; i++ {
		sales[slug(i)] = 2
	}
	u := NewUnpriced(gear, sales, func(gear string) bool { return gear == slug(3) || gear == slug(5) })
	if u.Gear != 17 || len(u.Nearest) != nearestShown {
		t.Errorf("without a price are %d models, of which %d are nearest", u.Gear, len(u.Nearest))
	}
	for i, f := range u.Nearest {
		want := 2
		if i == 0 {
			want = 4
		}
		if f.Sales != want || f.Missing() != MinSales-want {
			t.Errorf("number %d is %s, with %d sales: %d more needed", i, f.Gear.Slug(), f.Sales, f.Missing())
		}
	}
	if none := NewUnpriced(gear, nil, func(string) bool { return true }); none.Gear != 0 || len(none.Nearest) != 0 {
		t.Errorf("if all have a price, %+v", none)
	}
}
