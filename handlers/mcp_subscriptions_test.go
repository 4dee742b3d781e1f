package handlers

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

// subscriber is an MCP client that records the resources it is notified about.
type subscriber struct {
	*mcp.ClientSession
	updated      chan string
	progress     chan *mcp.ProgressNotificationParams
	acknowledged chan bool // when the server has begun to follow a resource
}

// subscriber connects an MCP client, as a member if token is not "".
func (s *testServer) subscriber(t testing.TB, token string) *subscriber {
	t.Helper()
	c := &subscriber{updated: make(chan string, 100), progress: make(chan *mcp.ProgressNotificationParams, 1000), acknowledged: make(chan bool, 100)}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler:      func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) { c.updated <- req.Params.URI },
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { c.progress <- req.Params },
	})
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "notifications/subscriptions/acknowledged" {
				c.acknowledged <- true
			}
			return next(ctx, method, req)
		}
	})
	transport := s.client.Transport
	if token != "" {
		transport = tokenCarrier{token, transport}
	}
	session, err := client.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: "http://secondlight.example" + web.MCPPath, MaxRetries: -1, DisableStandaloneSSE: true,
		HTTPClient: &http.Client{Transport: transport}}, &mcp.ClientSessionOptions{ProtocolVersion: "2026-07-28"})
	must(err)
	t.Cleanup(func() { session.Close() })
	c.ClientSession = session
	return c
}

// follow subscribes to the page at a path, and waits until the server follows it.
func (c *subscriber) follow(t testing.TB, path string) {
	t.Helper()
	if err := c.Subscribe(context.Background(), &mcp.SubscribeParams{URI: testSite.BaseURL + path}); err != nil {
		t.Fatalf("subscribe to %s: %v", path, err)
	}
	select {
	case <-c.acknowledged:
	case <-time.After(eventTime):
		t.Fatalf("the subscription to %s is not acknowledged", path)
	}
}

// expect waits until the client is notified about the page at a path, and no other.
func (c *subscriber) expect(t testing.TB, path string) {
	t.Helper()
	select {
	case uri := <-c.updated:
		if uri != testSite.BaseURL+path {
			t.Errorf("the client is notified about %s, not %s", uri, path)
		}
	case <-time.After(eventTime):
		t.Fatalf("the client is not notified about %s", path)
	}
}

// TestSubscriptions checks that MCP clients of two servers are notified about a listing's price
// and status, an answered offer, a message and a match of a saved search, and that
// nobody can subscribe to what they may not read.
func TestSubscriptions(t *testing.T) {
	t.Parallel()
	url := storetest.Postgres(t)
	servers := []*testServer{newReplica(t, url), newReplica(t, url)}
	ann, bob := servers[0].join(t, "ann", models.RoleMember), servers[0].join(t, "bob", models.RoleMember)
	id := ann.sells(t, "Canon EOS R6", "canon/eos-r6", 100000)
	search := bob.ask(t, "POST", "/api/searches", `{"keyword":"nikon z6","every":"daily","name":"Z6"}`, 201)["id"].(string)
	offer := bob.offers(t, id, "800")
	listingOn := []*subscriber{servers[0].subscriber(t, ""), servers[1].subscriber(t, "")}
	offersOf, messagesOf, searchOf := servers[1].subscriber(t, bob.token), servers[1].subscriber(t, bob.token), servers[0].subscriber(t, bob.token)
	listingOn[0].follow(t, "/listings/"+id+".md")
	listingOn[1].follow(t, "/api/listings/"+id)
	offersOf.follow(t, "/account/offers/"+offer)
	messagesOf.follow(t, "/api/conversations")
	searchOf.follow(t, "/account/searches/"+search)

	began := time.Now()
	_, err := servers[0].store.Listings.EditListing(t.Context(), id, ann.ID, 0, func(l *models.Listing) error { l.Price = 90000; return nil })
	must(err)
	listingOn[0].expect(t, "/listings/"+id+".md")
	listingOn[1].expect(t, "/api/listings/"+id)
	ann.ask(t, "POST", "/api/offers/"+offer+"/accept", "", 200)
	offersOf.expect(t, "/account/offers/"+offer)
	listingOn[0].expect(t, "/listings/"+id+".md")
	talk, _, err := servers[0].store.Trades.SendMessage(t.Context(), id, bob.ID, "When?")
	must(err)
	_, _, err = servers[0].store.Trades.Reply(t.Context(), talk.ID, ann.ID, "Today.")
	must(err)
	messagesOf.expect(t, "/api/conversations")
	ann.sells(t, "Nikon Z6", "nikon/z6", 70000)
	searchOf.expect(t, "/account/searches/"+search)
	t.Logf("four updates took %v", time.Since(began).Round(time.Millisecond))

	draft := ann.draft(t, models.StatusDraft)
	for path, token := range map[string]string{
		"/listings/" + draft: bob.token, "/account/offers/" + offer: "", "/account/searches/" + search: ann.token, "/account/offers/01a1fd55-7afb-7257-be20-3373bb134be2": ann.token,
		"/account/messages/" + talk.ID: servers[0].join(t, "eve", models.RoleMember).token, "/account/settings": ann.token, "/about": "",
	} {
		if text := servers[0].refuses(t, token, path); !strings.Contains(text, `"error"`) || strings.Contains(text, "acknowledged") {
			t.Errorf("%s can be subscribed to: %s", path, text)
		}
	}
}

// refuses sends a request for a subscription and returns the response.
func (s *testServer) refuses(t testing.TB, token, path string) string {
	t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":[%q]},
		"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`, testSite.BaseURL+path)
	header := []string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen"}
	if token != "" {
		header = append(header, "Authorization", "Bearer "+token)
	}
	_, text := s.send(t, "POST", web.MCPPath, body, header...)
	return text
}

// TestImportReportsProgress imports a file by its tool, and expects increasing progress
// to the total.
func TestImportReportsProgress(t *testing.T) {
	t.Parallel()
	s, _ := newClockedMarket(t)
	c := s.subscriber(t, s.join(t, "ann", models.RoleMember).token)
	file := "external_id,title,condition,price,region,category\n"
	for i := range 600 {
		file += fmt.Sprintf("%d,Canon EOS R6 number %d,good,%d,DE,mirrorless\n", i, i, 900+i)
	}
	params := &mcp.CallToolParams{Name: "import_listings", Arguments: map[string]any{"file": base64.StdEncoding.EncodeToString([]byte(file)), "publish": true}}
	params.SetProgressToken("import")
	result, err := c.CallTool(t.Context(), params)
	must(err)
	if result.IsError {
		t.Fatal(result.Content[0].(*mcp.TextContent).Text)
	}
	last := &mcp.ProgressNotificationParams{}
	for reports := 1; ; reports++ {
		select {
		case p := <-c.progress:
			if p.ProgressToken != "import" || p.Progress <= last.Progress || p.Progress > p.Total {
				t.Errorf("after %+v: %+v", last, p)
			}
			if last = p; p.Progress < p.Total {
				continue
			}
			if reports < 2 {
				t.Errorf("only %d reports", reports)
			}
			return
		case <-time.After(eventTime):
			t.Fatalf("after %+v nothing is reported", last)
		}
	}
}
