package handlers

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
)

// canonicalLink matches the address of a page of search results.
var canonicalLink = regexp.MustCompile(`<link rel="canonical" href="[^"]*/listings([^"]*)"`)

// TestSpellingsOfSearches writes lists, ranges and numbers as people do, wherever a search is
// read: in the API, on the page, by the tool, in a saved search and in a feed. Each reads what
// is meant or refuses it.
func TestSpellingsOfSearches(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	session := s.connect(t, web.MCPPath, eras[0])
	spellings := []struct{ param, written, want string }{
		{"region", "DE,AT", "region=AT&region=DE"}, {"region", "Germany, Austria", "region=AT&region=DE"}, {"region", "Deutschland und Österreich", "region=AT&region=DE"}, {"region", "DE or AT", "region=AT&region=DE"},
		{"region", "DE;AT", "region=AT&region=DE"}, {"region", "DE/AT", "region=AT&region=DE"}, {"region", "DE|AT", "region=AT&region=DE"}, {"region", "EU,CH", "region=CH&region=EU"}, {"region", "US,UK", "region=GB&region=US"},
		{"region", "Deutschland oder die Schweiz", ""}, {"region", "DE-AT", ""}, {"region", "Bosnia and Herzegovina", "region=BA"}, {"region", "California, USA", "region=US-CA"}, {"region", "Germany and Narnia", ""},
		{"ship_to", "DE,AT", "ship_to=AT&ship_to=DE"}, {"ship_to", "Austria & Germany", "ship_to=AT&ship_to=DE"}, {"ship_to", "EU", ""},
		{"brand", "canon,nikon", "brand=canon&brand=nikon"}, {"brand", "Canon or Nikon", "brand=canon&brand=nikon"}, {"brand", "Canon und Nikon", "brand=canon&brand=nikon"}, {"brand", "Canon or Blorp", ""},
		{"condition", "good,excellent", "condition=excellent&condition=good"}, {"condition", "good or excellent", "condition=excellent&condition=good"}, {"condition", "gut oder sehr gut", "condition=good"}, {"condition", "good or better", ""}, {"category", "mirrorless,dslr", ""},
		{"budget", "500,800", ""}, {"budget", "500 800", ""}, {"budget", "50,100", ""}, {"budget", "500, 800", "budget=500-800"}, {"budget", "500-800", "budget=500-800"}, {"budget", "500 – 800 €", "budget=500-800"},
		{"budget", "500..800", "budget=500-800"}, {"budget", "500 to 800", "budget=500-800"}, {"budget", "500 bis 800", "budget=500-800"}, {"budget", "zwischen 500 und 800 Euro", "budget=500-800"}, {"budget", "from €500 to €1,100", "budget=500-1100"},
		{"budget", "von 500€ bis 1.100€", "budget=500-1100"}, {"budget", "bis 500€", "budget=500"}, {"budget", "bis zu 1.100 €", "budget=1100"}, {"budget", "unter 2500", "budget=2500"}, {"budget", "under 2500", "budget=2500"},
		{"budget", "max. 500 EUR", "budget=500"}, {"budget", "höchstens 1.100,50 €", "budget=1100.50"}, {"budget", "1.100 €", "budget=1100"}, {"budget", "1.100", "budget=1100"}, {"budget", "1,100", "budget=1100"}, {"budget", "2.500,-", "budget=2500"},
		{"budget", "2.500,- €", "budget=2500"}, {"budget", "800,-", "budget=800"}, {"budget", "ab 500", "budget=500-"}, {"budget", "über 1.000", "budget=1000-"}, {"budget", "500+", "budget=500-"}, {"budget", "mindestens 500", "budget=500-"},
		{"budget", "1-2k", "budget=1000-2000"}, {"budget", "1,5k", "budget=1500"}, {"budget", "around 800", ""}, {"budget", "ca. 800", ""}, {"budget", "800-500", ""}, {"budget", "1.100.50", ""}, {"budget", "a lot", ""},
		{"budget_max", "1.100 €", "budget=1100"}, {"budget_max", "2.500,-", "budget=2500"}, {"budget_max", "1,1k", "budget=1100"}, {"shutter_max", "50.000", "shutter_max=50000"}, {"shutter_max", "10k", "shutter_max=10000"}, {"shutter_max", "under 10", ""},
		{"aperture_max", "1,8", "aperture_max=1.8"}, {"focal_min", "70-200", ""}, {"limit", "1.000", "limit=100"}, {"demo", "maybe", ""},
	}
	page := func(path string, header ...string) string {
		resp, body := s.do(t, "GET", path, header...)
		if resp.StatusCode == 400 {
			return ""
		}
		return body
	}
	entrances := map[string]func(param, written string) string{
		"api": func(param, written string) string {
			var found struct{ Links struct{ Page string } }
			body := page("/api/listings/search?" + param + "=" + url.QueryEscape(written))
			if body == "" {
				return ""
			}
			must(json.Unmarshal([]byte(body), &found))
			return strings.TrimPrefix(found.Links.Page, "/listings?")
		},
		"page": func(param, written string) string {
			link := canonicalLink.FindStringSubmatch(page("/listings?"+param+"="+url.QueryEscape(written), "Accept", "text/html"))
			if link == nil {
				return ""
			}
			return strings.TrimPrefix(html.UnescapeString(link[1]), "?")
		},
		"feed": func(param, written string) string {
			var feed struct {
				Page string `json:"home_page_url"`
			}
			body := page("/listings?"+param+"="+url.QueryEscape(written), "Accept", "application/feed+json")
			if body == "" {
				return ""
			}
			must(json.Unmarshal([]byte(body), &feed))
			_, query, _ := strings.Cut(feed.Page, "/listings?")
			return strings.TrimSuffix(strings.TrimSuffix(query, "sort=newest"), "&")
		},
		"tool": func(param, written string) string {
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "search_listings", Arguments: map[string]any{param: written}})
			must(err)
			if result.IsError {
				return ""
			}
			answer := result.StructuredContent.(map[string]any)
			name, values, _ := strings.Cut(fmt.Sprint(answer["filters"]), "=")
			if name == "<nil>" { // the limit is no filter
				return "limit=100"
			}
			return name + "=" + strings.ReplaceAll(values, ",", "&"+name+"=")
		},
		"saved search": func(param, written string) string {
			query := url.Values{param: {written}}.Encode()
			resp, body := s.send(t, "POST", "/api/searches", `{"query":"keyword=boxed&`+query+`","every":"daily"}`, "Authorization", "Bearer "+ann.token, "Content-Type", "application/json")
			if resp.StatusCode == 400 {
				return ""
			}
			var saved struct{ ID, Query string }
			must(json.Unmarshal([]byte(body), &saved))
			s.send(t, "DELETE", "/api/searches/"+saved.ID, "", "Authorization", "Bearer "+ann.token)
			return strings.TrimPrefix(saved.Query, "keyword=boxed&")
		},
	}
	for entrance, read := range entrances {
		for _, c := range spellings {
			want := c.want
			if entrance == "saved search" && (c.param == "ship_to" || c.param == "limit") {
				continue // a saved search has no place and no pages
			}
			if got := read(c.param, c.written); got != want {
				t.Errorf("%s: %s=%q is read as %q, want %q", entrance, c.param, c.written, got, want)
			}
		}
	}
	t.Logf("%d spellings, %d entrances", len(spellings), len(entrances))
}

// TestSpellingsOfPrices writes prices as people do in English and German, wherever a price is read:
// in the form, the API, by the tool, in a search, and in a file as German spreadsheets save it. Each
// reads the same, or refuses it.
func TestSpellingsOfPrices(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	session := s.connectAs(t, ann)
	form := ann.newDraft(t)
	price := func(answer map[string]any) string {
		switch p := answer["price"].(type) {
		case map[string]any:
			return fmt.Sprint(p["amount"])
		case string:
			return strings.TrimSuffix(p, " EUR")
		}
		return ""
	}
	create := func(value any) string {
		body, err := json.Marshal(map[string]any{"gear": "canon/eos-r6", "title": "Canon EOS R6", "price": value, "condition": "good", "region": "DE"})
		must(err)
		resp, text := s.send(t, "POST", "/api/listings", string(body), "Authorization", "Bearer "+ann.token, "Content-Type", "application/json")
		if resp.StatusCode == 400 {
			return ""
		}
		var answer map[string]any
		must(json.Unmarshal([]byte(text), &answer))
		return price(answer)
	}
	entrances := map[string]func(written string) string{
		"form": func(written string) string {
			ann.post(t, form, "price=1")
			ann.post(t, form, "price="+url.QueryEscape(written))
			if got := price(ann.stored(t, form)); got != "1.00" {
				return got
			}
			return ""
		},
		"api": func(written string) string { return create(written) },
		"tool": func(written string) string {
			result, err := session.CallTool(t.Context(), s.toolCall("create_listing", map[string]any{"gear": "canon/eos-r6", "price": written, "condition": "good", "region": "DE"}))
			must(err)
			if result.IsError {
				return ""
			}
			id := result.StructuredContent.(map[string]any)["id"].(string)
			return price(ann.ask(t, "GET", "/api/listings/"+id, "", 200))
		},
		"search": func(written string) string {
			resp, text := s.do(t, "GET", "/api/listings/search?budget_max="+url.QueryEscape(written))
			if resp.StatusCode == 400 {
				return ""
			}
			var found struct{ Links struct{ Page string } }
			must(json.Unmarshal([]byte(text), &found))
			most, err := s.site.Currency().ParseDecimal(strings.TrimPrefix(found.Links.Page, "/listings?budget="))
			must(err)
			return s.site.Currency().Decimal(most)
		},
		"import": func(written string) string {
			title := fmt.Sprintf("Item %x", written)
			ann.importFile(t, fmt.Sprintf("external_id;title;condition;price;region\n%q;%q;good;\"%s\";DE\n", title, title, written), 200)
			for _, l := range ann.ask(t, "GET", "/api/me/listings?limit=100", "", 200)["listings"].([]any) {
				if row := l.(map[string]any); row["title"] == title {
					return price(row)
				}
			}
			return ""
		},
	}
	spellings := map[string]string{
		"1249": "1249.00", "1249.5": "1249.50", "1249,5": "1249.50", "1249.00": "1249.00", "1249,00": "1249.00", "1249.0000": "1249.00", "1.249": "1249.00", "1,249": "1249.00",
		"1.249,00": "1249.00", "1,249.00": "1249.00", "1.250,50": "1250.50", "1,250.50": "1250.50", "12.400": "12400.00", "12,400": "12400.00", "1 250": "1250.00", "1\u00a0250,50": "1250.50", "1\u202f250": "1250.00",
		"1'250.-": "1250.00", "1’250.00": "1250.00", "2.500,-": "2500.00", "2.500,– €": "2500.00", "580,-": "580.00", "1.100 €": "1100.00", "€1,250": "1250.00", "€ 1.250": "1250.00", "1.250 EUR": "1250.00",
		"EUR 1,250.00": "1250.00", "1.250 Euro": "1250.00", "1.2k": "1200.00", "1,2k": "1200.00", " 580 ": "580.00", "12,40": "12.40", "0.99": "0.99", "0,99": "0.99",
		"12,345.678": "", "12,34,56": "", "about 500": "", "ca. 500": "", "500-600": "", "1e3": "", "-5": "", "1.25.0": "", "0.250": "", "$580": "", "1249.005": "",
	}
	for entrance, read := range entrances {
		for written, want := range spellings {
			if got := read(written); got != want {
				t.Errorf("%s: %q is read as %q, want %q", entrance, written, got, want)
			}
		}
	}
	t.Logf("%d spellings, %d entrances", len(spellings), len(entrances))
	for written, want := range map[string]string{`1.25`: "1.25", `1.250`: "1.25", `1250`: "1250.00", `12.345`: "", `"1.100"`: "1100.00", `{"amount":"1.100","currency":"EUR"}`: "", `{"amount":1.1,"currency":"EUR"}`: "1.10",
		`{"amount":"1249.00","currency":"EUR"}`: "1249.00", `"{\"amount\":\"1249\",\"currency\":\"EUR\"}"`: "1249.00"} {
		if got := create(json.RawMessage(written)); got != want {
			t.Errorf("JSON %s is read as %q, want %q", written, got, want)
		}
	}
}

// TestPartsOfRegions tests that a search says which part of a region it doesn't know.
func TestPartsOfRegions(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	for written, want := range map[string]bool{"DE-QQQ": true, "Bielefeld, Germany": true, "DE,Springfield, USA": true, "DE": false, "DE-BY": false, "Germany": false, "Bayern, Deutschland": false, "de": false, "Bosnia and Herzegovina": false, "UK": false, "DE/AT": false} {
		answer := s.askJSON(t, "/api/listings/search?region="+url.QueryEscape(written))
		if warned := strings.Contains(fmt.Sprint(answer["warnings"]), "corrected"); warned != want {
			t.Errorf("%q: the warnings are %v", written, answer["warnings"])
		}
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "search_listings", Arguments: map[string]any{"region": written}})
		must(err)
		if warned := strings.Contains(fmt.Sprint(result.StructuredContent.(map[string]any)["warnings"]), "corrected"); warned != want {
			t.Errorf("the tool with %q: the result is %v", written, result.StructuredContent)
		}
	}
	answer := s.askJSON(t, "/api/listings/search?keyword=blorpify+zzyzx")
	if !strings.Contains(fmt.Sprint(answer["warnings"]), "blorpify, zzyzx") {
		t.Errorf("the words that match nothing are not named: %v", answer["warnings"])
	}
}
