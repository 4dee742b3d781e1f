//go:build !race

package handlers

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/demo"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// toolArgs are the arguments of a tool.
type toolArgs map[string]any

// agentTask is a task that an agent comes with.
type agentTask struct {
	name string
	// before is the number of tokens of all results when tools returned whole pages: of
	// this test at version 2.1.0, with the same calls.
	before int
	play   func(*agent)
}

// agentTasks are tasks by nobody, then those by members.
var agentTasks = []agentTask{
	{"Find a Canon EOS R6 under 1,500", 11582, func(a *agent) {
		a.call(nil, "search_listings", toolArgs{"keyword": "canon eos r6", "budget": "-1500"})
	}},
	{"Find the best deals on lenses for Canon RF", 16435, func(a *agent) {
		a.call(nil, "search_listings", toolArgs{"category": "lens", "mount": "canon-rf", "sort": "deal"})
	}},
	{"Compare everything in the shop by one brand", 47737, func(a *agent) {
		a.call(nil, "search_listings", toolArgs{"brand": "leica", "limit": 100})
	}},
	{"Read the newest listing in full", 14897, func(a *agent) {
		a.call(nil, "get_listing", toolArgs{"id": a.first(a.call(nil, "search_listings", toolArgs{"sort": "newest", "limit": 1}), "listings", "id")})
	}},
	{"Is 1,100 for a Canon EOS R6 fair?", 5077, func(a *agent) {
		a.call(nil, "get_price", toolArgs{"gear": "canon/eos-r6"})
		a.call(nil, "search_listings", toolArgs{"model": "canon/eos-r6", "sort": "price", "limit": 5})
	}},
	{"Is the first listing of a search priced fairly?", 29914, func(a *agent) {
		a.call(nil, "get_listing", toolArgs{"id": a.first(a.call(nil, "search_listings", toolArgs{"keyword": "sony a7 iii"}), "listings", "id")})
		a.call(nil, "get_trend", toolArgs{"brand": "sony", "model": "alpha-7-iii"})
	}},
	{"Did the Canon EOS R6 lose value?", 12828, func(a *agent) { a.call(nil, "get_trend", toolArgs{"brand": "canon", "model": "eos-r6"}) }},
	{"What is a kit of four worth?", 5134, func(a *agent) {
		for _, gear := range []string{"canon/eos-r6", "sony/alpha-7-iii", "nikon/z-6", "canon/rf-50mm-f1-8-stm"} {
			a.call(nil, "get_price", toolArgs{"gear": a.gear(gear), "condition": "excellent"})
		}
	}},
	{"Which model is the nifty fifty?", 1893, func(a *agent) { a.call(nil, "find_gear", toolArgs{"keyword": "nifty fifty"}) }},
	{"What does Leica make that sells?", 13317, func(a *agent) { a.call(nil, "get_brand", toolArgs{"brand": "leica"}) }},
	{"Which brands are there?", 11053, func(a *agent) { a.call(nil, "find_gear", nil) }},
	{"Compare the prices of two cameras", 24291, func(a *agent) {
		a.call(nil, "get_trend", toolArgs{"brand": "canon", "model": "eos-r6"})
		a.call(nil, "get_trend", toolArgs{"brand": "sony", "model": "alpha-7-iii"})
	}},
	{"Can I trust this seller?", 15779, func(a *agent) {
		a.call(nil, "get_seller", toolArgs{"handle": a.first(a.call(nil, "search_listings", toolArgs{"limit": 1}), "listings", "seller")})
	}},
	{"What else does the seller have?", 17438, func(a *agent) {
		seller := a.first(a.call(nil, "search_listings", toolArgs{"limit": 1}), "listings", "seller")
		a.call(nil, "search_listings", toolArgs{"seller": seller})
	}},
	{"Find a film camera in Germany", 13044, func(a *agent) {
		a.call(nil, "search_listings", toolArgs{"category": "film_slr", "region": "DE"})
	}},
	{"Page through three pages of lenses", 53789, func(a *agent) {
		page := a.call(nil, "search_listings", toolArgs{"category": "lens"})
		page = a.call(nil, "search_listings", toolArgs{"category": "lens", "cursor": page["next_cursor"]})
		a.call(nil, "search_listings", toolArgs{"category": "lens", "cursor": page["next_cursor"]})
	}},
	{"What does the photographer show?", 2285, func(a *agent) { a.call(nil, "list_portfolio", nil) }},
	{"What does the photographer use?", 1824, func(a *agent) { a.call(nil, "get_kit", nil) }},
	{"Find a camera and a lens for 1,500", 34171, func(a *agent) {
		a.call(nil, "search_listings", toolArgs{"category": "camera", "budget": "-1000", "mount": "sony-e", "sort": "deal"})
		a.call(nil, "search_listings", toolArgs{"category": "lens", "budget": "-500", "mount": "sony-e", "sort": "deal"})
	}},
	{"What does Nikon make that sells?", 16602, func(a *agent) { a.call(nil, "get_brand", toolArgs{"brand": "nikon"}) }},

	{"Draft a listing", 3939, func(a *agent) { a.draft() }},
	{"Sell a camera: price, draft, photo, publish", 9967, func(a *agent) {
		a.call(a.seller, "get_price", toolArgs{"gear": "canon/eos-r6", "condition": "excellent"})
		id := a.draft()
		photo := base64.StdEncoding.EncodeToString(picturetest.JPEG(a.t, 60, 40))
		a.call(a.seller, "add_photos", toolArgs{"id": id, "photo": []string{photo}})
		a.want(a.call(a.seller, "publish_listing", toolArgs{"id": id}), "active")
	}},
	{"Lower a price", 8973, func(a *agent) {
		id := a.listed()
		version := a.call(a.seller, "get_listing", toolArgs{"id": id})["version"]
		a.call(a.seller, "edit_listing", toolArgs{"id": id, "if_match": fmt.Sprint(version), "price": "1149 EUR"})
	}},
	{"Reserve a listing and put it back on sale", 9346, func(a *agent) {
		id := a.listed()
		a.want(a.call(a.seller, "reserve_listing", toolArgs{"id": id}), "reserved")
		a.want(a.call(a.seller, "relist_listing", toolArgs{"id": id}), "active")
	}},
	{"Mark a listing as sold", 4785, func(a *agent) {
		a.want(a.call(a.seller, "mark_sold", toolArgs{"id": a.listed(), "price": "1100 EUR"}), "sold")
	}},
	{"End a listing that is kept", 4778, func(a *agent) {
		a.want(a.call(a.seller, "end_listing", toolArgs{"id": a.listed(), "reason": "kept"}), "ended")
	}},
	{"What needs my attention?", 2930, func(a *agent) {
		a.call(a.seller, "get_me", nil)
		a.call(a.seller, "list_my_listings", nil)
		a.call(a.seller, "list_offers", toolArgs{"role": "seller"})
		a.call(a.seller, "list_conversations", nil)
	}},
	{"Make an offer", 945, func(a *agent) { a.offered(a.listed()) }},
	{"Find the offer that waits and accept it", 1947, func(a *agent) {
		a.offeredBefore()
		id := a.first(a.call(a.seller, "list_offers", toolArgs{"role": "seller", "status": "pending"}), "offers", "id")
		a.want(a.call(a.seller, "accept_offer", toolArgs{"id": id}), "accepted")
	}},
	{"Counter an offer, which the buyer accepts", 2107, func(a *agent) {
		id := a.offeredBefore()
		a.want(a.call(a.seller, "counter_offer", toolArgs{"id": id, "amount": "1200 EUR"}), "countered")
		a.want(a.call(a.buyer, "accept_offer", toolArgs{"id": id}), "accepted")
	}},
	{"Decline an offer", 827, func(a *agent) {
		a.want(a.call(a.seller, "decline_offer", toolArgs{"id": a.offeredBefore()}), "declined")
	}},
	{"Withdraw an offer", 853, func(a *agent) {
		a.want(a.call(a.buyer, "withdraw_offer", toolArgs{"id": a.offeredBefore()}), "withdrawn")
	}},
	{"Trade from offer to rating", 4624, func(a *agent) {
		id := a.offered(a.listed())
		a.want(a.call(a.seller, "accept_offer", toolArgs{"id": id}), "accepted")
		a.want(a.call(a.seller, "complete_offer", toolArgs{"id": id}), "completed")
		a.want(a.call(a.buyer, "confirm_offer", toolArgs{"id": id}), "confirmed")
		a.call(a.buyer, "rate_trade", toolArgs{"id": id, "stars": 5, "text": "As described."})
	}},
	{"Report a problem with a sale", 1201, func(a *agent) {
		id := a.offeredBefore()
		a.seller.ask(a.t, "POST", "/api/offers/"+id+"/accept", "", 200)
		a.seller.ask(a.t, "POST", "/api/offers/"+id+"/complete", "", 200)
		a.want(a.call(a.buyer, "dispute_offer", toolArgs{"id": id, "text": "The light meter is dead."}), "disputed")
	}},
	{"Ask a seller a question", 437, func(a *agent) {
		a.call(a.buyer, "write_message", toolArgs{"id": a.listed(), "text": "Is the light meter accurate?"})
	}},
	{"Read a question and answer it", 1544, func(a *agent) {
		a.buyer.ask(a.t, "POST", "/api/listings/"+a.listed()+"/messages", `{"text":"Is it boxed?"}`, 201)
		id := a.first(a.call(a.seller, "list_conversations", nil), "conversations", "id")
		a.call(a.seller, "get_conversation", toolArgs{"id": id})
		a.call(a.seller, "reply_message", toolArgs{"id": id, "text": "It is."})
	}},
	{"Watch the best deal of a search", 13175, func(a *agent) {
		id := a.first(a.call(a.buyer, "search_listings", toolArgs{"keyword": "leica", "sort": "deal"}), "listings", "id")
		a.call(a.buyer, "watch_listing", toolArgs{"listing": id})
	}},
	{"What became of what I watch?", 503, func(a *agent) { a.call(a.buyer, "get_watchlist", nil) }},
	{"Save a search with alerts at once", 385, func(a *agent) {
		a.call(a.buyer, "save_search", toolArgs{"query": "keyword=canon+r6&budget=-900", "every": "instant"})
	}},
	{"Make a saved search weekly", 1192, func(a *agent) {
		a.call(a.buyer, "save_search", toolArgs{"query": "keyword=leica", "every": "daily"})
		id := a.first(a.call(a.buyer, "list_searches", nil), "searches", "id")
		a.call(a.buyer, "edit_search", toolArgs{"id": id, "every": "weekly"})
	}},
}

// agent plays tasks as two members and as nobody, and counts what it costs.
type agent struct {
	t             *testing.T
	server        *testServer
	seller, buyer *testMember
	sessions      map[*testMember]*mcp.ClientSession
	calls, tokens int
	signedIn      bool // a member has called a tool
}

// session returns the session of a member, or of nobody for nil.
func (a *agent) session(who *testMember) *mcp.ClientSession {
	if session := a.sessions[who]; session != nil {
		return session
	}
	session := a.server.connectAs(a.t, who)
	a.sessions[who] = session
	return session
}

// call calls a tool and returns its structured content.
func (a *agent) call(who *testMember, tool string, arguments toolArgs) map[string]any {
	a.t.Helper()
	result, err := a.session(who).CallTool(context.Background(), a.server.toolCall(tool, arguments))
	if err != nil || result.IsError {
		a.t.Fatalf("%s %v: %v %+v", tool, arguments, err, result)
	}
	a.calls++
	a.signedIn = a.signedIn || who != nil
	a.tokens += tokens(a.t, result)
	answer, _ := result.StructuredContent.(map[string]any)
	return answer
}

// first returns a field of the first element of a list.
func (a *agent) first(answer map[string]any, list, field string) any {
	a.t.Helper()
	all, _ := answer[list].([]any)
	if len(all) == 0 {
		a.t.Fatalf("there are no %s in %v", list, answer)
	}
	return all[0].(map[string]any)[field]
}

func (a *agent) want(answer map[string]any, status string) {
	a.t.Helper()
	if answer["status"] != status {
		a.t.Errorf("the status is %v, want %s", answer["status"], status)
	}
}

// gear returns the slug, or that of the best-selling gear if the catalogue doesn't have it.
func (a *agent) gear(slug string) string {
	if a.server.catalog.Gear(slug) != nil {
		return slug
	}
	return "canon/eos-r6"
}

// draft creates a listing by tool.
func (a *agent) draft() any {
	var arguments toolArgs
	must(json.Unmarshal([]byte(r6), &arguments))
	answer := a.call(a.seller, "create_listing", arguments)
	a.want(answer, "draft")
	return answer["id"]
}

// listed publishes a listing without a tool.
func (a *agent) listed() string { return a.seller.list(a.t, r6) }

// offered makes an offer by tool.
func (a *agent) offered(listing string) any {
	answer := a.call(a.buyer, "make_offer", toolArgs{"id": listing, "amount": "1150 EUR", "message": "I could pick it up."})
	a.want(answer, "pending")
	return answer["id"]
}

// offeredBefore makes an offer without a tool.
func (a *agent) offeredBefore() string {
	return a.buyer.ask(a.t, "POST", "/api/listings/"+a.listed()+"/offers", `{"amount":"1150.00"}`, 201)["id"].(string)
}

// listTokens returns the number of tokens of the tool list of a member, or of nobody
// for nil.
func (a *agent) listTokens(who *testMember) int {
	var header []string
	if who != nil {
		header = []string{"Authorization", "Bearer " + who.token}
	}
	_, body := a.server.message(a.t, "POST", web.MCPPath, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, header...)
	return (len(body) + 3) / 4
}

// newDemoServer starts a server on demonstration data of its own, which the test may
// change.
func newDemoServer(t *testing.T) *testServer {
	return newMarketServer(t, func(c *Config) {
		must(demo.Fill(context.Background(), c.Store, c.Catalog, testNow, func(int, int) {}))
		c.Library = m().Library
		c.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	})
}

// listBefore is the number of tokens of the tool list at version 2.1.0, for everybody.
const listBefore = 154109

// TestAgentTasks plays the tasks. The medians of the tokens of their results, and of their
// totals with the list of tools, which a task reads once, do not grow without a reason.
func TestAgentTasks(t *testing.T) {
	t.Parallel()
	s := newDemoServer(t)
	a := &agent{t: t, server: s, seller: s.join(t, "agent-seller", models.RoleMember), buyer: s.join(t, "agent-buyer", models.RoleMember), sessions: map[*testMember]*mcp.ClientSession{}}
	lists := map[bool]int{false: a.listTokens(nil), true: a.listTokens(a.seller)}
	var rows, measured []string
	var now, before, total, totalBefore []int
	for _, task := range agentTasks {
		start := time.Now()
		a.calls, a.tokens, a.signedIn = 0, 0, false
		task.play(a)
		measured = append(measured, fmt.Sprintf("%q: %d, // %d calls, %v", task.name, a.tokens, a.calls, time.Since(start).Round(time.Millisecond)))
		withList, withListBefore := a.tokens+lists[a.signedIn], task.before+listBefore
		rows = append(rows, fmt.Sprintf("| %s | %d | %d | %d | %d | %d |", task.name, a.calls, task.before, a.tokens, withListBefore, withList))
		now, before = append(now, a.tokens), append(before, task.before)
		total, totalBefore = append(total, withList), append(totalBefore, withListBefore)
	}
	t.Logf("lists: %v\n%s", lists, strings.Join(measured, "\n"))
	checkGrowth(t, "tokens of a task's results", medianOf(now))
	checkGrowth(t, "tokens of a task with the list of tools", medianOf(total))
	rows = append(rows, fmt.Sprintf("| **Median** | | %d | %d | %d | %d |", medianOf(before), medianOf(now), medianOf(totalBefore), medianOf(total)),
		fmt.Sprintf("| List of tools, for nobody | 1 | %d | %d | | |", listBefore, lists[false]),
		fmt.Sprintf("| List of tools, for a member | 1 | %d | %d | | |", listBefore, lists[true]))
	checkDocument(t, "tasks", "| Task | Calls | Results before | Results | Total before | Total |\n| --- | --- | --- | --- | --- | --- |\n"+strings.Join(rows, "\n")+"\n")
}

// medianOf returns the upper median.
func medianOf(all []int) int {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}
