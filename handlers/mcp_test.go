package handlers

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/storetest"
)

// bodyBytes is the maximum length of an MCP message of an anonymous client.
const bodyBytes = 32 << 10

// eras holds the protocol versions of stateless clients and of older ones.
var eras = []string{"2026-07-28", "2025-11-25", "2025-06-18"}

// connect returns an MCP client with one protocol version.
func (s *testServer) connect(t testing.TB, path, protocol string) *mcp.ClientSession {
	t.Helper()
	return s.session(t, s.client, path, protocol)
}

// connectAs returns an MCP client of a member, or of nobody for nil.
func (s *testServer) connectAs(t testing.TB, who *testMember) *mcp.ClientSession {
	t.Helper()
	client := s.client
	if who != nil {
		client = &http.Client{Transport: bearer{client.Transport, who.token}}
	}
	return s.session(t, client, web.MCPPath, eras[0])
}

// sessionWith returns an MCP client of a member with options.
func (s *testServer) sessionWith(t testing.TB, who *testMember, options *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	return s.newSession(t, &http.Client{Transport: bearer{s.client.Transport, who.token}}, web.MCPPath, eras[0], options)
}

func (s *testServer) session(t testing.TB, client *http.Client, path, protocol string) *mcp.ClientSession {
	t.Helper()
	return s.newSession(t, client, path, protocol, nil)
}

func (s *testServer) newSession(t testing.TB, client *http.Client, path, protocol string, options *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, options).Connect(context.Background(), &mcp.StreamableClientTransport{
		Endpoint: "http://secondlight.example" + path, HTTPClient: client, MaxRetries: -1, DisableStandaloneSSE: true,
	}, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		t.Fatalf("connect by %s: %v", protocol, err)
	}
	t.Cleanup(func() { session.Close() })
	if got := session.InitializeResult().ProtocolVersion; got != protocol {
		t.Fatalf("asked for protocol %s, got %s", protocol, got)
	}
	return session
}

// TestToolsAnswerWhatTheAPIDoes calls every tool with its example values, in every
// protocol version, and compares the result with its schema and the API response.
func TestToolsAnswerWhatTheAPIDoes(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	for _, era := range eras {
		session := s.connect(t, web.MCPPath, era)
		tools := s.allTools(t)
		for _, doc := range s.Tools() {
			if !strings.Contains(doc.Name, "probe") {
				checkTool(t, doc.Operations, tools[doc.Name])
			}
		}
		for _, op := range s.Operations() {
			name, _ := s.ToolOf(op.Name)
			if (name != "") != (op.Tool()) {
				t.Errorf("%s has the API address %q, NoTool %v and the tool %q", op.Name, op.Path, op.NoTool, name)
			}
			tool := tools[name]
			if tool == nil {
				continue
			}
			if !op.Open() { // members' tools are tested where their trades are; here what they promise
				if op.Sample == nil {
					t.Errorf("%s shows no answer", op.Name)
					continue
				}
				result, err := s.ToolResult(op, op.Sample())
				if err != nil {
					t.Errorf("%s: %v", op.Name, err)
					continue
				}
				checkResult(t, tools, tool, result)
				continue
			}
			values := op.Examples()
			arguments := map[string]any{}
			for _, p := range op.Parameters(nil) {
				if p.Required || slices.Contains(op.Exampled, p.Name) {
					arguments[p.Name] = values[p.Name]
				}
			}
			result, err := session.CallTool(context.Background(), s.toolCall(op.Name, arguments))
			if err != nil || result.IsError {
				t.Errorf("%s: %v, %+v", op.Name, err, result)
				continue
			}
			checkResult(t, tools, tool, result)
			if _, full := op.InputSchema().Properties["detail"]; full || tool.InputSchema.(map[string]any)["properties"].(map[string]any)["detail"] == nil {
				continue
			}
			arguments["detail"] = "full"
			result, err = session.CallTool(context.Background(), s.toolCall(op.Name, arguments))
			if err != nil || result.IsError {
				t.Errorf("%s in full: %v, %+v", op.Name, err, result)
				continue
			}
			_, want := s.do(t, "GET", op.ExampleTarget(op.Path, values), "Accept", "application/json")
			sameJSON(t, op.Name, result.StructuredContent, want)
			checkResult(t, tools, tool, result)
		}
	}
}

// checkResult checks that a result has a text and fits the schema of its tool, and that
// it names only tools that there are.
func checkResult(t *testing.T, tools map[string]*mcp.Tool, tool *mcp.Tool, result *mcp.CallToolResult) {
	t.Helper()
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok || len(result.Content) != 1 || !strings.HasPrefix(text.Text, "# ") && tool.Name != "search" && tool.Name != "fetch" {
		t.Errorf("%s: its content is not one text: %v", tool.Name, result.Content)
	}
	fits(t, tool, result)
	structured, err := json.Marshal(result.StructuredContent)
	must(err)
	var answer struct{ Next []string }
	if json.Unmarshal(structured, &answer); slices.ContainsFunc(answer.Next, func(step string) bool {
		name, _, _ := strings.Cut(step, " (")
		return tools[name] == nil
	}) {
		t.Errorf("%s: one of the next steps %q is no tool", tool.Name, answer.Next)
	}
}

// checkTool checks that a tool has what a model needs to choose it.
func checkTool(t *testing.T, ops []*web.Operation, tool *mcp.Tool) {
	t.Helper()
	if tool == nil || tool.Title == "" || len(tool.Description) < 60 || tool.InputSchema == nil || tool.OutputSchema == nil || len(tool.Icons) > 0 {
		t.Errorf("%s: title, description or schemas missing, or with an icon: %+v", ops[0].Name, tool)
		return
	}
	reads, repeats, destroysOne := true, true, false
	for _, op := range ops {
		read := op.Method == http.MethodGet || op.Name == "value_gear"
		reads = reads && read
		repeats = repeats && (read || op.Method == http.MethodPut || op.Method == http.MethodDelete)
		destroysOne = destroysOne || destroys(op)
	}
	a := tool.Annotations
	if a == nil || a.ReadOnlyHint != reads || a.IdempotentHint != repeats ||
		*a.DestructiveHint != destroysOne || *a.OpenWorldHint != strings.Contains(tool.Description, "«") {
		t.Errorf("%s: annotations %+v", tool.Name, a)
	}
}

// allTools returns the tools of every toolset, as an operator may list them, by name.
func (s *testServer) allTools(t testing.TB) map[string]*mcp.Tool {
	t.Helper()
	caller := &web.Caller{Identity: &web.Identity{Staff: strings.Fields(models.RoleOperator.StaffScopes().String())}}
	for _, scope := range models.AllScopes {
		caller.Scopes = append(caller.Scopes, string(scope))
	}
	all := map[string]*mcp.Tool{}
	for _, set := range toolsets {
		for _, tool := range s.ToolsFor(caller, set) {
			text, err := json.Marshal(tool)
			must(err)
			all[tool.Name] = &mcp.Tool{}
			must(json.Unmarshal(text, all[tool.Name]))
		}
	}
	return all
}

// destroys reports whether an operation overwrites, ends or commits something.
func destroys(op *web.Operation) bool {
	switch op.Name {
	case "accept_offer", "decline_offer", "withdraw_offer", "complete_offer", "agree_handover", "rate_trade", "hide_listing", "suspend_member", "close_report", "void_sale",
		"mark_sold", "end_listing", "discard_draft", "import_listings", "remove_photo", "revoke_token", "delete_search", "rotate_search_secrets", "set_role", "replace_email", "update_project", "update_project_photo":
		return true
	}
	return op.Method == http.MethodDelete || op.Method == http.MethodPatch
}

func sameJSON(t *testing.T, name string, got any, want string) {
	t.Helper()
	a, _ := json.Marshal(got)
	var wanted any
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	b, _ := json.Marshal(wanted)
	if string(a) != string(b) {
		t.Errorf("%s: the structured content is not the API's JSON:\n%.300s\n%.300s", name, a, b)
	}
}

// fits validates a result against the schema its tool publishes.
func fits(t *testing.T, tool *mcp.Tool, result *mcp.CallToolResult) {
	t.Helper()
	text, err := json.Marshal(tool.OutputSchema)
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	content, err := json.Marshal(result.StructuredContent)
	must(err)
	var value any
	must(json.Unmarshal(content, &value))
	if err := resolved.Validate(value); err != nil {
		t.Errorf("%s: does not fit its schema: %v", tool.Name, err)
	}
}

func TestToolErrorsSayHowToRepair(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	tools := s.allTools(t)
	for _, test := range []struct {
		tool      string
		arguments any
		code      string
		says      []string // in the text
	}{
		{"search_listings", map[string]any{"budget_maximum": "5"}, "unknown_parameter", []string{"Did you mean", "budget_max"}},
		{"search_listings", map[string]any{"limit": "many"}, "invalid_parameter", []string{"limit", "whole number"}},
		{"search_listings", map[string]any{"limit": 2.5}, "invalid_parameter", []string{"limit", "whole number"}},
		{"search_listings", map[string]any{"keyword": map[string]any{"a": 1}}, "invalid_parameter", []string{"keyword", "is an object"}},
		{"search_listings", map[string]any{"keyword": []string{"a", "b"}}, "duplicate_parameter", []string{"takes one value"}},
		{"search_listings", map[string]any{"keyword": "a\x00b"}, "invalid_parameter", []string{"control characters"}},
		{"search_listings", map[string]any{"condition": []string{"excelent"}}, "unresolved_name", []string{"Did you mean", "excellent"}},
		{"search_listings", map[string]any{"model": "canon/eos-r66"}, "unresolved_name", []string{"canon/eos-r6", ": call find_gear with keyword=…"}},
		{"search_listings", map[string]any{"budget": "800", "budget_min": "5", "brand": "canonn"}, "invalid_parameter", []string{"2 parameters are invalid", "canon"}},
		{"search_listings", map[string]any{"include": "facet", "detail": "all"}, "invalid_parameter", []string{"2 parameters are invalid", "facets", "full"}},
		{"get_trend", map[string]any{"brand": "canon", "model": "eos-r6", "months": 61}, "invalid_parameter", []string{"at most 60"}},
		{"get_listing", map[string]any{}, "missing_parameter", []string{"id is required"}},
		{"get_listing", map[string]any{"id": "7"}, "listing_not_found", []string{"No listing has the id", "search_listings with keyword=…"}},
		{"get_trend", map[string]any{"brand": "canon", "model": "eos-r66"}, "gear_not_found", []string{"canon/eos-r6"}},
		{"get_portfolio", map[string]any{"action": "kit", "deep": true}, "unknown_parameter", []string{"deep"}},
	} {
		result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: test.tool, Arguments: test.arguments})
		if err != nil {
			t.Errorf("%s %v: %v", test.tool, test.arguments, err)
			continue
		}
		failure, _ := result.StructuredContent.(map[string]any)
		text := result.Content[0].(*mcp.TextContent).Text
		if !result.IsError || failure["code"] != test.code || failure["message"] == "" || failure["hint"] == "" || failure["request_id"] == "" {
			t.Errorf("%s %v: %v", test.tool, test.arguments, failure)
		}
		for _, word := range test.says {
			if !strings.Contains(text, word) {
				t.Errorf("%s %v: the text does not say %q:\n%s", test.tool, test.arguments, word, text)
			}
		}
		fits(t, tools[test.tool], result)
	}
}

// TestArgumentsAsModelsWriteThem tests equivalent forms of arguments.
func TestArgumentsAsModelsWriteThem(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	_, want := s.do(t, "GET", "/api/listings/search?brand=canon&brand=nikon&limit=3&budget=800")
	for _, arguments := range []map[string]any{
		{"brand": []string{"canon", "nikon"}, "limit": 3, "budget": "800", "detail": "full"},
		{"brand": "canon,nikon", "limit": "3", "budget": 800, "detail": "full"},
		{"brand": []string{"canon", "nikon"}, "limit": 3.0, "budget": 800, "detail": "full", "keyword": nil, "mount": ""},
	} {
		result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "search_listings", Arguments: arguments})
		if err != nil || result.IsError {
			t.Errorf("%v: %v %+v", arguments, err, result)
			continue
		}
		sameJSON(t, "search_listings", result.StructuredContent, want)
	}
}

// message sends a message as MCP clients do. header replaces some of their headers.
func (s *testServer) message(t testing.TB, method, path, content string, header ...string) (*http.Response, string) {
	t.Helper()
	fields := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	for i := 0; i < len(header); i += 2 {
		fields.Set(header[i], header[i+1])
	}
	var all []string
	for name := range fields {
		all = append(all, name, fields.Get(name))
	}
	return s.send(t, method, path, content, all...)
}

// TestMCPKeepsTheContract tests requests that are rejected before they reach MCP, and
// the headers of every response.
func TestMCPKeepsTheContract(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for _, test := range []struct {
		name, method, body string
		header             []string
		status             int
		code, allow        string
	}{
		{name: "answer", method: "POST", body: list, status: 200},
		{name: "notification", method: "POST", body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, status: 202},
		{name: "own origin", method: "POST", body: list, header: []string{"Origin", "https://secondlight.example"}, status: 200},
		{name: "foreign origin", method: "POST", body: list, header: []string{"Origin", "https://elsewhere.example"}, status: 200},
		{name: "foreign origin with a cookie", method: "POST", body: list, header: []string{"Origin", "https://elsewhere.example", "Cookie", "session=x"}, status: 403, code: "cross_site"},
		{name: "origin that hides, with a cookie", method: "POST", body: list, header: []string{"Origin", "null", "Cookie", "session=x"}, status: 403, code: "cross_site"},
		{name: "foreign page with a cookie", method: "POST", body: list, header: []string{"Sec-Fetch-Site", "cross-site", "Cookie", "session=x"}, status: 403, code: "cross_site"},
		{name: "get", method: "GET", status: 405, code: "method_not_allowed", allow: "POST, OPTIONS"},
		{name: "delete", method: "DELETE", status: 405, code: "method_not_allowed", allow: "POST, OPTIONS"},
		{name: "batch", method: "POST", body: " [" + list + "]", status: 400, code: "bad_request"},
		{name: "no JSON", method: "POST", body: "{", status: 400, code: "bad_request"},
		{name: "nothing", method: "POST", status: 400, code: "bad_request"},
		{name: "another type", method: "POST", body: list, header: []string{"Content-Type", "text/plain"}, status: 415, code: "unsupported_media_type"},
		{name: "no stream accepted", method: "POST", body: list, header: []string{"Accept", "application/json"}, status: 200},
		{name: "unknown protocol", method: "POST", body: list, header: []string{"Mcp-Protocol-Version", "1999-01-01"}, status: 400, code: "bad_request"},
	} {
		resp, body := s.message(t, test.method, web.MCPPath, test.body, test.header...)
		if resp.StatusCode != test.status {
			t.Errorf("%s: status %d, want %d: %.200s", test.name, resp.StatusCode, test.status, body)
			continue
		}
		for _, field := range []string{"Vary", "RateLimit", "RateLimit-Policy", "X-Request-Id", "X-Content-Type-Options", "Cache-Control"} {
			if resp.Header.Get(field) == "" {
				t.Errorf("%s: no %s", test.name, field)
			}
		}
		if test.code == "" {
			if resp.Header.Get("X-Accel-Buffering") != "no" {
				t.Errorf("%s: proxies may hold it back", test.name)
			}
			continue
		}
		var problem struct{ Code, Message, Hint string }
		if err := json.Unmarshal([]byte(body), &problem); err != nil || problem.Code != test.code || problem.Message == "" || problem.Hint == "" {
			t.Errorf("%s: %v %s", test.name, err, body)
		}
		if resp.Header.Get("Content-Type") != problemType || resp.Header.Get("Allow") != test.allow {
			t.Errorf("%s: %s, Allow %q", test.name, resp.Header.Get("Content-Type"), resp.Header.Get("Allow"))
		}
	}
}

// TestMCPIsCharged tests that MCP requests count towards the rate limit of the API.
func TestMCPIsCharged(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.RateLimit = 2 })
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for i, want := range []int{200, 200, 429} {
		resp, body := s.message(t, "POST", web.MCPPath, ping)
		if resp.StatusCode != want {
			t.Fatalf("request %d: status %d, want %d: %s", i+1, resp.StatusCode, want, body)
		}
		if want == 429 && resp.Header.Get("Retry-After") == "" {
			t.Error("429 without Retry-After")
		}
	}
}

// TestMCPRefusesLongBodies tests that a body is rejected by its Content-Length, before
// it is read.
func TestMCPRefusesLongBodies(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	conn, err := s.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: secondlight.example\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", web.MCPPath, bodyBytes+1)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	var problem struct{ Code string }
	if err := json.NewDecoder(resp.Body).Decode(&problem); err != nil || resp.StatusCode != 413 || problem.Code != "body_too_large" {
		t.Errorf("%s %+v %v", resp.Status, problem, err)
	}
}

// emptyMarket returns a market with the catalogue and no listings.
func emptyMarket(t testing.TB) Config {
	catalog := testCatalog().Copy()
	store := storetest.Open(t, storetest.SQLite(t), func() time.Time { return testNow })
	return Config{Store: store, Catalog: catalog, Index: search.New(catalog.Lookup()), Site: testSite, DataDir: t.TempDir()}
}

// FuzzToolArguments calls every tool with arbitrary arguments. The result must be a
// success or a client error, never an internal error.
func FuzzToolArguments(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `[]`, `{}`, `{"keyword":"r6 mk ii","limit":1}`, `{"id":"019aa7d2-7c00-7000-8000-000000000000"}`, `{"brand":"canon","model":"eos-r6"}`,
		`{"brand":["canon",null,[1]],"condition":{"a":true},"budget":"500-","budget_max":1e999}`, `{"limit":-9223372036854775809,"cursor":"\u0000"}`,
		`{"handle":"\ud800","sort":"deal","region":"US-CA"}`, `{"limit":1e400,"keyword":"%00&=+;#"}`, `{"keyword":"` + strings.Repeat("é", 600) + `"}`, `{"a":`,
	} {
		f.Add(uint8(0), []byte(seed))
		f.Add(uint8(3), []byte(seed))
	}
	s := build(quiet(emptyMarket(f)))
	ops := s.API()
	f.Fuzz(func(t *testing.T, which uint8, arguments []byte) {
		op := ops[int(which)%len(ops)]
		req := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: op.Name, Arguments: arguments}, Extra: &mcp.RequestExtra{Header: http.Header{}}}
		result, err := s.ToolHandler(op)(context.Background(), req)
		if err != nil {
			t.Fatalf("%s %s: %v", op.Name, arguments, err)
		}
		if !result.IsError {
			return
		}
		var problem struct {
			Status              int
			Code, Message, Hint string
		}
		if err := json.Unmarshal(result.StructuredContent.(json.RawMessage), &problem); err != nil {
			t.Fatal(err)
		}
		if problem.Status >= 500 || problem.Code == "" || problem.Message == "" || problem.Hint == "" {
			t.Fatalf("%s %q: %+v", op.Name, arguments, problem)
		}
	})
}

// tokens returns the estimated number of tokens of a tool result: a token for four
// bytes of text and structured content.
func tokens(t testing.TB, result *mcp.CallToolResult) int {
	t.Helper()
	structured, err := json.Marshal(result.StructuredContent)
	must(err)
	n := len(structured)
	for _, c := range result.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			n += len(text.Text)
			continue
		}
		b, err := json.Marshal(c)
		must(err)
		n += len(b)
	}
	return (n + 3) / 4
}

// TestEveryFormOfAResult calls every public tool in each form that an argument chooses: in full,
// with what it can include, and with the views and fields of the API. Each result fits the full
// schema of its tool, or of the API's answer.
func TestEveryFormOfAResult(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	_, published := s.do(t, "GET", "/openapi.json")
	answers := newResponseSchemas(t, []byte(published))
	forms := 0
	for _, op := range s.Operations() {
		if name, _ := s.ToolOf(op.Name); name == "" || !op.Open() || op.Writes() || strings.Contains(op.Name, "probe") {
			continue
		}
		arguments := map[string]any{}
		for _, p := range op.Parameters(nil) {
			if p.Required || slices.Contains(op.Exampled, p.Name) {
				arguments[p.Name] = op.Examples()[p.Name]
			}
		}
		schemas := s.toolSchemas(t, session, op.Name)
		chosen := []map[string]any{{}}
		for _, name := range []string{"view", "fields", "include", "detail", "facets"} {
			argument := schemas.Arguments.Properties[name]
			if argument == nil {
				continue
			}
			values := argument.Enum
			if argument.Items != nil {
				values = argument.Items.Enum
			}
			switch name {
			case "facets":
				values = []any{"false"}
			case "fields":
				values = []any{"price"}
			}
			for _, value := range values {
				chosen = append(chosen, map[string]any{name: value})
				if schemas.Arguments.Properties["detail"] != nil {
					chosen = append(chosen, map[string]any{name: value, "detail": "full"})
				}
			}
		}
		for _, form := range chosen {
			call := maps.Clone(arguments)
			maps.Copy(call, form)
			result, err := session.CallTool(t.Context(), s.toolCall(op.Name, call))
			if err != nil || result.IsError {
				t.Errorf("%s %v: %v %+v", op.Name, form, err, result)
				continue
			}
			forms++
			body := must1(json.Marshal(result.StructuredContent))
			if form["detail"] == "full" {
				path, _, _ := strings.Cut(op.ExampleTarget(op.Path, op.Examples()), "?")
				if err := answers.validate("GET", path, &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}}, body); err != nil {
					t.Errorf("%s %v: %v", op.Name, form, err)
				}
				continue
			}
			var value any
			must(json.Unmarshal(body, &value))
			if err := must1(schemas.Result.Resolve(nil)).Validate(value); err != nil {
				t.Errorf("%s %v: %v", op.Name, form, err)
			}
		}
	}
	t.Logf("%d forms of results", forms)
}

// toolSchemas are the full schemas of a tool.
type toolSchemas struct{ Arguments, Result jsonschema.Schema }

// toolSchemas reads the full schemas of the tool of an operation.
func (s *testServer) toolSchemas(t *testing.T, session *mcp.ClientSession, operation string) (schemas toolSchemas) {
	t.Helper()
	name, action := s.ToolOf(operation)
	resource, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "schema://tools/" + name})
	must(err)
	var all struct {
		toolSchemas
		Actions map[string]toolSchemas
	}
	must(json.Unmarshal([]byte(resource.Contents[0].Text), &all))
	if action != "" {
		return all.Actions[action]
	}
	return all.toolSchemas
}
