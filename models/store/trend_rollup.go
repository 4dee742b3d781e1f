package store

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/jmoiron/sqlx"
	"golang.org/x/sync/errgroup"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

// trendTouch describes how a transaction changed the sales of a gear.
type trendTouch struct {
	changed bool           // otherwise it only added sales
	added   int            // number of added sales
	first   models.SaleKey // of the added sales
}

// touchTrend has the trend of a gear computed again from all its sales before
// the transaction commits. Call it after every change of sales, unless
// touchTrendAdded applies.
func touchTrend(t *tx, gear string) { touched(t, gear).changed = true }

// touchTrendAdded has an eligible sale added to the trend of its gear before
// the transaction commits. Call it after a sale was inserted or became eligible.
// It is cheap if the sale is the gear's last by SoldAt and then ID.
func touchTrendAdded(t *tx, gear string, soldAt models.Time, id string) {
	touch, key := touched(t, gear), models.SaleKey{SoldAt: soldAt, ID: id}
	if touch.added == 0 || key.Compare(touch.first) < 0 {
		touch.first = key
	}
	touch.added++
}

// touched returns the record of changes of a gear's sales. Sales of items that are
// not in the catalogue, whose gear is "", are not recorded.
func touched(t *tx, gear string) *trendTouch {
	touch := t.trends[gear]
	if touch == nil {
		touch = &trendTouch{}
	}
	if gear != "" {
		t.trends[gear] = touch
	}
	return touch
}

// rollUpBatch is the number of trends that are updated together.
const rollUpBatch = 50

// rollUpTouched updates the stored trends of the touched gear, and returns the
// gear whose trend changed. It must come last in a transaction. The order of
// gear is fixed to avoid deadlocks.
func rollUpTouched(ctx context.Context, t *tx) (differed []string, err error) {
	for gear := range slices.Chunk(slices.Sorted(maps.Keys(t.trends)), rollUpBatch) {
		rollUps, err := lockTrends(ctx, t, gear)
		if err != nil {
			return nil, err
		}
		if err := readStored(ctx, t, rollUps); err != nil {
			return nil, err
		}
		if err := addSalesTo(ctx, t, rollUps); err != nil {
			return nil, err
		}
		for _, r := range rollUps {
			if r.differs() {
				t.happened(models.Entry{Change: models.Change{Kind: models.GearChanged, Subject: r.Gear}, Event: models.TrendChanged})
				differed = append(differed, r.Gear)
			}
		}
		if err := writeTrends(ctx, t, rollUps); err != nil {
			return nil, err
		}
	}
	clear(t.trends)
	return differed, nil
}

// rollUp is the update of the stored trend of one gear.
type rollUp struct {
	*prices.CachedTrend
	*trendTouch
	before            *prices.Trend     // as stored
	revision, rebuilt int64             // as stored
	read              int               // number of sales from the first added one on
	held              map[bool][]string // ids of the sales that are or aren't held any more
}

func (r *rollUp) differs() bool { return !reflect.DeepEqual(r.before, r.Stored) }

// lockTrends locks the rows of trends until the end of the transaction, and so
// serialises the updates of each trend. It returns an update for each gear, with
// a state to which sales can be added.
func lockTrends(ctx context.Context, t *tx, gear []string) ([]*rollUp, error) {
	rows := make(map[string]*rollUp, len(gear))
	err := t.insertReturning(ctx, `trends (gear, as_of, window_from, all_time)`,
		`ON CONFLICT (gear) DO UPDATE SET as_of = trends.as_of RETURNING gear, revision, rebuilt`,
		len(gear), func(i int) []any { return []any{gear[i], 0, 0, 0} },
		func(r *sqlx.Rows) error {
			row, slug := new(rollUp), ""
			err := r.Scan(&slug, &row.revision, &row.rebuilt)
			rows[slug] = row
			return err
		})
	if err != nil {
		return nil, err
	}
	rollUps := make([]*rollUp, len(gear))
	for i, slug := range gear {
		r := rows[slug]
		if r.CachedTrend, err = t.db.trends.Take(ctx, slug); err != nil {
			return nil, err
		}
		t.taken = append(t.taken, r.CachedTrend)
		r.trendTouch = t.trends[slug]
		r.use()
		rollUps[i] = r
	}
	return rollUps, nil
}

// releaseTrends ends the use of the cached trends, which others can take then.
func (t *tx) releaseTrends(committed bool) {
	t.db.trends.Release(t.taken, committed)
	t.taken = nil
}

// use resets what is cached unless it is up to date and sales can be added to
// it.
func (r *rollUp) use() {
	c := r.CachedTrend
	if c.Revision != r.revision || r.changed {
		c.Stored = nil
	}
	later := r.added == 0 || c.State != nil && c.State.Last.Compare(r.first) < 0
	if c.State == nil || c.Revision < r.rebuilt || r.changed || !later {
		c.State = prices.NewTrendState(c.Gear)
	}
	r.before = c.Stored
}

// readStored reads the stored trends that are not cached.
func readStored(ctx context.Context, t *tx, rollUps []*rollUp) error {
	var gear []string
	for _, r := range rollUps {
		if r.before == nil {
			gear = append(gear, r.Gear)
		}
	}
	if len(gear) == 0 {
		return nil
	}
	stored, err := readTrends(ctx, t, gear)
	for _, r := range rollUps {
		if r.before == nil {
			r.before = stored[r.Gear]
		}
	}
	return err
}

// eligibleSale is the condition of Sale.Eligible for the table sales s.
const eligibleSale = `s.status = 'confirmed' AND s.source <> 'declared' AND s.voided_at = 0`

// publicSale is the condition of an eligible sale whose members are not new and whose price is
// not held.
const publicSale = eligibleSale + ` AND NOT s.held AND NOT s.newcomer`

// addSalesTo adds the sales after the last one of each state, and stores which are
// held. It sets the trends and the next revisions. The sales of all states that have none
// yet are read at once.
func addSalesTo(ctx context.Context, t *tx, rollUps []*rollUp) error {
	empty, gear := map[string]*rollUp{}, []string{}
	for _, r := range rollUps {
		var err error
		if r.State.Last.ID == "" {
			empty[r.Gear], gear = r, append(gear, r.Gear)
		} else {
			err = addSalesOf(ctx, t, map[string]*rollUp{r.Gear: r}, `s.gear = $1 AND s.sold_at >= $2 AND (s.sold_at > $2 OR s.id > $3)`,
				r.Gear, r.State.Last.SoldAt, r.State.Last.ID)
		}
		if err != nil {
			return err
		}
	}
	if len(gear) > 0 {
		if err := addSalesOf(ctx, t, empty, `s.gear IN (`+parameters(1, len(gear))+`)`, toAny(gear)...); err != nil {
			return err
		}
	}
	for _, r := range rollUps {
		r.finish()
		if err := setHeld(ctx, t, r.held); err != nil {
			return err
		}
	}
	return nil
}

// addSalesOf adds the sales that a condition selects to the states of their gear.
func addSalesOf(ctx context.Context, t *tx, rollUps map[string]*rollUp, where string, args ...any) error {
	rows, err := t.QueryxContext(ctx, `SELECT `+trendSaleColumns+`, s.gear FROM sales s WHERE `+where+` AND `+eligibleSale+`
		ORDER BY s.gear, s.sold_at, s.id`, args...)
	if err != nil {
		return err
	}
	var sale models.Sale
	return eachRow(rows, func(rows *sqlx.Rows) error {
		if err := scanForTrend(&sale, rows, &sale.Gear); err != nil {
			return err
		}
		rollUps[sale.Gear].add(&sale)
		return nil
	})
}

// add adds a sale to the state.
func (r *rollUp) add(sale *models.Sale) {
	if is := r.State.Add(sale); is != sale.Held {
		if r.held == nil {
			r.held = map[bool][]string{}
		}
		r.held[is] = append(r.held[is], sale.ID)
	}
	if sale.Key().Compare(r.first) >= 0 {
		r.read++
	}
}

// finish sets the trend and the next revision, once all sales are added.
func (r *rollUp) finish() {
	r.revision++
	if r.changed || r.read != r.added {
		r.rebuilt = r.revision
	}
	r.CachedTrend.Revision, r.Stored = r.revision, r.State.Trend()
}

// trendSaleColumns are the columns of the table sales s that trends use.
const trendSaleColumns = `s.id, s.sold_at, s.condition, s.price, s.source, s.source_name,
	COALESCE(s.seller_id, ''), COALESCE(s.buyer_id, ''), s.newcomer, s.by_buyer, s.out_of_range, s.approved_at, s.held`

// scanForTrend reads a row of trendSaleColumns, and the columns that follow.
func scanForTrend(s *models.Sale, rows *sqlx.Rows, more ...any) error {
	return rows.Scan(append([]any{&s.ID, (*int64)(&s.SoldAt), (*string)(&s.Condition), (*int64)(&s.Price), (*string)(&s.Source), &s.SourceName,
		&s.SellerID, &s.BuyerID, &s.Newcomer, &s.ByBuyer, &s.OutOfRange, (*int64)(&s.ApprovedAt), &s.Held}, more...)...)
}

// setHeld stores whether the prices of sales are held.
func setHeld(ctx context.Context, t *tx, ids map[bool][]string) error {
	for held, ids := range ids {
		for part := range chunks(ids) {
			_, err := t.ExecContext(ctx, `UPDATE sales SET held = $1 WHERE id IN (`+parameters(2, len(part))+`)`, append([]any{held}, toAny(part)...)...)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// writeTrends writes the rows in which the new trends differ from the stored
// ones.
func writeTrends(ctx context.Context, t *tx, rollUps []*rollUp) error {
	err := t.insert(ctx, `trends (gear, as_of, window_from, all_time, change_30d, change_90d, change_12m,
			sources, held, repeated, over_limit, newcomers, revision, rebuilt, method)`,
		`ON CONFLICT (gear) DO UPDATE SET as_of = excluded.as_of, window_from = excluded.window_from, all_time = excluded.all_time,
			change_30d = excluded.change_30d, change_90d = excluded.change_90d, change_12m = excluded.change_12m, sources = excluded.sources,
			held = excluded.held, repeated = excluded.repeated, over_limit = excluded.over_limit, newcomers = excluded.newcomers,
			revision = excluded.revision, rebuilt = excluded.rebuilt, method = excluded.method`,
		len(rollUps), func(i int) []any {
			r := rollUps[i]
			f, u := r.Stored, r.Stored.Uncounted
			return []any{r.Gear, f.AsOf, f.WindowFrom, f.AllTime, f.Change30d, f.Change90d, f.Change12m,
				sourceList(f.Sources), u.Held, u.Repeated, u.OverLimit, u.Newcomers, r.revision, r.rebuilt, prices.TrendMethod}
		})
	if err != nil {
		return err
	}
	var summaries statsTable[models.Condition]
	var months statsTable[models.MonthKey]
	for _, r := range rollUps {
		summaries.compare(r.Gear, summariesOf(r.before), summariesOf(r.Stored))
		months.compare(r.Gear, monthsOf(r.before), monthsOf(r.Stored))
	}
	if err := summaries.write(ctx, t, "trend_summaries", "condition"); err != nil {
		return err
	}
	return months.write(ctx, t, "trend_months", "month_key")
}

func summariesOf(t *prices.Trend) map[models.Condition]prices.Stats {
	all := maps.Clone(t.ByCondition)
	if all == nil {
		all = map[models.Condition]prices.Stats{}
	}
	if t.Summary.Count > 0 {
		all[""] = t.Summary
	}
	return all
}

func monthsOf(t *prices.Trend) map[models.MonthKey]prices.Stats {
	all := make(map[models.MonthKey]prices.Stats, len(t.Months))
	for _, m := range t.Months {
		all[m.Month] = m.Stats
	}
	return all
}

// statsTable collects the changes of a table of statistics that is keyed by
// gear and K.
type statsTable[K interface{ ~string | ~int32 }] struct {
	insert []statsRow[K]
	update []statsRow[K]
	delete []statsRow[K]
}

type statsRow[K any] struct {
	gear string
	key  K
	prices.Stats
}

// compare adds the rows of a gear that differ.
func (c *statsTable[K]) compare(gear string, stored, fresh map[K]prices.Stats) {
	for _, key := range slices.Sorted(maps.Keys(fresh)) {
		row := statsRow[K]{gear, key, fresh[key]}
		if old, known := stored[key]; !known {
			c.insert = append(c.insert, row)
		} else if old != row.Stats {
			c.update = append(c.update, row)
		}
	}
	for key := range stored {
		if _, stays := fresh[key]; !stays {
			c.delete = append(c.delete, statsRow[K]{gear: gear, key: key})
		}
	}
}

func (c *statsTable[K]) write(ctx context.Context, t *tx, table, column string) error {
	for _, row := range c.delete {
		if _, err := t.ExecContext(ctx, `DELETE FROM `+table+` WHERE gear = $1 AND `+column+` = $2`, row.gear, row.key); err != nil {
			return err
		}
	}
	table += ` (gear, ` + column + `, ` + statsColumns + `)`
	if err := t.insert(ctx, table, "", len(c.insert), valuesOf(c.insert)); err != nil { // cheaper than with ON CONFLICT
		return err
	}
	return t.insert(ctx, table, `ON CONFLICT (gear, `+column+`) DO UPDATE SET
		sales = excluded.sales, average = excluded.average, median = excluded.median, low = excluded.low, high = excluded.high,
		p25 = excluded.p25, p75 = excluded.p75, last_sold_at = excluded.last_sold_at`, len(c.update), valuesOf(c.update))
}

// valuesOf returns the values of the columns gear, key and statsColumns of a row.
func valuesOf[K any](rows []statsRow[K]) func(i int) []any {
	return func(i int) []any {
		r := &rows[i]
		return []any{r.gear, r.key, r.Count, r.Average, r.Median, r.Low, r.High, r.P25, r.P75, r.LastSoldAt}
	}
}

// sourceList is stored as JSON.
func sourceList(sources []prices.SourceCount) string {
	if len(sources) == 0 {
		return "[]"
	}
	text, err := json.Marshal(sources)
	if err != nil {
		panic(err) // strings and numbers
	}
	return string(text)
}

// RebuildTrends computes every trend from the sales, one transaction each. It
// returns the number of trends checked and the gear whose stored trend was
// wrong.
func (s *Prices) RebuildTrends(ctx context.Context) (checked int, repaired []string, err error) {
	var gear []string
	if err := s.read.SelectContext(ctx, &gear, `SELECT gear FROM sales WHERE gear <> '' UNION SELECT gear FROM trends ORDER BY gear`); err != nil {
		return 0, nil, err
	}
	for _, g := range gear {
		var differed []string
		err := s.update(ctx, func(t *tx) (err error) {
			touchTrend(t, g)
			differed, err = rollUpTouched(ctx, t)
			return err
		})
		if err != nil {
			return checked, repaired, err
		}
		checked++
		repaired = append(repaired, differed...)
	}
	return checked, repaired, nil
}

// outdated is the method of trends that lack sales.
const outdated = 0

// markOutdated marks the trends of the touched gear as outdated, in place of updating
// them. Until they are computed again a sale of the gear computes them from all sales. Those that
// are outdated already are only locked, which takes turns with whoever computes them.
func markOutdated(ctx context.Context, t *tx) error {
	gear := slices.Sorted(maps.Keys(t.trends))
	clear(t.trends)
	return t.insert(ctx, `trends (gear, as_of, window_from, all_time, method)`,
		`ON CONFLICT (gear) DO UPDATE SET method = excluded.method, revision = trends.revision + 1, rebuilt = trends.revision + 1
			WHERE trends.method <> excluded.method`,
		len(gear), func(i int) []any { return []any{gear[i], 0, 0, 0, outdated} })
}

// hasEarlierTrends reports whether trends were computed with the method of an earlier release.
func (db *database) hasEarlierTrends(ctx context.Context) (has bool, err error) {
	err = db.read.GetContext(ctx, &has, `SELECT EXISTS (SELECT 1 FROM trends WHERE method <> $1 AND method < $2)`, outdated, prices.TrendMethod)
	return has, err
}

// RebuildOutdatedTrends computes the trends again that were computed with the method of an
// earlier release, or that an import left outdated. Servers that do so at the same time
// share the work.
func (db *database) RebuildOutdatedTrends(ctx context.Context) error {
	var gear []string
	if err := db.read.SelectContext(ctx, &gear, `SELECT gear FROM trends WHERE method < $1 ORDER BY gear`, prices.TrendMethod); err != nil {
		return err
	}
	if len(gear) > rollUpBatch {
		if err := db.engine.analyze(ctx, db, "sales"); err != nil {
			return err
		}
	}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(rebuildWorkers)
	for part := range slices.Chunk(gear, rollUpBatch) {
		work.Go(func() error {
			return db.update(ctx, func(t *tx) error { return rebuildOutdated(ctx, t, part) })
		})
	}
	return work.Wait()
}

// rebuildWorkers is the number of transactions that compute outdated trends at a time, so
// that trends are computed while others are read and written.
const rebuildWorkers = 2

// rebuildOutdated has those of the trends computed again that are still outdated.
func rebuildOutdated(ctx context.Context, t *tx, gear []string) error {
	rows, err := t.QueryxContext(ctx, `UPDATE trends SET method = $1 WHERE method < $1 AND gear IN (`+parameters(2, len(gear))+`) RETURNING gear`,
		append([]any{prices.TrendMethod}, toAny(gear)...)...)
	if err != nil {
		return err
	}
	return eachRow(rows, func(r *sqlx.Rows) error {
		var gear string
		err := r.Scan(&gear)
		touchTrend(t, gear)
		return err
	})
}
