package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	searchviews "github.com/secondlight/secondlight/views/search"
)

const unknownListing = "019aa7d2-7c00-7000-8000-0000000000ff"

// comparedListings are a boxed EOS R6 of ann, a worn one of ben, and an Alpha 7 III of
// ann that was sold for €700.
type comparedListings struct {
	*testServer
	ann, ben         *testMember
	boxed, worn, a73 string
}

func newComparedListings(t *testing.T) *comparedListings {
	t.Helper()
	s := &comparedListings{testServer: newPricedServer(t)}
	s.ann, s.ben = s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember)
	s.boxed = s.ann.list(t, strings.Replace(r6, `"region"`, `"postage":"DE 6.90, EU 14.90","region"`, 1))
	s.worn = s.ben.list(t, `{"gear":"canon/eos-r6","title":"EOS R6, well travelled","price":{"amount":"750.00","currency":"EUR"},"condition":"good","functional":"fully_working","region":"FR","postage":"pickup"}`)
	s.a73 = s.ann.list(t, `{"gear":"sony/alpha-7-iii","title":"Alpha 7 III","price":{"amount":"720.00","currency":"EUR"},"condition":"excellent","functional":"fully_working","postage":"EU 14.90","region":"DE"}`)
	offer := s.ben.ask(t, "POST", "/api/listings/"+s.a73+"/offers", `{"amount":"700"}`, 201)["id"].(string)
	s.ann.ask(t, "POST", "/api/offers/"+offer+"/accept", "", 200)
	s.ann.ask(t, "POST", "/api/offers/"+offer+"/complete", "", 200)
	s.ben.ask(t, "POST", "/api/offers/"+offer+"/confirm", "", 200)
	return s
}

// TestCompareListings compares listings in every format.
func TestCompareListings(t *testing.T) {
	t.Parallel()
	s := newComparedListings(t)
	for _, query := range []string{
		"listing=" + s.boxed + "," + s.worn + "," + s.a73 + "&ship_to=DE",
		"listing=" + s.boxed + "&listing=" + strings.ToUpper(s.worn) + "&listing=" + s.a73 + "&listing=" + s.boxed + "&ship_to=Germany",
	} {
		resp, body := s.do(t, "GET", "/api/compare?"+query)
		var page searchviews.Comparison
		if err := json.Unmarshal([]byte(body), &page); err != nil || resp.StatusCode != 200 || len(page.Listings) != 3 || len(page.Models) != 0 {
			t.Fatalf("%s is %d: %s", query, resp.StatusCode, body)
		}
		boxed, worn, sold := &page.Listings[0], &page.Listings[1], &page.Listings[2]
		if boxed.ID != s.boxed || boxed.Shutter != 18204 || boxed.Defects[0].Code != "dust" || boxed.Deal == nil || boxed.PostageTo.Total.Amount != "1255.90" || boxed.SellerCard.Handle != "ann" {
			t.Errorf("the first listing is %+v", boxed)
		}
		if worn.PostageTo != nil || !worn.PickupOnly || worn.Deal == nil || worn.Deal.Percent >= 0 {
			t.Errorf("the second listing is %+v", worn)
		}
		if sold.Status != models.StatusSold || sold.SoldPrice.Amount != "700.00" || sold.Deal != nil {
			t.Errorf("the third listing is %+v", sold)
		}
		if page.Href != "/api/compare?listing="+s.boxed+","+s.worn+","+s.a73+"&ship_to=DE" {
			t.Errorf("its address is %s", page.Href)
		}
		for _, spec := range page.Specifications {
			if spec.Name == "Mount" && (!spec.Differs || len(spec.Values) != 3) {
				t.Errorf("the mounts are %+v", spec)
			}
		}
	}
	at := "/compare?listing=" + s.boxed + "," + s.worn + "," + s.a73
	for address, says := range map[string][]string{
		strings.Replace(at, "/compare?", "/compare.md?", 1) + "&ship_to=FR": {"| Postage to France | €14.90 | Collection only | €14.90 |", "| Total | €1,263.90 | – | – |", "| ≠ Condition | Excellent | Good | Excellent |",
			"| Price | €1,249 | €750 | Sold for €700 (asking price €720) |", "«Canon EOS R6, boxed»", "| ≠ Shutter count | 18,204 | – | – |", "| ≠ Defects | Internal dust | None reported by the seller |", "| Id | `" + s.boxed + "`"},
		at + "&ship_to=DE": {"<h1>3 listings compared</h1>", "Postage to Germany", "€1,255.90", "% below market", "(differs)", `href="/compare?listing=` + s.worn + "," + s.a73 + `&ship_to=DE"`,
			`href="/sellers/ann"`, "Compare the models", `<option value="DE" selected>`, `<input type="hidden" name="listing" value="` + s.worn + `">`, "Find more listings"},
		at: {"Germany: €6.90 (€1,255.90 in total); European Union: €14.90 (€1,263.90 in total)", "Select a country"},
		"/compare?listing=" + s.boxed + "," + s.worn:                        {"<h1>Canon EOS R6: 2 listings compared</h1>", "€750 to €1,249. Best deal: ", "Find another Canon EOS R6"},
		"/compare?listing=" + s.boxed:                                       {"Select another listing to compare with “Canon EOS R6, boxed”."},
		"/compare?listing=" + s.boxed + "," + s.worn + "," + unknownListing: {"One of these listings is no longer available.", "2 listings compared"},
		"/compare?listing=" + unknownListing + ",nonsense":                  {"2 of the listings are no longer available.", "Select two to four listings"},
	} {
		resp, body := s.do(t, "GET", address)
		page := unescaped(body)
		for _, want := range says {
			if resp.StatusCode != 200 || !strings.Contains(page, want) {
				t.Errorf("%s is %d and does not state %q: %s", address, resp.StatusCode, want, mainOf(page))
			}
		}
		if words := textOf(mainOf(page)); !strings.Contains(address, ".md") && strings.Contains(words, s.boxed) {
			t.Errorf("%s shows the id of a listing: %s", address, words)
		}
	}
	// A member's country is known.
	if page := s.ben.read(t, at); !strings.Contains(page, "Postage to Germany") {
		t.Errorf("a member in Germany reads %s", mainOf(page))
	}
	// The page follows its listings.
	s.do(t, "GET", at)
	s.ann.ask(t, "PATCH", "/api/listings/"+s.boxed, `{"price":"1111"}`, 200, "If-Match", "*")
	if _, page := s.do(t, "GET", at); !strings.Contains(page, "€1,111") {
		t.Errorf("after a reduction the comparison is %s", mainOf(page))
	}
}

// TestCompareListingsRefuses tests what a comparison does not take.
func TestCompareListingsRefuses(t *testing.T) {
	t.Parallel()
	s := newComparedListings(t)
	var more []string
	for i := range 3 {
		more = append(more, s.ann.list(t, strings.Replace(r6, "boxed", fmt.Sprint("number ", i), 1)))
	}
	draft := s.ann.ask(t, "POST", "/api/listings", r6, 201)["id"].(string)
	five := "listing=" + strings.Join(more, ",") + "," + s.boxed + "," + s.worn
	for query, want := range map[string]string{
		"listing=" + s.boxed:                 "2 to 4 different listings; the request has 1",
		"listing=" + s.boxed + "," + s.boxed: "the request has 1",
		five:                                 "the request has 5",
		"listing=" + s.boxed + "," + unknownListing:                         `There is no listing with the id \"` + unknownListing,
		"listing=" + s.boxed + ",nonsense":                                  `There is no listing with the id \"nonsense\"`,
		"listing=" + s.boxed + "," + draft:                                  `There is no listing with the id \"` + draft,
		"listing=" + s.boxed + "," + s.worn + "&gear=canon/eos-r6":          "Compare either models or listings, not both.",
		"listing=" + strings.Repeat("x", 40) + "," + s.worn + "&ship_to=DE": `"field":"listing"`,
	} {
		resp, body := s.do(t, "GET", "/api/compare?"+query)
		if resp.StatusCode != 400 || !strings.Contains(body, want) {
			t.Errorf("%s is %d %s, want 400 with %q", query, resp.StatusCode, body, want)
		}
	}
	if resp, body := s.do(t, "GET", "/compare?gear=canon/eos-r6&listing="+s.boxed); resp.StatusCode != 400 || !strings.Contains(unescaped(body), "Compare either models or listings, not both.") {
		t.Errorf("a page of both is %d %s", resp.StatusCode, mainOf(body))
	}
	if resp, body := s.do(t, "GET", "/api/compare?listing="+s.boxed+","+s.worn+"&ship_to=Atlantis"); resp.StatusCode != 422 || !strings.Contains(body, `"field":"ship_to"`) {
		t.Errorf("an unknown country is %d %s", resp.StatusCode, body)
	}
	// Who checks too many boxes sees the first.
	if resp, body := s.do(t, "GET", "/compare?"+five); resp.StatusCode != 200 || !strings.Contains(body, "up to 4 listings at a time. The others were left out.") || strings.Contains(body, "well travelled") {
		t.Errorf("five listings are %d %s", resp.StatusCode, mainOf(body))
	}
	if resp, body := s.do(t, "GET", "/compare?gear=canon/eos-r6,sony/alpha-7-iii,nikon/d850,nikon/d750,leica/m6,fujifilm/x-t4,fujifilm/x-t3"); resp.StatusCode != 200 || !strings.Contains(body, "up to 6 models at a time. The others were left out.") {
		t.Errorf("seven models are %d %s", resp.StatusCode, mainOf(body))
	}
}

// TestCompareListingsTool compares listings as an agent does.
func TestCompareListingsTool(t *testing.T) {
	t.Parallel()
	s := newComparedListings(t)
	session := s.connect(t, web.MCPPath, eras[0])
	result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "compare_gear", Arguments: map[string]any{"listing": []string{s.boxed, s.worn}, "ship_to": "DE"}})
	if err != nil || result.IsError {
		t.Fatal(err, result)
	}
	structured := encode(result.StructuredContent)
	for _, want := range []string{`"total":"1255.90 EUR"`, `"postage":"Collection only"`, `"condition":"excellent"`, `"seller_ratings":0`, `"included":["battery","box"]`} {
		if !strings.Contains(structured, want) {
			t.Errorf("the result lacks %s: %s", want, structured)
		}
	}
	if text := result.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, "«EOS R6, well travelled»") || !strings.Contains(text, "≠ Included") {
		t.Errorf("its text is %s", text)
	}
	if n := tokens(t, result); n > 1000 {
		t.Errorf("two listings take %d tokens", n)
	}
}
