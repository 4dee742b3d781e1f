package models

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/jmoiron/sqlx"
)

const (
	statsColumns = `sales, average, median, low, high, p25, p75, last_sold_at`
	// trendColumns are the columns of a trend joined with the statistics of one
	// condition ('' for all) or one month.
	trendColumns = `t.gear, t.as_of, t.window_from, t.all_time, t.change_30d, t.change_90d, t.change_12m,
		s.condition, s.month_key, s.sales, s.average, s.median, s.low, s.high, s.p25, s.p75, s.last_sold_at`
)

// Trend returns the stored trend of a gear. Without sales only its Gear is set.
func (s *Store) Trend(ctx context.Context, gear string) (*Trend, error) {
	if !storable(gear) {
		return &Trend{Gear: gear}, nil
	}
	return readTrend(ctx, s.read, gear)
}

// readTrend reads a trend in one statement, so that it sees a concurrent update
// entirely or not at all.
func readTrend(ctx context.Context, db sqlx.QueryerContext, gear string) (*Trend, error) {
	rows, err := db.QueryxContext(ctx, `SELECT `+trendColumns+` FROM trends t JOIN (
			SELECT gear, condition, 0 AS month_key, `+statsColumns+` FROM trend_summaries WHERE gear = $1
			UNION ALL SELECT gear, '', month_key, `+statsColumns+` FROM trend_months WHERE gear = $1
		) s ON s.gear = t.gear WHERE t.gear = $1 ORDER BY s.month_key`, gear)
	if err != nil {
		return nil, err
	}
	trend := &Trend{Gear: gear}
	return trend, eachRow(rows, func(r *sqlx.Rows) error {
		row, err := scanTrendRow(r)
		if err != nil {
			return err
		}
		row.addTo(trend)
		return nil
	})
}

// EachTrend calls each for every trend, without its months, in order of gear.
func (s *Store) EachTrend(ctx context.Context, each func(*Trend) error) error {
	return s.eachTrend(ctx, `SELECT gear FROM trends`, nil, each)
}

// Trends returns the trends of gear without their months. Gear without sales is
// omitted.
func (s *Store) Trends(ctx context.Context, gear []string) (map[string]*Trend, error) {
	trends := make(map[string]*Trend, len(gear))
	for part := range chunks(gear) {
		err := s.eachTrend(ctx, `SELECT gear FROM trends WHERE gear IN (`+parameters(1, len(part))+`)`, toAny(part), func(t *Trend) error {
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
// descending order.
func (s *Store) MostSold(ctx context.Context, n int) (gear []string, err error) {
	err = s.read.SelectContext(ctx, &gear, `SELECT gear FROM trend_summaries WHERE condition = '' ORDER BY sales DESC, gear LIMIT $1`, n)
	return gear, err
}

// Movers returns up to n gear whose median changed most in 90 days, up or down,
// in descending order. It considers gear sold since the given time and at least
// 30 times in its window, because fewer sales vary by chance.
func (s *Store) Movers(ctx context.Context, since Time, n int) (gear []string, err error) {
	err = s.read.SelectContext(ctx, &gear, `SELECT t.gear FROM trends t JOIN trend_summaries s ON s.gear = t.gear AND s.condition = ''
		WHERE t.change_90d IS NOT NULL AND s.sales >= 30 AND t.as_of >= $1
		ORDER BY ABS(t.change_90d) DESC, t.gear LIMIT $2`, since, n)
	return gear, err
}

// eachTrend calls each for the trends of the gear that a query selects, without
// their months, in order of gear.
func (s *Store) eachTrend(ctx context.Context, gear string, args []any, each func(*Trend) error) error {
	rows, err := s.read.QueryxContext(ctx, `SELECT `+trendColumns+` FROM trends t JOIN (
			SELECT gear, condition, 0 AS month_key, `+statsColumns+` FROM trend_summaries
		) s ON s.gear = t.gear WHERE t.gear IN (`+gear+`) ORDER BY t.gear`, args...)
	if err != nil {
		return err
	}
	var trend *Trend
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
			trend = &Trend{Gear: row.gear}
		}
		row.addTo(trend)
		return nil
	})
	if err != nil || trend == nil {
		return err
	}
	return each(trend)
}

type trendRow struct {
	gear      string
	trend     Trend
	condition Condition
	month     MonthKey
	stats     Stats
}

// scanTrendRow scans a row of trendColumns. It scans into basic types, for
// which database/sql needs no reflection.
func scanTrendRow(r *sqlx.Rows) (row trendRow, err error) {
	var asOf, from, allTime, month, count, average, median, low, high, p25, p75, last int64
	var condition string
	t := &row.trend
	err = r.Scan(&row.gear, &asOf, &from, &allTime, &t.Change30d, &t.Change90d, &t.Change12m,
		&condition, &month, &count, &average, &median, &low, &high, &p25, &p75, &last)
	t.AsOf, t.WindowFrom, t.AllTime = Time(asOf), Time(from), int(allTime)
	row.condition, row.month = Condition(condition), MonthKey(month)
	row.stats = Stats{int(count), Cents(average), Cents(median), Cents(low), Cents(high), Cents(p25), Cents(p75), Time(last)}
	return row, err
}

// addTo adds the row to its trend.
func (r *trendRow) addTo(t *Trend) {
	t.AsOf, t.WindowFrom, t.AllTime = r.trend.AsOf, r.trend.WindowFrom, r.trend.AllTime
	t.Change30d, t.Change90d, t.Change12m = r.trend.Change30d, r.trend.Change90d, r.trend.Change12m
	switch {
	case r.month != 0:
		t.Months = append(t.Months, TrendMonth{r.month, r.stats})
	case r.condition == "":
		t.Summary = r.stats
	default:
		if t.ByCondition == nil {
			t.ByCondition = map[Condition]Stats{}
		}
		t.ByCondition[r.condition] = r.stats
	}
}

// RebuildTrends recomputes every trend from the sales, one transaction each. It
// returns the number of trends checked and the gear whose stored trend was
// wrong.
func (s *Store) RebuildTrends(ctx context.Context) (checked int, repaired []string, err error) {
	var gear []string
	if err := s.read.SelectContext(ctx, &gear, `SELECT gear FROM sales UNION SELECT gear FROM trends ORDER BY gear`); err != nil {
		return 0, nil, err
	}
	for _, g := range gear {
		var differed bool
		err := s.update(ctx, func(t *tx) (err error) {
			differed, err = t.rollUp(ctx, g)
			return err
		})
		if err != nil {
			return checked, repaired, err
		}
		checked++
		if differed {
			repaired = append(repaired, g)
		}
	}
	return checked, repaired, nil
}

// rollUp recomputes the stored trend of a gear and reports whether it changed.
// Concurrent calls for a gear are serialised by a lock on its row of trends,
// taken before the sales are read.
func (t *tx) rollUp(ctx context.Context, gear string) (differed bool, err error) {
	_, err = t.ExecContext(ctx, `INSERT INTO trends (gear, as_of, window_from, all_time) VALUES ($1, 0, 0, 0)
		ON CONFLICT (gear) DO UPDATE SET as_of = trends.as_of`, gear)
	if err != nil {
		return false, err
	}
	sales, err := t.salesOf(ctx, gear)
	if err != nil {
		return false, err
	}
	stored, err := readTrend(ctx, t, gear)
	if err != nil {
		return false, err
	}
	fresh := NewTrend(gear, sales)
	if reflect.DeepEqual(stored, fresh) {
		return false, t.dropEmptyTrend(ctx, gear)
	}
	t.changed(GearChanged, gear)
	if err := t.writeTrend(ctx, stored, fresh); err != nil {
		return false, err
	}
	return true, t.dropEmptyTrend(ctx, gear)
}

// salesOf returns the fields of sales that trends are computed from, using a
// covering index.
func (t *tx) salesOf(ctx context.Context, gear string) ([]Sale, error) {
	rows, err := t.QueryxContext(ctx, `SELECT sold_at, condition, price FROM sales WHERE gear = $1 ORDER BY sold_at`, gear)
	if err != nil {
		return nil, err
	}
	var sales []Sale
	var soldAt, price int64
	var condition string
	err = eachRow(rows, func(r *sqlx.Rows) error {
		err := r.Scan(&soldAt, &condition, &price)
		sales = append(sales, Sale{Gear: gear, SoldAt: Time(soldAt), Condition: Condition(condition), Price: Cents(price)})
		return err
	})
	return sales, err
}

func (t *tx) dropEmptyTrend(ctx context.Context, gear string) error {
	_, err := t.ExecContext(ctx, `DELETE FROM trends WHERE gear = $1 AND all_time = 0`, gear)
	return err
}

// writeTrend updates the rows in which the fresh trend differs from the stored
// one.
func (t *tx) writeTrend(ctx context.Context, stored, fresh *Trend) error {
	_, err := t.ExecContext(ctx, `UPDATE trends SET as_of = $2, window_from = $3, all_time = $4, change_30d = $5, change_90d = $6, change_12m = $7 WHERE gear = $1`,
		fresh.Gear, fresh.AsOf, fresh.WindowFrom, fresh.AllTime, fresh.Change30d, fresh.Change90d, fresh.Change12m)
	if err != nil {
		return err
	}
	if err := writeStats(ctx, t, fresh.Gear, "trend_summaries", "condition", summariesOf(stored), summariesOf(fresh)); err != nil {
		return err
	}
	return writeStats(ctx, t, fresh.Gear, "trend_months", "month_key", monthsOf(stored), monthsOf(fresh))
}

func summariesOf(t *Trend) map[Condition]Stats {
	all := maps.Clone(t.ByCondition)
	if all == nil {
		all = map[Condition]Stats{}
	}
	if t.Summary.Count > 0 {
		all[""] = t.Summary
	}
	return all
}

func monthsOf(t *Trend) map[MonthKey]Stats {
	all := make(map[MonthKey]Stats, len(t.Months))
	for _, m := range t.Months {
		all[m.Month] = m.Stats
	}
	return all
}

// writeStats updates the rows of a gear, in a table keyed by column, that
// differ between stored and fresh.
func writeStats[K interface{ ~string | ~int32 }](ctx context.Context, t *tx, gear, table, column string, stored, fresh map[K]Stats) error {
	var changed []K
	for key, s := range fresh {
		if stored[key] != s {
			changed = append(changed, key)
		}
	}
	for key := range stored {
		if _, stays := fresh[key]; stays {
			continue
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM `+table+` WHERE gear = $1 AND `+column+` = $2`, gear, key); err != nil {
			return err
		}
	}
	slices.Sort(changed)
	return t.insert(ctx, table+` (gear, `+column+`, `+statsColumns+`)`, `ON CONFLICT (gear, `+column+`) DO UPDATE SET
		sales = excluded.sales, average = excluded.average, median = excluded.median, low = excluded.low, high = excluded.high,
		p25 = excluded.p25, p75 = excluded.p75, last_sold_at = excluded.last_sold_at`, len(changed), func(i int) []any {
		s := fresh[changed[i]]
		return []any{gear, changed[i], s.Count, s.Average, s.Median, s.Low, s.High, s.P25, s.P75, s.LastSoldAt}
	})
}
