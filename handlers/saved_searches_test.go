package handlers

import (
	"net/url"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

func TestSavedSearchesAreStored(t *testing.T) {
	t.Parallel()
	s, _ := newClockedMarket(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	made := ann.ask(t, "POST", "/api/searches", `{"keyword":"canon r6","budget":"-900","brand":["canon"],"every":"weekly","email":false,"webhook":"https://hook.example/a"}`, 201)
	id := made["id"].(string)
	if made["every"] != "weekly" || made["email"] != false || made["webhook"] != "https://hook.example/a" || made["name"] != "canon r6" ||
		!strings.HasPrefix(made["webhook_secret"].(string), "whsec_") {
		t.Errorf("made %v", made)
	}
	query, err := url.ParseQuery(made["query"].(string))
	if err != nil || query.Get("keyword") != "canon r6" || query.Get("budget") == "" || query.Get("brand") != "canon" || query.Has("sort") || query.Has("limit") {
		t.Errorf("stored as %q", made["query"])
	}
	same := ann.ask(t, "POST", "/api/searches", `{"query":"/listings?brand=canon&keyword=canon+r6&budget=-900&sort=deal&limit=3","name":"The same"}`, 201)
	if same["query"] != made["query"] || same["email"] != true || same["every"] != "daily" {
		t.Errorf("the same is %v", same)
	}
	for body, field := range map[string]string{
		`{"query":"colour=red"}`: "query", `{"query":"budget=x"}`: "query", `{"query":"keyword=a","keyword":"b"}`: "query",
		`{"every":"hourly"}`: "every", `{"webhook":"http://127.0.0.1/"}`: "webhook", `{"webhook":"https://inside.example/"}`: "webhook",
		`{"webhook":"http://[::ffff:10.0.0.1]/"}`: "webhook", `{"webhook":"http://2130706433/"}`: "webhook", `{"webhook":"ftp://hook.example/"}`: "webhook",
		`{"name":"` + strings.Repeat("n", 101) + `"}`: "name",
	} {
		got := ann.ask(t, "POST", "/api/searches", body, 400)
		if first := got["errors"].([]any)[0].(map[string]any); first["field"] != field {
			t.Errorf("%s is refused for %v", body, first)
		}
	}
	ann.ask(t, "POST", "/api/searches", `{"region":"QQQ"}`, 422)
	edited := ann.ask(t, "PATCH", "/api/searches/"+id, `{"name":"Sixes","every":"instant","webhook":""}`, 200)
	if edited["name"] != "Sixes" || edited["every"] != "instant" || edited["webhook"] != nil || edited["query"] != made["query"] || edited["email"] != false {
		t.Errorf("edited %v", edited)
	}
	ann.ask(t, "PATCH", "/api/searches/"+id, `{"webhook":"http://inside.example/"}`, 400)
	resp, _ := s.do(t, "GET", "/api/searches/"+id, "Authorization", "Bearer "+ann.token)
	tag := resp.Header.Get("ETag")
	ann.ask(t, "PATCH", "/api/searches/"+id, `{"every":"daily"}`, 200, "If-Match", tag)
	if got := ann.ask(t, "PATCH", "/api/searches/"+id, `{"every":"weekly"}`, 412, "If-Match", tag); got["code"] != "search_changed" {
		t.Errorf("an old ETag: %v", got)
	}
	for _, method := range []string{"GET", "PATCH", "DELETE"} {
		bob.ask(t, method, "/api/searches/"+id, "", 404)
	}
	bob.ask(t, "POST", "/api/searches/"+id+"/rotate", "", 404)
	bob.ask(t, "POST", "/api/searches/"+id+"/test", "", 404)
	if got := ann.ask(t, "GET", "/api/searches", "", 200)["searches"].([]any); len(got) != 2 {
		t.Errorf("stored: %v", got)
	}
	ann.ask(t, "DELETE", "/api/searches/"+id, "", 200)
	ann.ask(t, "GET", "/api/searches/"+id, "", 404)
	if got := bob.ask(t, "GET", "/api/searches", "", 200)["searches"].([]any); len(got) != 0 {
		t.Errorf("somebody else's: %v", got)
	}
}

func TestSearchesAreSavedInABrowser(t *testing.T) {
	t.Parallel()
	s, _ := newClockedMarket(t)
	ann := s.join(t, "ann", models.RoleMember)
	_, results := s.do(t, "GET", "/listings?keyword=canon+r6&budget=-900", "Accept", "text/html")
	const save = "/account/searches/new?query=keyword%3Dcanon%2Br6%26budget%3D900"
	if !strings.Contains(results, `href="`+save+`"`) {
		t.Fatalf("the results have no link to %s: %s", save, results)
	}
	resp, _ := s.do(t, "GET", save, "Accept", "text/html")
	if to := resp.Header.Get("Location"); resp.StatusCode != 303 || to != "/sign-in?next="+url.QueryEscape(save) {
		t.Errorf("for nobody it is %d to %s", resp.StatusCode, to)
	}
	form := ann.read(t, save)
	for _, want := range []string{`name="query" value="keyword=canon+r6&amp;budget=900"`, `value="canon r6"`, "Keyword: canon r6"} {
		if !strings.Contains(form, want) {
			t.Errorf("the form does not have %s", want)
		}
	}
	resp, body := ann.post(t, "/account/searches", "query=keyword%3Dcanon%2Br6&name=Sixes&every=instant&email=&webhook=http%3A%2F%2F10.0.0.1%2F")
	if resp.StatusCode != 400 || !strings.Contains(body, `value="keyword=canon+r6"`) || !strings.Contains(body, `value="Sixes"`) || !strings.Contains(body, "found on the public internet") {
		t.Errorf("a wrong form is %d: %s", resp.StatusCode, body)
	}
	resp, _ = ann.post(t, "/account/searches", "query=keyword%3Dcanon%2Br6&name=Sixes&every=instant&email=&email=true&webhook=")
	at := resp.Header.Get("Location")
	if resp.StatusCode != 303 || !strings.HasPrefix(at, "/account/searches/") {
		t.Fatalf("saving is %d to %s", resp.StatusCode, at)
	}
	page := ann.read(t, at)
	for _, want := range []string{"<h1>Sixes</h1>", "/feeds/", `action="` + at + `/rotate"`, `action="` + at + `/delete"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %s", want)
		}
	}
	resp, _ = ann.post(t, at, "name=Sevens&every=daily&email=&webhook=")
	if resp.StatusCode != 303 || resp.Header.Get("Location") != at {
		t.Errorf("changing is %d", resp.StatusCode)
	}
	if got := ann.ask(t, "GET", "/api"+strings.TrimPrefix(at, "/account"), "", 200); got["name"] != "Sevens" || got["email"] != false || got["every"] != "daily" {
		t.Errorf("changed to %v", got)
	}
	if !strings.Contains(ann.read(t, "/account/searches"), "Sevens") {
		t.Error("the list does not have it")
	}
	for _, step := range []string{"/rotate", "/delete"} {
		if resp, _ := ann.post(t, at+step, ""); resp.StatusCode != 303 {
			t.Errorf("%s is %d", step, resp.StatusCode)
		}
	}
}

func TestFeedsOfSavedSearchesAreSecret(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s, _ := newClockedMarket(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	id := bob.sells(t, "Canon EOS R6 & more", "canon/eos-r6", 80000)
	bob.sells(t, "Nikon Z6", "nikon/z-6", 80000)
	made := ann.ask(t, "POST", "/api/searches", `{"keyword":"canon r6"}`, 201)
	atom := strings.TrimPrefix(made["atom"].(string), s.site.BaseURL)
	feed := strings.TrimPrefix(made["json_feed"].(string), s.site.BaseURL)
	if len(strings.TrimSuffix(strings.TrimPrefix(atom, "/feeds/"), ".atom")) < 40 {
		t.Errorf("the address %s can be guessed", atom)
	}
	for address, contentType := range map[string]string{atom: "application/atom+xml", feed: "application/feed+json"} {
		resp, body := s.do(t, "GET", address)
		if resp.StatusCode != 200 || !strings.HasPrefix(resp.Header.Get("Content-Type"), contentType) {
			t.Fatalf("%s is %d %s", address, resp.StatusCode, resp.Header.Get("Content-Type"))
		}
		if resp.Header.Get("Cache-Control") != "private, no-store" || !strings.Contains(resp.Header.Get("X-Robots-Tag"), "noindex") {
			t.Errorf("%s may be cached or indexed: %v", address, resp.Header)
		}
		if !strings.Contains(body, id) || strings.Contains(body, "Nikon") || !strings.Contains(body, s.site.BaseURL+address) {
			t.Errorf("%s: %s", address, body)
		}
	}
	bare := strings.TrimSuffix(atom, ".atom")
	for _, address := range []string{bare, bare + ".md", bare + ".json", "/feeds/" + strings.Repeat("a", 43) + ".atom", "/feeds/x.feed.json", "/feeds/%00.atom", bare[:len(bare)-1] + ".atom"} {
		if resp, _ := s.do(t, "GET", address); resp.StatusCode != 404 {
			t.Errorf("%s is %d", address, resp.StatusCode)
		}
	}
	for _, address := range []string{"/openapi.json", "/sitemap.xml", "/llms.txt", "/listings?keyword=canon"} {
		if _, body := s.do(t, "GET", address); strings.Contains(body, bare) {
			t.Errorf("%s names the feed", address)
		}
	}
	ann.ask(t, "POST", "/api/searches/"+made["id"].(string)+"/rotate", "", 200)
	if resp, _ := s.do(t, "GET", atom); resp.StatusCode != 404 {
		t.Errorf("the old address is %d", resp.StatusCode)
	}
	again := ann.ask(t, "GET", "/api/searches/"+made["id"].(string), "", 200)
	if resp, _ := s.do(t, "GET", strings.TrimPrefix(again["atom"].(string), s.site.BaseURL)); resp.StatusCode != 200 || again["webhook_secret"] == made["webhook_secret"] {
		t.Errorf("the new address is %d", resp.StatusCode)
	}
	ann.ask(t, "DELETE", "/api/searches/"+made["id"].(string), "", 200)
	if resp, _ := s.do(t, "GET", strings.TrimPrefix(again["atom"].(string), s.site.BaseURL)); resp.StatusCode != 404 {
		t.Errorf("the feed of a deleted search is %d", resp.StatusCode)
	}
}

func TestSavedSearchIsDescribedInTheLanguageOfItsReader(t *testing.T) {
	t.Parallel()
	s, _ := newClockedMarket(t)
	ann := s.join(t, "ann", models.RoleMember)
	made := ann.ask(t, "POST", "/api/searches", `{"keyword":"canon r6","category":"camera"}`, 201)
	if made["text"] != "Keyword: canon r6. Category: Cameras" {
		t.Errorf("JSON: %v", made["text"])
	}
	for _, path := range []string{"/account/searches.md", "/account/searches/" + made["id"].(string) + ".md"} {
		if _, body := s.do(t, "GET", path, "Authorization", "Bearer "+ann.token, "Accept-Language", "de"); !strings.Contains(body, "Suchbegriff: canon r6. Kategorie: Kameras") {
			t.Errorf("%s: %s", path, body)
		}
	}
}
