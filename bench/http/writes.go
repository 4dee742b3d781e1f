//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/secondlight/secondlight/bench/load"
	"github.com/secondlight/secondlight/bench/market"
	"github.com/secondlight/secondlight/bench/program"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
)

// marketplace is a market with members who read and write.
type marketplace struct {
	*market.Market
	cookie string // of a member who is signed in
	writer *writer
}

// openMarket opens the market in a folder, and makes it if it isn't there.
func openMarket(ctx context.Context, folder string, listings int, seed uint64) (*marketplace, error) {
	store, err := market.Open(ctx, folder)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	filled, err := market.Fill(ctx, store, listings, seed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	m := &marketplace{Market: filled}
	if err := m.addMembers(ctx, store); err != nil {
		return nil, fmt.Errorf("add members: %w", err)
	}
	return m, nil
}

// writer makes writes of members: each is accepted once.
type writer struct {
	seller, buyer string // header fields with their tokens
	drafts        []string
	active        []string // for sale by the seller
	n             int
}

// written is how many listings a run may write to.
const written = 20_000

// addMembers adds a member who is signed in, and a seller and a buyer who write. Each run
// adds its own.
func (m *marketplace) addMembers(ctx context.Context, store *store.Store) error {
	run := fmt.Sprintf("%08x", rand.Uint32())
	tokens := [2]string{}
	var seller *models.Member
	for i, name := range []string{"seller", "buyer"} {
		member, err := store.Accounts.CreateAccount(ctx, models.Registration{Handle: name + "-" + run, Region: "DE",
			Email: name + run + "@example.org", Password: "correct horse battery " + run}, models.RoleMember)
		if err != nil {
			return err
		}
		secret, err := store.Tokens.CreateToken(ctx, member.ID, &models.Token{Name: "bench", Scopes: models.RoleMember.Scopes()})
		if err != nil {
			return err
		}
		tokens[i] = "Authorization: Bearer " + secret + "\r\nIf-Match: *\r\n"
		if i == 0 {
			seller = member
			continue
		}
		account, err := store.Accounts.Account(ctx, member.ID)
		if err != nil {
			return err
		}
		session, err := store.Accounts.BeginSession(ctx, account, "bench", "127.0.0.1")
		if err != nil {
			return err
		}
		m.cookie = "session=" + session
	}
	m.writer = &writer{seller: tokens[0], buyer: tokens[1]}
	return m.addStock(ctx, store, seller.ID)
}

// addStock adds the seller's listings, drafts and for sale in turn.
func (m *marketplace) addStock(ctx context.Context, store *store.Store, seller string) error {
	dice := rand.New(rand.NewPCG(3, 4))
	for range written / 1000 {
		batch := make([]models.Listing, 1000)
		for i := range batch {
			l := m.Another(dice)
			l.SellerID, l.Photos, l.Status = seller, nil, models.StatusActive
			if i%4 == 0 {
				l.Status, l.PublishedAt = models.StatusDraft, 0
			}
			batch[i] = l
		}
		if err := store.Listings.InsertListings(ctx, batch); err != nil {
			return err
		}
		for i := range batch {
			if batch[i].Status == models.StatusDraft {
				m.writer.drafts = append(m.writer.drafts, batch[i].ID)
			} else {
				m.writer.active = append(m.writer.active, batch[i].ID)
			}
		}
	}
	return nil
}

// next returns the next write: publish, edit, offer, message and sale in turn.
func (w *writer) next() load.Request {
	n := w.n / 5
	w.n++
	api := func(i int) string { return "/api/listings/" + w.active[i%len(w.active)] }
	price := fmt.Sprintf(`{"amount":"%d.00","currency":"EUR"}`, 100+n%900)
	switch w.n % 5 {
	case 0:
		return load.Request{Method: "POST", URI: "/api/listings/" + w.drafts[n%len(w.drafts)] + "/publish", Header: w.seller}
	case 1:
		return load.Request{Method: "PATCH", URI: api(4*n + 1), Header: w.seller, Body: `{"price":` + price + `}`}
	case 2:
		return load.Request{Method: "POST", URI: api(4*n+2) + "/offers", Header: w.buyer, Body: `{"amount":` + price + `}`}
	case 3:
		return load.Request{Method: "POST", URI: api(4*n+2) + "/messages", Header: w.buyer, Body: `{"text":"Is it still for sale?"}`}
	}
	return load.Request{Method: "POST", URI: api(4*n+3) + "/sold", Header: w.seller, Body: `{"price":` + price + `}`}
}

// writesName is what measureWrites measures.
const writesName = "2,000 pages and searches, with writes"

// pages returns 2,000 addresses of pages and searches, the most popular first.
func (m *marketplace) pages(seed uint64) []string {
	queries := m.Queries(seed + 1)
	pages := []string{"/", "/listings", "/gear", "/gear/" + m.Popular}
	for i := 0; len(pages) < 2000; i++ {
		l := m.Patterns[i*7%len(m.Patterns)]
		switch i % 4 {
		case 0:
			pages = append(pages, "/gear/"+l.Gear)
		case 1:
			pages = append(pages, "/listings/"+l.ID)
		case 2:
			pages = append(pages, "/listings?model="+l.Gear)
		default:
			pages = append(pages, "/listings"+queries()[len("/api/listings/search"):])
		}
	}
	return pages
}

// measureWrites compares reads alone with reads among which one request in twenty is a
// write, or a write that is refused. Pages are requested by popularity (Zipf, exponent
// 1.1).
func (m *marketplace) measureWrites(ctx context.Context, s *settings, site *program.Server, connections int) error {
	pages := m.pages(s.seed)
	zipf := rand.NewZipf(rand.New(rand.NewPCG(s.seed, 5)), 1.1, 1, uint64(len(pages)-1))
	pressed := s.load
	pressed.Connections = connections
	mix := func(write func() load.Request) []load.Request {
		asks := make([]load.Request, pressed.Addresses)
		for i := range asks {
			if asks[i].URI = pages[zipf.Uint64()]; write != nil && i%20 == 19 {
				asks[i] = write()
			}
		}
		return asks
	}
	refused := func() load.Request { return load.Request{Method: "POST", URI: "/api/listings", Body: `{"title":"x"}`} }
	const header = "Accept-Encoding: gzip, br\r\n"
	warmUp := pressed
	warmUp.Time *= 3 // popular pages must be compressed with brotli
	if _, err := warmUp.Run(ctx, site, "text/html", header, mix(nil), false); err != nil {
		return err
	}
	fmt.Printf("\n%s, %d connections\n", writesName, connections)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "round\treads only/s\tCPU\twith refused writes/s\tCPU\tratio\twith writes/s\tCPU\tnot accepted\tratio\t")
	var refusedRatios, ratios []float64
	for i := range s.rounds {
		var out [3]*load.Outcome
		for j, write := range []func() load.Request{nil, refused, m.writer.next} {
			var err error
			if out[j], err = pressed.Run(ctx, site, "text/html", header, mix(write), false); err != nil {
				return err
			}
		}
		refusedRatios = append(refusedRatios, out[1].PerSecond()/out[0].PerSecond())
		ratios = append(ratios, out[2].PerSecond()/out[0].PerSecond())
		fmt.Fprintf(w, "%d\t%s\t%.0f µs\t%s\t%.0f µs\t%.2f\t%s\t%.0f µs\t%d\t%.2f\t\n", i+1, thousands(int(out[0].PerSecond())), out[0].PerRequest(),
			thousands(int(out[1].PerSecond())), out[1].PerRequest(), refusedRatios[i], thousands(int(out[2].PerSecond())), out[2].PerRequest(), out[2].Refused, ratios[i])
	}
	w.Flush()
	slices.Sort(refusedRatios)
	slices.Sort(ratios)
	fmt.Printf("median ratio with refused writes %.2f, with writes %.2f\n", refusedRatios[len(ratios)/2], ratios[len(ratios)/2])
	return nil
}
