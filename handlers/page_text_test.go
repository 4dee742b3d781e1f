package handlers

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/secondlight/secondlight/handlers/account"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
)

// internals lists what the text of a page for shoppers and members must not have.
var internals = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"UUID", regexp.MustCompile(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)},
	{"HTTP method", regexp.MustCompile(`\b(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b`)},
	{"API path", regexp.MustCompile(`/api\b|/openapi|\{[a-z_]+\}`)},
	{"code", regexp.MustCompile(`[a-z0-9]+_[a-z0-9_]+`)},
	{"scope", regexp.MustCompile(`(?i)\bscopes?\b|\b[a-z]+:(read|write)\b`)},
	{"HMAC", regexp.MustCompile(`(?i)\bhmac|\bsha-?256|\bhexadecimal`)},
	{"version", regexp.MustCompile(`(?i)\bversions?\b`)},
}

// forDevelopers holds the operations whose pages are for developers, where codes, paths
// and scopes are what the reader came for.
var forDevelopers = map[string]bool{
	"get_doc": true, "read_reference": true, "get_operation": true, "list_errors": true, "get_error": true, "check_health": true, "show_primitives": true,
	"list_tokens": true, "get_token": true, "create_token": true, "revoke_token": true, // under Advanced
	"list_connections": true, "end_connection": true, "show_connect": true,
	"get_me":     true,                                                                                                       // with the scopes of the session
	"get_search": true, "save_search": true, "edit_search": true, "rotate_search_secrets": true, "test_search_webhook": true, // with a webhook
}

// forShoppers reports whether the pages of an operation are for shoppers and members,
// outside Advanced. Nobody but the owner reaches the page that sets up the site.
func forShoppers(op *web.Operation) bool {
	return op.Page != "" && op.Page != account.SetupPage && op.Access != web.Operators && !forDevelopers[op.Name] && !strings.HasPrefix(op.Page, "/account/advanced")
}

// TestPagesSayNothingInternal reads every page that shoppers and members can reach, as
// nobody, a seller and a buyer in the middle of trades, by following links from the
// pages of the registry, and searches the text for what only means something to
// programs.
func TestPagesSayNothingInternal(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	shop := &textReader{T: t, s: newTestServer(t), seen: map[string]int{}}
	shop.follow(nil, shop.starts(nil))

	s := newMarketServer(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	paths := newTraded(t, s, ann, bob)
	trade := &textReader{T: t, s: s, seen: map[string]int{}}
	for _, who := range []*testMember{ann, bob} {
		trade.follow(who, append(trade.starts(who), paths...))
	}
	trade.submitEmptyForms(bob)

	read := 0
	for _, op := range s.Operations() {
		if op.Writes() || !forShoppers(op) || strings.HasPrefix(op.Page, "/galleries/") { // no link leads there: their samples are read
			continue
		}
		n := shop.seen[op.Name] + trade.seen[op.Name]
		if read += n; n == 0 {
			t.Errorf("no page of %s at %s was read", op.Name, op.Page)
		}
	}
	if read < 150 {
		t.Errorf("only %d pages were read", read)
	}
}

// TestSamplesSayNothingInternal searches the sample of every operation for members.
func TestSamplesSayNothingInternal(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	r := &textReader{T: t, s: newTestServer(t)}
	for _, op := range r.s.Operations() {
		if op.Sample == nil || !forShoppers(op) {
			continue
		}
		for _, reader := range []string{"anna-keller", "tom-becker"} {
			page, err := r.s.renderFor(op.Sample(), web.HTML, reader)
			if err != nil {
				t.Fatal(err)
			}
			r.check("the sample of "+op.Name, page)
		}
	}
}

// newTraded makes listings, offers, hand-overs, messages, reports and searches in every
// state that has a page of its own, and returns the paths of pages about them.
func newTraded(t *testing.T, s *testServer, ann, bob *testMember) (paths []string) {
	c := &scene{T: t, s: s, ann: ann, bob: bob}
	draft, _ := c.photographed()
	paths = append(paths, "/sell/"+draft, "/listings/"+c.active())
	for _, steps := range [][]string{nil, {"propose"}, {"propose", "agree"}, {"propose", "agree", "send"}, {"propose", "agree", "send", "dispute"}} {
		paths = append(paths, "/account/offers/"+c.handedOver(bob, steps...))
	}
	paths = append(paths, "/account/offers/"+c.offer(), "/account/offers/"+s.trade(t, ann, bob),
		"/account/offers/"+c.offer(store.Answer{Step: models.Counter, By: ann.ID, Amount: 90000}),
		"/account/offers/"+c.offer(store.Answer{Step: models.Decline, By: ann.ID}),
		"/account/offers/"+c.offer(store.Answer{Step: models.Withdraw, By: bob.ID}))
	c.conversation()
	c.search()
	c.report()
	c.token()
	c.kitItem()
	return paths
}

// textReader reads pages of a server and searches their text.
type textReader struct {
	*testing.T
	s    *testServer
	seen map[string]int // pages read, by operation
}

// starts returns the addresses of the registry that need no data of a member.
func (r *textReader) starts(who *testMember) (all []string) {
	for _, op := range r.s.Operations() {
		if op.Page == "" || op.Writes() || op.Access == web.Operators || who != nil && strings.Contains(op.Page, "{") {
			continue
		}
		all = append(all, op.ExampleTarget(op.Page, op.Examples()))
	}
	return append(all, "/listings?keyword=zzzzqqqq", "/listings?keyword=cannon+eos+r6+mk+ii", "/no/such/page", "/prices?gear=r6", "/sell?title=canon+r6", "/sell?gear=canon/eos-r6")
}

// perOperation is how many pages of an operation a reader follows links to.
const perOperation = 6

// follow reads the pages at the addresses and those they link to.
func (r *textReader) follow(who *testMember, addresses []string) {
	asked, count := map[string]bool{}, map[string]int{}
	for given := len(addresses); len(addresses) > 0; given-- {
		address, _, _ := strings.Cut(addresses[0], "#")
		addresses = addresses[1:]
		op := r.operationAt(address)
		if asked[address] || given <= 0 && count[op] >= perOperation || forDevelopers[op] || strings.HasPrefix(address, "/account/advanced") {
			continue
		}
		asked[address] = true
		header := []string{"Accept", "text/html"}
		if who != nil {
			header = append(header, "Cookie", who.cookie)
		}
		resp, page := r.s.do(r, "GET", address, header...)
		if resp.StatusCode >= 500 {
			r.Errorf("%s is %d", address, resp.StatusCode)
		}
		if resp.StatusCode >= 300 && resp.StatusCode < 400 || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
			continue
		}
		if count[op]++; resp.StatusCode == 200 {
			r.seen[op]++
		}
		addresses = append(addresses, r.check(address, page)...)
	}
}

// operationAt returns the name of the operation whose page is at an address, or the
// first element of the path.
func (r *textReader) operationAt(address string) string {
	path, _, _ := strings.Cut(address, "?")
	for _, op := range r.s.Operations() {
		if op.Page != "" && !op.Writes() && samePattern(op.Page, path) {
			return op.Name
		}
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}

// samePattern reports whether a path has the pattern of a page.
func samePattern(pattern, path string) bool {
	want, have := strings.Split(pattern, "/"), strings.Split(path, "/")
	return slices.EqualFunc(want, have, func(want, have string) bool { return strings.HasPrefix(want, "{") || want == have })
}

// submitEmptyForms sends every form of members empty, and reads what it is told.
func (r *textReader) submitEmptyForms(who *testMember) {
	for _, op := range r.s.Operations() {
		if !op.Writes() || !forShoppers(op) {
			continue
		}
		who.beginSession() // the last form may have ended it
		address := op.ExampleTarget(op.Page, op.Examples())
		resp, page := who.post(r, address, "")
		if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
			r.check(fmt.Sprintf("%s (%d), sent empty", op.Name, resp.StatusCode), page)
		}
	}
}

// check searches a page for internals, and returns the addresses that it links to.
func (r *textReader) check(address, page string) []string {
	text, links := visibleText(parsed(page))
	for _, in := range internals {
		for _, at := range in.pattern.FindAllStringIndex(text, 3) {
			r.Errorf("%s: %s %q in “%s”", address, in.name, text[at[0]:at[1]], text[max(0, at[0]-60):min(len(text), at[1]+40)])
		}
	}
	return links
}

// shownAttributes lists the attributes that people read or hear.
var shownAttributes = []string{"alt", "aria-label", "aria-description", "placeholder", "title"}

// visibleText returns the text of a page outside Advanced and the addresses of pages that
// it links to.
func visibleText(root *html.Node) (string, []string) {
	var text strings.Builder
	var links []string
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			text.WriteString(strings.Join(strings.Fields(n.Data), " ") + " ")
		}
		if n.Type == html.ElementNode {
			if slices.Contains([]string{"script", "style", "template", "svg"}, n.Data) || isAdvancedDetails(n) {
				return
			}
			for _, a := range n.Attr {
				if slices.Contains(shownAttributes, a.Key) {
					text.WriteString(a.Val + " ")
				}
				if n.Data == "a" && a.Key == "href" && isPage(a.Val) {
					links = append(links, a.Val)
				}
			}
		}
		for child := range n.ChildNodes() {
			walk(child)
		}
	}
	walk(root)
	return text.String(), links
}

// isAdvancedDetails reports whether an element discloses what is for developers.
func isAdvancedDetails(n *html.Node) bool {
	if n.Data != "details" {
		return false
	}
	for child := range n.ChildNodes() {
		if child.Data == "summary" {
			text, _ := visibleText(child)
			return strings.HasPrefix(strings.TrimSpace(text), "Advanced")
		}
	}
	return false
}

// isPage reports whether a link leads to a page of the site as HTML.
func isPage(link string) bool {
	u, err := url.Parse(link)
	return err == nil && strings.HasPrefix(link, "/") && !strings.HasPrefix(link, "//") && !regexp.MustCompile(`\.[a-z]{2,4}$|^/(static|photos|data|api|oauth)/`).MatchString(u.Path)
}
