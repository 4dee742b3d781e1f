package handlers

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
)

// TestBadge tests the picture of what gear sells for, and that other sites may frame it and
// nothing else.
func TestBadge(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	resp, svg := s.do(t, "GET", "/gear/canon/eos-r6/badge.svg")
	policy := resp.Header.Get("Content-Security-Policy")
	if resp.StatusCode != 200 || len(svg) > 2048 || !strings.Contains(policy, "frame-ancestors *") || !strings.Contains(policy, "sandbox") || !strings.Contains(resp.Header.Get("Cache-Control"), "max-age=") {
		t.Errorf("%d, %d bytes, %v", resp.StatusCode, len(svg), resp.Header)
	}
	if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil || !strings.Contains(svg, "Canon EOS R6") || !strings.Contains(svg, "€") {
		t.Errorf("%v: %s", err, svg)
	}
	if resp, _ := s.do(t, "GET", "/gear/canon/eos-r6/badge.svg", "If-None-Match", resp.Header.Get("Etag")); resp.StatusCode != 304 {
		t.Errorf("the badge again is %d", resp.StatusCode)
	}
	for _, op := range s.Operations() {
		if !op.Open() || op.Page == "" {
			continue
		}
		for _, format := range op.PageFormats {
			if op.Framed && format == web.SVG {
				continue
			}
			target := web.Address(op.ExampleTarget(op.Page, op.Examples()), format, "")
			if strings.Contains(target, "?") {
				continue // the suffix comes before a query
			}
			resp, _ := s.do(t, "GET", target)
			if policy := resp.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") {
				t.Errorf("%s may be framed: %q", target, policy)
			}
		}
	}
}

// TestOEmbed tests what consumers of oEmbed get for the pages of gear, which name it.
func TestOEmbed(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	if _, page := s.do(t, "GET", "/gear/canon/eos-r6"); !strings.Contains(page, `type="application/json+oembed"`) {
		t.Error("the page of gear doesn't name its oEmbed answer")
	}
	var answer struct {
		Type, Version, HTML string
		Width, Height       int
	}
	_, body := s.do(t, "GET", "/oembed?format=json&url="+url.QueryEscape(testSite.BaseURL+"/gear/canon/eos-r6"))
	must(json.Unmarshal([]byte(body), &answer))
	if answer.Type != "rich" || answer.Version != "1.0" || answer.Width == 0 || answer.Height == 0 || !strings.Contains(answer.HTML, "/gear/canon/eos-r6/badge.svg") {
		t.Errorf("%s", body)
	}
	for target, status := range map[string]int{"/oembed": 404, "/oembed?url=https://elsewhere.example/gear/canon/eos-r6": 404, "/oembed?url=" + url.QueryEscape(testSite.BaseURL+"/gear/canon/nothing-such"): 404, "/oembed?format=xml&url=" + url.QueryEscape(testSite.BaseURL+"/gear/canon/eos-r6"): 501} {
		if resp, body := s.do(t, "GET", target); resp.StatusCode != status {
			t.Errorf("%s is %d: %.200s", target, resp.StatusCode, body)
		}
	}
}

// TestCompactSearch tests searches that return the main fields, or those that are asked for.
func TestCompactSearch(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	read := func(query string) (answer struct {
		Total    int
		Listings []map[string]json.RawMessage
		Facets   map[string]json.RawMessage
		Links    map[string]string
	}, size int) {
		t.Helper()
		resp, body := s.do(t, "GET", "/api/listings/search?"+query)
		if resp.StatusCode != 200 {
			t.Fatalf("%s: %d %s", query, resp.StatusCode, body)
		}
		must(json.Unmarshal([]byte(body), &answer))
		return answer, len(body)
	}
	full, before := read("limit=1")
	compact, size := read("limit=1&view=compact")
	if size > 1500 || compact.Total != full.Total || len(compact.Listings) != 1 || compact.Listings[0]["id"] == nil || compact.Listings[0]["photo"] != nil || !strings.Contains(compact.Links["next"], "view=compact") {
		t.Errorf("%d bytes, before %d: %v", size, before, compact)
	}
	chosen, _ := read("limit=2&fields=id,price")
	for _, listing := range chosen.Listings {
		if len(listing) != 2 || listing["id"] == nil || listing["price"] == nil {
			t.Errorf("fields: %v", listing)
		}
	}
	if !strings.Contains(chosen.Links["next"], "fields=id") {
		t.Errorf("links: %v", chosen.Links)
	}
	if resp, body := s.do(t, "GET", "/api/listings/search?fields=id,prize"); resp.StatusCode != 400 || !strings.Contains(body, "price") {
		t.Errorf("an unknown field: %d %s", resp.StatusCode, body)
	}
	t.Logf("limit=1: %d bytes, compact %d", before, size)
}

// TestLanguageParameter tests that an address can name its language, before what the reader's
// browser asks for.
func TestLanguageParameter(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for target, want := range map[string]string{"/prices?lang=de": "de", "/prices?lang=en": "en", "/prices?lang=xx": "de", "/prices": "de"} {
		if resp, _ := s.do(t, "GET", target, "Accept-Language", "de", "Accept", "text/html"); resp.Header.Get("Content-Language") != want {
			t.Errorf("%s is in %s, want %s", target, resp.Header.Get("Content-Language"), want)
		}
	}
}

// TestBrowserStandards tests what browsers ask sites for.
func TestBrowserStandards(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	if resp, _ := s.do(t, "GET", "/.well-known/change-password"); resp.StatusCode != 308 || resp.Header.Get("Location") != "/account/settings" {
		t.Errorf("change-password: %d %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	if _, body := s.do(t, "GET", "/opensearch.xml"); !strings.Contains(body, `application/x-suggestions+json`) {
		t.Errorf("%s", body)
	}
	resp, body := s.do(t, "GET", "/suggestions.json?q=canon+eos+r")
	var answer []json.RawMessage
	must(json.Unmarshal([]byte(body), &answer))
	if resp.Header.Get("Content-Type") != "application/x-suggestions+json" || len(answer) != 2 || string(answer[0]) != `"canon eos r"` || !strings.Contains(string(answer[1]), "Canon EOS R") {
		t.Errorf("%s", body)
	}
}

// TestNamedValues tests that types with fixed values are described once, that parameters take
// regions by name, and how apps get access.
func TestNamedValues(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	_, body := s.do(t, "GET", "/openapi.json")
	if n := strings.Count(body, `"well_used"`); n == 0 || strings.Count(body, `["new","like_new","excellent","good","well_used"`) > 1 {
		t.Errorf("the condition grades are listed %d times", strings.Count(body, `["new","like_new","excellent","good","well_used"`))
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name   string
				Schema struct {
					Items struct{ Pattern string }
				}
			}
		}
		Components struct {
			Schemas         map[string]struct{ Enum []string }
			SecuritySchemes map[string]struct {
				Flows map[string]struct {
					AuthorizationURL string `json:"authorizationUrl"`
					Scopes           map[string]string
				}
			} `json:"securitySchemes"`
		}
	}
	must(json.Unmarshal([]byte(body), &doc))
	if len(doc.Components.Schemas["Condition"].Enum) < 5 {
		t.Errorf("Condition is %v", doc.Components.Schemas["Condition"])
	}
	if flow := doc.Components.SecuritySchemes["oauth"].Flows["authorizationCode"]; !strings.HasSuffix(flow.AuthorizationURL, "/oauth/authorize") || flow.Scopes["offers:write"] == "" {
		t.Errorf("the flow is %v", flow)
	}
	for _, p := range doc.Paths["/api/listings/search"]["get"].Parameters {
		if p.Name == "region" && p.Schema.Items.Pattern != "" {
			t.Errorf("%s has the pattern %s", p.Name, p.Schema.Items.Pattern)
		}
	}
	if fmt.Sprint(doc.Paths["/api/events"]) == "map[]" {
		t.Error("/api/events is missing")
	}
}

// TestCard tests the card that other sites may frame, and that it is in the language of the page
// it is framed in.
func TestCard(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for lang, want := range map[string]string{"": "for sale", "?lang=de": "Anzeigen ab"} {
		resp, body := s.do(t, "GET", "/gear/canon/eos-r6/card"+lang, "Accept", "text/html")
		policy := resp.Header.Get("Content-Security-Policy")
		if resp.StatusCode != 200 || !strings.Contains(policy, "frame-ancestors *") || !strings.Contains(policy, "sandbox") || strings.Contains(policy, "allow-scripts") || len(body) > 3000 {
			t.Errorf("%d, %d bytes, %s", resp.StatusCode, len(body), policy)
		}
		if !strings.Contains(body, "Canon EOS R6") || !strings.Contains(body, want) || !strings.Contains(body, testSite.BaseURL+"/gear/canon/eos-r6") || strings.Contains(body, "<script") {
			t.Errorf("%s", body)
		}
		if resp, _ := s.do(t, "GET", "/gear/canon/eos-r6/card"+lang, "If-None-Match", resp.Header.Get("Etag")); resp.StatusCode != 304 {
			t.Errorf("the card again is %d", resp.StatusCode)
		}
	}
	if resp, _ := s.do(t, "GET", "/gear/canon/nothing-such/card"); resp.StatusCode != 404 || !strings.Contains(resp.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		t.Errorf("the card of nothing: %d", resp.StatusCode)
	}
}

// TestHeadersOfJSON tests the maximum size of the header fields of an answer of the API.
func TestHeadersOfJSON(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, target := range []string{"/api/listings/search?limit=1&view=compact", "/api/listings/search?limit=1", "/api/price-guide?gear=canon/eos-r6", "/api/trends/canon/eos-r6", "/api/prices"} {
		resp, _ := s.do(t, "GET", target, "Accept-Encoding", "gzip")
		size := 0
		for name, values := range resp.Header {
			for _, value := range values {
				size += len(name) + len(": ") + len(value) + len("\r\n")
			}
		}
		if t.Logf("%s: %d bytes of header fields", target, size); size > 900 {
			t.Errorf("%s has %d bytes of header fields: %v", target, size, resp.Header)
		}
	}
}

// TestLanguageLinks tests that pages of a site in several languages name the address of each,
// and which is their own.
func TestLanguageLinks(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for target, canonical := range map[string]string{"/gear/canon/eos-r6": "/gear/canon/eos-r6", "/gear/canon/eos-r6?lang=de": "/gear/canon/eos-r6?lang=de"} {
		_, body := s.do(t, "GET", target, "Accept", "text/html")
		path := testSite.BaseURL + "/gear/canon/eos-r6"
		for _, want := range []string{
			`<link rel="canonical" href="` + testSite.BaseURL + canonical + `">`, `hreflang="en" href="` + path + `">`, `hreflang="de" href="` + path + `?lang=de">`, `hreflang="x-default" href="` + path + `">`,
		} {
			if !strings.Contains(body, want) {
				head, _, _ := strings.Cut(body, "</head>")
				t.Errorf("%s has no %s: %.1500s", target, want, head)
			}
		}
	}
	if _, body := s.do(t, "GET", "/sign-in", "Accept", "text/html"); strings.Contains(body, "x-default") {
		t.Error("a page that isn't indexed has addresses for languages")
	}
}

// TestWebhooksAreDescribed tests that the document describes every event that is sent, with its
// signature.
func TestWebhooksAreDescribed(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	var doc struct {
		Webhooks map[string]struct {
			Post struct {
				Parameters  []struct{ Name, In string }
				RequestBody struct {
					Content map[string]struct {
						Schema struct {
							Ref string `json:"$ref"`
						}
						Example json.RawMessage
					}
				}
			}
		}
		Components struct{ Schemas map[string]json.RawMessage }
	}
	_, body := s.do(t, "GET", "/openapi.json")
	must(json.Unmarshal([]byte(strings.ReplaceAll(body, "#/components/schemas/", "#/$defs/")), &doc))
	events := map[string]bool{}
	for _, event := range models.AccountEvents {
		events[string(event)] = true
	}
	for _, event := range models.WebhookEvents {
		events[string(event)] = true
	}
	for event := range events {
		hook, ok := doc.Webhooks[event]
		if names := fmt.Sprint(hook.Post.Parameters); !ok || !strings.Contains(names, "webhook-id") || !strings.Contains(names, "webhook-timestamp") || !strings.Contains(names, "webhook-signature") {
			t.Errorf("%s is described as %v", event, hook)
			continue
		}
		content := hook.Post.RequestBody.Content["application/json"]
		var schema jsonschema.Schema
		must(json.Unmarshal(must1(json.Marshal(map[string]any{"$defs": doc.Components.Schemas, "$ref": content.Schema.Ref})), &schema))
		resolved := must1(schema.Resolve(nil))
		var example any
		must(json.Unmarshal(content.Example, &example))
		if err := resolved.Validate(example); err != nil {
			t.Errorf("the example of %s: %v", event, err)
		}
	}
	if len(doc.Webhooks) != len(events) {
		t.Errorf("%d events are described, %d are sent", len(doc.Webhooks), len(events))
	}
}
