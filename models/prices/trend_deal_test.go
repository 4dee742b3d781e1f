package prices

import (
	"math"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// TestImprobable checks that deals are in the order of how unlikely a price is: a price below a
// narrow range comes before one that is more percent below the estimate but within its wide range,
// and the order is exact where a price is twice as far off as the low end of its range.
func TestImprobable(t *testing.T) {
	t.Parallel()
	narrow, wide := Typical{Price: 100000, Low: 94000, High: 107000, Sales: 40}, Typical{Price: 100000, Low: 65000, High: 150000, Sales: 5}
	median := Typical{Price: 100000, Sales: 7}
	unlikely := func(typical Typical, price models.Cents) float64 {
		return float64(price) / float64(typical.Improbable())
	}
	for name, ordered := range map[string][2]float64{
		"below a narrow range, 12 %; within a wide one, 30 %": {unlikely(narrow, 88000), unlikely(wide, 70000)},
		"as far below the median":                             {unlikely(narrow, 80000), unlikely(median, 80000)},
	} {
		if ordered[0] >= ordered[1] {
			t.Errorf("%s: %v", name, ordered)
		}
	}
	for _, typical := range []Typical{narrow, wide} {
		low := float64(typical.Low) / float64(typical.Price)
		if got := unlikely(typical, models.Cents(low*low*float64(typical.Price))); math.Abs(got-1) > 0.001 {
			t.Errorf("%+v: %v", typical, got)
		}
	}
	if got := (Typical{}).Improbable(); got != 0 {
		t.Errorf("nothing is known, but %d is improbable", got)
	}
}
