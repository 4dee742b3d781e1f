package handlers

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/importer"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

var forgeries = flag.Int("forgeries", 1, "rounds of forged sales, each on a market of its own")

// forgers is the number of accounts that forge sales, and maxMove how far they may move any
// figure that five honest sales support.
const (
	forgers = 8
	maxMove = 0.03
)

// graphs are ways in which forgers trade: who sells to whom, as pairs.
var graphs = []struct {
	name   string
	trades func(r *rand.Rand) [][2]int
}{
	{"random", func(r *rand.Rand) (trades [][2]int) {
		for range 14 {
			seller := r.IntN(forgers)
			trades = append(trades, [2]int{seller, (seller + 1 + r.IntN(forgers-1)) % forgers})
		}
		return trades
	}},
	{"star", func(r *rand.Rand) (trades [][2]int) {
		for i := 1; i < forgers; i++ {
			trades = append(trades, [2]int{0, i}, [2]int{i, 0})
		}
		return trades
	}},
	{"chain", func(r *rand.Rand) (trades [][2]int) {
		for i := 1; i < forgers; i++ {
			trades = append(trades, [2]int{i - 1, i}, [2]int{i - 1, i})
		}
		return trades
	}},
	{"clique", func(r *rand.Rand) (trades [][2]int) {
		for i := range forgers {
			for j := range i {
				trades = append(trades, [2]int{i, j})
			}
		}
		return trades
	}},
	{"pairs", func(r *rand.Rand) (trades [][2]int) {
		for i := 0; i < forgers; i += 2 {
			trades = append(trades, [2]int{i, i + 1}, [2]int{i + 1, i}, [2]int{i, i + 1})
		}
		return trades
	}},
	{"bipartite", func(r *rand.Rand) (trades [][2]int) {
		for i := range forgers / 2 {
			for j := range forgers / 2 {
				trades = append(trades, [2]int{i, forgers/2 + j})
			}
		}
		return trades
	}},
}

// forgedFactors are the prices of forged sales over those of honest ones: some are just within
// what is held as unusual.
var forgedFactors = []float64{0.5, 0.7, 1.3, 2, 0.26, 3.9, 0.95, 1.05}

// honestCounts are the numbers of honest sales of the gear that is forged.
var honestCounts = []int{24, 12, 8, 5, 0}

// TestForgers has eight accounts of 60 days forge sales of all kinds of gear over the API: no
// figure that is published of them or of other gear moves by more than 3 %, none appears where
// there was nothing, and once the sales are voided all figures are what they were.
func TestForgers(t *testing.T) {
	t.Parallel()
	skipUnderRace(t)
	storetest.EachURL(t, func(t *testing.T, url string) {
		for round := range *forgeries {
			if round > 0 && strings.HasPrefix(url, "sqlite:") {
				url = storetest.SQLite(t)
			} else if round > 0 {
				url = storetest.Postgres(t)
			}
			forgeMarket(t, url, round)
		}
	})
}

// forgedMarket is a market that forgers attack.
type forgedMarket struct {
	*testServer
	now      atomic.Int64 // in milliseconds
	random   *rand.Rand
	gear     []*catalog.Gear // the first len(honestCounts) are forged
	listings []string        // honest ones, with a deal
}

func forgeMarket(t *testing.T, url string, round int) {
	m := newForgedMarket(t, url, uint64(round))
	members := make([]*testMember, forgers)
	for i := range members {
		members[i] = m.join(t, fmt.Sprint("forger-", i), models.RoleMember)
	}
	m.wait(60 * 24 * time.Hour)
	oskar := m.join(t, "oskar", models.RoleOperator)
	m.sellHonestly(t)
	before := m.figures(t, "/api/trends/")
	var names []string
	for i, gear := range m.gear[:len(honestCounts)] {
		graph, factor := graphs[(i+round)%len(graphs)], forgedFactors[(2*i+round)%len(forgedFactors)]
		names = append(names, fmt.Sprintf("%s: %d honest sales, %s at %.2f", gear.Slug(), honestCounts[i], graph.name, factor))
		for n, trade := range graph.trades(m.random) {
			m.forge(t, members[trade[0]], members[trade[1]], gear, models.Cents(1000*factor)+models.Cents(n%7), models.Conditions[3-n%2])
		}
	}
	m.wait(36 * time.Hour)
	forged := m.fitted(t)
	for _, member := range members {
		sales, err := m.store.Trades.SalesOf(t.Context(), member.ID, store.SaleKey{}, 1000)
		must(err)
		for _, sale := range sales {
			if sale.VoidedAt == 0 {
				if answer, failed := m.byJSON(t, oskar, "void_sale", map[string]any{"id": sale.ID}); failed {
					t.Fatalf("voiding: %v", answer)
				}
			}
		}
	}
	asBefore := m.figures(t, "/api/trends/")
	restored := m.fitted(t)
	for _, wrong := range moved(restored, forged) {
		t.Errorf("round %d: honest and forged %s (%s)", round, wrong, strings.Join(names, "; "))
	}
	for at, is := range asBefore {
		if was, there := before[at]; (!there || is != was) && !strings.Contains(at, ".estimate") && !strings.Contains(at, ".depreciation.") {
			t.Errorf("round %d: after voiding, %s is %v, before %v", round, at, is, was)
		}
	}
	if len(asBefore) < 200 || len(restored) < 1000 {
		t.Errorf("only %d and %d figures are compared", len(asBefore), len(restored))
	}
}

// moved returns which figures moved by more than maxMove, appeared or disappeared, sorted.
func moved(from, to map[string]float64) (wrong []string) {
	for at, was := range from {
		if is, there := to[at]; !there || math.Abs(is-was) > maxMove*math.Abs(was) {
			wrong = append(wrong, fmt.Sprintf("%s: %v, %v", at, was, is))
		}
	}
	for at, is := range to {
		if _, there := from[at]; !there {
			wrong = append(wrong, fmt.Sprintf("%s: none, %v", at, is))
		}
	}
	slices.Sort(wrong)
	return wrong
}

func newForgedMarket(t *testing.T, url string, seed uint64) *forgedMarket {
	m := &forgedMarket{random: rand.New(rand.NewPCG(seed, 35))}
	m.now.Store(testNow.UnixMilli())
	clock := func() time.Time { return time.UnixMilli(m.now.Load()).UTC() }
	m.testServer = newMarketServer(t, func(c *Config) { c.Store, c.Clock = storetest.Open(t, url, clock), clock })
	for _, gear := range m.catalog.All() {
		if gear.Category == "mirrorless" && len(m.gear) < len(honestCounts)+3 {
			m.gear = append(m.gear, gear)
		}
	}
	return m
}

func (m *forgedMarket) wait(d time.Duration) { m.now.Add(d.Milliseconds()) }

// sellHonestly imports sales of a year, some of them by members, and lists an item of each gear. Of the
// gear that isn't forged there are enough for a price index.
func (m *forgedMarket) sellHonestly(t *testing.T) {
	var sales []models.Sale
	sell := func(gear *catalog.Gear, days int) {
		price := models.Cents(100_000 * math.Exp(0.08*m.random.NormFloat64()))
		sales = append(sales, models.Sale{Gear: gear.Slug(), Condition: models.Conditions[2+m.random.IntN(2)], Price: price, SoldAt: m.store.Now() - models.Time(days)*models.DayMillis, Region: "DE"})
	}
	for i, n := range honestCounts {
		for j := range n {
			sell(m.gear[i], 2+j*330/n)
		}
	}
	for j := range 450 {
		sell(m.gear[len(honestCounts)+j%3], 2+j)
	}
	sellers := make([]models.Member, 60)
	for i := range sellers {
		sellers[i] = models.Member{Handle: fmt.Sprint("honest-", i), Name: "Honest", Region: "DE"}
	}
	must(m.store.Accounts.InsertMembers(t.Context(), sellers))
	for i := 0; i < len(sellers); i += 2 { // of the forged gear
		s := &sales[i*49/len(sellers)]
		s.Source, s.SellerID, s.BuyerID = models.SaleByMembers, sellers[i].ID, sellers[i+1].ID
	}
	_, _, err := m.store.Trades.ImportSales(t.Context(), sales)
	must(err)
	ann := m.join(t, "ann", models.RoleMember)
	for _, gear := range m.gear {
		m.listings = append(m.listings, m.list(t, ann, gear, 80_000, models.ConditionGood))
	}
}

// list publishes a listing of a member and returns its id.
func (m *forgedMarket) list(t *testing.T, seller *testMember, gear *catalog.Gear, price models.Cents, c models.Condition) string {
	t.Helper()
	listing := m.do1(t, seller, "create_listing", map[string]any{"gear": gear.Slug(), "title": gear.Name(), "price": m.site.Money(price), "condition": c, "region": "DE"})
	m.do1(t, seller, "publish_listing", map[string]any{"id": listing})
	return listing
}

// do1 calls an operation that must succeed and returns the id of its result.
func (m *forgedMarket) do1(t *testing.T, who *testMember, operation string, arguments map[string]any) string {
	t.Helper()
	answer, failed := m.byJSON(t, who, operation, arguments)
	if failed {
		t.Fatalf("%s: %v", operation, answer)
	}
	return fmt.Sprint(answer["id"])
}

// forge has a member sell to another, and the other confirm it.
func (m *forgedMarket) forge(t *testing.T, seller, buyer *testMember, gear *catalog.Gear, euros models.Cents, c models.Condition) {
	t.Helper()
	m.wait(7 * time.Minute)
	price := 100 * euros
	listing := m.list(t, seller, gear, price, c)
	offer := m.do1(t, buyer, "make_offer", map[string]any{"id": listing, "amount": m.site.Money(price)})
	m.do1(t, seller, "accept_offer", map[string]any{"id": offer})
	m.do1(t, seller, "complete_offer", map[string]any{"id": offer})
	m.do1(t, buyer, "confirm_offer", map[string]any{"id": offer})
}

// fitted returns all figures after a fit.
func (m *forgedMarket) fitted(t *testing.T) map[string]float64 {
	t.Helper()
	ctx := t.Context()
	must(m.store.Prices.FitPrices(ctx, m.gear))
	must(m.store.Prices.IndexPrices(ctx, m.catalog))
	must(m.estimates.Reload(ctx))
	must(m.feed.LoadEstimates(ctx))
	return m.figures(t, "/api/")
}

// figures returns the numbers that are published of prices at addresses with a prefix, by address
// and place in the JSON.
func (m *forgedMarket) figures(t *testing.T, prefix string) map[string]float64 {
	t.Helper()
	if !m.feed.Settle(t.Context()) {
		t.Fatal("the index doesn't follow")
	}
	paths := []string{"/api/prices", "/api/prices/charts/kinds", "/api/prices/charts/movers"}
	for _, gear := range m.gear {
		paths = append(paths, "/api/trends/"+gear.Slug(), "/api/price-guide?gear="+gear.Slug(), "/api/price-guide?gear="+gear.Slug()+"&condition=good", "/api/prices/"+gear.Slug())
	}
	for _, id := range m.listings {
		paths = append(paths, "/api/listings/"+id)
	}
	figures := map[string]float64{}
	for _, path := range paths {
		if !strings.HasPrefix(path, prefix) {
			continue
		}
		_, body := m.do(t, "GET", path)
		var page any
		must(json.Unmarshal([]byte(body), &page))
		addFigures(figures, path, page)
	}
	return figures
}

// notPrices are the fields with numbers that are not made of sales that count, or that say how
// an estimate follows from sales.
var notPrices = []string{"uncounted", "all_time", "active", "accuracy", "seller", "version", "terms", "constant", "to_low", "to_half_low", "to_half_high", "to_high"}

// addFigures adds the numbers of a JSON value: amounts, and numbers themselves.
func addFigures(to map[string]float64, at string, value any) {
	switch v := value.(type) {
	case float64:
		to[at] = v
	case []any:
		for i, element := range v {
			addFigures(to, at+"."+strconv.Itoa(i), element)
		}
	case map[string]any:
		if amount, ok := v["amount"].(string); ok {
			to[at] = must1(strconv.ParseFloat(amount, 64))
			return
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if !slices.Contains(notPrices, name) {
				addFigures(to, at+"."+name, v[name])
			}
		}
	}
}

// TestPoisonedImport imports sales of which every eleventh is forged, so a tenth of the honest ones:
// no median, average or estimate moves by 3 %.
func TestPoisonedImport(t *testing.T) {
	t.Parallel()
	skipUnderRace(t)
	figures := func(factor float64) map[string]float64 {
		m := newForgedMarket(t, storetest.SQLite(t), 1)
		file := "external_id,brand,model,condition,price,sold_at,region\n"
		for i := range 66 * len(m.gear) {
			gear, price := m.gear[i%len(m.gear)], 1000*math.Exp(0.08*m.random.NormFloat64())
			if n := i / len(m.gear); n%11 == 10 {
				if factor == 0 {
					continue
				}
				price = 1000 * factor
			}
			file += fmt.Sprintf("s-%d,%s,%s,good,%.2f,%s,DE\n", i, gear.Brand, gear.Model, price, testNow.AddDate(0, 0, -2-i%330).Format(time.DateOnly))
		}
		im := &importer.Importer{Store: m.store, Catalog: m.catalog, Resolver: m.catalog.Resolver(), Currency: m.site.Currency()}
		report, err := im.Sales(t.Context(), strings.NewReader(file), io.Discard)
		if err != nil || report.Rejected > 0 {
			t.Fatalf("%+v, %v", report, err)
		}
		all := m.fitted(t)
		for at := range all {
			name := at[strings.LastIndex(at, ".")+1:]
			if !strings.HasPrefix(at, "/api/trends/") || name != "median" && name != "average" || strings.Contains(at, ".series.") || strings.Contains(at, ".forecast.") {
				delete(all, at)
			}
		}
		return all
	}
	honest := figures(0)
	if len(honest) < 30 {
		t.Fatalf("only %d figures", len(honest))
	}
	for _, factor := range []float64{0.5, 0.7, 1.3, 2} {
		for _, wrong := range moved(honest, figures(factor)) {
			t.Errorf("a tenth at %.1f: honest and poisoned %s", factor, wrong)
		}
	}
}
