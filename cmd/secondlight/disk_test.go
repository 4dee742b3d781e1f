//go:build unix && !race

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

// fileLimit is the size in bytes at which the embedded database cannot grow.
const fileLimit = 512 << 10

// TestFullDisk writes to the real program until no write succeeds: SQLite's because
// of a limit on the size of files, PostgreSQL's because the server reports a full
// disk. Then every page, of everybody and of members who return after hours, still
// answers, writes are a 503, health is degraded, and after a restart with space
// everything that was acknowledged is there.
func TestFullDisk(t *testing.T) {
	program := buildProgram(t)
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		d := newDisk(t, program, url)
		d.start(t, true)
		written := d.write(t, 20)
		if !strings.HasPrefix(url, "sqlite:") {
			storetest.FillDisk(t, url)
		}
		written += d.write(t, 20_000)
		if status, body := d.get(t, "/api/health"); status != http.StatusOK || !strings.Contains(body, `"degraded"`) {
			t.Errorf("health is %d %s", status, body)
		}
		for _, path := range []string{"/api/listings", "/api/tokens", "/api/listings/" + d.listing + "/report", "/api/me/watchlist/" + d.listing, "/sign-in"} {
			if status, body := d.post(t, path, `{}`); status == http.StatusInternalServerError {
				t.Errorf("POST %s is %d %s", path, status, body)
			}
		}
		for name, header := range map[string][2]string{"everybody": {}, "a session": {"Cookie", "session=" + d.session}, "a token": {"Authorization", "Bearer " + d.token}} {
			d.header = header
			d.crawl(t, name, 250)
		}
		if strings.HasPrefix(url, "sqlite:") {
			d.kill()
			d.start(t, false)
		}
		d.header = [2]string{"Authorization", "Bearer " + d.token}
		if got := d.drafts(t); got != written {
			t.Errorf("%d of %d acknowledged listings are stored", got, written)
		}
	})
}

// disk runs the program with little space.
type disk struct {
	program         string
	env             []string
	process         *exec.Cmd
	address         string
	url             string
	header          [2]string // of requests
	session, token  string
	member, listing string
}

func newDisk(t *testing.T, program, url string) *disk {
	t.Helper()
	// A session and a token that were last used hours ago, so that a use is recorded.
	then := time.Now().Add(-10 * 24 * time.Hour)
	s := storetest.Open(t, url, func() time.Time { return then })
	d := &disk{program: program, url: url}
	ctx := context.Background()
	m, err := s.Accounts.CreateAccount(ctx, models.Registration{Handle: "jane", Email: "jane@example.org", Password: "correct horse battery"}, models.RoleMember)
	mustDo(t, err)
	d.member = m.ID
	a, err := s.Accounts.Account(ctx, m.ID)
	mustDo(t, err)
	d.session, err = s.Accounts.BeginSession(ctx, a, "", "192.0.2.1")
	mustDo(t, err)
	d.token, err = s.Tokens.CreateToken(ctx, m.ID, &models.Token{Name: "test", Scopes: models.RoleMember.Scopes()})
	mustDo(t, err)
	listings := make([]models.Listing, 300)
	for i := range listings {
		listings[i] = models.Listing{SellerID: m.ID, Gear: "canon/eos-r6", Category: "mirrorless", Title: fmt.Sprintf("Canon EOS R6 number %d", i), Text: strings.Repeat("Well kept. ", 150),
			Item: models.Item{Condition: models.ConditionGood, Functional: models.FullyWorking}, Price: 124900, Region: "DE", Status: models.StatusActive}
	}
	mustDo(t, s.Listings.InsertListings(ctx, listings))
	d.listing = listings[0].ID
	mustDo(t, s.Close())
	d.env = append(os.Environ(), "DATABASE_URL="+url, "DATA_DIR="+t.TempDir(), "LISTEN_ADDR=127.0.0.1:0", "BASE_URL=", "LOG_FORMAT=text", "DEMO=false", "RATE_LIMIT=1000000")
	t.Cleanup(d.kill)
	return d
}

// start starts the program, with a limit on the size of files if the database is
// embedded.
func (d *disk) start(t *testing.T, limited bool) {
	t.Helper()
	limit := "unlimited"
	if limited && strings.HasPrefix(d.url, "sqlite:") {
		limit = fmt.Sprint(fileLimit / 512)
	}
	d.process = exec.Command("/bin/sh", "-c", `ulimit -f "$1" && exec "$0" serve`, d.program, limit)
	d.process.Env = d.env
	said, err := d.process.StderrPipe()
	mustDo(t, err)
	mustDo(t, d.process.Start())
	address := make(chan string, 1)
	go func() {
		var log bytes.Buffer
		buf := make([]byte, 4096)
		for {
			n, err := said.Read(buf)
			log.Write(buf[:n])
			if found := serving.FindSubmatch(log.Bytes()); found != nil {
				address <- string(found[1])
				_, _ = io.Copy(io.Discard, said)
				return
			}
			if err != nil {
				address <- ""
				return
			}
		}
	}()
	if d.address = <-address; d.address == "" {
		t.Fatal("the program did not start to serve")
	}
}

func (d *disk) kill() {
	if d.process != nil {
		_ = d.process.Process.Kill()
		_ = d.process.Wait()
		d.process = nil
	}
}

func (d *disk) do(t *testing.T, method, path, body string, header [2]string) (int, string, http.Header) {
	t.Helper()
	req, err := http.NewRequest(method, d.address+path, strings.NewReader(body))
	mustDo(t, err)
	req.Header.Set("Content-Type", "application/json")
	if header[0] != "" {
		req.Header.Set(header[0], header[1])
	}
	resp, err := noRedirects.Do(req)
	mustDo(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	mustDo(t, err)
	return resp.StatusCode, string(text), resp.Header
}

var noRedirects = &http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func (d *disk) get(t *testing.T, path string) (int, string) {
	t.Helper()
	status, body, _ := d.do(t, http.MethodGet, path, "", d.header)
	return status, body
}

func (d *disk) post(t *testing.T, path, body string) (int, string) {
	t.Helper()
	status, text, _ := d.do(t, http.MethodPost, path, body, [2]string{"Authorization", "Bearer " + d.token})
	return status, text
}

// write creates up to n drafts, until one fails, and returns how many were acknowledged.
// The failure must be a 503 that says when to retry.
func (d *disk) write(t *testing.T, n int) (written int) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"gear": "canon/eos-r6", "condition": "good", "functional": "fully_working", "price": map[string]string{"amount": "900.00", "currency": "EUR"},
		"region": "DE", "description": strings.Repeat("Well kept. ", 300)})
	mustDo(t, err)
	for ; written < n; written++ {
		status, text, header := d.do(t, http.MethodPost, "/api/listings", string(body), [2]string{"Authorization", "Bearer " + d.token})
		if status == http.StatusCreated {
			continue
		}
		if status != http.StatusServiceUnavailable || header.Get("Retry-After") == "" || !strings.Contains(text, `"code":"unavailable"`) {
			t.Fatalf("a write is %d %s", status, text)
		}
		return written
	}
	if n > 1000 {
		t.Fatalf("%d writes succeeded on a full disk", n)
	}
	return written
}

var hrefs = regexp.MustCompile(`(?:href|src)="(/[^"#]*)"`)

// crawl follows the links of pages and fails the test for each that is a 5xx.
func (d *disk) crawl(t *testing.T, who string, pages int) {
	t.Helper()
	queue := []string{"/", "/account", "/account/listings", "/account/offers", "/account/messages", "/account/tokens", "/account/searches", "/sell",
		"/api/listings/search?keyword=canon", "/api/me", "/api/trends/canon/eos-r6", "/listings?keyword=r6&sort=price", "/listings/" + d.listing, "/sitemap.xml", "/openapi.json", "/llms.txt"}
	seen := map[string]bool{}
	failed := 0
	for len(queue) > 0 && len(seen) < pages {
		path := strings.ReplaceAll(queue[0], "&amp;", "&")
		queue = queue[1:]
		if seen[path] {
			continue
		}
		seen[path] = true
		status, body := d.get(t, path)
		if status >= 500 {
			failed++
			t.Errorf("GET %s with %s is %d: %.300s", path, who, status, body)
		}
		for _, link := range hrefs.FindAllStringSubmatch(body, -1) {
			queue = append(queue, link[1])
		}
	}
	t.Logf("%d addresses with %s, %d failed", len(seen), who, failed)
}

// drafts returns how many drafts the member has.
func (d *disk) drafts(t *testing.T) (n int) {
	t.Helper()
	db := rawDatabase(t, d.url)
	mustDo(t, db.QueryRow(`SELECT COUNT(*) FROM listings WHERE status = 'draft'`).Scan(&n))
	return n
}
