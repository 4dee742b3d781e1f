package store

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/pricing"
)

// PricedSales returns the sales that price estimates are fitted to: the eligible ones
// of gear in the catalogue, without those that NewTrend holds or that repeat a pair of
// members, and without newcomers'. The model limits what each member counts. Of gear with
// many sales it returns some.
func (s *Prices) PricedSales(ctx context.Context) (*pricing.Sample, error) {
	return s.pricedSales(ctx, "", models.DayNumber(s.clock()))
}

// pricedSales returns those of PricedSales before a day, of one gear or of all for "".
func (s *Prices) pricedSales(ctx context.Context, gear string, day int) (*pricing.Sample, error) {
	sample := pricing.NewSample(day)
	err := s.eachPricedSale(ctx, gear, prices.DetailsOfSale, func(sale *models.Sale, details string) {
		priced := sale.Priced()
		priced.Traits = prices.TraitsOf(details)
		sample.Add(priced)
	})
	sample.Finish()
	return sample, err
}

// itemOfSale identifies the item that a sale s was of, by the hash of its serial number, if
// other listings have the same; otherwise it is empty. The hash must not be published.
const itemOfSale = `COALESCE((SELECT n.hash FROM listing_serials n WHERE n.listing_id = s.listing_id
	AND EXISTS (SELECT 1 FROM listing_serials o WHERE o.hash = n.hash AND o.listing_id <> n.listing_id)), '')`

// eachPricedSale calls each for every sale that prices may be estimated from, in order of gear
// and time, those of one gear or of all for "", with the value of an SQL expression for the sale s.
func (s *Prices) eachPricedSale(ctx context.Context, gear, expression string, each func(sale *models.Sale, value string)) error {
	pool, condition, args := s.scan, `s.gear <> ''`, []any{}
	if gear != "" {
		pool, condition, args = s.read, `s.gear = $1`, []any{gear}
	}
	rows, err := pool.QueryxContext(ctx, `SELECT `+trendSaleColumns+`, s.gear, `+expression+`
		FROM sales s WHERE `+condition+` AND `+eligibleSale+` ORDER BY s.gear, s.sold_at, s.id`, args...)
	if err != nil {
		return err
	}
	state := prices.NewTrendState("")
	return eachRow(rows, func(rows *sqlx.Rows) error {
		var sale models.Sale
		var value string
		if err := scanForTrend(&sale, rows, &sale.Gear, &value); err != nil {
			return err
		}
		if sale.Gear != state.Gear {
			state = prices.NewTrendState(sale.Gear)
		}
		omitted := len(state.LeftOut)
		state.Add(&sale)
		if len(state.LeftOut) == omitted && (!sale.Newcomer || sale.VouchedFor()) {
			each(&sale, value)
		}
		return nil
	})
}
