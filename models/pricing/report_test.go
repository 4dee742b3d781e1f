package pricing_test

import (
	"context"
	"errors"
	"testing"

	"github.com/secondlight/secondlight/models/pricing"
)

// TestReport checks what a report of two months says, and that it ends with its context.
func TestReport(t *testing.T) {
	m := newMarket(7, 60, 6000)
	tuning := pricing.Fit(m.gear, m.sales, m.day, pricing.Options{}).Tuning()
	r, err := pricing.NewReport(t.Context(), m.gear, m.sales, m.day, 2, tuning)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, a := range r.BySales {
		sum += a.Sales
	}
	if r.All.Sales == 0 || sum != r.All.Sales || r.All.Error <= 0 || r.All.Error > 0.15 || r.All.InMost < 0.7 || r.All.InMost > 0.9 {
		t.Errorf("%+v", r.All)
	}
	if f := r.Forgery; f.Gear == 0 || f.Forged == 0 || f.Most > 0.03 || f.Mean > f.Most {
		t.Errorf("%+v", f)
	}
	for name, table := range map[string][]pricing.Accuracy{"kinds": r.ByKind, "grades": r.ByGrade, "prices": r.ByPrice} {
		stated := 0
		for _, a := range table {
			stated += a.Stated
		}
		if stated != r.All.Stated {
			t.Errorf("%d estimates by %s, %d in all", stated, name, r.All.Stated)
		}
	}
	if r.PerGear.Sales == 0 || r.PerGear.Sales > len(m.gear) {
		t.Errorf("%d sales of %d gear", r.PerGear.Sales, len(m.gear))
	}
	if like := r.Like(m.gear[0].Kind, 200, 0); like == nil || like.Stated < 100 || like.Stated == r.All.Stated {
		t.Errorf("estimates like one were %+v", like)
	}
	if like := (*pricing.Report)(nil).Like("mirrorless", 1, 0); like != nil {
		t.Errorf("without a report estimates were %+v", like)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := pricing.NewReport(ended, m.gear, m.sales, m.day, 2, tuning); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
