package bench

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
)

// BenchmarkSearchAgainstSQL compares the index with SQL on SQLite for the same
// queries: total, facets and 24 cards. It fails if the results differ. The SQL
// resolves keywords by the same catalogue, computes all facets from one GROUP BY, and
// reads the page with one query.
func BenchmarkSearchAgainstSQL(b *testing.B) {
	for _, n := range []int{small, large} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x := search.New(lookup())
			if err := x.Load(carded(newMarket(1).docs(n))); err != nil {
				b.Fatal(err)
			}
			db := openSQL(b, n)
			queries := newMarket(2).queries(12, false)
			for i := range queries {
				queries[i].Limit = search.DefaultLimit
			}
			b.ResetTimer()
			for range b.N {
				var byIndex, bySQL time.Duration
				for _, q := range queries {
					start := time.Now()
					want, err := db.search(q)
					bySQL += time.Since(start)
					if err != nil {
						b.Fatal(err)
					}
					const times = 50 // a single search is too short to measure
					var got *search.Result
					start = time.Now()
					for range times {
						if got, err = x.Search(q); err != nil {
							b.Fatal(err)
						}
					}
					byIndex += time.Since(start) / times
					if why := differs(got, want); why != "" {
						b.Fatalf("%+v: %s", q, why)
					}
				}
				b.ReportMetric(float64(bySQL)/float64(byIndex), "times-SQL")
				b.ReportMetric(float64(len(queries))/bySQL.Seconds(), "SQL-queries/s")
				b.ReportMetric(float64(len(queries))/byIndex.Seconds(), "index-queries/s")
			}
		})
	}
}

// carded yields documents with their ids as cards, so that results can be compared.
func carded(docs iter.Seq2[search.Doc, error]) iter.Seq2[search.Doc, error] {
	return func(yield func(search.Doc, error) bool) {
		for d, err := range docs {
			if d.Card = []byte(d.ID); !yield(d, err) {
				return
			}
		}
	}
}

// differs returns a description of the first difference between two results, or "".
func differs(got, want *search.Result) string {
	if got.Total != want.Total {
		return fmt.Sprintf("total %d, by SQL %d", got.Total, want.Total)
	}
	if g, w := fmt.Sprint(got.Facets), fmt.Sprint(want.Facets); g != w {
		return fmt.Sprintf("facets\n%s\nby SQL\n%s", g, w)
	}
	for i := range want.Cards {
		if !bytes.Equal(got.Cards[i], want.Cards[i]) {
			return fmt.Sprintf("card %d is %s, by SQL %s", i, got.Cards[i], want.Cards[i])
		}
	}
	return ""
}

// sqlSearch searches a table of listings in SQLite.
type sqlSearch struct{ db *sql.DB }

// openSQL returns a search of n listings in a temporary database.
func openSQL(b *testing.B, n int) *sqlSearch {
	db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "listings.db")+"?_pragma=journal_mode(off)&_pragma=synchronous(off)&_pragma=cache_size(-400000)")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	s := &sqlSearch{db}
	must := func(query string, args ...any) {
		if _, err := db.Exec(query, args...); err != nil {
			b.Fatal(err)
		}
	}
	must(`CREATE TABLE listings (id TEXT NOT NULL, gear INTEGER NOT NULL, condition TEXT NOT NULL, region TEXT NOT NULL,
		price INTEGER NOT NULL, published INTEGER NOT NULL, typical INTEGER NOT NULL, card BLOB NOT NULL)`)
	tx, err := db.Begin()
	if err != nil {
		b.Fatal(err)
	}
	const rows = 100
	insert, err := tx.Prepare(`INSERT INTO listings VALUES ` + strings.TrimSuffix(strings.Repeat(`(?,?,?,?,?,?,?,?),`, rows), ","))
	if err != nil {
		b.Fatal(err)
	}
	var args []any
	for d := range newMarket(1).docs(n) {
		args = append(args, d.ID, lookup().Number(d.Gear, d.Category), d.Condition, d.Region, d.Price, d.Published, d.Typical, d.Card)
		if len(args) == rows*8 {
			if _, err := insert.Exec(args...); err != nil {
				b.Fatal(err)
			}
			args = args[:0]
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
	must(`CREATE INDEX listings_gear ON listings (gear, region, condition, price)`)
	must(`CREATE INDEX listings_published ON listings (published, id)`)
	must(`CREATE INDEX listings_price ON listings (price, published, id)`)
	must(`ANALYZE`)
	return s
}

// bandEdges lists the lowest price of each band.
var bandEdges = []models.Cents{0, 100_00, 250_00, 500_00, 1000_00, 2000_00, 4000_00}

// search returns the result of a query.
func (s *sqlSearch) search(q search.Query) (*search.Result, error) {
	l := lookup()
	words, _ := catalog.KeywordWords(q.Keyword)
	keyword, named := "", "price IS NULL"
	if len(words) > 0 {
		keyword = " WHERE gear IN (" + numbers(l.Match(words)) + ")"
		named = "gear NOT IN (" + numbers(l.Named(words, l.Match(words))) + ")"
	}
	low, high := models.Cents(0), models.MaxAmount
	if q.Min != nil {
		low = q.Min.Cents
	}
	if q.Max != nil {
		high = q.Max.Cents
	}
	rows, err := s.db.Query(`SELECT gear, condition, region, CASE WHEN price < 10000 THEN 0 WHEN price < 25000 THEN 1 WHEN price < 50000 THEN 2
		WHEN price < 100000 THEN 3 WHEN price < 200000 THEN 4 WHEN price < 400000 THEN 5 ELSE 6 END, price BETWEEN $1 AND $2, COUNT(*)
		FROM listings`+keyword+` GROUP BY 1, 2, 3, 4, 5`, low, high)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	f := fold{q: q, categories: map[string]int{}, brands: map[string]int{}, mounts: map[string]int{}, conditions: map[string]int{}, regions: map[string]int{}}
	gear := l.NewSet()
	for rows.Next() {
		var number, band, n int
		var condition models.Condition
		var region models.Region
		var inPrice bool
		if err := rows.Scan(&number, &condition, &region, &band, &inPrice, &n); err != nil {
			return nil, err
		}
		if f.add(l.At(number), condition, region, band, inPrice, n) {
			gear.Add(number)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	result := f.result()
	result.Cards, err = s.page(q, low, high, named, gear)
	return result, err
}

// page returns the ids of the listings on the first page, as cards. It reads the
// cards, too. gear is the gear that meets the restrictions of the gear.
func (s *sqlSearch) page(q search.Query, low, high models.Cents, named string, gear catalog.GearSet) (ids []json.RawMessage, err error) {
	where, args := []string{"price BETWEEN $1 AND $2"}, []any{low, high}
	if q.Keyword != "" || q.Category != "" || len(q.Brands) > 0 || q.Mount != "" {
		where = append(where, "gear IN ("+numbers(gear)+")")
	}
	for _, r := range q.Regions { // at most one
		where = append(where, fmt.Sprintf("(region = '%s' OR region LIKE '%s-%%')", r, r))
	}
	if len(q.Conditions) > 0 {
		var list []string
		for _, c := range q.Conditions {
			list = append(list, "'"+string(c)+"'")
		}
		where = append(where, "condition IN ("+strings.Join(list, ",")+")")
	}
	order := map[search.Sort]string{
		"": named + ", published DESC, id DESC", search.Relevance: named + ", published DESC, id DESC", search.Newest: "published DESC, id DESC",
		search.Price: "price, published DESC, id DESC", search.PriceDesc: "price DESC, published DESC, id DESC",
		search.Deal: "CAST(price AS REAL) / typical, published DESC, id DESC",
	}[q.Sort]
	rows, err := s.db.Query("SELECT id, card FROM listings WHERE "+strings.Join(where, " AND ")+" ORDER BY "+order+fmt.Sprint(" LIMIT ", q.Limit), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id, card []byte
		if err := rows.Scan(&id, &card); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// numbers returns the numbers of gear as a list for SQL.
func numbers(gear catalog.GearSet) string {
	var list []string
	for i := range gear.All() {
		list = append(list, fmt.Sprint(i))
	}
	return strings.Join(list, ",")
}

// fold accumulates the groups of a GROUP BY to a total and facets.
type fold struct {
	q                                               search.Query
	total                                           int
	categories, brands, mounts, conditions, regions map[string]int
	bands                                           [7]int
}

// add counts a group. It reports whether its gear meets the restrictions.
func (f *fold) add(g *catalog.Gear, condition models.Condition, region models.Region, band int, inPrice bool, n int) bool {
	q := &f.q
	inCategory := q.Category == "" || string(q.Category) == string(g.Category) || string(q.Category) == g.Category.Family()
	inBrand := len(q.Brands) == 0 || slices.Contains(q.Brands, g.BrandSlug)
	inMount := q.Mount == "" || slices.Contains(g.Mounts(), q.Mount)
	inCondition := len(q.Conditions) == 0 || slices.Contains(q.Conditions, condition)
	inRegion := len(q.Regions) == 0 || q.Regions[0].Covers(region)
	if inPrice && inCondition && inRegion {
		if inBrand && inMount {
			f.categories[string(g.Category)] += n
		}
		if inCategory && inMount {
			f.brands[g.BrandSlug] += n
		}
		if inCategory && inBrand {
			for _, m := range g.Mounts() {
				f.mounts[m] += n
			}
		}
	}
	if !inCategory || !inBrand || !inMount {
		return false
	}
	if inCondition && inRegion {
		f.bands[band] += n
	}
	if !inPrice {
		return true
	}
	if inRegion {
		f.conditions[string(condition)] += n
	}
	if inCondition {
		f.regions[string(region.Country())] += n
		if region != region.Country() && len(q.Regions) > 0 && region.Country() == q.Regions[0].Country() {
			f.regions[string(region)] += n
		}
	}
	if inCondition && inRegion {
		f.total += n
	}
	return true
}

// result returns the total and facets.
func (f *fold) result() *search.Result {
	r := &search.Result{Total: f.total}
	for _, c := range models.Categories {
		if n := f.categories[string(c)]; n > 0 {
			r.Facets.Category = append(r.Facets.Category, search.Count{Value: string(c), Count: n})
		}
	}
	for _, c := range models.Conditions {
		if n := f.conditions[string(c)]; n > 0 {
			r.Facets.Condition = append(r.Facets.Condition, search.Count{Value: string(c), Count: n})
		}
	}
	r.Facets.Brand, r.Facets.Mount, r.Facets.Region = sorted(f.brands), sorted(f.mounts), sorted(f.regions)
	slices.SortStableFunc(r.Facets.Region, func(a, b search.Count) int { // countries first
		return strings.Count(a.Value, "-") - strings.Count(b.Value, "-")
	})
	for i, n := range f.bands {
		if n > 0 {
			b := search.Band{Min: bandEdges[i], Count: n}
			if i+1 < len(bandEdges) {
				b.Max = bandEdges[i+1] - 1
			}
			r.Facets.Price = append(r.Facets.Price, b)
		}
	}
	return r
}

// sorted returns counts in descending order, then by value.
func sorted(counts map[string]int) []search.Count {
	var list []search.Count
	for v, n := range counts {
		list = append(list, search.Count{Value: v, Count: n})
	}
	slices.SortFunc(list, func(a, b search.Count) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Value, b.Value)
	})
	return list
}
