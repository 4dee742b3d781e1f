package handlers

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

// r6 is a listing in JSON.
const r6 = `{"gear":"canon/eos-r6","title":"Canon EOS R6, boxed","price":{"amount":"1249.00","currency":"EUR"},"condition":"excellent",
	"functional":"fully_working","defects":["dust"],"included":["battery","box"],"shutter_count":18204,"description":"Bought new.\n\nHardly used.","region":"DE","serial":"SN-4711"}`

// list creates and publishes a listing and returns its id. Each is another item: r6 has
// a serial number of its own each time.
func (m *testMember) list(t testing.TB, body string) string {
	t.Helper()
	body = strings.Replace(body, `"SN-4711"`, `"SN-4711-`+models.NewID(testNow)+`"`, 1)
	id := m.ask(t, "POST", "/api/listings", body, 201)["id"].(string)
	m.ask(t, "POST", "/api/listings/"+id+"/publish", "", 200)
	return id
}

// TestLifeOfAListing tests a listing from draft to sold, with JSON.
func TestLifeOfAListing(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, ben := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember)
	resp, text := s.send(t, "POST", "/api/listings", r6, "Authorization", "Bearer "+ann.token, "Content-Type", "application/json")
	if resp.StatusCode != 201 {
		t.Fatalf("creating is %d: %s", resp.StatusCode, text)
	}
	at := resp.Header.Get("Location")
	draft := ann.ask(t, "GET", at, "", 200)
	id := draft["id"].(string)
	if at != "/api/listings/"+id || draft["status"] != "draft" || draft["category"] != "mirrorless" || draft["shutter_count"] != 18204.0 || draft["region"] != "DE" {
		t.Fatalf("the draft at %s is %v", at, draft)
	}
	ben.ask(t, "GET", at, "", 404)
	ben.ask(t, "PATCH", at, `{"title":"mine"}`, 404, "If-Match", `"v1-0"`)
	ben.ask(t, "POST", at+"/publish", "", 404)
	if resp, _ := s.do(t, "GET", at); resp.StatusCode != 404 {
		t.Errorf("the draft is %d for nobody", resp.StatusCode)
	}

	ann.ask(t, "PATCH", at, `{"price":"1199"}`, 428)
	resp, _ = s.do(t, "GET", at, "Authorization", "Bearer "+ann.token)
	etag := resp.Header.Get("ETag")
	edited := ann.ask(t, "PATCH", at, `{"price":"1199","title":"Canon EOS R6"}`, 200, "If-Match", etag)
	if edited["version"] != 2.0 || edited["title"] != "Canon EOS R6" || fmt.Sprint(edited["defects"]) != fmt.Sprint(draft["defects"]) {
		t.Errorf("the edit answers %v", edited)
	}
	if code := ann.ask(t, "PATCH", at, `{"price":"1099"}`, 412, "If-Match", etag)["code"]; code != "listing_changed" {
		t.Errorf("a stale edit is %v", code)
	}
	if code := ann.ask(t, "PATCH", at, `{"price":"1099"}`, 412, "If-Match", "nonsense")["code"]; code != "listing_changed" {
		t.Errorf("a nonsense If-Match is %v", code)
	}

	live := ann.ask(t, "POST", at+"/publish", "", 200)
	if live["status"] != "active" || live["expires_at"] == nil || live["published_at"] == nil {
		t.Errorf("published it is %v", live)
	}
	if code := ann.ask(t, "POST", at+"/publish", "", 409)["code"]; code != "wrong_status" {
		t.Errorf("publishing twice is %v", code)
	}
	s.awaitListing(t, id, true)
	ben.ask(t, "POST", at+"/reserve", "", 403)
	ann.ask(t, "PATCH", at, `{"price":{"amount":"1149.50","currency":"EUR"}}`, 200, "If-Match", "*")
	_, text = s.do(t, "GET", "/listings/"+id+".json")
	for _, want := range []string{`"price_history":[{"price":{"amount":"1199.00","currency":"EUR"}`, `"amount":"1149.50"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the listing does not say %s: %s", want, text)
		}
	}
	for _, format := range []string{"", ".md"} {
		if _, text := s.do(t, "GET", "/listings/"+id+format); !strings.Contains(text, "€1,199 until") {
			t.Errorf("the format %q doesn't have the earlier price", format)
		}
	}
	if strings.Contains(text, "SN-4711") {
		t.Error("the serial number is shown")
	}

	ann.ask(t, "POST", at+"/reserve", "", 200)
	s.awaitListing(t, id, false)
	ann.ask(t, "POST", at+"/relist", "", 200)
	ann.ask(t, "POST", at+"/end", `{}`, 400)
	ann.ask(t, "POST", at+"/end", `{"reason":"boredom"}`, 400)
	ended := ann.ask(t, "POST", at+"/end", `{"reason":"kept"}`, 200)
	if ended["status"] != "ended" || ended["end_reason"] != "kept" {
		t.Errorf("ended it is %v", ended)
	}
	ann.ask(t, "POST", at+"/sold", `{"price":"1100"}`, 409)
	ann.ask(t, "PATCH", at, `{"price":"1099"}`, 409, "If-Match", "*")
	ann.ask(t, "POST", at+"/relist", "", 200)
	ann.ask(t, "POST", at+"/sold", `{}`, 400)
	sold := ann.ask(t, "POST", at+"/sold", `{"price":{"amount":"1100","currency":"EUR"}}`, 200)
	if sold["status"] != "sold" || fmt.Sprint(sold["sold_price"]) != "map[amount:1100.00 currency:EUR]" {
		t.Errorf("sold it is %v", sold)
	}
	if got := get(t, sold, "sale.state"); got != "declared" {
		t.Errorf("the sale is %v", got)
	}
	if _, body := s.do(t, "GET", at); strings.Contains(body, "sold_price") || strings.Contains(body, "declared") {
		t.Errorf("everybody reads what the seller declares: %s", body)
	}
	away := ann.list(t, r6)
	ann.ask(t, "POST", "/api/listings/"+away+"/sold", `{"price":"900","sold_here":false}`, 200)
	if n, err := s.store.Trades.CountSales(t.Context()); err != nil || n != 0 {
		t.Errorf("what the seller declares alone counts: %d sales, %v", n, err)
	}
}

// awaitListing waits until a search finds a listing, or no longer finds it.
func (s *testServer) awaitListing(t testing.TB, id string, found bool) {
	t.Helper()
	var text string
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if _, text = s.do(t, "GET", "/api/listings/search?model=canon/eos-r6"); strings.Contains(text, id) == found {
			return
		}
	}
	t.Errorf("found is not %v: %s", found, text)
}

// TestWhatIsListed tests how gear and category are found.
func TestWhatIsListed(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	const rest = `,"price":"450","condition":"good","region":"DE"}`
	for _, c := range []struct {
		body   string
		status int
		want   string
	}{
		{`{"title":"Canon EOS R6 body, boxed"` + rest, 201, `"gear":"canon/eos-r6"`},
		{`{"gear":"canon/eos-r6"` + rest, 201, `"title":"Canon EOS R6"`},
		{`{"gear":"canon/eos-r6","category":"other"` + rest, 201, `"category":"mirrorless"`},
		{`{"title":"Canon EOS R6 neck strap","category":"accessory"` + rest, 201, `"category":"accessory"`},
		{`{"gear":"","title":"Canon EOS R6","category":"other"` + rest, 201, `"category":"other"`},
		{`{"gear":"","title":"Canon EOS R6"` + rest, 400, `"field":"category"`},
		{`{"title":"A box of odds and ends"` + rest, 400, `"field":"category"`},
		{`{"gear":"canon/eos-r66"` + rest, 422, "canon/eos-r6"},
		{`{"gear":"canon/eos-r6","condition":"good"}`, 400, `"field":"price"`},
		{`{"gear":"canon/eos-r6","condition":"good","price":"0"}`, 400, `"field":"price"`},
		{`{"gear":"canon/eos-r6","condition":"good","price":{"amount":"12.345","currency":"EUR"}}`, 400, `"field":"price"`},
		{`{"gear":"canon/eos-r6","condition":"good","price":{"amount":"450","currency":"USD"}}`, 400, `"field":"price"`},
		{`{"gear":"canon/eos-r6","condition":"tidy","price":"450","region":"DE"}`, 422, `"field":"condition"`},
		{`{"gear":"canon/eos-r6","defects":["rust"]` + rest, 422, `"field":"defects"`},
		{`{"gear":"canon/eos-r6","price":"450","condition":"good","region":"ZZ"}`, 422, `"field":"region"`},
		{`{"gear":"canon/eos-r6","price":"450","condition":"good","region":"us-ca"}`, 201, `"region":"US-CA"`},
		{`{"gear":"canon/eos-r6","shutter_count":-1` + rest, 400, `"field":"shutter_count"`},
	} {
		resp, text := s.send(t, "POST", "/api/listings", c.body, "Authorization", "Bearer "+ann.token, "Content-Type", "application/json")
		if resp.StatusCode != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s is %d %.300s, want %d %s", c.body, resp.StatusCode, text, c.status, c.want)
		}
	}
}

// r6Form is a listing as a form.
func r6Form() url.Values {
	return url.Values{"gear": {"canon/eos-r6"}, "title": {"Canon EOS R6, boxed"}, "category": {""}, "price": {"1249,50"}, "condition": {"excellent"}, "functional": {"fully_working"},
		"defects": {"", "dust", "scratches"}, "included": {"battery\r\nbox, with manual"}, "shutter_count": {""}, "description": {"Bought new.\r\n\r\nHardly used."}, "region": {"DE"}, "serial": {"SN-4711"}}
}

// TestSellForms tests selling with the forms of a browser.
func TestSellForms(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	start := ann.read(t, "/sell")
	editor := formAction.FindString(start)
	if !strings.Contains(start, "What are you selling?") || !strings.Contains(start, `name="price"`) || editor == "" {
		t.Fatalf("selling is not one form: %s", start)
	}
	if body := ann.read(t, "/sell?title=canon+eos+r6+body"); !strings.Contains(body, `<option value="canon/eos-r6" selected>`) {
		t.Errorf("a pasted title does not lead to its gear")
	}
	if body := ann.read(t, "/sell?title=leica"); !strings.Contains(body, `<option value="leica`) || !strings.Contains(body, `<option value="" selected>`) {
		t.Errorf("a name of several does not ask which")
	}
	form := r6Form()
	form.Set("price", "plenty")
	resp, body := ann.post(t, editor, form.Encode())
	if resp.StatusCode != 400 {
		t.Fatalf("a wrong form is %d", resp.StatusCode)
	}
	for _, want := range []string{`value="plenty" required`, `value="Canon EOS R6, boxed"`, `value="excellent" required checked`, `value="dust" checked`, "Hardly used.", "box, with manual", `value="SN-4711"`, `value="DE" selected`, `value="canon/eos-r6" selected`, "isn&#39;t an amount"} {
		if !strings.Contains(body, want) {
			t.Errorf("the form was shown again without %s", want)
		}
	}
	resp, _ = ann.post(t, editor, r6Form().Encode())
	if resp.StatusCode != 303 || resp.Header.Get("Location") != editor {
		t.Fatalf("the form is %d to %q", resp.StatusCode, resp.Header.Get("Location"))
	}
	body = ann.read(t, editor)
	for _, want := range []string{`value="1249.50"`, "SN-4711", "box, with manual", `value="scratches" checked`, `name="if_match" value="3"`, "Publish", "Discard"} {
		if !strings.Contains(body, want) {
			t.Errorf("the form of the draft has no %s", want)
		}
	}
	edit := r6Form()
	edit.Set("if_match", "3")
	edit["defects"] = []string{""}
	if resp, body := ann.post(t, editor, edit.Encode()); resp.StatusCode != 303 || resp.Header.Get("Location") != editor {
		t.Fatalf("the edit is %d to %q: %.500s", resp.StatusCode, resp.Header.Get("Location"), body)
	}
	if body = ann.read(t, editor); strings.Contains(body, `value="scratches" checked`) {
		t.Error("a defect that was taken away is still there")
	}
	edit.Set("title", "Typed meanwhile")
	if resp, body := ann.post(t, editor, edit.Encode()); resp.StatusCode != 412 || !strings.Contains(body, "Typed meanwhile") || !strings.Contains(body, `name="if_match" value="4"`) {
		t.Errorf("a stale edit is %d and not shown again", resp.StatusCode)
	}
	if resp, body := ann.post(t, editor+"/publish", ""); resp.StatusCode != 409 || !strings.Contains(body, "Publish without photos?") {
		t.Errorf("publishing without a photo is %d and not asked", resp.StatusCode)
	}
	resp, _ = ann.post(t, editor+"/publish", "without_photos=true")
	listing := resp.Header.Get("Location")
	if resp.StatusCode != 303 || !strings.HasPrefix(listing, "/listings/") {
		t.Fatalf("publishing is %d to %q", resp.StatusCode, listing)
	}
	if body := ann.read(t, listing); !strings.Contains(body, editor+"/reserve") || !strings.Contains(body, editor+"/sold") {
		t.Error("the listing's page has no steps for its seller")
	}
	if _, body := s.do(t, "GET", listing, "Accept", "text/html"); strings.Contains(body, editor) {
		t.Error("the listing's page has steps for others")
	}
	if resp, body := ann.post(t, editor+"/sold", "price=nothing"); resp.StatusCode != 400 || !strings.Contains(body, `<details open>`) || !strings.Contains(body, `value="nothing"`) {
		t.Errorf("a wrong sale is %d and not shown again", resp.StatusCode)
	}
	if resp, _ := ann.post(t, editor+"/sold", "price=1100"); resp.StatusCode != 303 {
		t.Errorf("the sale is %d", resp.StatusCode)
	}
	if body := ann.read(t, listing); !strings.Contains(body, "Sold on") {
		t.Error("the page does not say that it is sold")
	}
}

// TestMyListings tests the list of a seller's listings, and imports.
func TestMyListings(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, ben := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember)
	draft := ann.ask(t, "POST", "/api/listings", r6, 201)["id"].(string)
	live := ann.list(t, r6)
	sold := ann.list(t, r6)
	ann.ask(t, "POST", "/api/listings/"+sold+"/sold", `{"price":"1100"}`, 200)
	ben.list(t, r6)
	statuses := func() string {
		var all []string
		for _, l := range ann.ask(t, "GET", "/api/me/listings", "", 200)["listings"].([]any) {
			all = append(all, l.(map[string]any)["status"].(string))
		}
		return strings.Join(all, " ")
	}
	if got := statuses(); got != "draft active sold" {
		t.Errorf("ann's listings are %s", got)
	}
	if resp, _ := s.do(t, "GET", "/api/me/listings"); resp.StatusCode != 401 {
		t.Errorf("nobody's listings are %d", resp.StatusCode)
	}
	body := ann.read(t, "/account/listings")
	for _, want := range []string{"What needs attention", "/sell/" + draft + "/publish", "/sell/" + live + "/reserve", "No photos yet. Add some.", `href="/account/advanced#import"`} {
		if !strings.Contains(body, want) {
			t.Errorf("ann's listings do not show %s", want)
		}
	}
	ann.ask(t, "GET", "/api/me/listings?status=active&limit=1", "", 200)
	ann.list(t, r6)
	first := ann.ask(t, "GET", "/api/me/listings?status=active&limit=1", "", 200)
	second := ann.ask(t, "GET", "/api/me/listings?status=active&limit=1&cursor="+url.QueryEscape(first["next_cursor"].(string)), "", 200)
	id := func(page map[string]any) any { return page["listings"].([]any)[0].(map[string]any)["id"] }
	if second["next_cursor"] != nil || id(first) == id(second) || id(first) != live && id(second) != live {
		t.Errorf("the second page is %v", second)
	}
	ann.ask(t, "GET", "/api/me/listings?cursor=x", "", 400)

	// Importing an unchanged export changes nothing; importing an edited one does.
	_, file := s.do(t, "GET", "/account/listings.csv", "Cookie", ann.cookie)
	if strings.Count(file, "canon/eos-r6") != 4 || strings.Contains(file, "SN-4711") || strings.Contains(file, "ben") {
		t.Fatalf("the export is %s", file)
	}
	report := ann.importFile(t, file, 200)
	if report["unchanged"] != 4.0 || report["updated"] != 0.0 || report["inserted"] != 0.0 {
		t.Errorf("the same file again is %v", report)
	}
	if body := ann.read(t, "/sell/"+live); !strings.Contains(body, "SN-4711") {
		t.Error("the import has taken the serial number away")
	}
	etag := `"v2-0"`
	report = ann.importFile(t, strings.ReplaceAll(file, "1249.00", "1111.00"), 200)
	if report["updated"] != 3.0 || report["unchanged"] != 1.0 {
		t.Errorf("the changed file is %v", report)
	}
	changed := ann.ask(t, "GET", "/api/listings/"+live, "", 200)
	if changed["price"].(map[string]any)["amount"] != "1111.00" || len(changed["price_history"].([]any)) != 1 {
		t.Errorf("after the import the listing is %v", changed)
	}
	ann.ask(t, "PATCH", "/api/listings/"+live, `{"title":"x"}`, 412, "If-Match", etag)

	const mixed = "external_id,seller,title,condition,price,region,gear\n" +
		"a,,Canon EOS R6,excellent,900.00,DE,\n" +
		"b,ben,Canon EOS R6,excellent,900.00,DE,\n" +
		"c,,Canon EOS R6,mint,900.00,DE,\n" +
		"d,,Strap,good,9.00,DE,none\n" +
		"e,,Strap,good,9.00,DE,canon/eos-r66\n"
	report = ann.importFile(t, mixed, 200)
	if report["inserted"] != 2.0 || len(report["rejected"].([]any)) != 3 {
		t.Fatalf("the mixed file is %v", report)
	}
	for i, line := range []float64{3, 4, 6} {
		row := report["rejected"].([]any)[i].(map[string]any)
		if row["line"] != line || row["reason"] == "" || row["hint"] == "" {
			t.Errorf("row %d is rejected as %v", i, row)
		}
	}
	resp, body := ann.post(t, "/account/listings", "publish=true")
	if resp.StatusCode != 400 || !strings.Contains(body, "File is required") {
		t.Errorf("no file is %d", resp.StatusCode)
	}
	ann.importFile(t, "external_id;title\n", 400)

	resp, _ = ann.post(t, "/sell/"+draft+"/discard", "")
	if resp.StatusCode != 303 || resp.Header.Get("Location") != "/account/listings" {
		t.Errorf("discarding is %d to %q", resp.StatusCode, resp.Header.Get("Location"))
	}
	ann.ask(t, "GET", "/api/listings/"+draft, "", 404)
	ann.ask(t, "DELETE", "/api/listings/"+live, "", 409)
	ben.ask(t, "DELETE", "/api/listings/"+live, "", 403)
}

// importFile imports a file over the API.
func (m *testMember) importFile(t testing.TB, file string, status int) map[string]any {
	t.Helper()
	body, err := json.Marshal(map[string]any{"file": []byte(file)})
	must(err)
	return m.ask(t, "POST", "/api/me/listings", string(body), status)
}

// TestPriceGuide tests the price guide, with enough sales and with too few.
func TestPriceGuide(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleOperator) // whose shop's sales count
	if _, text := s.do(t, "GET", "/api/price-guide?gear=canon/eos-r6&condition=excellent"); !strings.Contains(text, "insufficient_data") || strings.Contains(text, `"median"`) {
		t.Errorf("without sales the guide says %s", text)
	}
	for i := range prices.MinSales {
		id := ann.list(t, r6)
		ann.ask(t, "POST", "/api/listings/"+id+"/sold", fmt.Sprintf(`{"price":"%d"}`, 1000+10*i), 200)
	}
	_, text := s.do(t, "GET", "/api/price-guide?gear=Canon+EOS+R6&condition=excellent")
	for _, want := range []string{`"median":{"amount":"1020.00","currency":"EUR"}`, `"p25":{"amount":"1010.00"`, `"p75":{"amount":"1030.00"`, `"sample_size":5`, `"time_to_sell":{"status":"ok"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the guide does not say %s: %s", want, text)
		}
	}
	for _, target := range []string{"/prices?gear=canon/eos-r6&condition=excellent", "/prices.md?gear=canon/eos-r6&condition=excellent"} {
		if _, text := s.do(t, "GET", target); !strings.Contains(text, "€1,020") || !strings.Contains(text, "5 sales") {
			t.Errorf("%s does not state the median and the sales", target)
		}
	}
	if body := ann.read(t, "/sell?gear=canon/eos-r6"); !strings.Contains(body, "What to ask for") || !strings.Contains(body, "€1,020") || !strings.Contains(body, `name="use_price" value="1020"`) {
		t.Error("the price helper is not beside the form")
	}
	if resp, _ := s.do(t, "GET", "/api/price-guide?gear=nothing-like-it"); resp.StatusCode != 404 {
		t.Errorf("gear nobody knows is %d", resp.StatusCode)
	}
	if resp, _ := s.do(t, "GET", "/api/price-guide?gear=canon/eos-r6&condition=tidy"); resp.StatusCode != 422 {
		t.Errorf("a condition nobody knows is %d", resp.StatusCode)
	}
}
