package store

import (
	"context"
	"slices"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

// SellingTimes returns the selling times of a gear's listings in eligible sales
// within a year before upTo, by condition, and of all conditions under "".
func (s *Prices) SellingTimes(ctx context.Context, gear string, upTo models.Time) (map[models.Condition]prices.SellingTime, error) {
	var rows []struct {
		Condition models.Condition
		Took      int64
	}
	err := s.read.SelectContext(ctx, &rows, `SELECT s.condition AS condition, l.closed_at - l.published_at AS took FROM sales s
		JOIN listings l ON l.id = s.listing_id
		WHERE s.gear = $1 AND s.sold_at > $2 AND s.sold_at <= $3 AND l.published_at > 0 AND l.closed_at >= l.published_at AND `+eligibleSale,
		gear, prices.YearBefore(upTo), upTo)
	if err != nil {
		return nil, err
	}
	took := map[models.Condition][]models.Cents{}
	for _, r := range rows {
		days := models.Cents((r.Took + int64(models.DayMillis) - 1) / int64(models.DayMillis))
		took[r.Condition], took[""] = append(took[r.Condition], days), append(took[""], days)
	}
	times := map[models.Condition]prices.SellingTime{}
	for condition, days := range took {
		t := prices.SellingTime{Count: len(days)}
		if t.Enough() {
			slices.Sort(days)
			at := func(i int) models.Cents { return days[i] }
			t.P25, t.Median, t.P75 = int(prices.Quartile(len(days), at, 1)), int(prices.Quartile(len(days), at, 2)), int(prices.Quartile(len(days), at, 3))
		}
		times[condition] = t
	}
	return times, nil
}
