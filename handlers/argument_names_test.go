package handlers

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
)

// errorTokens is the maximum number of tokens of an error of a tool about one argument.
const errorTokens = 120

// TestNaturalArguments calls tools with the names that people give to arguments, and with other
// words for values. Each is read as the argument that it means, or refused with its name.
func TestNaturalArguments(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	found, err := s.index.Search(search.Query{Limit: 1})
	must(err)
	var card ui.Card
	must(json.Unmarshal(found.Cards[0], &card))
	calls := []struct {
		tool, argument string
		value          any
		names          string // that mean the argument
	}{
		{"search_listings", "keyword", "leica", "q query search search_query searchTerm terms keywords phrase text title"},
		{"search_listings", "budget_max", "900", "max_price price_max maxPrice max-price price_to maximum_price max_budget"},
		{"search_listings", "budget_min", "900", "min_price price_min minPrice price_from minimum_price"},
		{"search_listings", "budget", "500-900", "price price_range"},
		{"search_listings", "cursor", "2", "page offset pageToken next_cursor start"},
		{"search_listings", "sort", "price", "order order_by sortBy sort_by ordering"},
		{"search_listings", "region", "Austria", "country location country_code place city"},
		{"search_listings", "ship_to", "AT", "destination ships_to deliver_to shipping_country"},
		{"search_listings", "model", "canon/eos-r6", "gear model_slug slug camera"},
		{"search_listings", "brand", "canon", "manufacturer make brand_name"},
		{"search_listings", "condition", "good", "grade quality"},
		{"search_listings", "mount", "Canon RF", "lens_mount"},
		{"search_listings", "limit", 3, "count per_page pageSize max_results"},
		{"search_listings", "shutter_max", 10000, "max_shutter clicks shutter_count"},
		{"search_listings", "aperture_max", 2.8, "aperture max_aperture f_number"},
		{"search_listings", "sensor", "full_frame", "sensor_size format"},
		{"search_listings", "fits", "canon/eos-r6", "compatible_with"},
		{"search_listings", "released_min", 2018, "year min_year"},
		{"search_listings", "category", "camera", "type kind"},
		{"search_listings", "functional", "fully_working", "works"},
		{"search_listings", "seller", card.Seller, "user username seller_id"},
		{"get_price", "gear", "canon/eos-r6", "model name slug camera item id"},
		{"get_price", "price", "900 EUR", "amount asking_price"},
		{"get_listing", "id", card.ID, "listing listing_id item_id uuid"},
		{"get_seller", "handle", card.Seller, "seller username id"},
		{"find_gear", "keyword", "r6", "q query name"},
	}
	total, repaired, accepted := 0, 0, 0
	call := func(tool string, arguments map[string]any) *mcp.CallToolResult {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		must(err)
		if n := tokens(t, result); result.IsError && n > errorTokens {
			t.Errorf("%s %v: the error has %d tokens: %s", tool, arguments, n, result.Content[0].(*mcp.TextContent).Text)
		}
		return result
	}
	with := func(c string, argument string, value any) map[string]any {
		arguments := map[string]any{argument: value}
		if c == "get_price" && argument != "gear" && value == "900 EUR" {
			arguments["gear"] = "canon/eos-r6"
		}
		return arguments
	}
	for _, c := range calls {
		want := encode(call(c.tool, with(c.tool, c.argument, c.value)).StructuredContent)
		for _, name := range strings.Fields(c.names) {
			total++
			result := call(c.tool, with(c.tool, name, c.value))
			text := result.Content[0].(*mcp.TextContent).Text
			switch {
			case encode(result.StructuredContent) == want:
				accepted++
			case result.IsError && strings.Contains(text, "Did you mean `"+c.argument+"`?"):
				repaired++
			default:
				t.Errorf("%s: %s is not read as %s: %.200s", c.tool, name, c.argument, text)
			}
		}
	}
	for _, gear := range []map[string]any{{"gear": "fujifilm/x-t3"}, {"model": "fujifilm/x-t3"}, {"name": "Fuji X-T3"}, {"slug": "fujifilm/x-t3"}} {
		if total++; call("get_trend", gear).IsError {
			t.Errorf("get_trend doesn't read %v", gear)
			continue
		}
		accepted++
	}
	t.Logf("%d names: %d accepted, %d answered with the right name", total, accepted, repaired)
	for _, c := range []struct{ argument, written, filters string }{
		{"sort", "cheapest", "sort=price"}, {"sort", "price_asc", "sort=price"}, {"sort", "latest", ""}, {"sort", "best deal", "sort=deal"}, {"sort", "price-high-to-low", "sort=-price"},
		{"sensor", "Vollformat", "sensor=full_frame"}, {"keyword", "null", ""}, {"brand", "null", ""}, {"brand", `["canon","nikon"]`, "brand=canon,nikon"}, {"condition", `["good"]`, "condition=good"},
		{"region", `["DE","AT"]`, "region=AT,DE"}, {"category", "Objektiv", "category=lens"}, {"budget", `{"amount":"500","currency":"EUR"}`, "budget=500"},
	} {
		result := call("search_listings", map[string]any{c.argument: c.written})
		if filters, _ := result.StructuredContent.(map[string]any)["filters"].(string); result.IsError || filters != c.filters {
			t.Errorf("%s=%q: the filters are %q, want %q: %.200s", c.argument, c.written, filters, c.filters, result.Content[0].(*mcp.TextContent).Text)
		}
	}
	for _, name := range []string{"country", "location", "max_price", "order", "nonsense", "frobnicate"} {
		resp, body := s.do(t, "GET", "/api/listings/search?"+name+"=1")
		if resp.StatusCode != 400 || len(body) > 800 {
			t.Errorf("%s is %d with %d bytes: %s", name, resp.StatusCode, len(body), body)
		}
	}
}

// TestFiltersAreShort tests how much the answer of a search repeats of it.
func TestFiltersAreShort(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	for _, arguments := range []map[string]any{
		{"keyword": "rolleiflex", "region": "DE,AT", "functional": "fully_working", "budget": "-1000", "sort": "deal"},
		{"category": "lens", "fits": "sony/alpha-7-iii", "aperture_max": 2, "focal_min": 75, "focal_max": 135, "budget": "-600", "ship_to": "AT"},
	} {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "search_listings", Arguments: arguments})
		must(err)
		filters, _ := result.StructuredContent.(map[string]any)["filters"].(string)
		if n := len(filters) / 4; n == 0 || n > 40 {
			t.Errorf("%v: %d tokens: %s", arguments, n, filters)
		}
	}
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "search_listings", Arguments: map[string]any{"keyword": `"blorpify"`, "brand": "canon"}})
	must(err)
	answer := encode(result.StructuredContent)
	for _, want := range []string{`"relax":[{"parameter":"keyword"`, `"unmatched"`, "blorpify"} {
		if !strings.Contains(answer, want) {
			t.Errorf("a search without results doesn't say %s: %s", want, answer)
		}
	}
}

// TestMCPTransport tests clients that follow the transport loosely, and browsers.
func TestMCPTransport(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for _, c := range []struct {
		name, path, body string
		header           []string
		status           int
		says             string
	}{
		{"no Accept", web.MCPPath, list, []string{"Accept", ""}, 200, `"tools":[`},
		{"JSON alone", web.MCPPath, list, []string{"Accept", "application/json"}, 200, `"tools":[`},
		{"everything", web.MCPPath, list, []string{"Accept", "*/*"}, 200, `"tools":[`},
		{"a slash at the end", web.MCPPath + "/", list, nil, 200, `"tools":[`},
		{"a long id", web.MCPPath, `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, nil, 200, `"id":9007199254740993`},
		{"a long id, JSON", web.MCPPath, `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, []string{"Accept", "application/json"}, 200, `"id":9007199254740993`},
		{"an unknown method", web.MCPPath, `{"jsonrpc":"2.0","id":"a-1","method":"tools/frob"}`, nil, 200, `"id":"a-1","error":{"code":-32601`},
		{"another site", web.MCPPath, list, []string{"Origin", "https://elsewhere.example", "Sec-Fetch-Site", "cross-site"}, 200, `"tools":[`},
		{"another site with a token", web.MCPPath, list, []string{"Origin", "https://elsewhere.example", "Authorization", "Bearer " + ann.token}, 200, `"tools":[`},
		{"another site with a cookie", web.MCPPath, list, []string{"Origin", "https://elsewhere.example", "Cookie", ann.cookie}, 403, "cross_site"},
		{"another site, valuing gear", "/api/valuations", `{"items":["Canon EOS R6"]}`, []string{"Origin", "https://elsewhere.example", "Accept", "application/json"}, 200, "canon/eos-r6"},
		{"another site, listing with a cookie", "/api/listings", r6, []string{"Sec-Fetch-Site", "cross-site", "Cookie", ann.cookie}, 403, "cross_site"},
		{"another site, signing in", "/sign-in", "", []string{"Sec-Fetch-Site", "cross-site"}, 403, "cross_site"},
	} {
		resp, body := s.message(t, "POST", c.path, c.body, c.header...)
		if resp.StatusCode != c.status || !strings.Contains(body, c.says) {
			t.Errorf("%s: %d %.300s", c.name, resp.StatusCode, body)
		}
	}
	resp, _ := s.do(t, "OPTIONS", web.MCPPath, "Origin", "https://elsewhere.example", "Access-Control-Request-Method", "POST")
	for _, name := range []string{"Content-Type", "Authorization", "Idempotency-Key", "If-Match", "Mcp-Protocol-Version", "Mcp-Session-Id"} {
		if !strings.Contains(resp.Header.Get("Access-Control-Allow-Headers"), name) || !strings.Contains(resp.Header.Get("Access-Control-Allow-Methods"), "POST") || resp.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("a preflight request doesn't allow %s: %v", name, resp.Header)
		}
	}
}
