package handlers

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

// TestBelowItsFairRange publishes listings below the range of the estimate of their gear,
// within it, and without an estimate: searches with deal=below find the first in every
// format, and a saved search sends alerts about it alone.
func TestBelowItsFairRange(t *testing.T) {
	t.Parallel()
	s, clock := newClockedMarket(t)
	fit := func(day models.Day, median models.Cents) {
		t.Helper()
		storeFit(t, s.store, nil, prices.Estimate{Gear: "canon/eos-r6", Condition: models.ConditionExcellent, Day: day, Median: median, Low: median - 11111, High: median + 22222,
			HalfLow: median - 5000, HalfHigh: median + 6000, Sales: 44, SameGrade: 12},
			prices.Estimate{Gear: "nikon/z-6", Condition: models.ConditionExcellent, Day: day, Median: 90000, Low: 80000, High: 100000, HalfLow: 85000, HalfHigh: 95000}) // of similar gear
		must(s.estimates.Reload(t.Context()))
	}
	fit("2026-11-21", 123400) // from 1122.89, stated as 1123
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	saved := ann.ask(t, "POST", "/api/searches", `{"deal":"below","every":"instant","name":"Bargains","webhook":"https://hook.example/a"}`, 201)
	clock.add(time.Minute)
	within := bob.sells(t, "Priced within", "canon/eos-r6", 112300)
	below := bob.sells(t, "Priced below", "canon/eos-r6", 112299)
	unknown := bob.sells(t, "Priced anyhow", "nikon/z-6", 1000)
	must(s.AlertNow(t.Context()))
	out := s.queued(t)
	if len(out) != 2 {
		t.Errorf("%d deliveries, want an email and a webhook: %+v", len(out), out)
	}
	pages := map[string]string{}
	for _, d := range out {
		pages[string(d.Kind)] = d.Body
	}
	for address, accepts := range map[string][]string{
		"/listings?deal=below":                                          {"text/html", "text/markdown", "application/json", "application/atom+xml", "application/feed+json"},
		"/api/listings/search?deal=below":                               {"application/json"},
		strings.TrimPrefix(saved["atom"].(string), s.site.BaseURL):      {"application/atom+xml"},
		strings.TrimPrefix(saved["json_feed"].(string), s.site.BaseURL): {"application/feed+json"},
	} {
		for _, accept := range accepts {
			_, pages[address+" as "+accept] = s.do(t, "GET", address, "Accept", accept)
		}
	}
	result, err := s.connect(t, web.MCPPath, eras[0]).CallTool(context.Background(), &mcp.CallToolParams{Name: "search_listings", Arguments: map[string]any{"deal": "below"}})
	must(err)
	pages["search_listings"] = fmt.Sprint(result.StructuredContent)
	for name, page := range pages {
		if !strings.Contains(page, below) || strings.Contains(page, within) || strings.Contains(page, unknown) {
			t.Errorf("%s does not have the listing below its range alone: %s", name, page)
		}
	}
	if page := pages["/listings?deal=below as text/html"]; !containsAll(page, ">1 listing<", "Priced below market<span", `name="deal" value="below" checked`) {
		t.Errorf("the page does not show the filter: %s", page)
	}
	if _, page := s.do(t, "GET", "/listings?deal=below", "Accept-Language", "de", "Accept", "text/html"); !strings.Contains(page, "Unter Marktpreis<span") {
		t.Errorf("the page does not show the filter in German: %s", page)
	}

	total := func(want int) func() bool {
		return func() bool {
			var found struct {
				Total  int
				Facets struct{ Brand []struct{ Count int } }
			}
			s.json(t, "/api/listings/search?deal=below", &found)
			return found.Total == want && (want == 0 || found.Facets.Brand[0].Count == want)
		}
	}
	bob.ask(t, "PATCH", "/api/listings/"+below, `{"price":"1123"}`, 200, "If-Match", "*")
	eventually(t, "the listing is within its range at a new price", total(0))
	clock.add(time.Hour)
	fit("2026-11-22", 130000)
	if !total(2)() {
		t.Error("the listings are not below the range of the next fit")
	}
	must(s.AlertNow(t.Context()))
	for _, d := range s.queued(t) {
		if strings.Contains(d.Body, below) || !strings.Contains(d.Body, within) {
			t.Errorf("after the next fit: %+v", d)
		}
	}
}
