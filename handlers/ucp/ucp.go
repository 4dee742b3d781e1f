// Package ucp serves the listings as the catalogue of the Universal Commerce Protocol
// (https://ucp.dev): platforms search it and look products up. They are bought on the site, so
// that no checkout is claimed.
package ucp

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/query"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// Addresses of the profile and of the MCP endpoint that it names.
const (
	ProfilePath  = "/.well-known/ucp"
	EndpointPath = "/api/ucp"
)

// version is that of the protocol.
const version = "2026-04-08"

// Capabilities of the protocol, and the service they belong to.
const (
	service          = "dev.ucp.shopping"
	searchCapability = service + ".catalog.search"
	lookupCapability = service + ".catalog.lookup"
)

// Limits of a call. A page has maxProducts at most, a lookup maxIDs. A search for several
// categories reads maxPages of all categories until one has a product.
const (
	defaultProducts = 10
	maxProducts     = 50
	maxIDs          = 50
	maxPages        = 10
)

// Deps are the stores and services that the catalogue uses.
type Deps struct {
	Listings *store.Listings
	Site     *ui.Site
	Index    *search.Index
	Cards    *market.Cards
	Queries  *query.Reader
	Log      *slog.Logger
}

// Mount serves the profile and the endpoint.
func (s Deps) Mount(server *serve.Server) {
	server.MountObject(ProfilePath, web.JSON.ContentType(), s.profile, "Cache-Control", web.CacheShort)
	server.MountMCP(EndpointPath, s.newServer)
}

// profile returns the profile of the site as a business.
func (s Deps) profile() web.Object {
	const base = "https://ucp.dev/" + version
	capability := func(name string) []web.Object {
		return []web.Object{web.NewObject("version", version, "spec", base+"/specification/catalog/"+name, "schema", base+"/schemas/shopping/catalog_"+name+".json")}
	}
	endpoint := web.NewObject("version", version, "spec", base+"/specification/overview", "transport", "mcp", "schema", base+"/services/shopping/mcp.openrpc.json", "endpoint", s.Site.URL(EndpointPath))
	return web.NewObject("ucp", web.NewObject(
		"version", version,
		"services", web.NewObject(service, []web.Object{endpoint}),
		"capabilities", web.NewObject(searchCapability, capability("search"), lookupCapability, capability("lookup")),
		"payment_handlers", web.Object{},
	))
}

// newServer returns the MCP server of the catalogue.
func (s Deps) newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "ucp", Title: s.Site.Name(), Version: version, WebsiteURL: s.Site.BaseURL}, nil)
	addTool(s, server, "search_catalog", "Searches used cameras and lenses for sale.", searchSchema, s.search)
	addTool(s, server, "lookup_catalog", "Returns products by their ids or addresses.", lookupSchema, s.lookup)
	addTool(s, server, "get_product", "Returns one product in full.", productSchema, s.getProduct)
	return server
}

// addTool adds a tool whose arguments are an object catalog of type In. Arguments that don't fit
// the schema, and errors of answer that the caller can mend, are invalid parameters.
func addTool[In any](s Deps, server *mcp.Server, name, description, schema string, answer func(context.Context, *In) (web.Object, error)) {
	input := new(jsonschema.Schema)
	if err := json.Unmarshal([]byte(schema), input); err != nil {
		panic(name + ": " + err.Error())
	}
	resolved, err := input.Resolve(nil)
	if err != nil {
		panic(name + ": " + err.Error())
	}
	tool := &mcp.Tool{Name: name, Description: description, InputSchema: input, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
	server.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var value any
		arguments := req.Params.Arguments
		if len(arguments) == 0 {
			arguments = []byte("{}")
		}
		err := json.Unmarshal(arguments, &value)
		if err == nil {
			err = resolved.Validate(value)
		}
		var in struct{ Catalog In }
		if err == nil {
			err = json.Unmarshal(arguments, &in)
		}
		if err != nil {
			return nil, invalid(err.Error())
		}
		ctx, cancel := context.WithTimeout(ctx, web.OperationTimeout)
		defer cancel()
		structured, err := answer(ctx, &in.Catalog)
		if err != nil {
			return nil, s.rpcError(ctx, err)
		}
		text, err := web.EncodeJSON(structured)
		return &mcp.CallToolResult{StructuredContent: json.RawMessage(text), Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}, err
	})
}

// invalid returns the error of parameters.
func invalid(message string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message}
}

// rpcError returns an error as clients of the protocol get it.
func (s Deps) rpcError(ctx context.Context, err error) error {
	var rpc *jsonrpc.Error
	var perr *problem.Error
	switch {
	case errors.As(err, &rpc):
		return rpc
	case errors.As(err, &perr):
		return invalid(strings.TrimSpace(perr.Message.String() + " " + perr.Advice().String()))
	case ctx.Err() == nil:
		s.Log.Error("answer a platform of UCP", "err", err)
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: web.NewError("internal_error").Message.String()}
}

// search answers search_catalog.
func (s Deps) search(_ context.Context, in *searchIn) (web.Object, error) {
	if strings.TrimSpace(in.Query) == "" && in.Filters.empty() {
		return nil, invalid("catalog needs a query, filters.categories or filters.price")
	}
	q, err := s.readSearch(in)
	if err != nil {
		return nil, err
	}
	products := []*product{}
	var found *search.Result
	for range maxPages {
		if found, err = s.Index.Search(q); err != nil {
			return nil, err
		}
		cards, err := s.Cards.Decode(found)
		if err != nil {
			return nil, err
		}
		for i := range cards {
			if in.Filters.hasCategory(&cards[i]) {
				products = append(products, s.newProduct(&cards[i]))
			}
		}
		if q.Cursor = found.NextCursor; len(products) > 0 || q.Cursor == "" {
			break
		}
	}
	page := web.NewObject("has_next_page", found.NextCursor != "")
	if found.NextCursor != "" {
		page = page.With("cursor", found.NextCursor)
	}
	if len(in.Filters.Categories) < 2 {
		page = page.With("total_count", found.Total)
	}
	messages := s.notices()
	for _, w := range found.Warnings {
		messages = append(messages, message{Type: "info", Code: w.Code, Content: w.Message})
	}
	return s.answer(searchCapability, "success", messages).With("products", products).With("pagination", page), nil
}

// readSearch returns the search of a request. Several categories are left to hasCategory.
func (s Deps) readSearch(in *searchIn) (q search.Query, err error) {
	limit := min(in.Pagination.Limit, maxProducts)
	if limit == 0 {
		limit = defaultProducts
	}
	currency, err := s.Site.Rates().Currency(in.Context.Currency)
	if err != nil {
		return q, invalid(err.Error())
	}
	params := url.Values{"limit": {strconv.Itoa(limit)}, "currency": {currency.Code}, "facets": {"false"}}
	add := func(name, value string) {
		if value != "" {
			params.Set(name, value)
		}
	}
	add("keyword", in.Query)
	add("cursor", in.Pagination.Cursor)
	if len(in.Filters.Categories) == 1 {
		add("category", in.Filters.Categories[0])
	}
	if low := in.Filters.Price.Min; low != nil {
		add("budget_min", currency.Decimal(*low))
	}
	if high := in.Filters.Price.Max; high != nil {
		add("budget_max", currency.Decimal(*high))
	}
	given, err := s.Queries.Binder.Bind(params.Encode())
	if err != nil {
		return q, err
	}
	q, err = s.Queries.Read(given)
	q.NoFacets = true
	return q, err
}

// lookup answers lookup_catalog.
func (s Deps) lookup(ctx context.Context, in *lookupIn) (web.Object, error) {
	if len(in.IDs) > maxIDs {
		return nil, invalid("request_too_large: at most " + strconv.Itoa(maxIDs) + " ids")
	}
	products, err := s.productsOf(ctx, in.IDs, &in.Filters, &in.Context)
	if err != nil {
		return nil, err
	}
	messages := s.notices()
	for _, id := range in.IDs {
		if !slices.ContainsFunc(products, func(p *product) bool { return p.ID == listingID(id) }) {
			messages = append(messages, message{Type: "info", Code: "not_found", Content: id})
		}
	}
	return s.answer(lookupCapability, "success", messages).With("products", products), nil
}

// getProduct answers get_product.
func (s Deps) getProduct(ctx context.Context, in *productIn) (web.Object, error) {
	products, err := s.productsOf(ctx, []string{in.ID}, &in.Filters, &in.Context)
	if err != nil {
		return nil, err
	}
	if len(products) == 0 {
		missing := message{Type: "error", Code: "not_found", Content: "Product not found: " + in.ID, Severity: "unrecoverable"}
		return s.answer(lookupCapability, "error", []message{missing}), nil
	}
	return s.answer(lookupCapability, "success", s.notices()).With("product", products[0]), nil
}

// productsOf returns the products with some of the ids, each once, that filters admit.
func (s Deps) productsOf(ctx context.Context, given []string, filters *filters, c *buyer) ([]*product, error) {
	var ids []string
	inputs := map[string][]input{}
	for _, text := range given {
		id := listingID(text)
		if id == "" {
			continue
		}
		if inputs[id] == nil {
			ids = append(ids, id)
		}
		if one := (input{ID: text, Match: "exact"}); !slices.Contains(inputs[id], one) {
			inputs[id] = append(inputs[id], one)
		}
	}
	listings, err := s.Listings.ListingsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	cards, err := s.Cards.Of(ctx, listings)
	if err != nil {
		return nil, err
	}
	products := []*product{}
	for i := range cards {
		if !filters.hasCategory(&cards[i]) || !s.inPrice(filters, c, listings[i]) {
			continue
		}
		p := s.newProduct(&cards[i])
		p.describe(s.Site, listings[i])
		p.Variants[0].Inputs = inputs[p.ID]
		products = append(products, p)
	}
	return products, nil
}

// listingID returns the id of the listing that an id or the address of its page means, "" if
// it is none.
func listingID(text string) string {
	if id, err := uuid.Parse(text[strings.LastIndex(text, "/")+1:]); err == nil {
		return id.String()
	}
	return ""
}

// answer returns the members that all answers have.
func (s Deps) answer(capability, status string, messages []message) web.Object {
	a := web.NewObject("ucp", web.NewObject("version", version, "status", status, "capabilities", web.NewObject(capability, []web.Object{web.NewObject("version", version)})))
	if len(messages) > 0 {
		a = a.With("messages", messages)
	}
	return a
}

// notices says that products are of the demonstration.
func (s Deps) notices() []message {
	if !s.Site.Demo() {
		return nil
	}
	return []message{{Type: "warning", Code: "demo_data", Content: ui.DemoNotice}}
}
