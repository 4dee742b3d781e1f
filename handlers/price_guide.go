package handlers

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// priceGuides makes price guides: what gear sells for, and what is asked for it now.
type priceGuides struct {
	Prices    *store.Prices
	Site      *ui.Site
	Index     *search.Index
	Cards     *cardMaker
	Estimates *estimates
	Clock     models.Clock
}

// priceGuide returns the price guide of gear in a condition; "" is all conditions. It
// assesses an asking price unless it is 0.
func (s *priceGuides) priceGuide(ctx context.Context, gear *catalog.Gear, condition models.Condition, price models.Cents) (*priceviews.PriceGuide, error) {
	trend, err := s.Prices.Trend(ctx, gear.Slug())
	if err != nil {
		return nil, err
	}
	times, err := s.Prices.SellingTimes(ctx, gear.Slug(), models.TimeOf(s.Clock()))
	if err != nil {
		return nil, err
	}
	fitted := s.Estimates.current.Load()
	parts := priceviews.PriceGuideParts{Gear: gear, Condition: condition, Price: price, Trend: trend, Times: times, Asked: s.asking(gear), Estimate: s.Estimates.estimate(gear.Slug(), condition),
		Selling: fitted.fit.Selling(), Index: fitted.index}
	if condition != "" {
		if parts.InGrade, err = s.askingIn(gear, condition); err != nil {
			return nil, err
		}
	}
	return priceviews.NewPriceGuide(s.Site, parts), nil
}

// asking returns the current asking prices of gear.
func (s *priceGuides) asking(gear *catalog.Gear) (a priceviews.Asking) {
	a.Count, a.Lowest, a.Average = s.Index.Asking(gear.Slug())
	return a
}

// AskingIn returns the number of listings of gear in a condition and the lowest price.
func (s *priceGuides) askingIn(gear *catalog.Gear, condition models.Condition) (priceviews.Asking, error) {
	found, err := s.Index.Search(search.Query{Filter: search.Filter{Model: gear.Slug(), Conditions: []models.Condition{condition}}, Sort: search.Price, Limit: 1})
	if err != nil {
		return priceviews.Asking{}, err
	}
	cards, err := s.Cards.decodeCards(found)
	if err != nil || len(cards) == 0 {
		return priceviews.Asking{}, err
	}
	lowest, err := s.Site.Currency().ParseDecimal(cards[0].Comparable().Amount)
	return priceviews.Asking{Count: found.Total, Lowest: lowest}, err
}
