//go:build !race

package demo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/demo/drawing"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

var testDay = time.Date(2026, 11, 21, 15, 4, 5, 0, time.UTC)

var gears = sync.OnceValue(func() *catalog.Catalog {
	c, err := catalog.ReadCatalog(os.DirFS("../../content/catalog"))
	if err != nil {
		panic(err)
	}
	return c
})

var data = sync.OnceValue(func() *Data { return Generate(gears(), Seed, testDay) })

// small is a fixed catalogue, so that the golden digest below depends only on the
// generator.
func small(t *testing.T) *catalog.Catalog {
	t.Helper()
	c, err := catalog.ReadCatalog(os.DirFS("testdata"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func digest(t *testing.T, d *Data) string {
	t.Helper()
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

func TestGenerateIsAFunctionOfItsArguments(t *testing.T) {
	cat := small(t)
	const golden = "033ac421e15d9d2b"
	got := digest(t, Generate(cat, Seed, testDay))
	if got != golden {
		t.Errorf("digest %s, want %s: the data changed; if it was meant to, write the new digest here", got, golden)
	}
	if again := digest(t, Generate(cat, Seed, testDay.Truncate(24*time.Hour))); again != got {
		t.Error("the time of day changes the data")
	}
	if other := digest(t, Generate(cat, Seed+1, testDay)); other == got {
		t.Error("another seed makes the same data")
	}
}

func TestAnchorsAreInTheCatalogue(t *testing.T) {
	cat, seen := gears(), map[string]bool{}
	for _, a := range readAnchors() {
		switch g := cat.Gear(a.slug); {
		case g == nil:
			t.Errorf("%s: not in the catalogue; nearest %v", a.slug, near(cat, a.slug))
		case seen[a.slug]:
			t.Errorf("%s stands there twice", a.slug)
		case a.successor != "" && cat.Gear(a.successor) == nil:
			t.Errorf("%s: successor %s is not in the catalogue", a.slug, a.successor)
		case a.price == 0 && launchPrice(g) == 0:
			t.Errorf("%s: no price, and no launch price in the catalogue", a.slug)
		case a.price != 0 && a.price < 5 || a.price > 40_000 || a.popularity < 1 || a.popularity > 100:
			t.Errorf("%s: price %g, popularity %g", a.slug, a.price, a.popularity)
		case !slices.Contains([]string{"", "falls", "holds", "rises", "steady"}, a.course):
			t.Errorf("%s: course %q", a.slug, a.course)
		case !a.launch.IsZero() && g.Year != 0 && abs(g.Year-a.launch.Year()) > 2:
			t.Errorf("%s: launched %d here, %d in the catalogue", a.slug, a.launch.Year(), g.Year)
		}
		seen[a.slug] = true
	}
	if len(seen) < 350 {
		t.Errorf("%d anchors, want at least 350", len(seen))
	}
}

func abs(n int) int { return max(n, -n) }

func near(cat *catalog.Catalog, slug string) []string {
	var found []string
	for _, g := range cat.Nearest(slug, 3) {
		found = append(found, g.Slug())
	}
	return found
}

func TestThereIsAsMuchAsPromised(t *testing.T) {
	d := data()
	if len(d.Members) != Sellers || len(d.Sales) != Sales {
		t.Errorf("%d members and %d sales", len(d.Members), len(d.Sales))
	}
	status := map[models.Status]int{}
	for _, l := range d.Listings {
		status[l.Status]++
	}
	want := map[models.Status]int{
		models.StatusActive: 5000, models.StatusSold: 600, models.StatusReserved: 120,
		models.StatusEnded: 90, models.StatusExpired: 30,
	}
	for s, n := range want {
		if status[s] != n {
			t.Errorf("%d listings are %s, want %d", status[s], s, n)
		}
	}
	in := map[models.Region]int{}
	for _, m := range d.Members {
		in[m.Region]++
	}
	if len(in) != 12 || in["US-CA"] == 0 || in["US-NY"] == 0 {
		t.Errorf("sellers in %v, want 12 regions with two American states", in)
	}
}

func TestEverythingIsSound(t *testing.T) {
	d, cat := data(), gears()
	day := models.TimeOf(testDay.Truncate(24 * time.Hour))
	first := models.TimeOf(testDay.AddDate(-Years, 0, -1))
	ids, handles, sellers := map[string]bool{}, map[string]bool{}, map[string]bool{}
	id := func(id string) {
		if len(id) != 36 || id[14] != '7' || ids[id] {
			t.Errorf("id %q is no UUIDv7 or was given before", id)
		}
		ids[id] = true
	}
	for _, m := range d.Members {
		id(m.ID)
		sellers[m.ID] = true
		if handles[m.Handle] || m.Handle == "" || models.Slug(m.Handle) != m.Handle || !m.Demo || m.JoinedAt > day {
			t.Errorf("member %+v", m)
		}
		handles[m.Handle] = true
	}
	listings := map[string]models.Listing{}
	for _, l := range d.Listings {
		id(l.ID)
		listings[l.ID] = l
		switch g := cat.Gear(l.Gear); {
		case g == nil || g.Category != l.Category:
			t.Errorf("%s: gear %q, category %q", l.Title, l.Gear, l.Category)
		case !l.Demo || !sellers[l.SellerID] || !l.Condition.Valid() || !l.Functional.Valid() || l.Price <= 0 || l.Shutter < 0:
			t.Errorf("unsound listing %+v", l)
		case l.PublishedAt <= 0 || l.PublishedAt >= day || l.ClosedAt > day || l.UpdatedAt < l.PublishedAt || l.UpdatedAt > day:
			t.Errorf("%s: published %s, updated %s, closed %s", l.Title, l.PublishedAt.RFC3339(), l.UpdatedAt.RFC3339(), l.ClosedAt.RFC3339())
		case (l.Status == models.StatusSold) != (l.SoldPrice > 0):
			t.Errorf("%s: %s for %d", l.Title, l.Status, l.SoldPrice)
		case len([]rune(l.Title)) > 200 || len(l.Text) < 40 || strings.ContainsAny(l.Title+l.Text, "{}%!"):
			t.Errorf("title %q, text %q", l.Title, l.Text)
		case len(l.Photos) < 1 || len(l.Photos) > 4:
			t.Errorf("%s has %d photos", l.Title, len(l.Photos))
		case l.Condition == models.ConditionFaulty && l.Functional == models.FullyWorking:
			t.Errorf("%s is faulty and fully working", l.Title)
		case l.Condition == models.ConditionNew && (len(l.Defects) > 0 || l.Shutter > 0):
			t.Errorf("%s is new with defects %v and %d releases", l.Title, l.Defects, l.Shutter)
		}
		for _, defect := range l.Defects {
			if !defect.Valid() {
				t.Errorf("%s: defect %q", l.Title, defect)
			}
		}
		for _, p := range l.Photos {
			if !drawing.IsKey(p.Key) || strings.Contains(p.Alt, "%") {
				t.Errorf("photo %+v", p)
			}
		}
	}
	for _, s := range d.Sales {
		id(s.ID)
		if cat.Gear(s.Gear) == nil || !s.Condition.Valid() || s.Price <= 0 || !s.Demo || s.SoldAt < first || s.SoldAt >= day {
			t.Errorf("unsound sale %+v", s)
		}
		if l := listings[s.ListingID]; s.ListingID != "" && (l.SoldPrice != s.Price || l.Gear != s.Gear || l.ClosedAt != s.SoldAt) {
			t.Errorf("sale %+v is of listing %+v", s, l)
		}
	}
}

func TestNoTwoDescriptionsAreTheSame(t *testing.T) {
	seen, again := map[string]bool{}, 0
	for _, l := range data().Listings {
		if seen[l.Text] {
			again++
		}
		seen[l.Text] = true
	}
	if again > len(data().Listings)/100 {
		t.Errorf("%d of %d descriptions stand there twice", again, len(data().Listings))
	}
}

// TestPopularGearHasMonths checks that popular gear has sales in most months, and rare
// gear does not.
func TestPopularGearHasMonths(t *testing.T) {
	sold := map[string]map[models.MonthKey]int{}
	for _, s := range data().Sales {
		if sold[s.Gear] == nil {
			sold[s.Gear] = map[models.MonthKey]int{}
		}
		sold[s.Gear][models.MonthOf(s.SoldAt)]++
	}
	lines, rare := 0, 0
	for _, months := range sold {
		enough, all := 0, 0
		for _, n := range months {
			all += n
			if n >= prices.MinSales {
				enough++
			}
		}
		if enough > 30 {
			lines++
		}
		if all < prices.MinSales {
			rare++
		}
	}
	if lines < 120 || rare < 100 {
		t.Errorf("%d gear have a line, %d too few sales; want at least 120 and 100", lines, rare)
	}
}

// median returns the median price of the matching sales, in cents.
func median(t *testing.T, fits func(models.Sale) bool) float64 {
	t.Helper()
	var prices []models.Cents
	for _, s := range data().Sales {
		if fits(s) {
			prices = append(prices, s.Price)
		}
	}
	if len(prices) < 8 {
		t.Fatalf("only %d sales to look at", len(prices))
	}
	slices.Sort(prices)
	return float64(prices[len(prices)/2])
}

func TestPricesBehave(t *testing.T) {
	in := func(gear, from, to string) float64 {
		a, _ := time.Parse("2006-01", from)
		b, _ := time.Parse("2006-01", to)
		return median(t, func(s models.Sale) bool {
			return s.Gear == gear && s.SoldAt >= models.TimeOf(a) && s.SoldAt < models.TimeOf(b)
		})
	}
	if early, late := in("canon/eos-r6", "2022-01", "2022-06"), in("canon/eos-r6", "2026-01", "2026-06"); late > 0.75*early {
		t.Errorf("the EOS R6 went from %.0f to %.0f: bodies lose value", early/100, late/100)
	}
	if early, late := in("fujifilm/x100v", "2022-01", "2022-06"), in("fujifilm/x100v", "2023-06", "2024-03"); late < 1.02*early {
		t.Errorf("the X100V went from %.0f to %.0f: it was sought after", early/100, late/100)
	}
	graded := func(c models.Condition) float64 {
		return median(t, func(s models.Sale) bool { return s.Gear == "sony/alpha-7-iii" && s.Condition == c })
	}
	for i := 1; i < 5; i++ {
		better, worse := models.Conditions[i], models.Conditions[i+1]
		if i >= 4 {
			break
		}
		if worse == models.ConditionHeavilyUsed {
			continue
		}
		if graded(better) <= graded(worse) {
			t.Errorf("%s at %.0f, %s at %.0f", better, graded(better)/100, worse, graded(worse)/100)
		}
	}
}

func TestAskingPricesStandAroundTheTrend(t *testing.T) {
	m := newMarket(gears(), testDay)
	goods := map[string]*good{}
	for _, g := range m.goods {
		goods[g.gear.Slug()] = g
	}
	var near, cheap, all int
	for _, l := range data().Listings {
		if l.Status != models.StatusActive {
			continue
		}
		typical := goods[l.Gear].value(l.PublishedAt.Std()) * premium[l.Condition] * 100
		all++
		switch ratio := float64(l.Price) / typical; {
		case ratio >= 0.84 && ratio <= 1.27:
			near++
		case ratio < 0.84:
			cheap++
		}
	}
	if near < all*9/10 || cheap < all/100 {
		t.Errorf("of %d asking prices %d are within -16 %% and +27 %% and %d are bargains", all, near, cheap)
	}
}

func TestFill(t *testing.T) {
	if testing.Short() {
		testFill(t, storetest.SQLite(t))
		return
	}
	storetest.EachURL(t, testFill)
}

func testFill(t *testing.T, url string) {
	ctx := context.Background()
	store := storetest.Open(t, url, nil)
	calls, last := 0, 0
	start := time.Now()
	err := Fill(ctx, store, gears(), testDay, func(done, total int) {
		if done <= last || done > total {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		calls, last = calls+1, done
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("filled in %v", time.Since(start))
	counts, err := store.Counts(ctx)
	if err != nil || counts.Listings != ActiveListings || counts.Sales != Sales || counts.Members != Sellers {
		t.Errorf("%+v, %v", counts, err)
	}
	if demo, err := store.Demo(ctx); !demo || err != nil {
		t.Errorf("not marked as demonstration data: %v", err)
	}
	rated := 0
	for _, m := range data().Members {
		standing, err := store.Trades.Seller(ctx, m.ID)
		if err != nil {
			t.Fatal(err)
		}
		rated += standing.Ratings
	}
	if rated != len(data().Ratings) {
		t.Errorf("%d ratings count, want %d", rated, len(data().Ratings))
	}
	trend, err := store.Prices.Trend(ctx, "canon/eos-r6")
	if err != nil || !trend.Summary.Enough() || len(trend.Months) < 50 || trend.Change12m == nil {
		t.Errorf("trend of the EOS R6: %+v, %v", trend, err)
	}
	if calls < 5 {
		t.Errorf("%d reports of progress", calls)
	}
}

// TestFillStopped checks that an interrupted Fill leaves the store empty, and that the
// next Fill succeeds.
func TestFillStopped(t *testing.T) {
	store := storetest.Open(t, storetest.SQLite(t), nil)
	for _, after := range []int{Sellers + 2000, Sellers + ActiveListings + 10_000} {
		ctx, stop := context.WithCancel(context.Background())
		err := Fill(ctx, store, gears(), testDay, func(done, _ int) {
			if done >= after {
				stop()
				time.Sleep(time.Millisecond) // wait for the transaction to be rolled back
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("stopped after %d rows: %v", after, err)
		}
		if empty, err := store.IsEmpty(context.Background()); !empty || err != nil {
			t.Errorf("stopped after %d rows, the store is not empty: %v", after, err)
		}
		if demo, err := store.Demo(context.Background()); demo || err != nil {
			t.Errorf("stopped after %d rows, the store is marked: %v", after, err)
		}
	}
	if err := Fill(context.Background(), store, gears(), testDay, nil); err != nil {
		t.Fatal(err)
	}
	if counts, err := store.Counts(context.Background()); err != nil || counts.Sales != Sales {
		t.Errorf("filled at last: %+v, %v", counts, err)
	}
}

func ExampleGenerate() {
	cat, err := catalog.ReadCatalog(os.DirFS("testdata"))
	if err != nil {
		panic(err)
	}
	d := Generate(cat, Seed, time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC))
	fmt.Println(len(d.Members), len(d.Sales), d.Listings[0].Demo)
	// Output: 400 60000 true
}

// TestTradeIsSound checks that offers, ratings and previous prices fit the listings and
// sales that they belong to.
func TestTradeIsSound(t *testing.T) {
	d := data()
	day := models.TimeOf(testDay.Truncate(24 * time.Hour))
	listings, sales, offers := map[string]models.Listing{}, map[string]models.Sale{}, map[string]store.DemoOffer{}
	for _, l := range d.Listings {
		listings[l.ID] = l
	}
	for _, s := range d.Sales {
		if s.OfferID != "" {
			sales[s.OfferID] = s
		}
	}
	count, accepted := map[models.OfferStatus]int{}, map[string]bool{}
	for _, o := range d.Offers {
		l, s := listings[o.ListingID], sales[o.ID]
		count[o.Status]++
		offers[o.ID] = o
		switch last := o.Rounds[len(o.Rounds)-1]; {
		case l.ID == "" || o.BuyerID == o.SellerID || o.SellerID != l.SellerID || len(o.Rounds) != o.Proposals || last.Amount != o.Amount || o.Amount > l.Price:
			t.Errorf("offer %+v on %+v", o, l)
		case o.CreatedAt < l.PublishedAt || o.UpdatedAt < o.CreatedAt || o.UpdatedAt > day || last.At > o.UpdatedAt:
			t.Errorf("times of offer %+v", o)
		case o.Status == models.OfferConfirmed && (s.ID == "" || s.Price != o.Amount || s.BuyerID != o.BuyerID || s.Source != models.SaleByMembers || l.Status != models.StatusSold || o.AgreedAt == 0):
			t.Errorf("confirmed offer %+v with sale %+v", o, s)
		case o.Status == models.OfferAccepted && l.Status != models.StatusReserved, o.AwaitsReply() && l.Status != models.StatusActive:
			t.Errorf("%s offer on %s listing", o.Status, l.Status)
		case o.AwaitsReply() && o.ExpiresAt <= day:
			t.Errorf("%s offer is overdue", o.Status)
		}
		if o.Status == models.OfferAccepted || o.Status == models.OfferConfirmed {
			if accepted[o.ListingID] {
				t.Errorf("two accepted offers on %s", o.ListingID)
			}
			accepted[o.ListingID] = true
		}
	}
	if count[models.OfferConfirmed] < 500 || count[models.OfferPending] < 25 || count[models.OfferCountered] < 10 || count[models.OfferAccepted] < 60 || count[models.OfferDeclined] < 50 {
		t.Errorf("offers: %v", count)
	}
	rated, stars := map[string]int{}, 0
	for _, r := range d.Ratings {
		o := offers[r.OfferID]
		if o.Status != models.OfferConfirmed || r.RaterID == r.RatedID || r.RaterID != o.BuyerID && r.RaterID != o.SellerID || r.Stars < 1 || r.Stars > 5 || r.At <= o.UpdatedAt || r.At > day {
			t.Errorf("rating %+v of offer %+v", r, o)
		}
		rated[r.RatedID]++
		stars += r.Stars
	}
	if mean := float64(stars) / float64(len(d.Ratings)); len(d.Ratings) < 700 || len(rated) < 250 || mean < 4.5 || mean > 4.9 {
		t.Errorf("%d ratings of %d members, %.2f on average", len(d.Ratings), len(rated), mean)
	}
	reduced := map[string]bool{}
	for _, p := range d.PastPrices {
		l := listings[p.ListingID]
		if l.Status != models.StatusActive || p.Price <= l.Price || p.Until <= l.PublishedAt || p.Until > day {
			t.Errorf("previous price %+v of %+v", p, l)
		}
		reduced[p.ListingID] = true
	}
	if len(reduced) < 600 || len(d.Watches) < 3000 {
		t.Errorf("%d listings reduced, %d watches", len(reduced), len(d.Watches))
	}
	for _, w := range d.Watches {
		if l := listings[w.ListingID]; l.SellerID == w.MemberID || w.Price != l.Price || w.CreatedAt < l.PublishedAt-3_600_000 || w.CreatedAt > day {
			t.Errorf("watch %+v of %+v", w, l)
		}
	}
}

// TestWithArticle puts the article before the names of brands.
func TestWithArticle(t *testing.T) {
	for name, want := range map[string]string{"Olympus E-M1": "an Olympus E-M1", "Leica M6": "a Leica M6", "Agfa Isolette": "an Agfa Isolette"} {
		if got := withArticle(name); got != want {
			t.Errorf("withArticle(%q) is %q", name, got)
		}
	}
}
