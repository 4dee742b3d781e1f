package handlers

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

var nextLink = regexp.MustCompile(`<([^>]*)>; rel="next"`)

// TestNextLinks reads lists to their ends by Link: rel="next" and expects every entry
// once, in pages of the limit of the first request.
func TestNextLinks(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for target, key := range map[string]string{
		"/api/gear?keyword=canon+50mm&limit=7":                     "gear",
		"/api/gear/leica?limit=40":                                 "gear",
		"/gear/pentax.json?limit=90":                               "gear",
		"/api/portfolio?tag=mountains&limit=2":                     "photos",
		"/api/portfolio/ridges?limit=2":                            "photos",
		"/api/listings/search?keyword=leica+m6&limit=3&sort=price": "listings",
	} {
		limit := target[strings.Index(target, "limit="):]
		limit, _, _ = strings.Cut(limit, "&")
		seen, total, pages := map[string]bool{}, 0, 0
		for at := target; at != ""; pages++ {
			resp, body := s.do(t, "GET", at, "Accept", "application/json")
			var page map[string]json.RawMessage
			var entries []json.RawMessage
			if err := json.Unmarshal([]byte(body), &page); err != nil || resp.StatusCode != 200 {
				t.Fatalf("%s: %d %v %.200s", at, resp.StatusCode, err, body)
			}
			must(json.Unmarshal(page[key], &entries))
			must(json.Unmarshal(page["total"], &total))
			for _, e := range entries {
				seen[string(e)] = true
			}
			at = ""
			if next := nextLink.FindStringSubmatch(resp.Header.Get("Link")); next != nil {
				at = next[1]
				if !strings.Contains(at, limit) {
					t.Fatalf("the next page of %s is %s, without %s", target, at, limit)
				}
			}
			if (at == "") != (page["next_cursor"] == nil) {
				t.Fatalf("a page of %s has the cursor %s and the next page %q", target, page["next_cursor"], at)
			}
		}
		if len(seen) != total || pages < 2 {
			t.Errorf("%s: %d of %d entries on %d pages", target, len(seen), total, pages)
		}
	}
	for page, want := range map[string]string{
		"/gear?keyword=canon&limit=5":          `/gear?keyword=canon&amp;limit=5&amp;cursor=5`,
		"/gear/canon?limit=5":                  `/gear/canon?limit=5&amp;cursor=`,
		"/gear/canon":                          `/gear/canon?cursor=`,
		"/portfolio/ridges?limit=2":            `/portfolio/ridges?limit=2&amp;cursor=2`,
		"/portfolio?subject=landscape&limit=2": `/portfolio?subject=landscape&amp;limit=2&amp;cursor=2`,
	} {
		if _, html := s.do(t, "GET", page, "Accept", "text/html"); !strings.Contains(html, `href="`+want) {
			t.Errorf("%s does not lead to %s", page, want)
		}
	}
}

// TestUpperCaseSlugsRedirect tests that addresses with upper-case letters lead to those
// in lower case, on pages and in the API.
func TestUpperCaseSlugsRedirect(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for target, want := range map[string]string{
		"/gear/Canon":                    "/gear/canon",
		"/gear/Canon/EOS-R6.md":          "/gear/canon/eos-r6.md",
		"/api/gear/LEICA?limit=2":        "/api/gear/leica?limit=2",
		"/api/trends/Canon/EOS-R6":       "/api/trends/canon/eos-r6",
		"/portfolio/Ridges/Haze?utm_x=Y": "/portfolio/ridges/haze?utm_x=Y",
		"/guides/Condition-Grades":       "/guides/condition-grades",
	} {
		resp, _ := s.do(t, "GET", target)
		if resp.StatusCode != 308 || resp.Header.Get("Location") != want {
			t.Errorf("%s is %d to %q, want %s", target, resp.StatusCode, resp.Header.Get("Location"), want)
		}
		if resp, _ := s.do(t, "GET", want); resp.StatusCode != 200 {
			t.Errorf("%s is %d", want, resp.StatusCode)
		}
	}
}

// TestFacetsLeadToTheAPI follows the facets of lists: href returns JSON with as many
// entries as the facet counts, whatever the client accepts, and page returns HTML.
func TestFacetsLeadToTheAPI(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, target := range []string{"/api/listings/search?keyword=leica&category=camera", "/api/portfolio"} {
		var list struct {
			Facets map[string][]struct {
				Value, Href, Page string
				Count             int
				Active            bool
			}
		}
		s.json(t, target, &list)
		for name, facets := range list.Facets {
			for _, f := range facets[:min(len(facets), 2)] {
				var found struct{ Total int }
				resp, body := s.do(t, "GET", f.Href, "Accept", "*/*")
				if err := json.Unmarshal([]byte(body), &found); err != nil || !f.Active && found.Total != f.Count {
					t.Errorf("%s %s leads to %s: %d, %d entries, want %d", name, f.Value, f.Href, resp.StatusCode, found.Total, f.Count)
				}
				if resp, _ := s.do(t, "GET", f.Page, "Accept", "*/*"); resp.StatusCode != 200 || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
					t.Errorf("%s %s has the page %s, which is %d as %s", name, f.Value, f.Page, resp.StatusCode, resp.Header.Get("Content-Type"))
				}
			}
		}
	}
}

// TestAllListsHaveNextLinks walks the operations with a cursor and a limit: the page after
// the first entry is linked, with the limit.
func TestAllListsHaveNextLinks(t *testing.T) {
	t.Parallel()
	public, market := newTestServer(t), newMarketServer(t)
	seller, buyer := market.join(t, "ann", models.RoleMember), market.join(t, "bob", models.RoleOperator)
	for range 2 {
		listing := seller.listed(t, "Canon EOS R6")
		buyer.ask(t, "POST", "/api/listings/"+listing+"/offers", `{"amount":"850"}`, 201)
		buyer.ask(t, "POST", "/api/listings/"+listing+"/report", `{"reason":"other","text":"Look at this"}`, 201)
		must1(market.store.Moderation.Record(t.Context(), buyer.ID, models.RunJob, "job", "cleanup"))
		must(market.store.Listings.ReportStolen(t.Context(), &models.StolenReport{ReporterID: seller.ID, Gear: "canon/eos-r6", Name: "Canon EOS R6", Serial: "261101-12",
			StolenOn: "2026-11-01", Place: "Berlin", Police: "261101-1234", Photo: "document"}))
		seller.ask(t, "POST", "/api/contact", `{"name":"Ann","email":"ann@example.org","topic":"other","text":"Hello"}`, 201)
	}
	narrowed := map[string]string{"find_gear": "keyword=canon", "list_my_listings": "status=active", "list_portfolio": "tag=mountains"}
	for _, op := range public.Operations() {
		schema := op.InputSchema().Properties
		if op.Method != "GET" || op.Path == "" || schema["limit"] == nil || schema["cursor"] == nil && schema["since"] == nil ||
			op.Name == "list_sales" || op.Name == "edit_project" { // nothing is sold, and there is no portfolio
			continue
		}
		address := op.ExampleTarget(op.Path, op.Examples()) + "?limit=1&" + narrowed[op.Name]
		s, header := public, []string{}
		if op.Access == web.Operators {
			s, header = market, []string{"Authorization", "Bearer " + buyer.token}
		} else if op.Access != web.Everybody || op.Name == "list_changes" {
			s, header = market, []string{"Authorization", "Bearer " + seller.token}
		}
		first, body := s.do(t, "GET", address, header...)
		next := nextLink.FindStringSubmatch(first.Header.Get("Link"))
		if first.StatusCode != 200 || next == nil || !strings.Contains(next[1], "limit=1") {
			t.Errorf("%s: the next page of %s is %q, want one with limit=1: %d %.300s", op.Name, address, next, first.StatusCode, body)
			continue
		}
		if second, more := s.do(t, "GET", next[1], header...); second.StatusCode != 200 || more == body {
			t.Errorf("%s: the page after %s is %d %.300s", op.Name, address, second.StatusCode, more)
		}
	}
}

// TestUpperCaseParametersRedirect walks the operations with parameters in the path.
func TestUpperCaseParametersRedirect(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, op := range s.Operations() {
		for _, pattern := range []string{op.Path, op.Page} {
			if !op.Open() || !strings.Contains(pattern, "{") {
				continue
			}
			values := op.Examples()
			want := op.ExampleTarget(pattern, values)
			for name, value := range values {
				values[name] = strings.ToUpper(value)
			}
			address := op.ExampleTarget(pattern, values)
			resp, _ := s.do(t, "GET", address)
			if resp.StatusCode != 308 || resp.Header.Get("Location") != want {
				t.Errorf("%s is %d to %q, want %s", address, resp.StatusCode, resp.Header.Get("Location"), want)
			}
		}
	}
}

// TestOverTheLimitEverywhere walks the operations with a client that has used up its
// quota: the error is like any other, in the format that the client takes.
func TestOverTheLimitEverywhere(t *testing.T) {
	t.Parallel()
	cfg := quiet(m())
	cfg.RateLimit = 1
	s := serveTest(t, build(cfg))
	for range 20 {
		s.do(t, "GET", "/about")
		s.do(t, "GET", "/api/gear")
	}
	for _, target := range s.targets() {
		if target.op.Free && target.api {
			continue
		}
		for accept, want := range map[string]string{"application/json": problemType, "text/markdown": "text/markdown; charset=utf-8", "text/html": "text/html; charset=utf-8"} {
			resp, body := s.do(t, "GET", target.address, "Accept", accept)
			if resp.StatusCode != 429 || resp.Header.Get("Content-Type") != want || resp.Header.Get("Retry-After") == "" {
				t.Errorf("%s for %s is %d as %s", target.address, accept, resp.StatusCode, resp.Header.Get("Content-Type"))
			}
			if accept == "application/json" && !strings.Contains(body, `"type":"`+testSite.BaseURL+`/errors/rate_limited"`) {
				t.Errorf("%s is %s", target.address, body)
			}
		}
	}
}

// TestReferencesInJSON follows the references in the JSON of every operation: href is a
// path in the API, or that of a document without an API form, and returns JSON; page is
// the path of a page and returns HTML, whatever the client accepts.
func TestReferencesInJSON(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	r := references{server: s, seen: map[string]bool{}}
	for _, target := range s.targets() {
		r.follow(t, target.address)
	}
	if len(r.seen) < 200 {
		t.Errorf("only %d references", len(r.seen))
	}
}

// TestReferencesOfMembersInJSON does the same with the operations of members.
func TestReferencesOfMembersInJSON(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newMarketServer(t)
	seller, buyer, operator := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember), s.join(t, "olga", models.RoleOperator)
	id := seller.sells(t, "Canon EOS R6", "canon/eos-r6", 90000)
	at := "/api/listings/" + id
	buyer.ask(t, "PUT", "/api/watchlist/"+id, "", 200)
	conversation := buyer.ask(t, "POST", at+"/messages", `{"text":"Is it sharp?"}`, 201)["id"].(string)
	offer := buyer.ask(t, "POST", at+"/offers", `{"amount":"850"}`, 201)["id"].(string)
	search := buyer.ask(t, "POST", "/api/searches", `{"name":"Canon","query":"keyword=canon","every":"daily"}`, 201)["id"].(string)
	buyer.ask(t, "POST", at+"/report", `{"reason":"misleading","text":"Not what it says."}`, 201)
	for _, member := range []*testMember{seller, buyer, operator} {
		r := references{server: s, cookie: member.cookie, seen: map[string]bool{}}
		for _, op := range s.Operations() {
			if path := cmp.Or(op.Path, op.Page); op.Access != web.Everybody && op.Method == "GET" && !strings.Contains(path, "{") && (op.Access != web.Operators || member == operator) {
				r.follow(t, path)
			}
		}
		r.follow(t, at)
		if member == seller {
			r.follow(t, at+"/photos")
		}
		if member != operator {
			r.follow(t, "/api/offers/"+offer)
			r.follow(t, "/api/conversations/"+conversation)
		}
		if member == buyer {
			r.follow(t, "/api/searches/"+search)
		}
		if len(r.seen) < 20 {
			t.Errorf("only %d references of %s", len(r.seen), member.Handle)
		}
	}
}

// references follows references in JSON.
type references struct {
	server *testServer
	cookie string
	seen   map[string]bool
}

// follow requests the JSON of an address and checks its references, of each list the
// first three.
func (r *references) follow(t *testing.T, address string) {
	t.Helper()
	resp, body := r.server.do(t, "GET", address, "Accept", "application/json", "Cookie", r.cookie)
	var value any
	if err := json.Unmarshal([]byte(body), &value); err != nil || resp.StatusCode != 200 {
		t.Errorf("%s is %d: %v", address, resp.StatusCode, err)
	}
	r.walk(t, address, value)
}

func (r *references) walk(t *testing.T, where string, value any) {
	switch v := value.(type) {
	case []any:
		for _, element := range v[:min(len(v), 3)] {
			r.walk(t, where+"[]", element)
		}
	case map[string]any:
		_, referred := v["href"]
		for name, member := range v {
			at, text := member.(string)
			switch {
			case name == "href":
				page, _ := v["page"].(string)
				r.check(t, where, at, "application/json", strings.HasPrefix(at, "/api/") || strings.HasSuffix(strings.Split(at, "?")[0], ".json") || at == page)
			case text && name == "page" && (referred || v["self"] != nil):
				r.check(t, where, at, "text/html", !strings.HasPrefix(at, "/api/"))
			case text && slices.Contains([]string{"self", "next", "first"}, name):
				r.check(t, where, at, "application/json", strings.HasPrefix(at, "/api/"))
			case text && name == "url" && !strings.HasPrefix(where, "/api/research/"): // which others define
				t.Errorf("%s has the url %s, want href and page", where, at)
			default:
				r.walk(t, where+"."+name, member)
			}
		}
	}
}

// check requests an address that JSON refers to. Documents in one format, such as
// llms.txt, are their own page.
func (r *references) check(t *testing.T, where, address, mediaType string, valid bool) {
	if r.seen[address] {
		return
	}
	r.seen[address] = true
	if strings.HasPrefix(address, "/data/") {
		return // made at night
	}
	resp, body := r.server.do(t, "GET", address, "Accept", "*/*", "Cookie", r.cookie)
	got := resp.Header.Get("Content-Type")
	if document := strings.Contains(address[strings.LastIndex(address, "/"):], ".") && mediaType == "text/html" || strings.HasPrefix(where, "/developers.documents"); document && resp.StatusCode == 200 {
		return
	}
	if r.cookie == "" && valid && (resp.StatusCode == 401 || strings.HasPrefix(resp.Header.Get("Location"), "/sign-in")) {
		return // for members
	}
	if !valid || resp.StatusCode != 200 || !strings.HasPrefix(got, mediaType) {
		t.Errorf("%s refers to %s, which is %d as %s, want %s: %.200s", where, address, resp.StatusCode, got, mediaType, body)
	}
}

// TestJSONPaths tests that the pages of operations refer to them in the API.
func TestJSONPaths(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, op := range s.Operations() {
		if op.Method != "GET" || op.Page == "" || strings.HasPrefix(op.Page, "/probes") {
			continue
		}
		want := op.Path
		if want == "" {
			want = op.Page + ".json"
		}
		if op.Page == "/" {
			want = "/index.json"
		}
		if op.Name == "export_member" {
			continue // a download, which the page doesn't link to by its path
		}
		if got := ui.JSONPath(op.Page); got != want {
			t.Errorf("the JSON of %s is at %s, want %s", op.Page, got, want)
		}
	}
}
