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
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := pricing.NewReport(ended, m.gear, m.sales, m.day, 2, tuning); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
