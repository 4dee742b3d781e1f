package prices

import (
	"reflect"
	"testing"

	"github.com/secondlight/secondlight/models"
)

func TestValuationItem(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]ValuationItem{
		"Canon EOS R6":                     {Name: "Canon EOS R6"},
		"Canon EOS R6, excellent":          {Name: "Canon EOS R6", Condition: "excellent"},
		"Canon EOS R6,excellent":           {Name: "Canon EOS R6", Condition: "excellent"},
		"Canon EOS R6 like new":            {Name: "Canon EOS R6", Condition: "like_new"},
		"Canon EOS R6 - Well used":         {Name: "Canon EOS R6", Condition: "well_used"},
		"2x Canon EOS R6, good":            {Name: "Canon EOS R6", Condition: "good", Count: 2},
		"2 × Sony 50mm f/1,8; good":        {Name: "Sony 50mm f/1,8", Condition: "good", Count: 2},
		"Sony 50mm f/1.8\tHeavily-used\t3": {Name: "Sony 50mm f/1.8", Condition: "heavily_used", Count: 3},
		"Leica X2":                         {Name: "Leica X2"},
		"Leica X2, x2":                     {Name: "Leica X2", Count: 2},
		"Nikon F3, MD-4, good":             {Name: "Nikon F3, MD-4", Condition: "good"},
		"2x Sony 50mm f/1,8, sehr gut":     {Name: "Sony 50mm f/1,8", Condition: "excellent", Count: 2},
		"Leica M6 sehr stark gebraucht":    {Name: "Leica M6", Condition: "heavily_used"},
		"good":                             {Name: "good"},
		"3":                                {Name: "3"},
		"Canon EOS R6,":                    {Name: "Canon EOS R6"},
		" ,; ":                             {},
		"Canon EOS R6, mint":               {Name: "Canon EOS R6, mint"},
		"Canon EOS R6, excellent, x1000":   {Name: "Canon EOS R6, x1000", Condition: "excellent"},
	} {
		var got ValuationItem
		if err := got.Set(line); err != nil || got != want {
			t.Errorf("%q is %+v, want %+v (%v)", line, got, want, err)
			continue
		}
		var again ValuationItem
		if err := again.Set(got.String()); err != nil || again != got {
			t.Errorf("%q is written as %q, which is %+v", line, got.String(), again)
		}
	}
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	stats := Stats{Count: MinSales, P25: 900, Median: 1000, P75: 1200}
	for price, want := range map[models.Cents]struct {
		Verdict
		percent int
	}{899: {BelowRange, -10}, 900: {WithinRange, -10}, 1000: {WithinRange, 0}, 1200: {WithinRange, 20}, 1201: {AboveRange, 20}, 1: {BelowRange, -100}} {
		if v, percent := stats.Verdict(price); v != want.Verdict || percent != want.percent {
			t.Errorf("%d is %s, %d %%; want %s, %d %%", price, v, percent, want.Verdict, want.percent)
		}
	}
	stats.Count--
	if v, percent := stats.Verdict(1000); v != VerdictUnknown || percent != 0 {
		t.Errorf("with too few sales the verdict is %s, %d %%", v, percent)
	}
}

func TestRangeOf(t *testing.T) {
	t.Parallel()
	good := Stats{Count: 6, P25: 80, Median: 90, P75: 100}
	all := Stats{Count: 9, P25: 70, Median: 85, P75: 95}
	trend := &Trend{Summary: all, ByCondition: map[models.Condition]Stats{models.ConditionGood: good, models.ConditionFaulty: {Count: 2}, models.ConditionNew: {Count: 7, Median: 200}}}
	for c, want := range map[models.Condition]PriceRange{
		models.ConditionGood: {80, 90, 100, 6, models.ConditionGood, false}, models.ConditionFaulty: {70, 85, 95, 9, "", false}, "": {70, 85, 95, 9, "", false},
	} {
		if r, ok := trend.RangeOf(c); !ok || r != want {
			t.Errorf("the range of %q is %+v, %t; want %+v", c, r, ok, want)
		}
	}
	if _, ok := (&Trend{Summary: Stats{Count: 4}}).RangeOf(""); ok {
		t.Error("four sales have a range")
	}
	if _, ok := (*Trend)(nil).RangeOf(""); ok {
		t.Error("no sales have a range")
	}
	for c, want := range map[models.Condition][]models.Condition{
		models.ConditionExcellent: {models.ConditionNew, models.ConditionGood}, models.ConditionFaulty: {models.ConditionGood}, models.ConditionNew: {models.ConditionGood}, "": nil,
	} {
		if near := trend.Neighbours(c); !reflect.DeepEqual(near, want) {
			t.Errorf("the neighbours of %q are %v, want %v", c, near, want)
		}
	}
}
