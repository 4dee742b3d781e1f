package handlers

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/demo"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// testNow is the time in every test.
var testNow = time.Date(2026, 11, 21, 9, 0, 0, 123456000, time.UTC)

var testSite = ui.Site{BaseURL: "https://secondlight.example", Defaults: ui.SiteSettings{SiteSettings: models.SiteSettings{Name: "Secondlight", Owner: "An Owner"},
	Currency: models.Currency{Code: "EUR", Digits: 2}, Languages: languages.All, SiteState: ui.SiteState{Demo: true}}}

var testDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "secondlight-handlers-")
	if err != nil {
		panic(err)
	}
	testDir = dir
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// Catalog is the catalogue of every test.
var testCatalog = sync.OnceValue(func() *catalog.Catalog {
	catalog, err := catalog.ReadCatalog(content.Catalog())
	must(err)
	return catalog
})

// market is the demonstration data in a store and an index of their own; tests
// share it and change nothing in it.
var m = sync.OnceValue(func() Config {
	ctx, gears := context.Background(), testCatalog()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	library := portfolio.Open(testPortfolio(), gears, filepath.Join(testDir, "photos"), log)
	var work sync.WaitGroup
	work.Go(func() { library.Prepare(ctx) })
	store, err := store.Open(ctx, "sqlite:"+filepath.Join(testDir, "market.db"), func() time.Time { return testNow })
	must(err)
	must(store.Migrate(ctx))
	must(demo.Fill(ctx, store, gears, testNow, func(int, int) {}))
	must(store.Prices.FitPrices(ctx, []*catalog.Gear{gears.Gear("canon/eos-r6")}))
	must(store.Prices.IndexPrices(ctx, gears))
	index := search.New(gears.Lookup())
	must(search.NewFeed(index, store, market.CardRenderer(&testSite, gears), log).Load(ctx))
	work.Wait()
	return Config{Store: store, Catalog: gears, Index: index, Library: library, Site: testSite, DataDir: testDir}
})

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// skipUnderRace skips a long test that does one thing after another where every access is
// watched. CI also runs the tests that call it without the race detector: see .ci/norace.
func skipUnderRace(t *testing.T) {
	t.Helper()
	if raceEnabled {
		t.Skip("runs without the race detector")
	}
}
