//go:build !race

package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
)

// askedTask is a task as somebody words it, with the calls of an agent that knows nothing but
// the list of tools at the default address.
type askedTask struct {
	asked  string
	before int                 // tokens of the results at API 3.4.0
	play   func(a *asker) bool // whether the answers say what was asked
}

// asker plays tasks: as nobody, as a seller, and as a buyer.
type asker struct {
	t             *testing.T
	public, empty *testServer // the shared market, and one that tasks may change
	sessions      map[string]*mcp.ClientSession
	lists         map[string]map[string]*mcp.Tool
	tokens, calls int
	listing       string // of the seller
}

// ask calls a tool that the list of the caller must have, with arguments that it lists, and
// returns its answer.
func (a *asker) ask(who, tool string, arguments toolArgs) map[string]any {
	a.t.Helper()
	listed := a.lists[who][tool]
	if listed == nil {
		a.t.Errorf("%s is not in the list of %s", tool, who)
		return nil
	}
	schema := listed.InputSchema.(map[string]any)["properties"].(map[string]any)
	for name := range arguments {
		if schema[name] == nil {
			a.t.Errorf("%s does not list %s", tool, name)
		}
	}
	result, err := a.sessions[who].CallTool(a.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		a.t.Errorf("%s %v: %v", tool, arguments, err)
		return nil
	}
	a.calls++
	a.tokens += tokens(a.t, result)
	answer, _ := result.StructuredContent.(map[string]any)
	if text, ok := result.Content[0].(*mcp.TextContent); ok {
		answer["said"] = text.Text
	}
	return answer
}

// rows returns a list of an answer.
func rows(answer map[string]any, name string) (all []map[string]any) {
	list, _ := answer[name].([]any)
	for _, row := range list {
		all = append(all, row.(map[string]any))
	}
	return all
}

// every reports whether there are rows, and all of them meet a condition.
func every(all []map[string]any, ok func(map[string]any) bool) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(row map[string]any) bool { return !ok(row) })
}

// evidence reports whether a deal has at least five sales.
func evidence(row map[string]any) bool {
	sales, _ := row["deal_sample_size"].(float64)
	return row["deal"] == nil || sales >= 5
}

// fitsStated reports whether the card says how the gear fits.
func fitsStated(row map[string]any) bool { return row["fit"] != nil && row["mount"] != nil }

// says reports whether the text of an answer has all words.
func says(answer map[string]any, words ...string) bool {
	for _, word := range words {
		if !strings.Contains(fmt.Sprint(answer), word) {
			return false
		}
	}
	return answer != nil
}

// has reports whether an answer has all fields.
func has(answer map[string]any, fields ...string) bool {
	return !slices.ContainsFunc(fields, func(field string) bool { return answer[field] == nil })
}

const nobody, seller, buyer = "nobody", "seller", "buyer"

// field returns a field of an object in an answer.
func field(answer map[string]any, object, name string) any {
	inner, _ := answer[object].(map[string]any)
	return inner[name]
}

var askedTasks = []askedTask{
	{"what's my 5D mark iii with 60k clicks worth", 575, func(a *asker) bool {
		r := a.ask(nobody, "get_price", toolArgs{"gear": "5D mark iii", "shutter_count": 60000})
		return says(r, "canon/eos-5d-mark-iii", "60,000") && len(rows(r, "by_condition")) > 1
	}},
	{"fast portrait lens for my a7iii under 600 that ships to austria", 1016, func(a *asker) bool {
		r := a.ask(nobody, "search_listings", toolArgs{"category": "lens", "fits": "a7iii", "aperture_max": 2, "focal_min": 75, "focal_max": 135, "budget": "-600", "ship_to": "Austria", "sort": "deal"})
		return every(rows(r, "listings"), fitsStated)
	}},
	{"is 450 for a used XT3 fair?", 548, func(a *asker) bool {
		r := a.ask(nobody, "get_price", toolArgs{"gear": "XT3", "price": "450"})
		return says(r, "fujifilm/x-t3") && field(r, "price", "text") != nil
	}},
	{"is that one a good deal?", 1304, func(a *asker) bool {
		id := rows(a.ask(nobody, "search_listings", toolArgs{"keyword": "canon eos r6", "limit": 1}), "listings")[0]["id"]
		return has(a.ask(nobody, "get_listing", toolArgs{"id": id}), "sold", "condition")
	}},
	{"best value among 35mm for Z mount", 1808, func(a *asker) bool {
		r := a.ask(nobody, "search_listings", toolArgs{"mount": "nikon z", "category": "lens_prime", "focal_min": 35, "focal_max": 35, "sort": "deal"})
		return every(rows(r, "listings"), func(row map[string]any) bool {
			return evidence(row) && strings.Contains(fmt.Sprint(row["mount"]), "Nikon Z")
		})
	}},
	{"compare X100V and GR III by price history", 2793, func(a *asker) bool {
		r := a.ask(nobody, "compare_gear", toolArgs{"gear": []string{"x100v", "gr iii"}})
		return len(rows(r, "gear")) == 2 && every(rows(r, "gear"), func(row map[string]any) bool { return has(row, "sold") })
	}},
	{"what lost the most value last year", 2096, func(a *asker) bool {
		r := rows(a.ask(nobody, "get_market", toolArgs{"action": "movers"}), "rows")
		return len(r) > 2 && r[len(r)-1]["change"].(float64) < r[0]["change"].(float64)
	}},
	{"was ist mein canon 5d mark 3 wert, guter zustand", 586, func(a *asker) bool {
		return says(a.ask(nobody, "get_price", toolArgs{"gear": "canon 5d mark 3", "condition": "gut"}), "canon/eos-5d-mark-iii", "condition:good")
	}},
	{"weitwinkel für nikon z, bis 500€, nach österreich", 1157, func(a *asker) bool {
		r := a.ask(nobody, "search_listings", toolArgs{"category": "Objektiv", "mount": "nikon z", "equivalent_max": 28, "budget": "bis 500€", "ship_to": "Österreich", "sort": "cheapest"})
		return every(rows(r, "listings"), func(row map[string]any) bool { return has(row, "mount", "price") })
	}},
	{"nifty fifty canon cheap af", 786, func(a *asker) bool {
		r := a.ask(nobody, "search_listings", toolArgs{"keyword": "nifty fifty canon", "sort": "price"})
		return every(rows(r, "listings"), func(row map[string]any) bool { return strings.HasPrefix(fmt.Sprint(row["gear"]), "canon/") })
	}},
	{"will the 70-200 2.8 L mk 3 hold its value", 427, func(a *asker) bool {
		return has(a.ask(nobody, "get_trend", toolArgs{"brand": "canon", "model": "70-200 2.8 L mk 3"}), "gear", "change")
	}},
	{"value my bag (4 items)", 1163, func(a *asker) bool {
		r := a.ask(nobody, "value_gear", toolArgs{"items": []string{"Canon EOS R6, good", "Sony A7 III", "nifty fifty", "Leica M6"}})
		return r["code"] == nil && len(rows(r, "items")) == 4
	}},
	{"cheapest full frame mirrorless that works", 622, func(a *asker) bool {
		r := a.ask(nobody, "search_listings", toolArgs{"category": "mirrorless", "sensor": "full_frame", "functional": "fully_working", "sort": "cheapest"})
		return every(rows(r, "listings"), func(row map[string]any) bool { return row["functional"] == nil })
	}},
	{"can i trust this seller", 298, func(a *asker) bool {
		r := a.ask(nobody, "search_listings", toolArgs{"limit": 1})
		return has(a.ask(nobody, "get_seller", toolArgs{"handle": rows(r, "listings")[0]["seller"]}), "handle")
	}},
	{"sell my Nikon F3 (signed out)", 245, func(a *asker) bool {
		resp, body := a.empty.message(a.t, "POST", web.MCPPath, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"publish_listing","arguments":{}}}`)
		a.tokens += len(body) / bytesPerToken
		return resp.StatusCode == 401 && strings.Contains(resp.Header.Get("WWW-Authenticate"), "resource_metadata")
	}},
	{"sell my F3 hp, brassing, 320 euro, im in vienna", 1457, func(a *asker) bool {
		a.ask(seller, "get_price", toolArgs{"gear": "nikon f3 hp", "condition": "good"})
		r := a.ask(seller, "manage_listing", toolArgs{"action": "create", "gear": "nikon f3 hp", "condition": "good", "functional": "fully_working", "defects": []string{"scratches"}, "price": "320 euro", "region": "Austria", "description": "Brassing at the edges."})
		a.listing, _ = r["id"].(string)
		return a.ask(seller, "publish_listing", toolArgs{"id": a.listing})["status"] == "active"
	}},
	{"make it 310", 620, func(a *asker) bool {
		r := a.ask(seller, "get_listing", toolArgs{"id": a.listing})
		return says(a.ask(seller, "manage_listing", toolArgs{"action": "edit", "id": a.listing, "if_match": fmt.Sprint(r["version"]), "price": "310"}), "310.00")
	}},
	{"tell me when a Leica M6 under 2500 shows up", 297, func(a *asker) bool {
		return has(a.ask(buyer, "manage_alerts", toolArgs{"action": "save", "query": "keyword=leica m6&budget=-2500", "every": "instant"}), "id")
	}},
	{"make him an offer of 280", 575, func(a *asker) bool {
		a.ask(buyer, "search_listings", toolArgs{"keyword": "nikon f3"})
		return a.ask(buyer, "make_offer", toolArgs{"id": a.listing, "amount": "280"})["status"] == "pending"
	}},
	{"working rolleiflex in germany or austria around 800", 530, func(a *asker) bool {
		r := a.ask(nobody, "search_listings", toolArgs{"keyword": "rolleiflex", "region": "Germany or Austria", "budget": "600-1000", "functional": "fully_working"})
		return says(r, "DE", "AT") && r["code"] == nil
	}},
	{"günstige summicron 50 für meine leica m10", 649, func(a *asker) bool {
		r := a.ask(nobody, "search_listings", toolArgs{"keyword": "summicron 50", "fits": "leica m10", "sort": "price"})
		return every(rows(r, "listings"), fitsStated)
	}},
	{"is the x-pro3 going up or down atm", 542, func(a *asker) bool {
		return field(a.ask(nobody, "get_trend", toolArgs{"brand": "fujifilm", "model": "x-pro3"}), "change", "direction") != nil
	}},
	{"what were the pictures of that project shot with", 516, func(a *asker) bool {
		r := rows(a.ask(nobody, "list_portfolio", nil), "projects")
		return len(r) > 0 && has(a.ask(nobody, "get_portfolio", toolArgs{"action": "project", "project": r[0]["slug"]}), "photos")
	}},
	{"fast prime for MFT around 42.5, to switzerland", 703, func(a *asker) bool {
		r := a.ask(nobody, "search_listings", toolArgs{"mount": "MFT", "aperture_max": 2, "focal_min": 40, "focal_max": 45, "ship_to": "Switzerland"})
		return every(rows(r, "listings"), func(row map[string]any) bool {
			return strings.Contains(fmt.Sprint(row["mount"]), "Micro 4/3") || strings.Contains(fmt.Sprint(row["mount"]), "Micro Four Thirds")
		})
	}},
	{"low shutter count D850 under 10k", 459, func(a *asker) bool {
		r := a.ask(nobody, "search_listings", toolArgs{"model": "D850", "shutter_max": 100000})
		return every(rows(r, "listings"), func(row map[string]any) bool { return has(row, "shutter_count") })
	}},
	{"18-55 g vr with broken AF, worth anything", 454, func(a *asker) bool {
		r := a.ask(nobody, "get_price", toolArgs{"gear": "nikon 18-55 g vr", "functional": "minor_fault"})
		return has(r, "candidates") || has(r, "errors") || r["functional"] == "minor_fault"
	}},
	{"cheap analog slr for a beginner", 714, func(a *asker) bool {
		return every(rows(a.ask(nobody, "search_listings", toolArgs{"category": "film_slr", "sort": "price"}), "listings"), evidence)
	}},
	{"how accurate are your prices", 541, func(a *asker) bool {
		return says(a.ask(nobody, "get_market", toolArgs{"action": "accuracy"}), "estimates")
	}},
	{"best deal right now", 544, func(a *asker) bool {
		return every(rows(a.ask(nobody, "search_listings", toolArgs{"sort": "deal", "limit": 5}), "listings"), func(row map[string]any) bool { return has(row, "deal") && evidence(row) })
	}},
	{"a7 iv für 1.100 € ok? sehr gut", 347, func(a *asker) bool {
		r := a.ask(nobody, "get_price", toolArgs{"gear": "a7 iv", "price": "1.100 €", "condition": "sehr gut"})
		return says(r, "1100.00") && field(r, "price", "verdict") != nil
	}},
	{"what is an OM-2 worth", 453, func(a *asker) bool {
		r := a.ask(nobody, "get_price", toolArgs{"gear": "olympus om-2"})
		return field(r, "sold", "sample_size") == 0.0 || field(r, "sold", "to") != nil
	}},
	{"did anyone make an offer; counter 300; sell it; rate", 3517, func(a *asker) bool {
		id := rows(a.ask(seller, "read_offers", toolArgs{"action": "list", "role": "seller"}), "offers")[0]["id"]
		a.ask(seller, "answer_offer", toolArgs{"action": "counter", "id": id, "amount": "300"})
		a.ask(buyer, "answer_offer", toolArgs{"action": "accept", "id": id})
		a.ask(buyer, "manage_handover", toolArgs{"action": "propose", "id": id, "method": "pickup", "place": "Vienna", "meet_at": "2026-11-28T17:30"})
		a.ask(seller, "manage_handover", toolArgs{"action": "agree", "id": id, "proposal": 1})
		a.ask(seller, "finish_trade", toolArgs{"action": "complete", "id": id})
		done := a.ask(buyer, "finish_trade", toolArgs{"action": "confirm", "id": id})["status"] == "confirmed"
		return done && a.ask(buyer, "finish_trade", toolArgs{"action": "rate", "id": id, "stars": 5})["code"] == nil
	}},
	{"cheap 85 for a d750, delivered to germany", 616, func(a *asker) bool {
		r := a.ask(nobody, "search_listings", toolArgs{"category": "lens", "fits": "d750", "focal_min": 85, "focal_max": 85, "ship_to": "Germany", "sort": "total"})
		return every(rows(r, "listings"), fitsStated)
	}},
	{"z6 vs a7iii vs r6, which lost least", 1152, func(a *asker) bool {
		r := rows(a.ask(nobody, "compare_gear", toolArgs{"gear": []string{"nikon z6", "a7iii", "canon r6"}}), "gear")
		return len(r) == 3 && every(r, func(row map[string]any) bool { return has(row, "change_12m") || has(row, "sold") })
	}},
}

// askedRight is how many of the tasks must be answered right.
const askedRight = 32

// TestAskedTasks plays the tasks with the tools of the default address.
func TestAskedTasks(t *testing.T) {
	t.Parallel()
	a := &asker{t: t, public: newTestServer(t), empty: newMarketServer(t), sessions: map[string]*mcp.ClientSession{}, lists: map[string]map[string]*mcp.Tool{}}
	ann, bob := a.empty.join(t, "asked-seller", models.RoleMember), a.empty.join(t, "asked-buyer", models.RoleMember)
	a.sessions[nobody], a.sessions[seller], a.sessions[buyer] = a.public.connectAs(t, nil), a.empty.connectAs(t, ann), a.empty.connectAs(t, bob)
	for who, session := range a.sessions {
		list, err := session.ListTools(t.Context(), nil)
		must(err)
		a.lists[who] = map[string]*mcp.Tool{}
		for _, tool := range list.Tools {
			a.lists[who][tool.Name] = tool
		}
	}
	var table []string
	right, before, now := 0, 0, 0
	for _, task := range askedTasks {
		a.tokens, a.calls = 0, 0
		ok := task.play(a)
		if ok {
			right++
		} else {
			t.Logf("not answered: %s", task.asked)
		}
		before, now = before+task.before, now+a.tokens
		table = append(table, fmt.Sprintf("| %s | %d | %d | %d | %s |", task.asked, a.calls, task.before, a.tokens, map[bool]string{true: "yes", false: "no"}[ok]))
	}
	if right < askedRight {
		t.Errorf("%d of %d tasks are answered right, at least %d should be", right, len(askedTasks), askedRight)
	}
	table = append(table, fmt.Sprintf("| **Sum** | | %d | %d | %d of %d |", before, now, right, len(askedTasks)))
	checkDocument(t, "asked", "| Task | Calls | Tokens before | Tokens | Right |\n| --- | --- | --- | --- | --- |\n"+strings.Join(table, "\n")+"\n")
}

// TestMarketIsShort tests the maximum size of the figures of the market.
func TestMarketIsShort(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	for _, action := range []string{"movers", "holders", "kinds", "brands", "seasons", "depreciation", "accuracy"} {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_market", Arguments: toolArgs{"action": action}})
		if err != nil || result.IsError {
			t.Errorf("%s: %v %+v", action, err, result)
			continue
		}
		answer := result.StructuredContent.(map[string]any)
		if n := tokens(t, result); n > 300 {
			text, _ := json.Marshal(answer)
			t.Errorf("%s has %d tokens: %s", action, n, text)
		}
		if chart := answer["chart"]; action != "accuracy" && chart != action {
			t.Errorf("%s returns %v", action, chart)
		}
	}
}

// TestResearchTools tests the results of search and fetch: their text is one JSON object, equal
// to the structured content, with the members that clients expect.
func TestResearchTools(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath+"?toolset=research", eras[0])
	call := func(tool string, arguments toolArgs) (structured, text map[string]any) {
		t.Helper()
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil || result.IsError || len(result.Content) != 1 {
			t.Fatalf("%s: %v %+v", tool, err, result)
		}
		must(json.Unmarshal([]byte(result.Content[0].(*mcp.TextContent).Text), &text))
		structured = result.StructuredContent.(map[string]any)
		if fmt.Sprint(structured) != fmt.Sprint(text) {
			t.Errorf("%s: %v and %v", tool, structured, text)
		}
		return structured, text
	}
	found, _ := call("search", toolArgs{"query": "canon eos r6"})
	results := rows(found, "results")
	if len(found) != 1 || len(results) < 2 {
		t.Fatalf("search: %v", found)
	}
	for _, r := range results[:2] {
		if len(r) != 3 || r["id"] == nil || r["title"] == nil || r["url"] == nil {
			t.Errorf("search: %v", r)
		}
		page, _ := call("fetch", toolArgs{"id": r["id"]})
		if len(page) != 5 || page["id"] != r["id"] || page["url"] != r["url"] || page["metadata"] == nil || page["title"] == "" || !strings.Contains(page["text"].(string), "#") {
			t.Errorf("fetch: %.300v", page)
		}
	}
	for _, wrong := range []string{"/no/such/page", "/account", "https://elsewhere.example/"} {
		if result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "fetch", Arguments: toolArgs{"id": wrong}}); err == nil && !result.IsError {
			t.Errorf("fetch %s: %+v", wrong, result)
		}
	}
}

// TestPeopleConfirm tests that a client that can ask the person does so before each call that
// commits them, in the words of the page, and that nothing is done unless they agree.
func TestPeopleConfirm(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	answer, asked := "", ""
	options := &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		asked = r.Params.Message
		return &mcp.ElicitResult{Action: answer}, nil
	}}
	draft := ann.ask(t, "POST", "/api/listings", strings.Replace(r6, "{", `{"buy_now":"confirm",`, 1), 201)["id"].(string)
	ids := map[string]string{"listing": draft}
	steps := []struct {
		who       *testMember
		operation string
		arguments toolArgs
		says      string
	}{
		{ann, "publish_listing", toolArgs{"id": "listing"}, "Publish"},
		{bob, "make_offer", toolArgs{"id": "listing", "amount": "1100 EUR"}, "€1,100"},
		{ann, "accept_offer", toolArgs{"id": "offer"}, "Accept €1,100 and reserve the item for them"},
		{ann, "complete_offer", toolArgs{"id": "offer"}, "Mark as sold for €1,100"},
	}
	confirmed := map[string]bool{}
	for _, step := range steps {
		session := s.sessionWith(t, step.who, options)
		arguments := toolArgs{}
		for name, value := range step.arguments {
			if id := ids[fmt.Sprint(value)]; id != "" {
				value = id
			}
			arguments[name] = value
		}
		for _, answer = range []string{"decline", "cancel", "accept"} {
			asked = ""
			result, err := session.CallTool(t.Context(), s.toolCall(step.operation, arguments))
			if err != nil || result.IsError != (answer != "accept") {
				t.Fatalf("%s, %s: %v %+v", step.operation, answer, err, result)
			}
			said := result.StructuredContent.(map[string]any)
			if !strings.Contains(asked, step.says) || !strings.Contains(asked, "R6") {
				t.Errorf("%s asks %q, want %q", step.operation, asked, step.says)
			}
			if answer != "accept" && said["code"] != "not_confirmed" {
				t.Errorf("%s, %s: %v", step.operation, answer, said)
			}
			if id, ok := said["id"].(string); ok && step.operation == "make_offer" {
				ids["offer"] = id
			}
		}
		confirmed[step.operation] = true
	}
	for _, op := range s.API() {
		if op.Confirm != nil && !confirmed[op.Name] && op.Name != "buy_listing" {
			t.Errorf("%s asks, and is not tested", op.Name)
		}
	}
	second := ann.list(t, strings.Replace(r6, "{", `{"buy_now":"confirm",`, 1))
	answer = "accept"
	result, err := s.sessionWith(t, bob, options).CallTool(t.Context(), s.toolCall("buy_listing", toolArgs{"id": second, "delivery": "pickup"}))
	if err != nil || result.IsError || !strings.Contains(asked, "Buy for ") || !strings.Contains(asked, "48 hours to confirm") {
		t.Errorf("buy_listing asks %q: %v %+v", asked, err, result)
	}
}
