package handlers

import (
	"context"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// TestCorrectCatalog tests that gear that the owner adds or corrects is known at once to
// searches, to the pages of gear and to new listings, and goes again.
func TestCorrectCatalog(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	s.feed.Correct(s.catalog)
	op := s.join(t, "the-operator", models.RoleOperator)
	added := op.ask(t, "POST", "/api/admin/catalog", `{"brand":"Canon","model":"Prototype Nine","category":"mirrorless","mount":"RF","year":"2026","launch_price":"2499","aliases":["P-Nine"]}`, 201)
	if added["gear"] != "canon/prototype-nine" || added["state"] != "added" || added["mount"] != "Canon RF" {
		t.Fatalf("answered %v", added)
	}
	id := op.sells(t, "Canon Prototype Nine, boxed", "canon/prototype-nine", 149900)
	s.awaitIndex(t, id, true)
	for address, want := range map[string]string{
		"/listings?keyword=p-nine":             "Canon Prototype Nine, boxed",
		"/listings?model=prototype-nine":       "Canon Prototype Nine, boxed",
		"/gear/canon/prototype-nine":           "€2,499",
		"/gear?keyword=prototype+nine":         "/gear/canon/prototype-nine",
		"/api/suggest?q=canon+protot":          "Prototype Nine",
		"/listings?mount=canon-rf&brand=canon": "Canon Prototype Nine, boxed",
	} {
		if _, body := s.do(t, "GET", address); !strings.Contains(body, want) {
			t.Errorf("%s lacks %s", address, want)
		}
	}
	resp, _ := op.post(t, "/admin/catalog/canon/prototype-nine", "year=2025&aliases=P9")
	if resp.StatusCode != http.StatusSeeOther {
		t.Errorf("the form is answered with %d", resp.StatusCode)
	}
	picture := base64.StdEncoding.EncodeToString(picturetest.JPEG(t, 64, 48))
	withPicture := op.ask(t, "PATCH", "/api/admin/catalog/canon/prototype-nine", `{"picture":["`+picture+`"]}`, 200)
	path, _ := withPicture["picture"].(string)
	if resp, _ := s.do(t, "GET", path); resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "image/jpeg" || withPicture["year"] != 2025.0 {
		t.Errorf("the picture %q is %d", path, resp.StatusCode)
	}
	if _, page := s.do(t, "GET", "/gear/canon/prototype-nine", "Accept", "text/html"); !strings.Contains(page, path) {
		t.Error("the page of the gear lacks its picture")
	}
	invalid := op.ask(t, "POST", "/api/admin/catalog", `{"brand":"","model":"|","category":"mirrorless","mount":"Nonsense","focal_min":"x","launch_price":"much"}`, 400)
	if fields, _ := invalid["errors"].([]any); len(fields) < 5 {
		t.Errorf("the error doesn't list all faults: %v", invalid)
	}
	resp, file := s.do(t, "GET", "/admin/catalog/export.csv", "Cookie", op.cookie)
	if resp.StatusCode != 200 || !strings.HasPrefix(file, "brand,model,") || !strings.Contains(file, "Canon,Prototype Nine,canon,prototype-nine") {
		t.Errorf("the export is %d: %s", resp.StatusCode, file)
	}
	op.ask(t, "DELETE", "/api/admin/catalog/canon/prototype-nine", "", 409)
	op.ask(t, "PATCH", "/api/admin/catalog/canon/eos-r6", `{"model":"EOS Arsix"}`, 200)
	if page := op.read(t, "/admin/catalog?keyword=arsix"); !strings.Contains(page, "Canon EOS Arsix") {
		t.Error("the corrected name is not found")
	}
	op.ask(t, "DELETE", "/api/admin/catalog/canon/eos-r6", "", 200)
	if got := s.catalog.Gear("canon/eos-r6").Model; got != "EOS R6" {
		t.Errorf("after the removal it is %s", got)
	}
}

// TestRunImports tests an import from the upload to the rejected rows, another while it
// runs, and one that is cancelled.
func TestRunImports(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	op := s.join(t, "the-operator", models.RoleOperator)
	start := func(file string, status int) map[string]any {
		return op.ask(t, "POST", "/api/admin/imports", `{"region":"DE","file":"`+base64.StdEncoding.EncodeToString([]byte(file))+`"}`, status)
	}
	const shop = "Handle,Title,Vendor,Tags,Variant Price,Status\nr6,EOS R6,Canon,Excellent,1249.00,active\nz6,Nikon Z6,Nikon,,free,active\n=1,Old,,,5,draft\n"
	started := start(shop, 201)
	id, _ := started["id"].(string)
	if started["source"] != "shopify" || started["status"] != "running" {
		t.Fatalf("answered %v", started)
	}
	start(shop, 409)
	must(s.RunImports(context.Background()))
	done := op.ask(t, "GET", "/api/admin/imports/"+id, "", 200)
	if done["status"] != "done" || done["rows"] != 3.0 || done["inserted"] != 1.0 || done["rejected_total"] != 1.0 || done["skipped"] != 1.0 || done["percent"] != 100.0 {
		t.Errorf("the import is %v", done)
	}
	if _, csv := s.do(t, "GET", "/admin/imports/"+id+".csv", "Cookie", op.cookie); !strings.Contains(csv, "shopify-z6,Nikon Z6") || !strings.Contains(csv, "invalid_price") {
		t.Errorf("the rejected rows are %s", csv)
	}
	if page := op.read(t, "/admin/imports/"+id); !strings.Contains(page, "Download rejected rows") {
		t.Error("the page has no link to the rejected rows")
	}
	again := start(shop, 201)
	must(s.RunImports(context.Background()))
	if done := op.ask(t, "GET", "/api/admin/imports/"+again["id"].(string), "", 200); done["inserted"] != 0.0 || done["unchanged"] != 1.0 {
		t.Errorf("the second import is %v", done)
	}

	sales := "external_id,title,condition,price,sold_at,region\na,Canon EOS R6,good,900,2025-11-01,DE\n"
	cancelled := start(sales, 201)
	if cancelled["source"] != "sales" {
		t.Errorf("answered %v", cancelled)
	}
	op.ask(t, "POST", "/api/admin/imports/"+cancelled["id"].(string)+"/cancel", "", 200)
	op.ask(t, "POST", "/api/admin/imports/"+cancelled["id"].(string)+"/cancel", "", 409)
	must(s.RunImports(context.Background()))
	if done := op.ask(t, "GET", "/api/admin/imports/"+cancelled["id"].(string), "", 200); done["status"] != "cancelled" || done["inserted"] != 0.0 {
		t.Errorf("the cancelled import is %v", done)
	}
	broken := start("a;b\n1;2\n", 201)
	must(s.RunImports(context.Background()))
	if done := op.ask(t, "GET", "/api/admin/imports/"+broken["id"].(string), "", 200); done["status"] != "failed" || done["error"] == "" {
		t.Errorf("the broken import is %v", done)
	}
	member := s.join(t, "a-member", models.RoleMember)
	member.ask(t, "GET", "/api/admin/imports/"+id, "", 403)
	if resp, body := s.do(t, "GET", "/admin/imports/"+id+".csv", "Cookie", member.cookie); resp.StatusCode == 200 || strings.Contains(body, "Nikon") {
		t.Errorf("a member reads the rejected rows: %d", resp.StatusCode)
	}
}
