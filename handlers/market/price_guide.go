package market

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
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

// Guide returns the price guide of gear in a condition; "" is all conditions. It
// assesses an asking price unless it is 0.
func (s *Guides) Guide(ctx context.Context, gear *catalog.Gear, condition models.Condition, price models.Cents) (*priceviews.PriceGuide, error) {
	trend, err := s.Prices.Trend(ctx, gear.Slug())
	if err != nil {
		return nil, err
	}
	times, err := s.Prices.SellingTimes(ctx, gear.Slug(), models.TimeOf(s.Clock()))
	if err != nil {
		return nil, err
	}
	fitted := s.Estimates.Current.Load()
	parts := priceviews.PriceGuideParts{Gear: gear, Condition: condition, Price: price, Trend: trend, Times: times, Asked: s.Asking(gear), Estimate: s.Estimates.Of(gear.Slug(), condition), Grades: s.Estimates.ByGrade(gear.Slug()),
		Selling: fitted.Fit.Selling(), Index: fitted.Index}
	if condition != "" {
		if parts.InGrade, err = s.askingIn(gear, condition); err != nil {
			return nil, err
		}
	}
	return priceviews.NewPriceGuide(s.Site, parts), nil
}

// Asking returns the current asking prices of gear.
func (s *Guides) Asking(gear *catalog.Gear) (a priceviews.Asking) {
	a.Count, a.Lowest, a.Average = s.Index.Asking(gear.Slug())
	return a
}

// AskingIn returns the number of listings of gear in a condition and the lowest price.
func (s *Guides) askingIn(gear *catalog.Gear, condition models.Condition) (priceviews.Asking, error) {
	found, err := s.Index.Search(search.Query{Filter: search.Filter{Model: gear.Slug(), Conditions: []models.Condition{condition}}, Sort: search.Price, Limit: 1})
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
