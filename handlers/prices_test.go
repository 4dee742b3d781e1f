package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	priceviews "github.com/secondlight/secondlight/views/price"
	searchviews "github.com/secondlight/secondlight/views/search"
)

// newPricedServer starts a server with known sales: of the EOS R6, 5 excellent from
// €1,000 to €1,040 and 5 good from €800 to €840, 2 well used; of the Alpha 7 III, 5
// excellent at €600.
func newPricedServer(t *testing.T, change ...func(*Config)) *testServer {
	t.Helper()
	s := newMarketServer(t, change...)
	var sales []models.Sale
	add := func(gear string, c models.Condition, n int, price, step models.Cents) {
		for i := range n {
			sales = append(sales, models.Sale{Gear: gear, Condition: c, Price: price + models.Cents(i)*step, Region: "DE",
				SoldAt: models.TimeOf(testNow.Add(-time.Duration(len(sales)+1) * time.Hour))})
		}
	}
	add("canon/eos-r6", models.ConditionExcellent, 5, 100000, 1000)
	add("canon/eos-r6", models.ConditionGood, 5, 80000, 1000)
	add("canon/eos-r6", models.ConditionWellUsed, 2, 60000, 1000)
	add("sony/alpha-7-iii", models.ConditionExcellent, 5, 60000, 0)
	if _, _, err := s.store.Trades.ImportSales(context.Background(), sales); err != nil {
		t.Fatal(err)
	}
	return s
}

// member returns a member of a JSON object by its path: "sold_for.median.amount".
func member(t *testing.T, body, path string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(body), &value); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	for name := range strings.SplitSeq(path, ".") {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return value
}

func TestGetPrice(t *testing.T) {
	t.Parallel()
	s := newPricedServer(t)
	for _, test := range []struct {
		query, verdict string
		percent        any
		buyer, seller  string
	}{
		{"gear=Canon+R6&condition=excellent&price=900", "below", -12., "€110 below the typical range of €1,010 to €1,030", "List at about €1,020"},
		{"gear=eos+r6&condition=excellent&price=1015", "within", 0., "Fair: €1,015 is within", "quick sale, ask €1,010"},
		{"gear=canon/eos-r6&condition=excellent&price=1275", "above", 25., "€245 above the typical range", "up to €1,030"},
		{"gear=canon/eos-r6&condition=well_used&price=700", "insufficient_data", nil, "Good €820 (5 sales)", "Not enough sales to estimate a price"},
		{"gear=canon/eos-r6&condition=excellent", "", nil, "A fair price is €1,010 to €1,030", "List at about €1,020"},
		{"gear=nikon/d850", "", nil, "Not enough sales to say what's fair", "See what other sellers are asking"},
	} {
		resp, body := s.do(t, "GET", "/api/price-guide?"+test.query)
		if resp.StatusCode != 200 {
			t.Errorf("%s is %d: %s", test.query, resp.StatusCode, body)
			continue
		}
		verdict, _ := member(t, body, "price.verdict").(string)
		buyer, seller := member(t, body, "advice.buyer").(string), member(t, body, "advice.seller").(string)
		if verdict != test.verdict || member(t, body, "price.percent") != test.percent || !strings.Contains(buyer, test.buyer) || !strings.Contains(seller, test.seller) {
			t.Errorf("%s: %s, %v %%, %q, %q", test.query, verdict, member(t, body, "price.percent"), buyer, seller)
		}
		if strings.Contains(buyer, "Not enough") && member(t, body, "advice.list_price") != nil {
			t.Errorf("%s: a price is suggested on too few sales: %s", test.query, body)
		}
		for _, page := range []string{"/prices?", "/prices.md?"} {
			if _, text := s.do(t, "GET", page+test.query); !strings.Contains(unescaped(text), test.buyer) {
				t.Errorf("%s%s does not give the advice %q", page, test.query, test.buyer)
			}
		}
	}
	for query, want := range map[string]struct {
		status int
		says   string
	}{
		"gear=r6":                          {422, "canon/eos-r6"}, // most sold first
		"gear=nothing-like-it":             {404, "gear_not_found"},
		"":                                 {400, "missing_parameter"},
		"gear=canon/eos-r6&price=much":     {400, "price"},
		"gear=canon/eos-r6&price=0":        {400, "greater than zero"},
		"gear=canon/eos-r6&condition=tidy": {422, "condition"},
	} {
		if resp, body := s.do(t, "GET", "/api/price-guide?"+query); resp.StatusCode != want.status || !strings.Contains(body, want.says) {
			t.Errorf("%q is %d %s, want %d with %q", query, resp.StatusCode, body, want.status, want.says)
		}
	}
	_, body := s.do(t, "GET", "/prices?gear=r6&condition=good&price=700")
	if !strings.Contains(body, `href="/prices?condition=good&amp;gear=canon/eos-r6&amp;price=700"`) {
		t.Error("the page does not ask which R6 is meant")
	}
	if _, body := s.do(t, "GET", "/prices"); !strings.Contains(body, "Most sold") || !strings.Contains(body, "Canon EOS R6") {
		t.Error("the page without gear does not show the most-sold models")
	}
	for from, to := range map[string]string{
		"/sell/price?gear=a&condition=good": "/prices?gear=a&condition=good", "/sell/price.md?gear=a": "/prices.md?gear=a",
	} {
		if resp, _ := s.do(t, "GET", from); resp.StatusCode != 308 || resp.Header.Get("Location") != to {
			t.Errorf("%s is %d to %s", from, resp.StatusCode, resp.Header.Get("Location"))
		}
	}
}

// TestPriceGuideCounts tests what is for sale, in all and in one condition.
func TestPriceGuideCounts(t *testing.T) {
	t.Parallel()
	s := newPricedServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	ann.sells(t, "EOS R6 in good order", "canon/eos-r6", 95000)
	_, body := s.do(t, "GET", "/api/price-guide?gear=canon/eos-r6")
	condition := ""
	for _, c := range models.Conditions {
		_, in := s.do(t, "GET", "/api/price-guide?gear=canon/eos-r6&condition="+string(c))
		if member(t, in, "asked_in_condition.count") == 1. {
			condition += string(c)
			if member(t, in, "asked_in_condition.lowest.amount") != "950.00" {
				t.Errorf("the lowest price in %s is wrong: %s", c, in)
			}
		}
	}
	if member(t, body, "asked.count") != 1. || member(t, body, "asked.lowest.amount") != "950.00" || !models.Condition(condition).Valid() {
		t.Errorf("one is for sale, in one condition; got %q and %s", condition, body)
	}
}

func TestValueGear(t *testing.T) {
	t.Parallel()
	s := newPricedServer(t)
	value := func(items string, status int) string {
		t.Helper()
		resp, body := s.send(t, "POST", "/api/valuations", `{"items":`+items+`}`, "Content-Type", "application/json")
		if resp.StatusCode != status {
			t.Errorf("%s is %d %s, want %d", items, resp.StatusCode, body, status)
		}
		return body
	}
	body := value(`["2x Canon EOS R6, excellent", {"name": "a7 iii", "condition": "faulty"}, "canon r6, excellent", "canon r6, excellent",
		"r6", "no such thing", {"name": "Nikon D850"}, {"name": "canon r6", "condition": "tidy"}, {"name": "canon r6", "count": 101}, {"name": ""}]`, 200)
	var page priceviews.Valuation
	must(json.Unmarshal([]byte(body), &page))
	want := []struct{ status, gear, median, text string }{
		{"ok", "canon/eos-r6", "1020.00", "5 sales"},
		{"ok", "sony/alpha-7-iii", "600.00", "5 sales in all conditions: not enough in this one"},
		{"ok", "canon/eos-r6", "1020.00", "5 sales"},
		{"ok", "canon/eos-r6", "1020.00", "5 sales"},
		{"ambiguous", "", "", "Which one"},
		{"not_found", "", "", "Not in the catalogue"},
		{"insufficient_data", "nikon/d850", "", "Not enough sales: 5 more needed."},
		{"invalid", "canon/eos-r6", "", "“tidy” is not a condition"},
		{"invalid", "canon/eos-r6", "", "from 1 to 100"},
		{"invalid", "", "", "Enter a name"},
	}
	if len(page.Items) != len(want) {
		t.Fatalf("%d items: %s", len(page.Items), body)
	}
	for i, item := range page.Items {
		median := ""
		if item.Median != nil {
			median = item.Median.Amount
		}
		if w := want[i]; item.Status != w.status || item.Gear != w.gear || median != w.median || !strings.Contains(item.Text, w.text) {
			t.Errorf("item %d is %+v, want %+v", i, item, w)
		}
	}
	if c := page.Items[4].Candidates; len(c) < 2 || c[0].Gear != "canon/eos-r6" {
		t.Errorf("r6 may mean %v; the EOS R6 sells most", c)
	}
	// 4 × 1020 + 600; 4 × 1010 + 600; 4 × 1030 + 600.
	if s := page.Sum; s == nil || s.Median.Amount != "4680.00" || s.Low.Amount != "4640.00" || s.High.Amount != "4720.00" || s.Items != 5 {
		t.Errorf("the sum is %+v", s)
	}
	if !strings.Contains(page.Text, "Not included: r6 (more than one match), no such thing (not found), Nikon D850 (not enough sales)") {
		t.Errorf("what is left out is not named: %s", page.Text)
	}

	many := func(n int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(`{"name":"canon r6","count":1},`, n), ",") + "]"
	}
	if body := value(many(200), 200); strings.Count(body, `"status":"ok"`) != 200 {
		t.Error("200 equal items are not all valued")
	}
	for items, says := range map[string]string{
		many(201):                                 "200",
		`[]`:                                      "items is required",
		`[{"name":"canon r6","grade":"good"}]`:    `unknown field \"grade\"`,
		`[{"name":"canon r6","count":"many"}]`:    "count isn't a whole number",
		`[{"name":["canon r6"]}]`:                 "name isn't a string",
		"[{\"name\":\"canon\\u0000r6\"}]":         "control characters",
		`[[{"name":"canon r6"}]]`:                 "list of lists",
		`{"name":"canon r6","condition":["x"]}`:   "condition isn't a string",
		`"` + strings.Repeat("canon ", 200) + `"`: "longer than",
	} {
		if body := value(items, 400); !strings.Contains(body, says) {
			t.Errorf("%.60s does not say %q: %s", items, says, body)
		}
	}
	if resp, body := s.send(t, "POST", "/api/gear-by-photo", `{"photo":{"name":"x"}}`, "Content-Type", "application/json"); resp.StatusCode == 200 || !strings.Contains(body, "invalid_token") && resp.StatusCode != 401 {
		t.Errorf("other operations take objects: %d %s", resp.StatusCode, body)
	}
}

// TestValuationForm sends the form of a list, and chooses between candidates.
func TestValuationForm(t *testing.T) {
	t.Parallel()
	s := newPricedServer(t)
	post := func(form url.Values) (int, string) {
		resp, body := s.send(t, "POST", "/prices/valuation", form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html")
		return resp.StatusCode, unescaped(body)
	}
	status, body := post(url.Values{"items": {"Canon EOS R6, excellent\r\nCanon EOS R6, excellent\r\n\r\nr6, good, x2\r\n<b>zzz</b>"}})
	for _, want := range []string{"2 items, worth about €2,040", "Not included: r6 (more than one match), <b>zzz</b> (not found)", `value="canon/eos-r6, good, x2" selected`, "Total of 2 items", "r6, good, x2\n"} {
		if status != 200 || !strings.Contains(body, want) {
			t.Errorf("%d: the page does not state %q", status, want)
		}
	}
	status, body = post(url.Values{"items": {"Canon EOS R6, excellent", "canon/eos-r6, good, x2"}})
	if status != 200 || !strings.Contains(body, "3 items, worth about €2,660") {
		t.Errorf("a chosen candidate is not valued: %d", status)
	}
	if status, body = post(url.Values{"items": {" "}}); status != 400 || !strings.Contains(body, "Items is required") || !strings.Contains(body, "<textarea") {
		t.Errorf("an empty form is %d", status)
	}
	if _, body := s.send(t, "POST", "/prices/valuation.md", "items=canon+r6", "Content-Type", "application/x-www-form-urlencoded"); !strings.Contains(body, "| Canon EOS R6 `canon/eos-r6` |") {
		t.Errorf("the valuation as Markdown is %s", body)
	}
	if _, body := s.do(t, "GET", "/prices/valuation.json"); !strings.Contains(body, `"items":[]`) || strings.Contains(body, `"sum"`) {
		t.Errorf("the empty valuation is %s", body)
	}
}

// TestValuationQuota tests that every ten items count as a request, over HTTP and MCP.
func TestValuationQuota(t *testing.T) {
	t.Parallel()
	s := newPricedServer(t, func(c *Config) { c.RateLimit = 40 })
	items := `{"items":["` + strings.TrimSuffix(strings.Repeat(`canon r6","`, 95), `,"`) + `]}`
	resp, _ := s.send(t, "POST", "/api/valuations", items, "Content-Type", "application/json")
	if resp.StatusCode != 200 || resp.Header.Get("RateLimit-Remaining") != "30" {
		t.Errorf("95 items leave %s of 40 requests (%d)", resp.Header.Get("RateLimit-Remaining"), resp.StatusCode)
	}
	call := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"value_gear","arguments":%s}}`, items)
	header := []string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream", "MCP-Protocol-Version", "2025-06-18"}
	resp, body := s.send(t, "POST", web.MCPPath, call, header...)
	if resp.StatusCode != 200 || !strings.Contains(body, "95 items, worth") || resp.Header.Get("RateLimit-Remaining") != "20" {
		t.Errorf("95 items over MCP leave %s of 30 requests (%d): %.300s", resp.Header.Get("RateLimit-Remaining"), resp.StatusCode, body)
	}
	s.send(t, "POST", "/api/valuations", items, "Content-Type", "application/json")
	s.send(t, "POST", "/api/valuations", `{"items":["canon r6"]}`, "Content-Type", "application/json")
	if _, body := s.send(t, "POST", web.MCPPath, call, header...); !strings.Contains(body, "rate_limited") {
		t.Errorf("more items than the quota has are valued: %.300s", body)
	}
	if resp, _ := s.send(t, "POST", "/api/valuations", items, "Content-Type", "application/json"); resp.StatusCode != 429 || resp.Header.Get("Retry-After") == "" {
		t.Errorf("beyond the quota is %d", resp.StatusCode)
	}
}

func TestCompareGear(t *testing.T) {
	t.Parallel()
	s := newPricedServer(t)
	for _, query := range []string{"gear=canon/eos-r6,sony/alpha-7-iii", "gear=canon+r6&gear=a7+iii", "gear=eos+r6,a7iii,canon/eos-r6"} {
		resp, body := s.do(t, "GET", "/api/compare?"+query)
		var page searchviews.Comparison
		if err := json.Unmarshal([]byte(body), &page); err != nil || resp.StatusCode != 200 || len(page.Models) != 2 {
			t.Fatalf("%s is %d: %s", query, resp.StatusCode, body)
		}
		r6, a7 := page.Models[0], page.Models[1]
		if r6.Gear != "canon/eos-r6" || r6.Sold.SampleSize != 12 || len(r6.ByCondition) != 2 || r6.ByCondition[0].Median.Amount != "1020.00" || a7.Sold.Median.Amount != "600.00" {
			t.Errorf("%s: %s", query, body)
		}
		differs := map[string]bool{}
		for _, spec := range page.Specifications {
			differs[spec.Name] = spec.Differs
			if len(spec.Values) != 2 {
				t.Errorf("%s has %d values", spec.Name, len(spec.Values))
			}
		}
		if mount, ok := differs["Mount"]; !ok || !mount || differs["Category"] {
			t.Errorf("what differs is %v", differs)
		}
	}
	// A lens has no sensor and a camera no focal length, but a row needs only one of them.
	_, body := s.do(t, "GET", "/compare.md?gear=canon/eos-r6,canon/rf-50mm-f1-8-stm")
	for _, want := range []string{"| ≠ Focal length | – | 50 mm |", "| ≠ Sensor or film | Full frame | – |", "| Median sold price, excellent | €1,020 (5) | – |", "| Median sold price |"} {
		if !strings.Contains(body, want) {
			t.Errorf("the comparison does not state %q: %s", want, body)
		}
	}
	if strings.Contains(body, "Like new") || strings.Contains(body, "Time to sell") {
		t.Error("rows without a value are shown")
	}
	_, body = s.do(t, "GET", "/compare?gear=canon/eos-r6,sony/alpha-7-iii")
	for _, want := range []string{`<table class="compare">`, `href="/compare?gear=sony/alpha-7-iii" aria-label="Remove Canon EOS R6"`, `<input type="hidden" name="gear" value="canon/eos-r6">`, "(differs)"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for query, want := range map[string]struct {
		status int
		says   string
	}{
		"gear=canon/eos-r6":           {400, "2 to 6 different models; the request has 1"},
		"gear=canon/eos-r6,canon+r6":  {400, "the request has 1"},
		"gear=r6,a7iii":               {422, "unresolved_name"},
		"gear=nothing-like-it,a7iii":  {404, "gear_not_found"},
		"":                            {400, "missing_parameter"},
		"gear=canon/eos-r6&price=100": {400, "unknown_parameter"},
		"gear=canon/eos-r6,sony/alpha-7-iii,nikon/d850,nikon/d750,leica/m6,fujifilm/x-t4,fujifilm/x-t3": {400, "the request has 7"},
	} {
		if resp, body := s.do(t, "GET", "/api/compare?"+query); resp.StatusCode != want.status || !strings.Contains(body, want.says) {
			t.Errorf("%q is %d %s, want %d with %q", query, resp.StatusCode, body, want.status, want.says)
		}
	}
	for address, want := range map[string]string{
		"/compare":                          "Add two to six models",
		"/compare?gear=canon/eos-r6":        "Add another model to compare with the Canon EOS R6",
		"/compare?gear=sony/alpha-7-iii,r6": `href="/compare?gear=sony/alpha-7-iii,canon/eos-r6"`,
		"/compare?gear=nothing-like-it":     "No camera or lens found for “nothing-like-it”",
	} {
		if resp, body := s.do(t, "GET", address); resp.StatusCode != 200 || !strings.Contains(unescaped(body), want) {
			t.Errorf("%s is %d and does not state %q", address, resp.StatusCode, want)
		}
	}
}

// TestPriceTools calls the tools as an agent does, and measures what they cost it: bytes
// divided by 4 approximate tokens.
func TestPriceTools(t *testing.T) {
	t.Parallel()
	s := newTestServer(t) // a full market, whose answers are long
	session := s.connect(t, web.MCPPath, eras[0])
	ctx := context.Background()
	ask := func(prompt string, args map[string]string) int {
		t.Helper()
		answer, err := session.GetPrompt(ctx, &mcp.GetPromptParams{Name: prompt, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		return size(t, answer)
	}
	call := func(tool string, args any) (int, *mcp.CallToolResult) {
		t.Helper()
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil || result.IsError {
			t.Fatalf("%s: %v %v", tool, err, result)
		}
		return size(t, result), result
	}
	price, _ := call("get_price", map[string]any{"gear": "Canon R6", "condition": "excellent", "price": "950"})
	if tokens := (ask("is_this_price_fair", map[string]string{"gear": "Canon R6", "condition": "excellent", "price": "950"}) + price) / 4; tokens > 4000 {
		t.Errorf("whether a price is fair takes %d tokens", tokens)
	}
	kit := []any{map[string]any{"name": "canon r6", "condition": "excellent"}, map[string]any{"name": "a7 iii", "condition": "good"}, "Nikon D850, like new", "Fujifilm X-T4"}
	value, result := call("value_gear", map[string]any{"items": kit})
	if tokens := (ask("what_is_my_kit_worth", map[string]string{"kit": "canon r6 excellent, a7 iii good, Nikon D850 like new, Fujifilm X-T4"}) + value) / 4; tokens > 3000 {
		t.Errorf("a kit of four takes %d tokens", tokens)
	}
	if text := result.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, "Total of 4 items") {
		t.Errorf("the kit has no sum: %s", text)
	}
	if compared, _ := call("compare_gear", map[string]any{"gear": []string{"canon r6", "a7iii"}}); compared/4 > 2500 {
		t.Errorf("a comparison takes %d tokens", compared/4)
	}
	t.Logf("tokens: get_price %d, value_gear of four %d", price/4, value/4)
	failed, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "get_price", Arguments: map[string]any{"gear": "r6"}})
	if err != nil || !failed.IsError || !strings.Contains(failed.Content[0].(*mcp.TextContent).Text, "canon/eos-r6") {
		t.Errorf("an ambiguous name is %v %v", failed, err)
	}
	tools, err := session.ListTools(ctx, nil)
	must(err)
	found := 0
	for _, tool := range tools.Tools {
		switch tool.Name {
		case "get_price", "compare_gear", "value_gear":
			found++
			if !tool.Annotations.ReadOnlyHint || !tool.Annotations.IdempotentHint {
				t.Errorf("%s is not read-only", tool.Name)
			}
		case "estimate_price":
			t.Error("estimate_price is still a tool")
		}
	}
	if found != 3 {
		t.Errorf("%d of 3 tools are listed", found)
	}
}

// size returns the length of a result as JSON.
func size(t *testing.T, result any) int {
	t.Helper()
	body, err := json.Marshal(result)
	must(err)
	return len(body)
}

// unescaped returns HTML with its character references decoded.
func unescaped(body string) string { return html.UnescapeString(body) }
