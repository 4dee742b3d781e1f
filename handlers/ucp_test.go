//go:build !race

package handlers

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/ucp"
	"github.com/secondlight/secondlight/models"
)

// ucpSchemas are the schemas of https://github.com/Universal-Commerce-Protocol/ucp, tag
// v2026-04-08 (Apache License 2.0), which those of answers refer to.
//
//go:embed testdata/ucp
var ucpSchemas embed.FS

// validateUCP validates a value with one of the published schemas.
func validateUCP(t *testing.T, name string, value any) {
	t.Helper()
	load := func(uri *url.URL) (*jsonschema.Schema, error) {
		name := strings.Replace(strings.TrimPrefix(uri.Path, "/"), "schemas/schemas/", "schemas/", 1) // by its id, the profile refers to it so
		if uri.Path == "/schemas/discovery/profile.json" {
			name = "discovery/profile_schema.json"
		}
		text, err := ucpSchemas.ReadFile("testdata/ucp/" + name)
		if err != nil {
			return nil, err
		}
		schema := new(jsonschema.Schema)
		return schema, json.Unmarshal(text, schema)
	}
	resolved, err := (&jsonschema.Schema{Ref: "https://ucp.dev/schemas/" + name}).Resolve(&jsonschema.ResolveOptions{BaseURI: "https://ucp.dev/", Loader: load})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var instance any
	must(json.Unmarshal(must1(json.Marshal(value)), &instance))
	if err := resolved.Validate(instance); err != nil {
		t.Errorf("%s: %v\n%.2000s", name, err, must1(json.Marshal(instance)))
	}
}

// TestUCP searches and looks up products as platforms of the Universal Commerce Protocol do.
func TestUCP(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	var profile map[string]any
	s.json(t, ucp.ProfilePath, &profile)
	validateUCP(t, "discovery/profile.json#/$defs/business_profile", profile)
	about := profile["ucp"].(map[string]any)
	service := rows(about["services"].(map[string]any), "dev.ucp.shopping")[0]
	if service["endpoint"] != testSite.BaseURL+ucp.EndpointPath || len(about["capabilities"].(map[string]any)) != 2 || len(about["payment_handlers"].(map[string]any)) != 0 {
		t.Errorf("the profile is %v", about)
	}
	session := s.connect(t, ucp.EndpointPath, eras[1])
	tools, err := session.ListTools(t.Context(), nil)
	must(err)
	names := []string{}
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	if !slices.Equal(names, []string{"get_product", "lookup_catalog", "search_catalog"}) {
		t.Errorf("the tools are %v", names)
	}
	meta := toolArgs{"ucp-agent": toolArgs{"profile": "https://platform.example/profile.json"}}
	call := func(tool string, catalog toolArgs) (map[string]any, error) {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: toolArgs{"meta": meta, "catalog": catalog}})
		if err != nil {
			return nil, err
		}
		answer := result.StructuredContent.(map[string]any)
		schema := map[string]string{"search_catalog": "catalog_search.json#/$defs/search_response", "lookup_catalog": "catalog_lookup.json#/$defs/lookup_response", "get_product": "catalog_lookup.json#/$defs/get_product_response"}[tool]
		if answer["ucp"].(map[string]any)["status"] == "error" {
			schema = "types/error_response.json"
		}
		validateUCP(t, "shopping/"+schema, answer)
		return answer, nil
	}
	ask := func(tool string, catalog toolArgs) map[string]any {
		t.Helper()
		answer, err := call(tool, catalog)
		must(err)
		return answer
	}
	categoryOf := func(product map[string]any) string { return fmt.Sprint(rows(product, "categories")[0]["value"]) }
	priceOf := func(product map[string]any) float64 {
		return rows(product, "variants")[0]["price"].(map[string]any)["amount"].(float64)
	}

	// Pages: no product is missing or twice, in as many pages as there must be.
	seen, cursor, total := map[any]bool{}, "", 0.0
	for page := 1; ; page++ {
		pagination := toolArgs{"limit": 7}
		if cursor != "" {
			pagination["cursor"] = cursor
		}
		answer := ask("search_catalog", toolArgs{"query": "canon eos r6", "pagination": pagination})
		found := answer["pagination"].(map[string]any)
		for _, product := range rows(answer, "products") {
			if seen[product["id"]] {
				t.Errorf("%v is on two pages", product["id"])
			}
			seen[product["id"]] = true
		}
		total = found["total_count"].(float64)
		if found["has_next_page"] == false {
			break
		}
		if cursor = found["cursor"].(string); page > 100 {
			t.Fatal("the pages don't end")
		}
	}
	if len(seen) == 0 || float64(len(seen)) != total {
		t.Errorf("%d products on the pages, of %v", len(seen), total)
	}

	// Filters.
	for _, categories := range [][]string{{"lens_prime"}, {"camera"}, {"rangefinder", "lens_macro"}} {
		answer := ask("search_catalog", toolArgs{"filters": toolArgs{"categories": categories, "price": toolArgs{"min": 20000, "max": 90000}}, "context": toolArgs{"currency": "EUR", "address_country": "DE"}})
		products := rows(answer, "products")
		if len(products) == 0 {
			t.Errorf("%v: no products", categories)
		}
		for _, p := range products {
			kind := models.Category(categoryOf(p))
			if !slices.Contains(categories, string(kind)) && !slices.Contains(categories, kind.Family()) || priceOf(p) < 20000 || priceOf(p) > 90000 {
				t.Errorf("%v: %v of %v", categories, kind, priceOf(p))
			}
		}
	}
	first := rows(ask("search_catalog", toolArgs{"query": "leica"}), "products")[0]
	if products := rows(ask("search_catalog", toolArgs{"query": "leica"}), "products"); len(products) != 10 {
		t.Errorf("a page has %d products, want 10", len(products))
	}
	id := first["id"].(string)

	// Lookup: by id and address, each product once, with what means it.
	answer := ask("lookup_catalog", toolArgs{"ids": []any{id, first["url"], id, "nothing", "019aa7d2-7c00-7000-8000-0000000000ff"}})
	products := rows(answer, "products")
	inputs := rows(rows(products[0], "variants")[0], "inputs")
	if len(products) != 1 || products[0]["id"] != id || len(inputs) != 2 || strings.Count(fmt.Sprint(answer["messages"]), "not_found") != 2 {
		t.Errorf("lookup: %v", answer)
	}
	if answer := ask("lookup_catalog", toolArgs{"ids": []any{id}, "filters": toolArgs{"price": toolArgs{"max": 1}}}); len(rows(answer, "products")) != 0 {
		t.Errorf("lookup with a price: %v", answer["products"])
	}
	product := ask("get_product", toolArgs{"id": id})["product"].(map[string]any)
	var listing map[string]any
	s.json(t, "/api/listings/"+id, &listing)
	if amount := strings.Replace(listing["price"].(map[string]any)["amount"].(string), ".", "", 1); product["title"] != listing["title"] || fmt.Sprint(int(priceOf(product))) != amount || product["url"] != testSite.BaseURL+"/listings/"+id {
		t.Errorf("the product is %v, the listing %v", product, listing["price"])
	}
	if answer := ask("get_product", toolArgs{"id": "nothing"}); answer["product"] != nil || rows(answer, "messages")[0]["code"] != "not_found" {
		t.Errorf("a product that isn't: %v", answer)
	}

	// What doesn't fit the protocol is refused.
	many := make([]any, 51)
	for i := range many {
		many[i] = id
	}
	for _, wrong := range []struct {
		tool    string
		catalog toolArgs
	}{
		{"search_catalog", toolArgs{}}, {"search_catalog", toolArgs{"query": 7}}, {"search_catalog", toolArgs{"query": "leica", "pagination": toolArgs{"limit": 0}}}, {"search_catalog", toolArgs{"query": "leica", "pagination": toolArgs{"cursor": "x"}}},
		{"search_catalog", toolArgs{"filters": toolArgs{"categories": []any{"shoes"}}}}, {"search_catalog", toolArgs{"query": "leica", "context": toolArgs{"currency": "XXX"}}},
		{"lookup_catalog", toolArgs{}}, {"lookup_catalog", toolArgs{"ids": []any{}}}, {"lookup_catalog", toolArgs{"ids": many}}, {"get_product", toolArgs{}},
	} {
		answer, err := call(wrong.tool, wrong.catalog)
		var refused *jsonrpc.Error
		if !errors.As(err, &refused) || refused.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s %v: %v, %v", wrong.tool, wrong.catalog, answer, err)
		}
	}
}
