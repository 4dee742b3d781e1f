package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
)

// TestNamesAreResolvedInEveryFormat searches with names as people write them, over HTTP
// and by the tool. A search that is understood has want in its query; one that is not
// has it as the first candidate.
func TestNamesAreResolvedInEveryFormat(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	for _, c := range []struct{ param, written, want string }{
		{"mount", "Fuji X", "Fujifilm X"}, {"mount", "MFT", "Micro Four Thirds"}, {"mount", "E-mount", "Sony E"}, {"mount", "Nikon F", "Nikon F"},
		{"mount", "EF", "Canon EF"}, {"mount", "L mount", "Leica L"}, {"mount", "sony", "Sony E"},
		{"brand", "Fuji", "fujifilm"}, {"brand", "Leitz", "leica"}, {"brand", "Canonn", "canon"},
		{"model", "A7 III", "sony/alpha-7-iii"}, {"model", "Leica M6", "leica/m6"}, {"model", "Canon EOS R6", "canon/eos-r6"}, {"model", "r6", "canon/eos-r6"},
		{"condition", "mint", "like_new"}, {"condition", "like-new", "like_new"}, {"condition", "excelent", "excellent"},
		{"category", "film slr", "film_slr"}, {"category", "Film_SLR", "film_slr"}, {"region", "UK", "GB"}, {"region", "Germany", "DE"},
		{"budget_max", "€1,250", "1250.00"}, {"budget_max", "1.250,00", "1250.00"}, {"budget", "under 800", "800.00"},
	} {
		_, body := s.do(t, "GET", "/api/listings/search?"+url.Values{c.param: {c.written}}.Encode())
		var overHTTP map[string]any
		must(json.Unmarshal([]byte(body), &overHTTP))
		result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "search_listings", Arguments: map[string]any{c.param: c.written, "detail": "full"}})
		must(err)
		for from, answer := range map[string]map[string]any{"HTTP": overHTTP, "MCP": result.StructuredContent.(map[string]any)} {
			if !strings.Contains(fmt.Sprint(answer["query"]), c.want) && firstCandidate(answer) != c.want {
				t.Errorf("%s %q over %s is %v %v", c.param, c.written, from, answer["query"], answer["errors"])
			}
		}
	}
}

// firstCandidate returns the first candidate of a response.
func firstCandidate(answer map[string]any) string {
	candidates, _ := answer["candidates"].([]any)
	if len(candidates) == 0 {
		return ""
	}
	return candidates[0].(map[string]any)["value"].(string)
}

func TestLikeliestGearIsFirst(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	_, body := s.do(t, "GET", "/api/gear?keyword=r6")
	if first := strings.Index(body, `"canon/eos-r6"`); first < 0 || first > strings.Index(body, `"ricoh/r6"`) || first > strings.Index(body, `"leica/r6"`) {
		t.Errorf("find_gear r6: %.400s", body)
	}
	for _, path := range []string{"/api/listings/search?model=r6", "/api/price-guide?gear=r6"} {
		r, body := s.do(t, "GET", path)
		var answer map[string]any
		must(json.Unmarshal([]byte(body), &answer))
		if r.StatusCode != 422 || answer["code"] != "unresolved_name" || firstCandidate(answer) != "canon/eos-r6" {
			t.Errorf("%s is %d %s", path, r.StatusCode, body)
		}
	}
	for _, path := range []string{"/api/listings/search?brand=Canon&model=EOS+R6", "/api/listings/search?brand=canon&model=r6", "/api/price-guide?gear=Canon+R6", "/api/trends/canon/eos%20r6"} {
		if r, body := s.do(t, "GET", path); r.StatusCode != 200 || !strings.Contains(body, "canon/eos-r6") {
			t.Errorf("%s is %d %.300s", path, r.StatusCode, body)
		}
	}
	if r, body := s.do(t, "GET", "/api/listings/search?seller=nobody-at-all"); r.StatusCode != 422 || !strings.Contains(body, `"seller"`) {
		t.Errorf("an unknown seller is %d %.300s", r.StatusCode, body)
	}
}

// TestUnknownSellersSuggestNearOnes checks that only sellers who have something for sale
// are suggested.
func TestUnknownSellersSuggestNearOnes(t *testing.T) {
	t.Parallel()
	s, _ := newClockedMarket(t)
	s.join(t, "blende-nord", models.RoleMember)
	s.join(t, "blende-sued", models.RoleMember).sells(t, "Canon EOS R6", "canon/eos-r6", 80000)
	busy := s.join(t, "blende-west", models.RoleMember)
	busy.sells(t, "Canon EOS R6", "canon/eos-r6", 80000)
	busy.sells(t, "Nikon Z6", "nikon/z-6", 80000)
	for handle, want := range map[string]string{"blende": "blende-west blende-sued", "blende-sud": "blende-sued", "blende-wesd": "blende-west blende-sued", "blende-norde": "", "ble": "", "sued": "blende-sued", "x": ""} {
		r, body := s.do(t, "GET", "/api/listings/search?seller="+handle)
		var answer struct {
			Candidates []struct{ Value string }
		}
		must(json.Unmarshal([]byte(body), &answer))
		var near []string
		for _, c := range answer.Candidates {
			near = append(near, c.Value)
		}
		if got := strings.Join(near, " "); r.StatusCode != 422 || got != want {
			t.Errorf("searching %s is %d with %q, want %q", handle, r.StatusCode, got, want)
		}
		r, body = s.do(t, "GET", "/sellers/"+handle)
		if r.StatusCode != 404 || strings.Contains(body, "blende-west") != strings.Contains(want, "west") || strings.Contains(body, "/sellers/blende-nord\"") {
			t.Errorf("/sellers/%s is %d: %s", handle, r.StatusCode, body)
		}
	}
}

func TestPagesOfNamesRedirectToTheCanonicalAddress(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for path, want := range map[string]string{
		"/gear/Fuji":            "/gear/fujifilm",
		"/gear/fuji?limit=5":    "/gear/fujifilm?limit=5",
		"/gear/FUJIFILM.md":     "/gear/fujifilm.md",
		"/gear/fuji/x-t3":       "/gear/fujifilm/x-t3",
		"/gear/Fuji/X-T3.csv":   "/gear/fujifilm/x-t3.csv",
		"/gear/sony/a7%20III":   "/gear/sony/alpha-7-iii",
		"/gear/Canon/EOS%20R6":  "/gear/canon/eos-r6",
		"/gear/lytro/lytro.md":  "/gear/lytro/light-field-camera.md",
		"/gear/canon":           "",
		"/gear/canon/eos-r6.md": "",
		"/api/gear/fuji":        "",
		"/api/trends/fuji/x-t3": "",
		"/api/trends/canon/r6":  "",
	} {
		resp, body := s.do(t, "GET", path)
		if got := resp.Header.Get("Location"); got != want || want != "" && resp.StatusCode != 308 || want == "" && resp.StatusCode != 200 {
			t.Errorf("%s is %d to %q, want %q: %.300s", path, resp.StatusCode, got, want, body)
		}
	}
	if resp, _ := s.do(t, "GET", "/gear/Nikken"); resp.StatusCode != 308 || resp.Header.Get("Location") != "/gear/nikken" {
		t.Errorf("an unknown brand is %d to %q", resp.StatusCode, resp.Header.Get("Location"))
	}
}

func TestOneResponseListsAllFaults(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	for body, want := range map[string]string{
		`{"gear":"canon/eos-r66","price":"many","region":"Atlantis","condition":"purple"}`: "condition gear price region",
		`{"gear":"canon/eos-r66","price":"400 USD","region":"DE","condition":"mint"}`:      "gear price",
		`{"title":"A thing","price":"0","region":"DE","condition":"good"}`:                 "category price",
		`{"gear":"Canon R6","condition":"mint"}`:                                           "price region",
	} {
		status := 400
		answer := ann.ask(t, "POST", "/api/listings", body, status)
		var fields []string
		for _, f := range answer["errors"].([]any) {
			fields = append(fields, f.(map[string]any)["field"].(string))
		}
		slices.Sort(fields)
		if strings.Join(fields, " ") != want {
			t.Errorf("%s: %v, want %s", body, answer["errors"], want)
		}
	}
	made := ann.ask(t, "POST", "/api/listings", `{"gear":"Canon R6","price":"€1,250","region":"Germany","condition":"like-new"}`, 201)
	if text := fmt.Sprint(made); !strings.Contains(text, "canon/eos-r6") || !strings.Contains(text, "1250.00") || !strings.Contains(text, "like_new") {
		t.Errorf("the listing is %.600s", text)
	}
	_, body := s.do(t, "GET", "/api/listings/search?brand=nokon&limit=x&budget=many")
	for _, field := range []string{`"brand"`, `"limit"`, `"budget"`} {
		if !strings.Contains(body, `"field":`+field) {
			t.Errorf("the search does not report %s: %s", field, body)
		}
	}
}

func TestSearchWithoutResultsSaysWhatToRelax(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	r, body := s.do(t, "GET", "/api/listings/search?brand=leica&mount=Canon+RF")
	var found struct {
		Total int
		Relax []struct {
			Parameter, Href string
			Total           int
		}
	}
	must(json.Unmarshal([]byte(body), &found))
	if r.StatusCode != 200 || found.Total != 0 || len(found.Relax) != 2 {
		t.Fatalf("the search is %d %.600s", r.StatusCode, body)
	}
	for _, less := range found.Relax {
		_, body := s.do(t, "GET", less.Href)
		if !strings.Contains(body, fmt.Sprintf(`"total":%d,`, less.Total)) || less.Total == 0 {
			t.Errorf("without %s there are not %d listings: %.300s", less.Parameter, less.Total, body)
		}
	}
	if _, body := s.do(t, "GET", "/listings.md?brand=leica&mount=Canon+RF"); !strings.Contains(body, "- `mount`: [Remove mount]") {
		t.Errorf("the Markdown does not say what to relax:\n%s", body)
	}
}
