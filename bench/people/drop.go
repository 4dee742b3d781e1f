//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/bench/program"
)

// drop lowers the price of the listing that many watch, and measures how long it takes until all
// watchers are to be notified, and how long readers wait alone and meanwhile.
func (s *site) drop(ctx context.Context, p *program.Server) error {
	if err := s.awaitNotified(ctx); err != nil {
		return err
	}
	for _, statement := range []string{`TRUNCATE deliveries, webhook_log`, `VACUUM ANALYZE watches`, `CHECKPOINT`} {
		if _, err := s.db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	read := s.reader()
	program.Load(s.reads, s.alone/4, read) // pages that are rendered for the first time
	alone := program.Load(s.reads, s.alone, read)
	fmt.Printf("readers alone, %d a second: %s\n", s.reads, &alone)

	var watchers, notified int
	if err := s.db.QueryRowContext(ctx, `SELECT COUNT(*) FROM watches WHERE listing_id = $1`, s.listing).Scan(&watchers); err != nil {
		return err
	}
	before, err := s.cursor(ctx)
	if err != nil {
		return err
	}
	began, used := time.Now(), p.Processor()
	if err := s.lowerPrice(ctx); err != nil {
		return err
	}
	done := make(chan struct{})
	var beside program.Outcome
	var readers sync.WaitGroup
	readers.Go(func() {
		beside = program.LoadUntil(s.reads, func() bool {
			select {
			case <-done:
				return true
			default:
				return false
			}
		}, read)
	})
	for now := before; err == nil && now == before; now, err = s.cursor(ctx) {
		time.Sleep(100 * time.Millisecond)
	}
	took := time.Since(began)
	close(done)
	readers.Wait()
	if err != nil {
		return err
	}
	var bytes string
	err = s.db.QueryRowContext(ctx, `SELECT COUNT(*) FILTER (WHERE kind = 'mail'), pg_size_pretty(pg_total_relation_size('deliveries')) FROM deliveries`).Scan(&notified, &bytes)
	fmt.Printf("a lower price: %d of %d watchers have an alert in the queue after %s, %s; processor time of the server %s\n",
		notified, watchers, took.Round(100*time.Millisecond), bytes, (p.Processor() - used).Round(100*time.Millisecond))
	fmt.Printf("readers beside it: %s\n", &beside)
	return err
}

// awaitNotified waits until the watchers are notified of the drop of an earlier run.
func (s *site) awaitNotified(ctx context.Context) error {
	for {
		var waiting bool
		err := s.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM watches w JOIN listings l ON l.id = w.listing_id WHERE l.id = $1 AND w.told_price > l.price)`, s.listing).Scan(&waiting)
		if err != nil || !waiting {
			return err
		}
		time.Sleep(time.Second)
	}
}

// cursor returns where the job that notifies watchers is in the change log.
func (s *site) cursor(ctx context.Context) (cursor string, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT COALESCE(MAX(value), '') FROM settings WHERE name = 'price_drops'`).Scan(&cursor)
	return cursor, err
}

// lowerPrice lowers the price of the listing by a tenth.
func (s *site) lowerPrice(ctx context.Context) error {
	var cents int
	if err := s.db.QueryRowContext(ctx, `SELECT price FROM listings WHERE id = $1`, s.listing).Scan(&cents); err != nil {
		return err
	}
	price := strconv.FormatFloat(float64(cents*9/10)/100, 'f', 2, 64)
	body := fmt.Sprintf(`{"price":{"amount":"%s","currency":"EUR"}}`, price)
	status, text, err := s.send(ctx, http.MethodPatch, "/api/listings/"+s.listing, s.seller.token, body)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("lower the price: status %d: %.300s", status, text)
	}
	return err
}

// send sends a request of a member, of a guest without a token.
func (s *site) send(ctx context.Context, method, path, token, body string) (status int, text []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+s.address+path, bytes.NewReader([]byte(body)))
	if err != nil {
		return 0, nil, err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if method != http.MethodGet {
		request.Header.Set("If-Match", "*")
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err = io.ReadAll(response.Body)
	return response.StatusCode, text, err
}

// reader returns a function that requests searches and pages in turn.
func (s *site) reader() func(i int) (int, error) {
	client := &fasthttp.Client{MaxConnsPerHost: 1 << 14, ReadTimeout: time.Minute}
	paths := []string{"/api/listings/search?keyword=leica&budget=", "/listings?brand=canon&budget=", "/listings/" + s.listing + "?", "/gear/canon/eos-r6?", "/?"}
	return func(i int) (int, error) {
		path := paths[i%len(paths)] + strconv.Itoa(500+i%1000)
		request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
		defer fasthttp.ReleaseRequest(request)
		defer fasthttp.ReleaseResponse(response)
		request.SetRequestURI("http://" + s.address + path)
		if i%len(paths) > 0 {
			request.Header.Set("Accept", "text/html")
		}
		err := client.Do(request, response)
		return response.StatusCode(), err
	}
}
