package handlers

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// A caller calls an operation as a member, or as nobody if who is nil. It returns the
// result and whether it is an error.
type by func(t testing.TB, who *testMember, operation string, arguments map[string]any) (answer map[string]any, failed bool)

// byJSON calls operations over HTTP.
func (s *testServer) byJSON(t testing.TB, who *testMember, operation string, arguments map[string]any) (map[string]any, bool) {
	t.Helper()
	op := s.operation(t, operation)
	var header []string
	if who != nil {
		header = []string{"Authorization", "Bearer " + who.token}
	}
	resp, text := s.request(t, op, arguments, header...)
	var answer map[string]any
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatalf("%s is %d: %v: %s", op.Name, resp.StatusCode, err, text)
	}
	want := http.StatusOK
	if op.Creates {
		want = http.StatusCreated
	}
	if resp.StatusCode < 400 && resp.StatusCode != want {
		t.Errorf("%s is %d, want %d", op.Name, resp.StatusCode, want)
	}
	return answer, resp.StatusCode >= 400
}

// request asks for an operation with arguments by name: at its API address, or
// where it has none at its page, as JSON.
func (s *testServer) request(t testing.TB, op *web.Operation, arguments map[string]any, header ...string) (*http.Response, string) {
	t.Helper()
	header = append(header, "Accept", "application/json")
	path, method, query, body := op.Path, op.Method, url.Values{}, map[string]any{}
	if path == "" {
		path = op.Page
		if op.Writes() {
			method = http.MethodPost
		}
	}
	inBody := op.Method == http.MethodPost || op.Method == http.MethodPut || op.Method == http.MethodPatch
	params := op.Parameters(nil)
	for name, value := range arguments {
		i := slices.IndexFunc(params, func(p web.ParameterDoc) bool { return p.Name == name })
		switch {
		case name == keyArgument:
			header = append(header, keyHeader, fmt.Sprint(value))
		case i < 0:
			t.Fatalf("%s has no parameter %s", op.Name, name)
		case params[i].In == "path":
			path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(fmt.Sprint(value)))
		case params[i].In == "header": // if_match stands in If-Match
			header = append(header, strings.ReplaceAll(name, "_", "-"), fmt.Sprint(value))
		case inBody:
			body[name] = value
		default:
			query.Set(name, fmt.Sprint(value))
		}
	}
	content := ""
	if inBody {
		b, err := json.Marshal(body)
		must(err)
		content = string(b)
		header = append(header, "Content-Type", "application/json")
	} else if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return s.send(t, method, path, content, header...)
}

func (s *testServer) operation(t testing.TB, name string) *web.Operation {
	t.Helper()
	for _, op := range s.Operations() {
		if op.Name == name {
			return op
		}
	}
	t.Fatalf("there is no operation %s", name)
	return nil
}

// takesKey reports whether an operation accepts an idempotency key.
func takesKey(op *web.Operation) bool {
	return slices.ContainsFunc(op.Parameters(nil), func(p web.ParameterDoc) bool { return p.Name == keyHeader })
}

// bearer sends a token with every request.
type bearer struct {
	http.RoundTripper
	token string
}

func (b bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+b.token)
	return b.RoundTripper.RoundTrip(req)
}

var amountText = regexp.MustCompile(`^\d+\.\d\d [A-Z]{3}$`)

// byMCP calls tools with the official client, over HTTP, by one protocol. Amounts in the
// answers are those of the API.
func (s *testServer) byMCP(protocol string) by {
	sessions := map[*testMember]*mcp.ClientSession{nil: nil}
	return func(t testing.TB, who *testMember, operation string, arguments map[string]any) (map[string]any, bool) {
		t.Helper()
		session := sessions[who]
		if session == nil {
			client := s.client
			if who != nil {
				client = &http.Client{Transport: bearer{client.Transport, who.token}}
			}
			var err error
			session, err = mcp.NewClient(&mcp.Implementation{Name: "trader", Version: "1"}, nil).Connect(context.Background(), &mcp.StreamableClientTransport{
				Endpoint: "http://secondlight.example" + web.MCPPath, HTTPClient: client, MaxRetries: -1, DisableStandaloneSSE: true,
			}, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { session.Close() })
			sessions[who] = session
		}
		if _, has := s.ToolInput(s.operation(t, operation)).Properties["detail"]; has {
			arguments = maps.Clone(arguments)
			arguments["detail"] = "full"
		}
		result, err := session.CallTool(context.Background(), s.toolCall(operation, arguments))
		if who == nil && err != nil && strings.HasSuffix(err.Error(), "Unauthorized") {
			delete(sessions, who)                                  // the client ends it
			return map[string]any{"code": "unauthenticated"}, true // with 401, as clients with OAuth expect
		}
		if err != nil {
			t.Fatalf("%s: %v", operation, err)
		}
		answer, ok := result.StructuredContent.(map[string]any)
		if text, isText := result.Content[0].(*mcp.TextContent); !ok || !isText || !strings.HasPrefix(text.Text, "# ") {
			t.Fatalf("%s answers %v", operation, result)
		}
		for name, value := range answer {
			if text, _ := value.(string); amountText.MatchString(text) {
				amount, currency, _ := strings.Cut(text, " ")
				answer[name] = map[string]any{"amount": amount, "currency": currency}
			}
		}
		return answer, result.IsError
	}
}

// TestTrades plays two members who trade a camera, by each interface separately:
// every write is sent twice with one key and executed once. Then the sale is part of
// the trend, and every format of the listing says that it is sold.
func TestTrades(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		caller func(*testServer) by
	}{
		{"JSON", func(s *testServer) by { return s.byJSON }},
		{"MCP " + eras[0], func(s *testServer) by { return s.byMCP(eras[0]) }},
		{"MCP " + eras[1], func(s *testServer) by { return s.byMCP(eras[1]) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newMarketServer(t)
			s.playTrade(t, c.caller(s))
		})
	}
}

func (s *testServer) playTrade(t *testing.T, ask by) {
	ann, bob := s.join(t, "ann", models.RoleOperator), s.join(t, "bob", models.RoleMember) // operators are established
	eur := func(amount string) map[string]any { return map[string]any{"amount": amount, "currency": "EUR"} }
	photo := base64.StdEncoding.EncodeToString(picturetest.JPEG(t, 640, 480))
	post := map[string]any{"delivery": "shipping", "address": "1 High Street, Berlin"}
	with := func(more map[string]any) map[string]any {
		all := maps.Clone(post)
		maps.Copy(all, more)
		return all
	}
	known := map[string]any{} // values from earlier responses, by our own names
	for n, step := range []struct {
		who       *testMember
		operation string
		arguments map[string]any // "$name" stands for what is known
		keep      string         // what the answer's id is known as
		want      map[string]any // of the answer
		refused   string         // the code, "" when it is done
	}{
		{who: nil, operation: "create_listing", arguments: map[string]any{"gear": "canon/eos-r6", "price": eur("1249.00"), "condition": "excellent"}, refused: "unauthenticated"},
		{who: ann, operation: "create_listing", keep: "listing", want: map[string]any{"status": "draft", "price": eur("1249.00")},
			arguments: map[string]any{"gear": "canon/eos-r6", "title": "Canon EOS R6, boxed", "price": eur("1249.00"), "condition": "excellent", "description": "Used at weekends.", "region": "DE"}},
		{who: bob, operation: "get_listing", arguments: map[string]any{"id": "$listing"}, refused: "listing_not_found"},
		{who: ann, operation: "add_photos", arguments: map[string]any{"id": "$listing", "photo": []any{photo}, "alt": []any{"The front of a black camera"}}},
		{who: ann, operation: "get_listing", arguments: map[string]any{"id": "$listing"}, want: map[string]any{"status": "draft"}},
		{who: ann, operation: "edit_listing", arguments: map[string]any{"id": "$listing", "price": eur("1199.00")}, refused: "precondition_required"},
		{who: ann, operation: "edit_listing", arguments: map[string]any{"id": "$listing", "if_match": "99", "price": eur("1199.00")}, refused: "listing_changed"},
		{who: ann, operation: "edit_listing", arguments: map[string]any{"id": "$listing", "if_match": "$version", "price": eur("1199.00")}, want: map[string]any{"price": eur("1199.00")}},
		{who: ann, operation: "publish_listing", arguments: map[string]any{"id": "$listing"}, want: map[string]any{"status": "active"}},
		{who: bob, operation: "publish_listing", arguments: map[string]any{"id": "$listing"}, refused: "not_yours"},
		{who: bob, operation: "get_listing", arguments: map[string]any{"id": "$listing"}, want: map[string]any{"status": "active", "price": eur("1199.00")}},
		{who: bob, operation: "watch_listing", arguments: map[string]any{"listing": "$listing"}},
		{who: bob, operation: "write_message", keep: "conversation", arguments: map[string]any{"id": "$listing", "text": "How many exposures has it made?"}},
		{who: ann, operation: "reply_message", arguments: map[string]any{"id": "$conversation", "text": "18,000 and a few."}},
		{who: ann, operation: "make_offer", arguments: map[string]any{"id": "$listing", "amount": eur("1.00")}, refused: "own_listing"},
		{who: bob, operation: "make_offer", keep: "offer", arguments: map[string]any{"id": "$listing", "amount": eur("1050.00"), "message": "I could fetch it."},
			want: map[string]any{"status": "pending", "amount": eur("1050.00")}},
		{who: bob, operation: "accept_offer", arguments: map[string]any{"id": "$offer"}, refused: "not_your_turn"},
		{who: ann, operation: "counter_offer", arguments: map[string]any{"id": "$offer", "amount": eur("1120.00")}, want: map[string]any{"status": "countered", "amount": eur("1120.00")}},
		{who: bob, operation: "accept_offer", arguments: map[string]any{"id": "$offer"}, want: map[string]any{"status": "accepted"}},
		{who: nil, operation: "get_listing", arguments: map[string]any{"id": "$listing"}, want: map[string]any{"status": "reserved"}},
		{who: bob, operation: "rate_trade", arguments: map[string]any{"id": "$offer", "stars": 5}, refused: "wrong_status"},
		{who: bob, operation: "propose_handover", arguments: map[string]any{"id": "$offer", "method": "shipping"}, refused: "invalid_parameter"},
		{who: bob, operation: "propose_handover", arguments: map[string]any{"id": "$offer", "method": "shipping", "address": "1 High Street, Berlin"}, want: map[string]any{"status": "accepted"}},
		{who: bob, operation: "agree_handover", arguments: map[string]any{"id": "$offer", "proposal": 1}, refused: "not_your_turn"},
		{who: ann, operation: "agree_handover", arguments: map[string]any{"id": "$offer", "proposal": 2}, refused: "handover_changed"},
		{who: ann, operation: "agree_handover", arguments: map[string]any{"id": "$offer", "proposal": 1}},
		{who: ann, operation: "set_payment", arguments: map[string]any{"id": "$offer", "payment": "Bank transfer", "payment_link": "https://pay.example/ann"}},
		{who: ann, operation: "complete_offer", arguments: map[string]any{"id": "$offer", "carrier": "DHL", "tracking_url": "http://dhl.example"}, refused: "invalid_parameter"},
		{who: ann, operation: "complete_offer", arguments: map[string]any{"id": "$offer", "carrier": "DHL", "tracking": "0034"}, want: map[string]any{"status": "completed"}},
		{who: ann, operation: "set_tracking", arguments: map[string]any{"id": "$offer", "carrier": "DHL", "tracking": "0035"}},
		{who: bob, operation: "add_evidence", arguments: map[string]any{"id": "$offer", "text": "Too early."}, refused: "wrong_status"},
		{who: bob, operation: "receive_item", arguments: map[string]any{"id": "$offer"}, want: map[string]any{"status": "completed"}},
		{who: bob, operation: "receive_item", arguments: map[string]any{"id": "$offer"}, refused: "wrong_status"},
		{who: nil, operation: "get_listing", arguments: map[string]any{"id": "$listing"}, want: map[string]any{"status": "sold", "sold_price": nil}},
		{who: ann, operation: "confirm_offer", arguments: map[string]any{"id": "$offer"}, refused: "not_your_turn"},
		{who: bob, operation: "confirm_offer", arguments: map[string]any{"id": "$offer"}, want: map[string]any{"status": "confirmed"}},
		{who: bob, operation: "rate_trade", arguments: map[string]any{"id": "$offer", "stars": 5, "text": "As described."}, want: map[string]any{"stars": 5.0}},
		{who: ann, operation: "rate_trade", arguments: map[string]any{"id": "$offer", "stars": 4}, want: map[string]any{"stars": 4.0}},
		{who: nil, operation: "get_listing", arguments: map[string]any{"id": "$listing"}, want: map[string]any{"status": "sold", "sold_price": eur("1120.00")}},

		// Four actions: offer, accept, sent, fine. Then both rate.
		{who: ann, operation: "create_listing", keep: "second", arguments: map[string]any{"gear": "canon/eos-r6", "price": eur("1000.00"), "condition": "good", "region": "DE", "buy_now": "off"}},
		{who: ann, operation: "publish_listing", arguments: map[string]any{"id": "$second"}},
		{who: bob, operation: "buy_listing", arguments: map[string]any{"id": "$second", "delivery": "pickup"}, refused: "no_buy_now"},
		{who: bob, operation: "make_offer", arguments: map[string]any{"id": "$second", "amount": eur("900.00"), "delivery": "shipping"}, refused: "invalid_parameter"},
		{who: bob, operation: "make_offer", keep: "four", arguments: with(map[string]any{"id": "$second", "amount": eur("900.00")}), want: map[string]any{"status": "pending"}},
		{who: ann, operation: "accept_offer", arguments: map[string]any{"id": "$four"}, want: map[string]any{"status": "accepted"}},
		{who: ann, operation: "complete_offer", arguments: map[string]any{"id": "$four", "carrier": "DHL"}, want: map[string]any{"status": "completed"}},
		{who: bob, operation: "confirm_offer", arguments: map[string]any{"id": "$four"}, want: map[string]any{"status": "confirmed"}},
		{who: bob, operation: "rate_trade", arguments: map[string]any{"id": "$four", "stars": 5}},
		{who: ann, operation: "rate_trade", arguments: map[string]any{"id": "$four", "stars": 5}},

		// Two: bought, sent. Both can then rate.
		{who: ann, operation: "create_listing", keep: "third", arguments: map[string]any{"gear": "canon/eos-r6", "price": eur("1100.00"), "condition": "good", "region": "DE", "buy_now": "instant"}},
		{who: ann, operation: "publish_listing", arguments: map[string]any{"id": "$third"}},
		{who: bob, operation: "buy_listing", arguments: map[string]any{"id": "$third", "price": eur("1099.00")}, refused: "listing_changed"},
		{who: bob, operation: "buy_listing", keep: "two", arguments: map[string]any{"id": "$third", "price": eur("1100.00"), "address": "1 High Street, Berlin"}, want: map[string]any{"status": "accepted", "bought": true}},
		{who: ann, operation: "complete_offer", arguments: map[string]any{"id": "$two"}, want: map[string]any{"status": "completed"}},
		{who: bob, operation: "rate_trade", arguments: map[string]any{"id": "$two", "stars": 5}},
		{who: ann, operation: "rate_trade", arguments: map[string]any{"id": "$two", "stars": 5}},

		// A purchase that the seller confirms, in the site's own shop: on by default.
		{who: ann, operation: "create_listing", keep: "fourth", arguments: map[string]any{"gear": "canon/eos-r6", "price": eur("1200.00"), "condition": "good", "region": "DE"}},
		{who: ann, operation: "publish_listing", arguments: map[string]any{"id": "$fourth"}},
		{who: bob, operation: "buy_listing", keep: "confirmed", arguments: map[string]any{"id": "$fourth", "delivery": "pickup"}, want: map[string]any{"status": "pending", "bought": true}},
		{who: nil, operation: "get_listing", arguments: map[string]any{"id": "$fourth"}, want: map[string]any{"status": "reserved"}},
		{who: ann, operation: "counter_offer", arguments: map[string]any{"id": "$confirmed", "amount": eur("1190.00")}, refused: "wrong_status"},
		{who: ann, operation: "accept_offer", arguments: map[string]any{"id": "$confirmed"}, want: map[string]any{"status": "accepted"}},
		{who: bob, operation: "withdraw_offer", arguments: map[string]any{"id": "$confirmed"}, want: map[string]any{"status": "withdrawn"}},
	} {
		arguments := map[string]any{}
		for name, value := range step.arguments {
			if text, ok := value.(string); ok && strings.HasPrefix(text, "$") {
				value = known[text[1:]]
			}
			arguments[name] = value
		}
		op := s.operation(t, step.operation)
		if takesKey(op) && step.refused == "" {
			arguments[keyArgument] = fmt.Sprint("key of ", step.operation, n, step.who.Handle)
		}
		answer, failed := ask(t, step.who, step.operation, arguments)
		if failed != (step.refused != "") || failed && answer["code"] != step.refused {
			t.Fatalf("%s %v answers %v, want %q", step.operation, arguments, answer, step.refused)
		}
		for name, want := range step.want {
			if fmt.Sprint(answer[name]) != fmt.Sprint(want) {
				t.Errorf("%s answers %s %v, want %v", step.operation, name, answer[name], want)
			}
		}
		if takesKey(op) && !failed {
			again, failed := ask(t, step.who, step.operation, arguments)
			if first, _ := json.Marshal(answer); failed || string(first) != string(must1(json.Marshal(again))) {
				t.Errorf("%s again answers %v, not %v", step.operation, again, answer)
			}
		}
		if step.keep != "" {
			known[step.keep] = answer["id"]
		}
		if step.operation == "get_listing" && !failed {
			known["version"] = fmt.Sprint(answer["version"])
		}
	}
	s.checkTraded(t, ask, fmt.Sprint(known["listing"]))
}

func must1[T any](v T, err error) T {
	must(err)
	return v
}

// checkTraded checks that a completed trade shows wherever people and programs look.
func (s *testServer) checkTraded(t *testing.T, ask by, listing string) {
	t.Helper()
	var sales any
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		trend, failed := ask(t, nil, "get_trend", map[string]any{"brand": "canon", "model": "eos-r6"})
		if failed {
			t.Fatalf("the trend is %v", trend)
		}
		if sales = trend["summary"].(map[string]any)["sample_size"]; sales == 1.0 {
			break
		}
	}
	if sales != 1.0 { // a second between the same two doesn't count
		t.Errorf("the trend is made of %v sales", sales)
	}
	for suffix, want := range map[string]string{"": "1,120", ".md": "1,120", ".json": `"1120.00"`} {
		resp, body := s.do(t, "GET", "/listings/"+listing+suffix, "Accept", "text/html")
		if resp.StatusCode != 200 || !strings.Contains(strings.ToLower(body), "sold") || !strings.Contains(body, want) || strings.Contains(body, "Used at weekends") != true {
			t.Errorf("/listings/%s%s is %d and does not say that it was sold for %s: %s", listing, suffix, resp.StatusCode, want, body)
		}
	}
	if seller, failed := ask(t, nil, "get_seller", map[string]any{"handle": "ann"}); failed || seller["sold"] != 2.0 {
		t.Errorf("the seller is %v", seller)
	}
}
