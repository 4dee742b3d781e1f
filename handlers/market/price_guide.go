package market

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// Guides makes price guides: what gear sells for, and what is asked for it now.
type Guides struct {
	Prices    *store.Prices
	Site      *ui.Site
	Index     *search.Index
	Cards     *Cards
	Estimates *Estimates
	Clock     models.Clock
}

// Asked is what somebody wants to know the price of.
type Asked struct {
	Condition  models.Condition  // "" is all conditions
	Functional models.Functional // "" is fully working
	Shutter    int               // shutter count, 0 if it is unknown
	Price      models.Cents      // asking price to assess, 0 for none
}

// Guide returns the price guide of gear.
func (s *Guides) Guide(ctx context.Context, gear *catalog.Gear, asked Asked) (*priceviews.PriceGuide, error) {
	condition := asked.Condition
	trend, err := s.Prices.Trend(ctx, gear.Slug())
	if err != nil {
		return nil, err
	}
	times, err := s.Prices.SellingTimes(ctx, gear.Slug(), models.TimeOf(s.Clock()))
	if err != nil {
		return nil, err
	}
	fitted := s.Estimates.Current.Load()
	parts := priceviews.PriceGuideParts{Gear: gear, Condition: condition, Price: asked.Price, Trend: trend, Times: times, Asked: s.Asking(gear), Estimate: s.Estimates.Of(gear.Slug(), condition), Grades: s.Estimates.ByGrade(gear.Slug()),
		Selling: fitted.Fit.Selling(), Index: fitted.Index}
	if condition != "" {
		if parts.InGrade, err = s.askingIn(gear, condition); err != nil {
			return nil, err
		}
	}
	s.setWorks(&parts, asked.Functional)
	if asked.Shutter > 0 {
		if parts.Shutter, err = s.shuttersOf(gear, asked.Shutter); err != nil {
			return nil, err
		}
	}
	return priceviews.NewPriceGuide(s.Site, parts), nil
}

// setWorks replaces the estimates by those of an item that doesn't work fully. If it is unknown
// what that costs, they stay, and the asking price is not judged.
func (s *Guides) setWorks(parts *priceviews.PriceGuideParts, works models.Functional) {
	if works == "" || works == models.FullyWorking || parts.Estimate == nil {
		return
	}
	fit := s.Estimates.Current.Load().Fit
	parts.Works = works
	estimate := parts.Estimate.For(works, parts.Gear.Category, fit)
	if parts.WorksUnknown = estimate == nil; parts.WorksUnknown {
		parts.Price = 0
		return
	}
	parts.Estimate = estimate
	var grades []*prices.Estimate
	for _, grade := range parts.Grades {
		if e := grade.For(works, parts.Gear.Category, fit); e != nil {
			grades = append(grades, e)
		}
	}
	parts.Grades = grades
}

// shuttersOf compares a shutter count with those of the listings of gear.
func (s *Guides) shuttersOf(gear *catalog.Gear, count int) (priceviews.Shutters, error) {
	of := priceviews.Shutters{Count: count}
	for _, total := range []struct {
		most int
		n    *int
	}{{models.MaxShutter, &of.Known}, {count, &of.Fewer}} {
		found, err := s.Index.Search(search.Query{Filter: search.Filter{Model: gear.Slug(), ShutterMax: total.most}, Limit: 1, NoFacets: true})
		if err != nil {
			return of, err
		}
		*total.n = found.Total
	}
	return of, nil
}

// Asking returns the current asking prices of gear.
func (s *Guides) Asking(gear *catalog.Gear) (a priceviews.Asking) {
	a.Count, a.Lowest, a.Average = s.Index.Asking(gear.Slug())
	return a
}

// AskingIn returns the number of listings of gear in a condition and the lowest price.
func (s *Guides) askingIn(gear *catalog.Gear, condition models.Condition) (priceviews.Asking, error) {
	found, err := s.Index.Search(search.Query{Filter: search.Filter{Model: gear.Slug(), Conditions: []models.Condition{condition}}, Sort: search.Price, Limit: 1, NoFacets: true})
	if err != nil {
		return priceviews.Asking{}, err
	}
	cards, err := s.Cards.Decode(found)
	if err != nil || len(cards) == 0 {
		return priceviews.Asking{}, err
	}
	lowest, err := s.Site.Currency().ParseDecimal(cards[0].Comparable().Amount)
	return priceviews.Asking{Count: found.Total, Lowest: lowest}, err
}
