//go:build linux

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

// explain makes PostgreSQL log the plan of every statement, with the rows it has read.
const explain = "-c session_preload_libraries=auto_explain -c auto_explain.log_min_duration=0 -c auto_explain.log_analyze=on -c auto_explain.log_timing=off -c auto_explain.log_format=json"

// A statement may read readsPerRow rows for each it returns, and freeReads.
const (
	readsPerRow = 20
	freeReads   = 1000
)

// readsAll are parts of statements that may read more, with the reason.
var readsAll = map[string]string{
	`LIKE $2 ESCAPE`:               "an operator looks for a part of a word in all members",
	`FROM accounts WHERE created_`: "counts the members of the last 30 days",
	`FROM listings WHERE publishe`: "counts the listings of the last 30 days",
	`FROM sales WHERE sold_at > $`: "counts the sales of the last 30 days",
	`AS retrying`:                  "counts the queue of email for an operator",
	`AS retried`:                   "counts the queues for an operator",
	`deliveries t WHERE t.member_`: "the queue is short, unless deliveries are paused",
	`DELETE FROM contact_messages`: "deletes old rows at night",
	`FROM account_webhooks WHERE `: "looks up the thousand members of a batch",
	`FROM watches WHERE listing_i`: "counts watchers, up to 10,000 for everybody, and all new ones for the seller",
	`FROM watches w WHERE w.listi`: "counts watchers, up to 10,000",
	`EXISTS (SELECT 1 FROM accoun`: "stops at the first account that has listed something",
	`FROM trends`:                  "one row for each gear of the catalogue",
	`FROM trend_summaries`:         "some rows for each gear of the catalogue",
	`JOIN trend_summaries`:         "some rows for each gear of the catalogue",
	`FROM sales s JOIN listings l`: "the sales of one gear",
	`MAX(id), '') AS last`:         "the sitemap has all listings",
	`MAX(updated_at), 0) FROM lis`: "the sitemap has all listings",
	`FROM listing_prices p JOIN l`: "the table is so small that PostgreSQL reads all of it",
}

// checkPlans requests everything that the server answers and runs its jobs, and lists the statements
// that have read too many rows.
func (s *site) checkPlans(ctx context.Context) error {
	if err := os.Truncate(s.log(), 0); err != nil {
		return err
	}
	p, err := s.start(ctx, explain)
	if err != nil {
		return err
	}
	requests, err := s.requestAll(ctx)
	if err = errors.Join(err, p.Stop()); err != nil {
		return err
	}
	statements, err := readPlans(s.log())
	if err != nil {
		return err
	}
	found := 0
	for _, st := range slices.SortedFunc(maps.Values(statements), func(a, b *statement) int { return cmp.Compare(b.read, a.read) }) {
		if st.read <= st.returned*readsPerRow+freeReads {
			continue
		}
		if reason := st.excuse(); reason != "" {
			fmt.Printf("allowed, %s: read %.0f rows for %.0f: %s\n", reason, st.read, st.returned, st.text)
			continue
		}
		found++
		fmt.Printf("READ %.0f rows for %.0f: %s\n", st.read, st.returned, st.text)
	}
	fmt.Printf("%d accounts: %d requests, %d different statements, %d of them read too many rows\n", s.accounts, requests, len(statements), found)
	if found > 0 {
		return errors.New("statements read too many rows")
	}
	return nil
}

// statement is the execution of a statement that read the most rows it had no need to.
type statement struct {
	text           string
	read, returned float64
}

// excuse returns why the statement may read many rows, "" if it may not.
func (st *statement) excuse() string {
	for part, reason := range readsAll {
		if strings.Contains(st.text, part) {
			return reason
		}
	}
	return ""
}

// plan is a node of a plan, as auto_explain writes it.
type plan struct {
	Node    string  `json:"Node Type"`
	Rows    float64 `json:"Actual Rows"`
	Loops   float64 `json:"Actual Loops"`
	Removed float64 `json:"Rows Removed by Filter"`
	Recheck float64 `json:"Rows Removed by Index Recheck"`
	Plans   []plan
}

// read returns the rows that the scans below a node have read.
func (p *plan) read() (rows float64) {
	switch p.Node {
	case "Seq Scan", "Index Scan", "Index Only Scan", "Bitmap Heap Scan":
		rows = (p.Rows + p.Removed + p.Recheck) * p.Loops
	}
	for i := range p.Plans {
		rows += p.Plans[i].read()
	}
	return rows
}

// returned returns the rows that a statement has returned or written.
func (p *plan) returned() float64 {
	if p.Node == "ModifyTable" && p.Rows == 0 && len(p.Plans) > 0 {
		return p.Plans[0].Rows
	}
	return p.Rows
}

// values is a list of values in a statement, which may have any length.
var values = regexp.MustCompile(`\$\d+(, ?\$\d+)+`)

// readPlans reads the log of PostgreSQL, and returns the worst execution of each statement.
func readPlans(file string) (map[string]*statement, error) {
	log, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	worst := map[string]*statement{}
	lines := bufio.NewReaderSize(log, 1<<20)
	var text bytes.Buffer
	for inPlan := false; err == nil; {
		var line []byte
		line, err = lines.ReadBytes('\n')
		if inPlan && bytes.HasPrefix(line, []byte("\t")) {
			text.Write(line)
			continue
		}
		if inPlan {
			var logged struct {
				Query string `json:"Query Text"`
				Plan  plan
			}
			if err := json.Unmarshal(text.Bytes(), &logged); err != nil {
				return nil, fmt.Errorf("read a plan: %w", err)
			}
			st := &statement{strings.Join(strings.Fields(values.ReplaceAllString(logged.Query, "$$…")), " "), logged.Plan.read(), logged.Plan.returned()}
			if w := worst[st.text]; w == nil || st.read-st.returned*readsPerRow > w.read-w.returned*readsPerRow {
				worst[st.text] = st
			}
		}
		inPlan = bytes.HasSuffix(line, []byte(" plan:\n"))
		text.Reset()
	}
	return worst, nil
}

// requestAll requests every page and operation that only reads, makes some changes, and runs the
// background jobs. It returns the number of requests.
func (s *site) requestAll(ctx context.Context) (n int, err error) {
	paths, err := s.operations(ctx)
	if err != nil {
		return 0, err
	}
	for _, l := range s.lists() {
		paths = append(paths, l.path)
	}
	paths = append(paths, pages...)
	statuses := map[int]int{}
	for _, path := range paths {
		for _, token := range []string{"", s.seller.token, s.operator.token} {
			status, _, err := s.send(ctx, http.MethodGet, path, token, "")
			if err != nil {
				return n, fmt.Errorf("GET %s: %w", path, err)
			}
			statuses[status]++
			n++
		}
	}
	fmt.Printf("statuses of GET: %v\n", statuses)
	for _, w := range []struct{ method, path, token, body string }{
		{http.MethodPut, "/api/watchlist/" + s.listing, s.operator.token, ""},
		{http.MethodPost, "/api/searches", s.operator.token, `{"query":"keyword=leica","every":"instant"}`},
		{http.MethodPost, "/api/conversations/" + s.conversation() + "/messages", s.seller.token, `{"text":"Yes."}`},
		{http.MethodPost, "/api/conversations/" + s.conversation() + "/read", s.seller.token, ""},
		{http.MethodPost, "/api/listings/" + s.listing + "/report", s.operator.token, `{"reason":"other","text":"Look."}`},
		{http.MethodPost, "/api/listings/" + s.listing + "/watchers", s.seller.token, `{"text":"It is cheaper now."}`},
		{http.MethodPost, "/api/listings/" + s.listing + "/offers", s.operator.token, `{"amount":"500.00"}`},
	} {
		status, text, err := s.send(ctx, w.method, w.path, w.token, w.body)
		if err != nil {
			return n, err
		}
		if status >= 400 {
			fmt.Printf("%s %s: status %d: %.200s\n", w.method, w.path, status, text)
		}
		n++
	}
	if err := s.lowerPrice(ctx); err != nil {
		return n, err
	}
	jobs, err := s.runJobs(ctx)
	return n + jobs, err
}

// pages are those whose statements differ from those of an operation.
var pages = []string{"/account", "/account/messages", "/account/watchlist", "/account/searches", "/account/listings", "/account/offers", "/account/advanced", "/admin", "/admin/members",
	"/admin/audit", "/admin/contact", "/admin/mail", "/admin/jobs", "/sitemap.xml", "/feed.xml", "/llms.txt", "/listings?brand=canon", "/gear/canon/eos-r6", "/sellers/busy-seller"}

// operations returns the paths of all operations that only read, with examples of their parameters.
func (s *site) operations(ctx context.Context) (paths []string, err error) {
	ids := map[string]string{"/api/listings/": s.listing, "/api/conversations/": s.conversation()}
	for _, document := range []string{"/openapi.json", "/openapi-admin.json"} {
		_, text, err := s.send(ctx, http.MethodGet, document, s.operator.token, "")
		if err != nil {
			return nil, err
		}
		var api struct {
			Paths map[string]map[string]struct {
				Parameters []struct {
					Name, In string
					Required bool
					Example  any
				}
			}
		}
		if err := json.Unmarshal(text, &api); err != nil {
			return nil, fmt.Errorf("%s: %w", document, err)
		}
		for _, path := range slices.Sorted(maps.Keys(api.Paths)) {
			get, reads := api.Paths[path]["get"]
			if !reads || path == "/api/events" { // which doesn't end
				continue
			}
			query := "?"
			for prefix, id := range ids {
				if strings.HasPrefix(path, prefix) {
					path = strings.ReplaceAll(path, "{id}", id)
				}
			}
			path = strings.ReplaceAll(path, "{handle}", s.seller.handle)
			for _, p := range get.Parameters {
				if p.Example == nil {
					continue
				}
				path = strings.ReplaceAll(path, "{"+p.Name+"}", fmt.Sprint(p.Example))
				if p.In == "query" && p.Required {
					query += p.Name + "=" + strings.ReplaceAll(fmt.Sprint(p.Example), " ", "+") + "&"
				}
			}
			paths = append(paths, path+query)
		}
	}
	return paths, nil
}

// runJobs runs every background job once, and waits until they have run.
func (s *site) runJobs(ctx context.Context) (n int, err error) {
	_, text, err := s.send(ctx, http.MethodGet, "/api/admin/jobs", s.operator.token, "")
	if err != nil {
		return 0, err
	}
	var list struct {
		Jobs []struct {
			Name string `json:"job"`
		}
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return 0, err
	}
	for _, job := range list.Jobs {
		if _, _, err := s.send(ctx, http.MethodPost, "/api/admin/jobs/"+job.Name+"/run", s.operator.token, `{"note":"Check the plans."}`); err != nil {
			return n, err
		}
		n++
	}
	time.Sleep(5 * time.Second) // for what the jobs do after they have answered
	return n, nil
}
