package store

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

const (
	statsColumns = `sales, average, median, low, high, p25, p75, last_sold_at`
	// trendColumns are the columns of a trend joined with the statistics of one
	// condition ('' for all) or one month.
	trendColumns = `t.gear, t.as_of, t.window_from, t.all_time, t.change_30d, t.change_90d, t.change_12m,
		t.sources, t.held, t.repeated, t.over_limit, t.newcomers,
		s.condition, s.month_key, s.sales, s.average, s.median, s.low, s.high, s.p25, s.p75, s.last_sold_at`
)

// Trend returns the stored trend of a gear. Without sales only its Gear is set.
func (s *Prices) Trend(ctx context.Context, gear string) (*prices.Trend, error) {
	if !models.Storable(gear) {
		return &prices.Trend{Gear: gear}, nil
	}
	trends, err := readTrends(ctx, s.read, []string{gear})
	return trends[gear], err
}

// readTrends reads up to maxRows trends in one statement, so that it sees a
// concurrent update entirely or not at all. Of gear without sales only the Gear
// is set.
func readTrends(ctx context.Context, db sqlx.QueryerContext, gear []string) (map[string]*prices.Trend, error) {
	trends := make(map[string]*prices.Trend, len(gear))
	for _, slug := range gear {
		trends[slug] = &prices.Trend{Gear: slug}
	}
	among := `gear IN (` + parameters(1, len(gear)) + `)`
	rows, err := db.QueryxContext(ctx, `SELECT `+trendColumns+` FROM trends t JOIN (
			SELECT gear, condition, 0 AS month_key, `+statsColumns+` FROM trend_summaries WHERE `+among+`
			UNION ALL SELECT gear, '', month_key, `+statsColumns+` FROM trend_months WHERE `+among+`
		) s ON s.gear = t.gear WHERE t.`+among+` ORDER BY s.month_key`, toAny(gear)...)
	if err != nil {
		return nil, err
	}
	return trends, eachRow(rows, func(r *sqlx.Rows) error {
		row, err := scanTrendRow(r)
		if err != nil {
			return err
		}
		return row.addTo(trends[row.gear])
	})
}

// EachTrend calls each for every trend, without its months, in order of gear.
func (s *Prices) EachTrend(ctx context.Context, each func(*prices.Trend) error) error {
	return eachTrend(ctx, s.scan, `SELECT gear FROM trends`, nil, each)
}

// EachTrendMonth calls each for every month with counted sales of gear, in order of gear and
// time.
func (s *Prices) EachTrendMonth(ctx context.Context, each func(gear string, month *prices.TrendMonth) error) error {
	rows, err := s.scan.QueryxContext(ctx, `SELECT `+trendColumns+` FROM trends t JOIN (
			SELECT gear, '' AS condition, month_key, `+statsColumns+` FROM trend_months
		) s ON s.gear = t.gear ORDER BY t.gear, s.month_key`)
	if err != nil {
		return err
	}
	return eachRow(rows, func(r *sqlx.Rows) error {
		row, err := scanTrendRow(r)
		if err != nil || row.stats.Count == 0 {
			return err
		}
		return each(row.gear, &prices.TrendMonth{Month: row.month, Stats: row.stats})
	})
}

// Trends returns the trends of gear without their months. Gear without sales is
// omitted.
func (s *Prices) Trends(ctx context.Context, gear []string) (map[string]*prices.Trend, error) {
	trends := make(map[string]*prices.Trend, len(gear))
	for part := range chunks(gear) {
		err := eachTrend(ctx, s.read, `SELECT gear FROM trends WHERE gear IN (`+parameters(1, len(part))+`)`, toAny(part), func(t *prices.Trend) error {
			trends[t.Gear] = t
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return trends, nil
}

// MostSold returns up to n gear with the most sales in their window, in
// descending order. It considers gear sold in the last 12 months.
func (s *Prices) MostSold(ctx context.Context, n int) (gear []string, err error) {
	err = s.read.SelectContext(ctx, &gear, `SELECT gear FROM trend_summaries WHERE condition = '' AND last_sold_at > $1
		ORDER BY sales DESC, gear LIMIT $2`, prices.YearBefore(s.now()), n)
	return gear, err
}

// SalesByGear returns the number of sales in the window of each trend, by gear.
func (s *Prices) SalesByGear(ctx context.Context) (map[string]int, error) {
	rows, err := s.read.QueryxContext(ctx, `SELECT gear, sales FROM trend_summaries WHERE condition = ''`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	sales := map[string]int{}
	for rows.Next() {
		var gear string
		var n int
		if err := rows.Scan(&gear, &n); err != nil {
			return nil, err
		}
		sales[gear] = n
	}
	return sales, rows.Err()
}

// Movers returns up to n gear whose median changed most in 90 days, up or down,
// in descending order. It considers gear sold since the given time and at least
// 30 times in its window, because fewer sales vary by chance.
func (s *Prices) Movers(ctx context.Context, since models.Time, n int) (gear []string, err error) {
	err = s.read.SelectContext(ctx, &gear, `SELECT t.gear FROM trends t JOIN trend_summaries s ON s.gear = t.gear AND s.condition = ''
		WHERE t.change_90d IS NOT NULL AND s.sales >= 30 AND t.as_of >= $1
		ORDER BY ABS(t.change_90d) DESC, t.gear LIMIT $2`, since, n)
	return gear, err
}

// eachTrend calls each for the trends of the gear that a query selects, without
// their months, in order of gear.
func eachTrend(ctx context.Context, db *sqlx.DB, gear string, args []any, each func(*prices.Trend) error) error {
	rows, err := db.QueryxContext(ctx, `SELECT `+trendColumns+` FROM trends t JOIN (
			SELECT gear, condition, 0 AS month_key, `+statsColumns+` FROM trend_summaries
		) s ON s.gear = t.gear WHERE t.gear IN (`+gear+`) ORDER BY t.gear`, args...)
	if err != nil {
		return err
	}
	var trend *prices.Trend
	err = eachRow(rows, func(r *sqlx.Rows) error {
		row, err := scanTrendRow(r)
		if err != nil {
			return err
		}
		if trend != nil && trend.Gear != row.gear {
			if err := each(trend); err != nil {
				return err
			}
			trend = nil
		}
		if trend == nil {
			trend = &prices.Trend{Gear: row.gear}
		}
		return row.addTo(trend)
	})
	if err != nil || trend == nil {
		return err
	}
	return each(trend)
}

type trendRow struct {
	gear      string
	trend     prices.Trend
	sources   string
	condition models.Condition
	month     models.MonthKey
	stats     prices.Stats
}

// scanTrendRow scans a row of trendColumns. It scans into basic types, for
// which database/sql needs no reflection.
func scanTrendRow(r *sqlx.Rows) (row trendRow, err error) {
	var asOf, from, allTime, month, count, average, median, low, high, p25, p75, last int64
	var condition, sources string
	t := &row.trend
	u := &t.Uncounted
	err = r.Scan(&row.gear, &asOf, &from, &allTime, &t.Change30d, &t.Change90d, &t.Change12m,
		&sources, &u.Held, &u.Repeated, &u.OverLimit, &u.Newcomers, &condition, &month, &count, &average, &median, &low, &high, &p25, &p75, &last)
	t.AsOf, t.WindowFrom, t.AllTime = models.Time(asOf), models.Time(from), int(allTime)
	row.sources = sources
	row.condition, row.month = models.Condition(condition), models.MonthKey(month)
	row.stats = prices.Stats{Count: int(count), Average: models.Cents(average), Median: models.Cents(median), Low: models.Cents(low), High: models.Cents(high), P25: models.Cents(p25), P75: models.Cents(p75), LastSoldAt: models.Time(last)}
	return row, err
}

// addTo adds the row to its trend.
func (r *trendRow) addTo(t *prices.Trend) error {
	t.AsOf, t.WindowFrom, t.AllTime, t.Uncounted = r.trend.AsOf, r.trend.WindowFrom, r.trend.AllTime, r.trend.Uncounted
	t.Change30d, t.Change90d, t.Change12m = r.trend.Change30d, r.trend.Change90d, r.trend.Change12m
	if t.Sources == nil && r.sources != "[]" {
		if err := json.Unmarshal([]byte(r.sources), &t.Sources); err != nil {
			return fmt.Errorf("read sources of %s: %w", r.gear, err)
		}
	}
	switch {
	case r.month != 0:
		t.Months = append(t.Months, prices.TrendMonth{Month: r.month, Stats: r.stats})
	case r.condition == "":
		t.Summary = r.stats
	default:
		if t.ByCondition == nil {
			t.ByCondition = map[models.Condition]prices.Stats{}
		}
		t.ByCondition[r.condition] = r.stats
	}
	return nil
}

// EachCountedPrice calls each for the prices that the statistics of a gear in a condition
// count, or in all conditions for "", lowest first, where there are enough to be published.
func (s *Prices) EachCountedPrice(ctx context.Context, each func(gear string, condition models.Condition, price models.Cents, month models.MonthKey) error) error {
	rows, err := s.scan.QueryxContext(ctx, `SELECT `+trendSaleColumns+`, s.gear FROM sales s WHERE s.gear <> '' AND `+eligibleSale+` ORDER BY s.gear, s.sold_at, s.id`)
	if err != nil {
		return err
	}
	state := prices.NewTrendState("")
	var sale models.Sale
	err = eachRow(rows, func(rows *sqlx.Rows) error {
		if err := scanForTrend(&sale, rows, &sale.Gear); err != nil {
			return err
		}
		if sale.Gear != state.Gear {
			if err := state.EachCountedPrice(each); err != nil {
				return err
			}
			state = prices.NewTrendState(sale.Gear)
		}
		state.Add(&sale)
		return nil
	})
	if err != nil {
		return err
	}
	return state.EachCountedPrice(each)
}

// ConditionMonths returns the months with sales of a gear in one condition, oldest first.
// NewTrend has the rules.
func (s *Prices) ConditionMonths(ctx context.Context, gear string, condition models.Condition) ([]prices.TrendMonth, error) {
	rows, err := s.read.QueryxContext(ctx, `SELECT `+trendSaleColumns+` FROM sales s
		WHERE s.gear = $1 AND s.condition = $2 AND `+eligibleSale+` ORDER BY s.sold_at, s.id`, gear, string(condition))
	if err != nil {
		return nil, err
	}
	state := prices.NewTrendState(gear)
	var sale models.Sale
	err = eachRow(rows, func(rows *sqlx.Rows) error {
		if err := scanForTrend(&sale, rows); err != nil {
			return err
		}
		state.Add(&sale)
		return nil
	})
	return state.Trend().Months, err
}
