package handlers

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/ui"
)

// TestOnePrice checks that every page, format and tool that states the price of gear states the
// same, once, and names its condition.
func TestOnePrice(t *testing.T) {
	t.Parallel()
	s := estimated(t)
	const number, tile = `"estimate":\{[^{}]*"median":(?:\{"amount":)?"([^"]+)`, `<dt>Estimated price</dt>\s*<dd>([^<]+)</dd>`
	const text = `Estimated price in “Good” condition: (€[\d,.]+\d)`
	for _, page := range []struct{ address, accept, price string }{
		{"/gear/canon/eos-r6", "text/html", tile}, {"/gear/canon/eos-r6", "text/markdown", text}, {"/api/trends/canon/eos-r6", "application/json", `"estimate":\{.*?"median":\{"amount":"([^"]+)`},
		{"/prices?gear=canon/eos-r6", "text/html", tile}, {"/prices?gear=canon/eos-r6", "text/markdown", text}, {"/api/price-guide?gear=canon/eos-r6", "application/json", `"estimate":\{.*?"median":\{"amount":"([^"]+)`},
		{"/gear?keyword=canon+eos+r6", "text/html", `<td>(€[^<]+) <small>good</small></td>\s*<td class="side">`}, {"/gear?keyword=canon+eos+r6", "text/markdown", `\| (€[^ ]+) \(good\) \|`},
		{"/api/gear?keyword=canon+eos+r6", "application/json", `"gear":"canon/eos-r6",.*?"estimate":\{"amount":"([^"]+)`},
		{"/compare?gear=canon/eos-r6,canon/eos-r5", "text/markdown", `\| Estimated price \| \[(€[^\]]+)\]`}, {"/api/compare?gear=canon/eos-r6,canon/eos-r5", "application/json", `"estimate":\{.*?"median":\{"amount":"([^"]+)`},
	} {
		_, body := s.do(t, "GET", page.address, "Accept", page.accept)
		checkPrice(t, page.address+" as "+page.accept, unescaped(body), page.price)
	}
	session := s.connect(t, web.MCPPath, eras[0])
	for tool, arguments := range map[string]map[string]any{"get_price": {"gear": "canon/eos-r6"}, "get_trend": {"brand": "canon", "model": "eos-r6"}, "compare_gear": {"gear": []string{"canon/eos-r6", "canon/eos-r5"}}} {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		must(err)
		body, err := json.Marshal(result.StructuredContent)
		must(err)
		checkPrice(t, tool, string(body), number)
	}
}

// checkPrice checks that a page states the price of TestOnePrice where a pattern matches, and once.
func checkPrice(t *testing.T, name, body, pattern string) {
	t.Helper()
	found := regexp.MustCompile(pattern).FindAllStringSubmatch(body, -1)
	if len(found) != 1 {
		t.Errorf("%s states %d prices: %v in %s", name, len(found), found, body)
		return
	}
	if price := strings.NewReplacer("€", "", ",", "", " EUR", "", ".00", "").Replace(found[0][1]); price != "1012" {
		t.Errorf("%s states %s", name, found[0][1])
	}
}

// TestVerdictByCondition checks that an asking price without a condition is judged for each.
func TestVerdictByCondition(t *testing.T) {
	t.Parallel()
	s := estimated(t)
	for price, want := range map[string]string{
		"1050": "€1,050: cheap in “Excellent” condition; fair in “Good” condition",
		"1300": "€1,300: fair in “Excellent” condition; expensive in “Good” condition",
		"100":  "€100: cheap in “Excellent” and “Good” condition",
	} {
		for _, accept := range []string{"text/html", "text/markdown", "application/json"} {
			if _, body := s.do(t, "GET", "/prices?gear=canon/eos-r6&price="+price, "Accept", accept); !strings.Contains(unescaped(body), want) {
				t.Errorf("%s as %s is not judged %q", price, accept, want)
			}
		}
	}
}

// TestTwelveMonths checks for all gear that pages name the day that sold figures end with, and say
// so if nothing has sold in the last 12 months.
func TestTwelveMonths(t *testing.T) {
	t.Parallel()
	skipUnderRace(t)
	s := newTestServer(t)
	const none = "No sale in the last 12 months"
	ends, unsaid := regexp.MustCompile(`the 12 months to (\d+ \w+ \d+)`), regexp.MustCompile(`(in|last) 12 months`)
	var n, old, recent int
	must(s.store.Prices.EachTrend(t.Context(), func(trend *prices.Trend) error {
		stale := trend.AsOf <= prices.YearBefore(models.TimeOf(testNow))
		addresses := []string{"/prices?gear=" + trend.Gear}
		if n++; stale && n%4 == 0 || n%40 == 0 { // pages of gear are dear
			addresses = append(addresses, "/gear/"+trend.Gear)
		}
		for _, address := range addresses {
			_, body := s.do(t, "GET", address, "Accept", "text/markdown")
			if strings.Contains(body, none) != stale {
				t.Errorf("%s: the last sale was on %s: %s", address, ui.Day(trend.AsOf), body)
			}
			if said := unsaid.FindString(strings.ReplaceAll(body, none, "")); said != "" {
				t.Errorf("%s says %q", address, said)
			}
			for _, end := range ends.FindAllStringSubmatch(body, -1) {
				if want := trend.AsOf.Std().Format("2 Jan 2006"); end[1] != want {
					t.Errorf("%s states figures of the 12 months to %s, want %s", address, end[1], want)
				}
			}
		}
		if stale {
			old++
		} else {
			recent++
		}
		return nil
	}))
	if old == 0 || recent == 0 {
		t.Errorf("the market has %d gear that sold last more than a year ago and %d others", old, recent)
	}
}

// TestDealsHaveSales checks that no listing is called a deal that fewer than five sales speak for,
// and that all formats say how many they are.
func TestDealsHaveSales(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	deals := 0
	for address := "/api/listings/search?sort=deal&limit=100"; address != ""; {
		var page struct {
			Listings []ui.Card
			Next     string `json:"next_cursor"`
		}
		s.json(t, address, &page)
		for _, c := range page.Listings {
			if c.Deal == nil {
				continue
			}
			deals++
			if c.Deal.Sales < prices.MinSales || !strings.Contains(c.Deal.Text, fmt.Sprintf("(%s sales)", ui.NumberText(c.Deal.Sales))) {
				t.Errorf("listing %s is a deal: %+v", c.ID, c.Deal)
			}
		}
		if address = ""; page.Next != "" {
			address = "/api/listings/search?sort=deal&limit=100&cursor=" + page.Next
		}
	}
	if deals == 0 {
		t.Error("the market has no deals")
	}
	result, err := s.connect(t, web.MCPPath, eras[0]).CallTool(t.Context(), &mcp.CallToolParams{Name: "search_listings", Arguments: map[string]any{"sort": "deal"}})
	must(err)
	body, err := json.Marshal(result.StructuredContent)
	must(err)
	if with := strings.Count(string(body), `"deal_sample_size":`); with == 0 || with != strings.Count(string(body), `"deal":`) {
		t.Errorf("%d deals say how many sales they rest on: %s", with, body)
	}
	for _, accept := range []string{"text/html", "text/markdown"} {
		_, page := s.do(t, "GET", "/", "Accept", accept)
		if n := len(regexp.MustCompile(`below market \([\d,]+ sales\)`).FindAllString(page, -1)); n < 8 {
			t.Errorf("the front page as %s has %d deals with their sales", accept, n)
		}
	}
}
