package pricing_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/secondlight/secondlight/models/pricing"
)

// TestTraits changes the prices of some sales of a market by what was sold with them, where and
// in what state. Their effects are found, and estimates are as close to those of the market
// without them as if the sales were marked.
func TestTraits(t *testing.T) {
	m := newMarket(5, 200, 20_000)
	same := pricing.Options{Tuning: pricing.Fit(m.gear, m.sales, m.day, pricing.Options{}).Tuning()}
	plain := pricing.Fit(m.gear, m.sales, m.day, same)
	effects := map[string]float64{"region A": 0.06, "region B": -0.06, "works minor_fault": -0.3, "with box": 0.05, "with charger": 0.08}
	share := map[string]float64{"region A": 0.5, "works minor_fault": 0.06, "with box": 0.3, "with charger": 0.7}
	random := rand.New(rand.NewPCG(1, 2))
	marked, unmarked := slices.Clone(m.sales), slices.Clone(m.sales)
	for i := range marked {
		s := &marked[i]
		if random.Float64() < share["region A"] {
			s.Traits = append(s.Traits, "region A")
		} else {
			s.Traits = append(s.Traits, "region B")
		}
		for _, trait := range []string{"works minor_fault", "with box", "with charger"} {
			if random.Float64() < share[trait] {
				s.Traits = append(s.Traits, trait)
			}
		}
		for _, trait := range s.Traits {
			s.Price = int64(math.Round(float64(s.Price) * math.Exp(effects[trait])))
		}
		unmarked[i].Price = s.Price
	}
	fitted := pricing.Fit(m.gear, marked, m.day, same)
	for trait, want := range effects {
		for kind, got := range fitted.TraitEffects(trait) {
			if math.Abs(got-want) > 0.025 {
				t.Errorf("%s of %s is %.3f, want %.3f", trait, kind, got, want)
			}
		}
	}
	known := fitted.Effects("works")
	for kind, works := range known {
		if len(works) != 1 || math.Abs(works["works minor_fault"]+0.3) > 0.025 {
			t.Errorf("the known effects in %s are %v", kind, works)
		}
	}
	few := slices.Clone(m.sales)
	for i := range 12 { // of which each is worth less than one
		few[i].Traits = []string{"works untested"}
	}
	if unknown := pricing.Fit(m.gear, few, m.day, same).Effects("works"); len(known) == 0 || len(unknown) > 0 {
		t.Errorf("the effects of many sales are %v, those of few %v", known, unknown)
	}
	blind := pricing.Fit(m.gear, unmarked, m.day, same)
	off := func(model *pricing.Model) (mean float64) {
		n := 0
		for _, g := range m.gear {
			want, ok := plain.Estimate(g.Slug, 2, m.day)
			got, also := model.Estimate(g.Slug, 2, m.day)
			if ok && also && want.Sales > 20 {
				mean, n = mean+math.Abs(float64(got.Price)/float64(want.Price)-1), n+1
			}
		}
		return mean / float64(n)
	}
	if with, without := off(fitted), off(blind); with > 0.01 || with > 0.6*without {
		t.Errorf("estimates are off by %.2f %% with the traits, by %.2f %% without", 100*with, 100*without)
	} else {
		t.Logf("estimates are off by %.2f %% with the traits, by %.2f %% without", 100*with, 100*without)
	}
}

// TestSellers changes the prices of a market in which some sales are by dealers, some by private sellers and
// some by unknown ones, dealers among them. What dealers get is found, estimates are those for private
// sellers, and members who call themselves dealers at any price don't change either.
func TestSellers(t *testing.T) {
	m := newMarket(5, 200, 20_000)
	same := pricing.Options{Tuning: pricing.Fit(m.gear, m.sales, m.day, pricing.Options{}).Tuning()}
	plain := pricing.Fit(m.gear, m.sales, m.day, same)
	random := rand.New(rand.NewPCG(3, 4))
	marked := slices.Clone(m.sales)
	for i := range marked {
		s := &marked[i]
		dealer, unknown := random.Float64() < 0.4, random.Float64() < 0.3
		if dealer {
			s.Price = int64(math.Round(float64(s.Price) * 1.12))
		}
		switch {
		case unknown:
			s.Traits = []string{pricing.UnknownSeller}
		case dealer:
			s.Traits = []string{pricing.DealerTrait}
		}
	}
	private, mixed := slices.Clone(marked), slices.Clone(marked)
	for i := range private {
		if len(private[i].Traits) == 0 {
			private[i].Traits = []string{pricing.UnknownSeller}
		}
		mixed[i].Traits = nil
	}
	forged := slices.Clone(marked)
	for i := range 2_000 {
		s := marked[i*7]
		s.Price, s.Seller, s.Buyer, s.Traits = 2*s.Price, "a", "b", []string{pricing.DealerTrait}
		forged = append(forged, s)
	}
	fitted := pricing.Fit(m.gear, marked, m.day, same)
	for name, sales := range map[string][]pricing.Sale{"marked": marked, "forged": forged} {
		effects := pricing.Fit(m.gear, sales, m.day, same).Effects(pricing.SellerClass)
		if len(effects) == 0 {
			t.Errorf("%s: nothing is known of dealers", name)
		}
		for kind, got := range effects {
			if math.Abs(got[pricing.DealerTrait]-math.Log(1.12)) > 0.025 || len(got) != 1 {
				t.Errorf("%s: dealers of %s get %v", name, kind, got)
			}
		}
	}
	if known := pricing.Fit(m.gear, private, m.day, same).Effects(pricing.SellerClass); len(known) > 0 {
		t.Errorf("without private sellers, dealers get %v", known)
	}
	off := func(model *pricing.Model) (mean float64) {
		n := 0
		for _, g := range m.gear {
			want, ok := plain.Estimate(g.Slug, 2, m.day)
			got, also := model.Estimate(g.Slug, 2, m.day)
			if ok && also && want.Sales > 20 {
				mean, n = mean+math.Log(float64(got.Price)/float64(want.Price)), n+1
			}
		}
		return mean / float64(n)
	}
	if with, without := off(fitted), off(pricing.Fit(m.gear, mixed, m.day, same)); math.Abs(with) > 0.01 || without < 0.03 {
		t.Errorf("estimates are off by %.2f %% with known sellers, by %.2f %% without", 100*with, 100*without)
	}
}
