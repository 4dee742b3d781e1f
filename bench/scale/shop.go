//go:build linux

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sys/unix"

	"github.com/secondlight/secondlight/bench/shopper"
	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// shop makes the requests of shoppers and sellers.
type shop struct {
	*site
	store    *store.Store
	catalog  *catalog.Catalog
	patterns []*models.Listing // for sale, of gear of the catalogue
	recent   []string          // ids of listings
	sellers  []string          // ids of members, with a token of each
	tokens   []string
}

// sellers is the number of members who publish. None may have more than 1,000 listings.
const sellers = 24

func (s *site) openShop(ctx context.Context) (*shop, error) {
	catalog, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		return nil, err
	}
	store, err := store.Open(ctx, s.database, nil)
	if err != nil {
		return nil, err
	}
	shop := &shop{site: s, store: store, catalog: catalog}
	if err := shop.addSellers(ctx); err != nil {
		return nil, err
	}
	if s.listings == 0 {
		return shop, nil
	}
	ids, err := s.ids(ctx, `demo AND status = 'active'`)
	if err != nil {
		return nil, err
	}
	if shop.patterns, err = store.Listings.ListingsByID(ctx, ids); err != nil {
		return nil, err
	}
	shop.patterns = slices.DeleteFunc(shop.patterns, func(l *models.Listing) bool { return catalog.Gear(l.Gear) == nil })
	shop.recent, err = s.ids(ctx, `status = 'active' AND published_at > 0`)
	return shop, err
}

// ids returns the ids of the newest listings that meet a condition.
func (s *site) ids(ctx context.Context, where string) (ids []string, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id FROM listings WHERE `+where+` ORDER BY published_at DESC LIMIT 20000`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

func (s *shop) addSellers(ctx context.Context) error {
	run := strconv.FormatInt(time.Now().Unix(), 36)
	for i := range sellers {
		name := fmt.Sprint("bench-", run, "-", i)
		member, err := s.store.Accounts.CreateAccount(ctx, models.Registration{Handle: name, Email: name + "@example.org", Password: "four words in a row " + run}, models.RoleOperator)
		if err != nil {
			return err
		}
		token, err := s.store.Tokens.CreateToken(ctx, member.ID, &models.Token{Name: "bench", Scopes: models.RoleOperator.Scopes()})
		if err != nil {
			return err
		}
		s.sellers, s.tokens = append(s.sellers, member.ID), append(s.tokens, token)
	}
	return nil
}

// insert publishes 1,000 listings while no server runs.
func (s *shop) insert(ctx context.Context) error {
	if len(s.patterns) == 0 {
		return nil
	}
	batch := make([]models.Listing, 1000)
	for i := range batch {
		l := *s.patterns[i%len(s.patterns)]
		l.ID, l.ExternalID, l.Demo, l.Photos = "", "", false, nil
		l.SellerID, l.PublishedAt = s.sellers[sellers-1], models.TimeOf(time.Now())
		batch[i] = l
	}
	return s.store.Listings.InsertListings(ctx, batch)
}

// requests measures requests of every kind.
func (s *shop) requests(ctx context.Context, p *process, m *measured) (err error) {
	p.Settle(ctx)
	dice := rand.New(rand.NewPCG(1, 2))
	pick := func(list []string) string {
		if len(list) == 0 {
			return uuid.Nil.String()
		}
		return list[dice.IntN(len(list))]
	}
	next := func() string { return "/api/listings/search?budget=" + strconv.Itoa(100+dice.IntN(1e6)) }
	gear := func() string { return "/gear" }
	if len(s.patterns) > 0 {
		shop := shopper.New(s.catalog, s.patterns, 1)
		next = func() string { return addressOf(shop.Next()) }
		gear = func() string { return "/gear/" + s.patterns[dice.IntN(len(s.patterns))].Gear }
	}
	for _, kind := range []struct {
		to    *quantiles
		count int
		path  func() string
	}{
		{&m.Search, 20_000, next},
		{&m.Page, 2000, func() string { return "/listings" + strings.TrimPrefix(next(), "/api/listings/search") }},
		{&m.Gear, 500, gear},
		{&m.Listing, 500, func() string { return "/listings/" + pick(s.recent) }},
		{&m.Home, 100, func() string { return "/?" + strconv.Itoa(dice.IntN(1e9)) }},
		{&m.Sitemap, 20, s.sitemaps()},
	} {
		if *kind.to, err = p.latencies(kind.count, kind.path); err != nil {
			return err
		}
	}
	if err := s.publishAll(ctx, p, m, 20*time.Second); err != nil {
		return err
	}
	m.SearchedMemory = p.memory()
	return nil
}

func addressOf(q search.Query) string { return shopper.Address(&q) }

// sitemaps returns addresses of pages of the sitemap.
func (s *shop) sitemaps() func() string {
	response, err := http.Get("http://" + address + "/sitemap.xml")
	if err != nil {
		return func() string { return "/sitemap.xml" }
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	var pages []string
	for part := range strings.SplitSeq(string(text), "<loc>") {
		if page, _, ok := strings.Cut(part, "</loc>"); ok {
			pages = append(pages, strings.TrimPrefix(page, "http://"+address))
		}
	}
	n := 0
	return func() string {
		n++
		if len(pages) == 0 {
			return "/sitemap.xml"
		}
		return pages[n*7919%len(pages)]
	}
}

// latencies makes requests one after another.
func (p *process) latencies(count int, path func() string) (quantiles, error) {
	times, before := make([]time.Duration, count), p.Processor()
	statuses := map[string]int{}
	for i := range times {
		at := path()
		began := time.Now()
		response, err := http.Get("http://" + address + at)
		if err != nil {
			return quantiles{}, err
		}
		_, err = io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if err != nil {
			return quantiles{}, err
		}
		times[i] = time.Since(began)
		if response.StatusCode != http.StatusOK {
			if statuses[response.Status]++; statuses[response.Status] == 1 {
				fmt.Printf("GET %s: %s\n", at, response.Status)
			}
		}
	}
	return quantilesOf(times, p.Processor()-before), nil
}

func quantilesOf(times []time.Duration, processor time.Duration) quantiles {
	slices.Sort(times)
	n := len(times)
	return quantiles{times[n/2], times[n*99/100], processor / time.Duration(n)}
}

// publishAll publishes over 8 connections for some time.
func (s *shop) publishAll(ctx context.Context, p *process, m *measured, duration time.Duration) error {
	var (
		work   sync.WaitGroup
		mutex  sync.Mutex
		times  []time.Duration
		failed error
		n      int
	)
	began, before := time.Now(), p.Processor()
	for range 8 {
		work.Go(func() {
			for time.Since(began) < duration && ctx.Err() == nil {
				mutex.Lock()
				n++
				seller := n % (sellers - 1) // the last one has those of insert
				mutex.Unlock()
				asked := time.Now()
				_, err := s.publish(ctx, seller)
				mutex.Lock()
				if err != nil {
					failed = err
				} else {
					times = append(times, time.Since(asked))
				}
				mutex.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	work.Wait()
	if len(times) == 0 {
		return fmt.Errorf("nothing was published: %w", failed)
	}
	if failed != nil {
		fmt.Println("publish:", failed)
	}
	m.PublishRate = float64(len(times)) / time.Since(began).Seconds()
	m.Publish = quantilesOf(times, p.Processor()-before)
	return nil
}

// publish creates a draft of a seller and publishes it.
func (s *shop) publish(ctx context.Context, seller int) (id string, err error) {
	draft := map[string]any{"title": "Sony FE 50mm f/1.8", "gear": "sony/fe-50mm-f1-8", "condition": "good", "functional": "fully_working", "region": "DE", "description": "Works well.",
		"price": map[string]string{"amount": strconv.Itoa(100 + rand.IntN(900)), "currency": "EUR"}}
	if len(s.patterns) > 0 {
		l := s.patterns[rand.IntN(len(s.patterns))]
		draft["title"], draft["gear"] = l.Title, l.Gear
	}
	body, err := json.Marshal(draft)
	if err != nil {
		return "", err
	}
	if id, err = post(ctx, "/api/listings", s.tokens[seller], body); err != nil {
		return "", err
	}
	return post(ctx, "/api/listings/"+id+"/publish", s.tokens[seller], nil)
}

// post posts a body and returns the id in the answer.
func post(ctx context.Context, path, token string, body []byte) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+path, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("If-Match", "*")
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return "", err
	}
	if response.StatusCode >= 300 {
		return "", fmt.Errorf("%s: %.300s", response.Status, text)
	}
	var listing struct{ ID string }
	return listing.ID, json.Unmarshal(text, &listing)
}

// searches reads the snapshot into this process and measures searches in it: their
// processor time, which is the time on the clock of an idle machine.
func (s *shop) searches(ctx context.Context, snapshot string) (quantiles, error) {
	if len(s.patterns) == 0 {
		return quantiles{}, nil
	}
	program, err := os.ReadFile(s.program)
	if err != nil {
		return quantiles{}, err
	}
	sum := sha256.Sum256(program)
	site := ui.Site{BaseURL: "http://" + address, Defaults: ui.SiteSettings{Currency: models.Currency{Code: "EUR", Digits: 2}}}
	site.Adjustable()
	index := search.New(s.catalog.Lookup())
	feed := search.NewFeed(index, s.store, market.CardRenderer(&site, s.catalog), slog.Default())
	feed.Correct(s.catalog)
	if err := feed.Resume(ctx, search.Snapshot{File: snapshot, Program: hex.EncodeToString(sum[:])}); err != nil {
		return quantiles{}, err
	}
	runtime.GC()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var (
		shop   = shopper.New(s.catalog, s.patterns, 2)
		result search.Result
		times  = make([]time.Duration, 20_000)
		total  time.Duration
	)
	for i := range times {
		q := shop.Next()
		began := threadTime()
		if err := index.SearchInto(&result, q); err != nil {
			return quantiles{}, err
		}
		times[i] = threadTime() - began
		total += times[i]
	}
	return quantilesOf(times, total), nil
}

// threadTime returns the processor time of this thread.
func threadTime() time.Duration {
	var used unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &used) != nil {
		return 0
	}
	return time.Duration(used.Nano())
}
