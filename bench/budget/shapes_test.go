//go:build linux && amd64 && !race

package budget

import "fmt"

// Numbers of requests of each kind: those that fill caches and pools, and those that are
// counted.
const (
	warming  = 3
	counted  = 8
	requests = warming + counted
)

// Header fields of readers.
const (
	asJSON    = "Accept: application/json\r\n"
	asPage    = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nUser-Agent: Mozilla/5.0\r\n"
	gzip      = "Accept-Encoding: gzip\r\n"
	inGerman  = "Accept-Language: de\r\n"
	asMessage = "Accept: application/json, text/event-stream\r\n"
)

// shape is a kind of request.
type shape struct {
	name string
	ask  func(s *site, i int) string // the i-th request
}

func get(path, header string) string {
	return "GET " + path + " HTTP/1.1\r\nHost: secondlight.example\r\n" + header + "\r\n"
}

func post(path, body, header string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: secondlight.example\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, header, len(body), body)
}

// query returns the query of a search that is not repeated. No listing is below the
// least price or above the greatest.
func query(i int) string {
	return fmt.Sprintf("?keyword=canon&condition=excellent,good,like_new&budget=10-%d", 9000+i)
}

// cold asks each search once, which is never cached.
func cold(path, header string) func(*site, int) string {
	return func(_ *site, i int) string { return get(path+query(i), header) }
}

// hot asks for the same page again.
func hot(path, header string) func(*site, int) string {
	return func(*site, int) string { return get(path, header) }
}

// gear asks for the page of each gear once.
func gear(prefix, header string) func(*site, int) string {
	return func(s *site, i int) string { return get(prefix+s.Gear[i], header) }
}

// member adds the session of the buyer.
func member(path, header string) func(*site, int) string {
	return func(s *site, _ int) string { return get(path, header+"Cookie: "+s.cookie+s.Buyer.Session+"\r\n") }
}

// shapes are the kinds of requests that have a budget.
var shapes = []shape{
	{"search.json", cold("/api/listings/search", asJSON)},
	{"search.json.hot", hot("/api/listings/search?keyword=canon", asJSON)},
	{"search.md", cold("/listings.md", "")},
	{"search.mcp", func(_ *site, i int) string {
		return post("/api/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_listings","arguments":{"keyword":"canon","condition":["excellent","good"],"budget":"10-%d"}}}`, 9000+i), asMessage)
	}},
	{"search.html", cold("/listings", asPage)},
	{"search.html.gzip", cold("/listings", asPage+gzip)},
	{"search.html.german", cold("/listings", asPage+inGerman)},
	{"search.html.hot", hot("/listings", asPage)},
	{"search.html.hot.gzip", hot("/listings", asPage+gzip)},
	{"search.html.member", func(s *site, i int) string { return member("/listings"+query(i), asPage)(s, i) }},
	{"search.html.member.gzip", func(s *site, i int) string { return member("/listings"+query(i), asPage+gzip)(s, i) }},
	{"home.html.hot.gzip", hot("/", asPage+gzip)},
	{"home.html.member", member("/", asPage)},
	{"gear.html", gear("/gear/", asPage)},
	{"gear.html.hot", func(s *site, _ int) string { return get("/gear/"+s.Gear[0], asPage) }},
	{"trend.json", gear("/api/trends/", asJSON)},
	{"price.json", gear("/api/prices/", asJSON)},
	{"listing.html", func(s *site, i int) string { return get("/listings/"+s.Listings[i], asPage) }},
	{"listing.json", func(s *site, i int) string { return get("/api/listings/"+s.Listings[i], asJSON) }},
	{"suggest.json", func(_ *site, i int) string { return get(fmt.Sprintf("/api/suggest?q=canon+eos+%d", i), asJSON) }},
	{"account.html", member("/account", asPage)},
	{"offer.json", func(s *site, i int) string {
		return post("/api/listings/"+s.Listings[i]+"/offers", `{"amount":{"amount":"1000.00","currency":"EUR"}}`, asJSON+"Authorization: Bearer "+s.Buyer.Token+"\r\n")
	}},
	{"publish.json", func(s *site, i int) string {
		return post("/api/listings/"+s.Drafts[i]+"/publish", "{}", asJSON+"Authorization: Bearer "+s.Seller.Token+"\r\n")
	}},
}
