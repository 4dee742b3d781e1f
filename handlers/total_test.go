package handlers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// TestTotalPrice tests searches with what listings cost delivered to a country.
func TestTotalPrice(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	ann := s.join(t, "ann", models.RoleMember) // in Germany
	search := func(query string, header ...string) map[string]any {
		t.Helper()
		resp, body := s.do(t, "GET", "/api/listings/search?limit=100"+query, header...)
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("%s is %d: %s", query, resp.StatusCode, body)
		}
		return decodeObject(t, body)
	}
	order := func(found map[string]any) (keys []float64) {
		for _, l := range found["listings"].([]any) {
			listing := l.(map[string]any)
			d := listing["delivery"].(map[string]any)
			key, price := 0.0, listing["price"]
			switch d["terms"] {
			case "ships":
				price = d["total_price"]
			case "not_shipped", "pickup_only":
				key = 1e9
			}
			var amount float64
			fmt.Sscan(price.(map[string]any)["amount"].(string), &amount)
			keys = append(keys, key+amount)
		}
		return keys
	}
	for _, country := range []string{"DE", "germany", "US-CA"} {
		keys := order(search("&sort=total&ship_to=" + country))
		for i := 1; i < len(keys); i++ {
			if keys[i] < keys[i-1] {
				t.Fatalf("to %s: %v comes before %v", country, keys[i-1], keys[i])
			}
		}
		if len(keys) < 2 {
			t.Fatalf("to %s: %d listings", country, len(keys))
		}
	}
	if found := search("&sort=newest"); strings.Contains(fmt.Sprint(found), "delivery") {
		t.Error("delivery to nowhere")
	}
	// Without a country, that of the member is used, and never cached for others.
	for range 3 {
		anonymous := search("&sort=total")
		if q := anonymous["query"].(map[string]any); q["sort"] != "price" || q["ship_to"] != nil || !strings.Contains(fmt.Sprint(anonymous["warnings"]), "ship_to") {
			t.Errorf("without a country: %v %v", q, anonymous["warnings"])
		}
		member := search("&sort=total", "Authorization", "Bearer "+ann.token)
		if q := member["query"].(map[string]any); q["sort"] != "total" || fmt.Sprint(q["ship_to"]) != "[DE]" {
			t.Errorf("of a member in Germany: %v", q)
		}
	}
	for query, want := range map[string]string{"ship_to=EU": "Name the country", "ship_to=Atlantis": `"field":"ship_to"`} {
		if resp, body := s.do(t, "GET", "/api/listings/search?"+query); resp.StatusCode/100 != 4 || !strings.Contains(body, want) {
			t.Errorf("%s is %d: %s", query, resp.StatusCode, body)
		}
	}
	// The pages of a search know the one before.
	links := func(path string) map[string]any {
		_, body := s.do(t, "GET", path)
		return decodeObject(t, body)["links"].(map[string]any)
	}
	one := links("/api/listings/search?sort=total&ship_to=DE&limit=2")
	two := links(one["next"].(string))
	three := links(two["next"].(string))
	if one["prev"] != nil || two["prev"] != one["self"] || three["prev"] == nil || links(three["prev"].(string))["next"] != two["next"] {
		t.Errorf("links %v, %v, %v", one, two, three)
	}
	// People choose the country in a form, and read what each listing costs.
	_, page := s.do(t, "GET", "/listings?sort=total&ship_to=DE", "Accept", "text/html")
	for _, want := range []string{`<option value="DE" selected>Germany</option>`, `name="ship_to"`, "Price + postage", " postage = <b>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	_, page = s.do(t, "GET", "/listings?sort=total&keyword=canon", "Accept", "text/html")
	if !strings.Contains(page, "Choose a country to sort by total price") || !strings.Contains(page, `<input type="hidden" name="sort" value="total"`) || strings.Contains(page, "sort=total needs") {
		t.Error("the page does not ask for the country")
	}
}

// decodeObject decodes a JSON object.
func decodeObject(t testing.TB, body string) (object map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &object); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return object
}
