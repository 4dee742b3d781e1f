//go:build linux && amd64 && !race

package budget

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/web/webtest"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/demo"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// now is the time of the site. It is fixed, so that a page is the same on every day.
var now = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

var euro = models.Currency{Code: "EUR", Digits: 2}

// fixture is what requests need of the database in a folder.
type fixture struct {
	Gear     []string // slugs, the most sold first
	Listings []string // ids of listings that are for sale
	Drafts   []string // ids of the seller's drafts
	Seller   secrets
	Buyer    secrets
}

// secrets are those of a member.
type secrets struct{ Token, Session string }

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func openCatalog() *catalog.Catalog {
	catalog, err := catalog.ReadCatalog(content.Catalog())
	must(err)
	return catalog
}

func openStore(folder string, tracing trace.TracerProvider) *store.Store {
	db, err := store.OpenWith(context.Background(), "sqlite:"+filepath.Join(folder, "secondlight.db"),
		store.Options{Clock: func() time.Time { return now }, Tracing: tracing, Log: slog.New(slog.DiscardHandler)})
	must(err)
	return db
}

// fill makes the database of the site in a folder: the demonstration data, and a seller and
// a buyer.
func fill(folder string) {
	ctx, gears := context.Background(), openCatalog()
	db := openStore(folder, nil)
	must(db.Migrate(ctx))
	must(demo.Fill(ctx, db, gears, now, func(int, int) {}))
	var f fixture
	var err error
	f.Gear, err = db.Prices.MostSold(ctx, requests)
	must(err)
	var popular []*catalog.Gear
	for _, slug := range f.Gear {
		popular = append(popular, gears.Gear(slug))
	}
	must(db.Prices.FitPrices(ctx, popular))
	must(db.Prices.IndexPrices(ctx, gears))
	var seller *models.Member
	seller, f.Seller = join(ctx, db, "a-seller")
	_, f.Buyer = join(ctx, db, "a-buyer")
	f.Drafts = insert(ctx, db, seller)
	f.Listings = insert(ctx, db, seller)
	for _, id := range f.Listings {
		_, err := db.Listings.Advance(ctx, id, models.Move{Step: models.Publish, Seller: seller.ID})
		must(err)
	}
	must(db.Close())
	data, err := json.Marshal(f)
	must(err)
	must(os.WriteFile(filepath.Join(folder, "fixture.json"), data, 0o600))
}

// join creates a member with a token and a session.
func join(ctx context.Context, db *store.Store, handle string) (*models.Member, secrets) {
	m, err := db.Accounts.CreateAccount(ctx, models.Registration{Handle: handle, Region: "DE", Email: handle + "@example.org", Password: "correct horse battery " + handle}, models.RoleMember)
	must(err)
	token, err := db.Tokens.CreateToken(ctx, m.ID, &models.Token{Name: "budget", Scopes: models.RoleMember.Scopes()})
	must(err)
	account, err := db.Accounts.Account(ctx, m.ID)
	must(err)
	session, err := db.Accounts.BeginSession(ctx, account, "budget", "192.0.2.1")
	must(err)
	return m, secrets{token, session}
}

// insert inserts drafts of a seller, one for each request, and returns their ids.
func insert(ctx context.Context, db *store.Store, seller *models.Member) (ids []string) {
	drafts := make([]models.Listing, requests)
	for i := range drafts {
		drafts[i] = models.Listing{SellerID: seller.ID, Gear: "canon/eos-r6", Category: "mirrorless", Title: fmt.Sprint("Canon EOS R6 body, boxed, number ", i), Text: "Used at weekends.",
			Item: models.Item{Condition: "excellent", Functional: models.FullyWorking}, Price: models.Cents(124900 + 100*i), Region: "DE", Status: models.StatusDraft}
	}
	must(db.Listings.InsertListings(ctx, drafts))
	for i := range drafts {
		ids = append(ids, drafts[i].ID)
	}
	return ids
}

// site is a running site and a connection to it.
type site struct {
	fixture
	test   *testing.T
	cookie string // name of the session cookie, with "="
	conn   net.Conn
	answer []byte
	used   int // bytes of answer that the last response has
}

// open starts the site in a folder until the test ends. With a provider, requests and their
// statements are traced.
func open(t *testing.T, folder string, tracing trace.TracerProvider) *site {
	s := &site{test: t, answer: make([]byte, 1<<20)}
	data, err := os.ReadFile(filepath.Join(folder, "fixture.json"))
	must(err)
	must(json.Unmarshal(data, &s.fixture))
	gears, log := openCatalog(), slog.New(slog.DiscardHandler)
	cfg := handlers.Config{Catalog: gears, Store: openStore(folder, tracing), Index: search.New(gears.Lookup()), RateLimit: 1_000_000, Log: log,
		Clock: func() time.Time { return now }, DataDir: folder,
		Site: ui.Site{BaseURL: "https://secondlight.example", Defaults: ui.SiteSettings{SiteSettings: models.SiteSettings{Name: "Secondlight", Owner: "An Owner"},
			Currency: euro, Languages: languages.All, SiteState: ui.SiteState{Demo: true}}}}
	if tracing != nil {
		cfg.Tracer = tracing.Tracer("budget")
	}
	t.Cleanup(func() { must(cfg.Store.Close()) })
	server := handlers.New(cfg)
	feed := search.NewFeed(cfg.Index, cfg.Store, market.CardRenderer(&cfg.Site, gears), log)
	feed.Estimate(euro)
	must(feed.Load(t.Context()))
	s.cookie = server.SessionCookie() + "="
	s.conn, err = webtest.Serve(t, server).Dial()
	must(err)
	t.Cleanup(func() { s.conn.Close() })
	return s
}

// send sends a request and reads the response, without allocating memory. A response with
// an error fails the test.
func (s *site) send(request []byte) (header, body []byte) {
	_, err := s.conn.Write(request)
	must(err)
	s.used = 0
	length, chunked := -1, false
	for length < 0 && !chunked || s.used < length || chunked && !bytes.HasSuffix(s.answer[:s.used], []byte("\r\n0\r\n\r\n")) {
		n, err := s.conn.Read(s.answer[s.used:])
		must(err)
		s.used += n
		end := bytes.Index(s.answer[:s.used], []byte("\r\n\r\n"))
		if len(header) > 0 || end < 0 {
			continue
		}
		header = s.answer[:end+4]
		if _, after, found := bytes.Cut(header, []byte("\r\nContent-Length: ")); found {
			size, _, _ := bytes.Cut(after, []byte("\r\n"))
			n, err := strconv.Atoi(string(size))
			must(err)
			length = len(header) + n
		} else {
			chunked = true
		}
	}
	if header[9] != '2' {
		s.test.Errorf("%s\n\n%s", request, s.answer[:s.used])
	}
	return header, s.answer[len(header):s.used]
}
