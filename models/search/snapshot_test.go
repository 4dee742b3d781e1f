package search

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// An index that was encoded and decoded finds the same, and follows changes.
func TestOracleOfDecodedIndex(t *testing.T) {
	t.Parallel()
	if raceEnabled {
		t.Skip("runs without the race detector")
	}
	m := &market{r: rand.New(rand.NewPCG(8, 8)), lookup: realLookup()}
	o, x := newOracle(m.lookup), New(m.lookup)
	var docs []Doc
	for range 3000 {
		docs = append(docs, m.doc())
	}
	load(t, x, docs)
	for _, d := range docs {
		o.put(d)
	}
	for range 4 {
		for range 30 {
			m.change(t, x, o)
		}
		open(t, x, m.lookup, save(t, x))
		if why := strangeCard(x); why != "" {
			t.Fatal(why)
		}
		pages := 0
		for range 300 {
			q := m.query()
			if why := allPages(x, q, o.search(q), &pages); why != "" {
				t.Fatalf("%+v: %s", q, why)
			}
		}
	}
}

// save writes a snapshot of an index and returns its file.
func save(t testing.TB, x *Index) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "index")
	err := durable.WriteFile(file, func(w io.Writer) error {
		to, err := newEncoder(w)
		return errors.Join(err, x.encode(to), to.end())
	})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// open replaces the listings of an index by those of a snapshot.
func open(t testing.TB, x *Index, lookup *catalog.Lookup, file string) {
	t.Helper()
	from, err := openSnapshot(file)
	if err == nil {
		err = x.decode(lookup, from)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// snapshotFixture is a store with listings of some gear, and a file for snapshots.
type snapshotFixture struct {
	t        *testing.T
	store    *store.Store
	snapshot Snapshot
	now      time.Time
	r        *rand.Rand
	members  []models.Member
	ids      []string // of listings
}

func newSnapshotFixture(t *testing.T, url string) *snapshotFixture {
	f := &snapshotFixture{t: t, snapshot: Snapshot{filepath.Join(t.TempDir(), "index"), "program"},
		now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), r: rand.New(rand.NewPCG(1, 1))}
	f.store = storetest.Open(t, url, func() time.Time { return f.now })
	f.members = []models.Member{{Handle: "anna", Name: "Anna", Region: "DE"}, {Handle: "ben", Name: "Ben", Region: "FR"}}
	f.must(f.store.Accounts.InsertMembers(t.Context(), f.members))
	f.publish(300)
	f.sell(60)
	return f
}

func (f *snapshotFixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// publish adds listings.
func (f *snapshotFixture) publish(n int) {
	f.t.Helper()
	var listings []models.Listing
	for range n {
		gear := realLookup().At(f.r.IntN(4))
		listings = append(listings, models.Listing{SellerID: f.members[f.r.IntN(2)].ID, Gear: gear.Slug(), Category: gear.Category, Title: fmt.Sprint("Zyx boxed ", f.r.IntN(9)), Text: "As new.",
			Item: models.Item{Condition: models.Conditions[f.r.IntN(3)], Functional: models.FullyWorking}, Price: models.Cents(10000 + f.r.IntN(20000)), Region: "DE", Status: models.StatusActive})
	}
	f.must(f.store.Listings.InsertListings(f.t.Context(), listings))
	for i := range listings {
		f.ids = append(f.ids, listings[i].ID)
	}
}

// sell adds sales of the same gear.
func (f *snapshotFixture) sell(n int) {
	f.t.Helper()
	var sales []models.Sale
	for range n {
		sales = append(sales, models.Sale{Gear: realLookup().At(f.r.IntN(4)).Slug(), Condition: models.Conditions[f.r.IntN(3)],
			Price: models.Cents(10000 + f.r.IntN(20000)), SoldAt: models.TimeOf(f.now), Region: "DE"})
	}
	_, _, err := f.store.Trades.ImportSales(f.t.Context(), sales)
	f.must(err)
}

// change makes a random change.
func (f *snapshotFixture) change() {
	f.t.Helper()
	at := f.r.IntN(len(f.ids))
	switch f.r.IntN(7) {
	case 0:
		f.publish(1 + f.r.IntN(5))
	case 1:
		f.sell(1 + f.r.IntN(20))
	case 2:
		f.must(f.store.Accounts.SetPostage(f.t.Context(), f.members[f.r.IntN(2)].ID, models.Postage(fmt.Sprint("DE=", 100*(1+f.r.IntN(9))))))
	case 3:
		f.now = f.now.AddDate(0, f.r.IntN(3), 0) // deals lapse
	case 4:
		_, err := f.store.Listings.Advance(f.t.Context(), f.ids[at], models.Move{Step: models.End})
		f.must(err)
		f.ids = slices.Delete(f.ids, at, at+1)
	case 5:
		median := models.Cents(10000 + f.r.IntN(20000))
		f.must(f.store.Prices.StorePriceFit(f.t.Context(), &prices.PriceFit{Day: models.DayAt(f.now), MadeAt: f.store.Now()}, []prices.Estimate{{Gear: realLookup().At(f.r.IntN(4)).Slug(),
			Condition: models.Conditions[f.r.IntN(3)], Day: models.DayAt(f.now), Median: median, Low: median * 9 / 10, High: median * 11 / 10, HalfLow: median, HalfHigh: median, Sales: 9}}))
	default:
		l, err := f.store.Listings.AllListingsByID(f.t.Context(), f.ids[at:at+1])
		f.must(err)
		before := l[f.ids[at]]
		_, err = f.store.Listings.EditListing(f.t.Context(), before.ID, before.SellerID, before.Version, func(l *models.Listing) error {
			l.Price, l.Title = models.Cents(10000+f.r.IntN(20000)), fmt.Sprint("Zyx mint ", f.r.IntN(9))
			return nil
		})
		f.must(err)
	}
}

// feed returns a feed of a store to an empty index.
func (f *snapshotFixture) feed(store *store.Store) *Feed {
	feed := NewFeed(New(realLookup()), store, func(l *models.Listing, seller string, deal *prices.Deal) []byte {
		return fmt.Appendf(nil, `{"id":"%s","title":"%s","price":%d,"seller":"%s","deal":"%v"}`, l.ID, l.Title, l.Price, seller, deal)
	}, slog.New(slog.DiscardHandler))
	feed.Estimate(models.Currency{Code: "EUR", Digits: 2})
	return feed
}

// save saves a snapshot of a feed that has loaded all listings.
func (f *snapshotFixture) save() {
	f.t.Helper()
	feed := f.feed(f.store)
	f.must(feed.Load(f.t.Context()))
	f.must(feed.Save(f.t.Context(), f.snapshot))
}

// compare fails unless a feed finds what one finds that has loaded all listings.
func (f *snapshotFixture) compare(feed *Feed) {
	f.t.Helper()
	fresh := f.feed(f.store)
	f.must(fresh.Load(f.t.Context()))
	for _, q := range []Query{
		{Sort: Newest}, {Sort: Deal}, {Sort: Total, ShipTo: []models.Region{"DE"}}, {Filter: Filter{Keyword: "zyx mint"}}, {Filter: Filter{Keyword: "boxed 3"}, Sort: Price},
		{Filter: Filter{Seller: "anna"}, Sort: PriceDesc}, {Filter: Filter{Conditions: models.Conditions[:1]}, Sort: Deal},
	} {
		for q.Limit = 50; ; {
			want, err := fresh.index.Search(q)
			f.must(err)
			got, err := feed.index.Search(q)
			f.must(err)
			if len(want.Cards) == 0 && want.Total > 0 {
				f.t.Fatalf("%+v: no cards of %d", q, want.Total)
			}
			if fmt.Sprintf("%s %+v", got.Cards, got.Facets) != fmt.Sprintf("%s %+v", want.Cards, want.Facets) || got.Total != want.Total || fmt.Sprint(got.Shipping) != fmt.Sprint(want.Shipping) {
				f.t.Fatalf("%+v:\n%s\nwant\n%s", q, got.Cards, want.Cards)
			}
			if q.Cursor = want.NextCursor; q.Cursor == "" {
				break
			}
		}
	}
}

// A snapshot and the changes since make the same index as all listings, however often.
func TestSnapshotAndChanges(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		f := newSnapshotFixture(t, url)
		f.save()
		for range 8 {
			for range f.r.IntN(12) {
				f.change()
			}
			feed := f.feed(f.store)
			f.must(feed.resume(t.Context(), f.snapshot))
			f.compare(feed)
			f.must(feed.Save(t.Context(), f.snapshot))
		}
	})
}

// A snapshot is saved and used when all changes were pruned.
func TestSnapshotOfPrunedChanges(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		f := newSnapshotFixture(t, url)
		f.now = f.now.Add(models.ChangeRetention + time.Hour)
		mark, err := f.store.Mark(t.Context())
		f.must(err)
		ctx, stop := context.WithCancel(t.Context())
		following := make(chan error)
		go func(mark store.Mark) {
			following <- f.store.Follow(ctx, mark, func(context.Context, []models.Entry) error { return nil })
		}(mark)
		for mark.Last != (models.Entry{}) && t.Context().Err() == nil { // until Follow has pruned
			mark, err = f.store.Mark(t.Context())
			f.must(err)
		}
		stop()
		<-following
		f.save()
		f.publish(3)
		feed := f.feed(f.store)
		f.must(feed.resume(t.Context(), f.snapshot))
		f.compare(feed)
	})
}

// A snapshot that is damaged, or of something else, is not used.
func TestSnapshotIsIgnored(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		f := newSnapshotFixture(t, url)
		f.save()
		file, err := os.ReadFile(f.snapshot.File)
		f.must(err)
		flip := func(at int) []byte {
			damaged := slices.Clone(file)
			damaged[at] ^= 1 << f.r.IntN(8)
			return damaged
		}
		tests := map[string][]byte{
			"empty":          {},
			"older version":  append([]byte("secondlight search index 0\n"), file[len(snapshotVersion):]...),
			"without header": file[len(snapshotVersion):],
		}
		for range 20 {
			at := f.r.IntN(len(file))
			tests[fmt.Sprint("truncated to ", at)] = file[:at]
			tests[fmt.Sprint("bit flipped at ", at)] = flip(at)
		}
		tests["truncated by a byte"] = file[:len(file)-1]
		for name, damaged := range tests {
			f.must(os.WriteFile(f.snapshot.File, damaged, 0o600))
			feed := f.feed(f.store)
			if err := feed.resume(t.Context(), f.snapshot); err == nil {
				t.Errorf("%s: it is used", name)
			} else if feed.index.Len() != 0 {
				t.Errorf("%s: the index has %d listings after %v", name, feed.index.Len(), err)
			}
		}
		feed := f.feed(f.store)
		f.must(feed.Resume(t.Context(), f.snapshot))
		f.compare(feed)

		f.must(os.WriteFile(f.snapshot.File, file, 0o600))
		if err := f.feed(f.store).resume(t.Context(), Snapshot{f.snapshot.File, "another program"}); err == nil {
			t.Error("that of another program is used")
		}
		f.must(f.feed(f.store).resume(t.Context(), f.snapshot))
	})
}

// The snapshot of another database is not used, even if that is a copy that went on from
// an earlier position.
func TestSnapshotOfAnotherDatabase(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		f := newSnapshotFixture(t, url)
		f.save()
		another := newSnapshotFixture(t, storetest.EmptySQLite(t))
		if err := another.feed(another.store).resume(t.Context(), f.snapshot); err == nil {
			t.Error("that of another database is used")
		}
	})
	for name, changes := range map[string]int{"restored": 0, "restored and changed": 400} {
		t.Run(name, func(t *testing.T) {
			url := storetest.SQLite(t)
			f := newSnapshotFixture(t, url)
			copied := filepath.Join(t.TempDir(), "copy.db")
			db, err := sql.Open("sqlite", "file:"+strings.TrimPrefix(url, "sqlite:"))
			f.must(err)
			defer db.Close()
			_, err = db.Exec(`VACUUM INTO '` + copied + `'`)
			f.must(err)
			f.publish(300)
			f.save()
			f.store = storetest.Open(t, "sqlite:"+copied, func() time.Time { return f.now })
			if changes > 0 {
				f.now = f.now.Add(time.Minute)
				f.publish(changes)
			}
			feed := f.feed(f.store)
			if err := feed.resume(t.Context(), f.snapshot); err == nil {
				t.Error("it is used")
			}
			f.must(feed.Resume(t.Context(), f.snapshot))
			f.compare(feed)
		})
	}
}

// BenchmarkSnapshot opens the snapshot of an index.
func BenchmarkSnapshot(b *testing.B) {
	for _, listings := range []int{60_000, 1_000_000} {
		m := &market{r: rand.New(rand.NewPCG(8, 8)), lookup: realLookup()}
		x := New(m.lookup)
		load(b, x, slices.Collect(func(yield func(Doc) bool) {
			for i := 0; i < listings && yield(m.doc()); i++ {
			}
		}))
		file := save(b, x)
		b.Run(fmt.Sprint(listings), func(b *testing.B) {
			for b.Loop() {
				open(b, x, m.lookup, file)
			}
		})
	}
}
