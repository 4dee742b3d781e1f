package handlers

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

// Names of the idempotency key over HTTP and in the arguments of a tool.
const (
	keyHeader   = "Idempotency-Key"
	keyReplayed = "Idempotency-Replayed"
	keyArgument = "idempotency_key"
)

// tokensOf returns the number of tokens of a member.
func tokensOf(t testing.TB, m *testMember) int {
	tokens, err := m.server.store.Tokens.Tokens(context.Background(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	return len(tokens)
}

// TestIdempotency tests that a write that is retried with its key is executed once
// and gets the same response, over HTTP and MCP, and that a key can't be reused.
func TestIdempotency(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	send := func(m *testMember, method, path, key, body string, header ...string) (*http.Response, string) {
		header = append(header, "Authorization", "Bearer "+m.token, "Content-Type", "application/json", keyHeader, key)
		return s.send(t, method, path, body, header...)
	}
	const body = `{"name":"one","scopes":["account:read","offers:write"]}`
	first, text := send(ann, "POST", "/api/tokens", "k-1", body)
	if first.StatusCode != 201 || first.Header.Get(keyReplayed) != "" {
		t.Fatalf("the first is %d %v: %s", first.StatusCode, first.Header, text)
	}
	for _, same := range []string{body, `{"scopes":["account:read","offers:write"], "name":" one "}`} {
		again, repeated := send(ann, "POST", "/api/tokens", "k-1", same)
		if again.StatusCode != 201 || repeated != text || again.Header.Get(keyReplayed) != "true" || again.Header.Get("Location") != first.Header.Get("Location") ||
			again.Header.Get("Content-Type") != first.Header.Get("Content-Type") || again.Header.Get("Link") != first.Header.Get("Link") {
			t.Errorf("again it is %d %v: %s", again.StatusCode, again.Header, repeated)
		}
	}
	if resp, text := send(ann, "POST", "/api/tokens", "k-1", body, "Accept", "text/markdown"); resp.StatusCode != 201 || !strings.HasPrefix(text, "# «one»") {
		t.Errorf("as Markdown it is %d: %s", resp.StatusCode, text)
	}
	if n := tokensOf(t, ann); n != 2 {
		t.Errorf("ann has %d tokens", n)
	}
	for _, c := range []struct {
		name, method, path, key, body string
		who                           *testMember
		status                        int
		want                          string
	}{
		{"another body", "POST", "/api/tokens", "k-1", `{"name":"two","scopes":["account:read"]}`, ann, 422, "idempotency_key_reused"},
		{"another member", "POST", "/api/tokens", "k-1", body, bob, 201, `"name":"one"`},
		{"another operation", "DELETE", first.Header.Get("Location"), "k-1", "", ann, 200, `"tokens"`},
		{"a refusal, first", "DELETE", "/api/tokens/none", "k-2", "", ann, 404, "token_not_found"},
		{"a refusal, again", "DELETE", "/api/tokens/none", "k-2", "", ann, 404, "token_not_found"},
		{"a long key", "POST", "/api/tokens", strings.Repeat("k", 256), body, ann, 400, "invalid_parameter"},
		{"a wrong body", "POST", "/api/tokens", "k-3", `{"name":"two"}`, ann, 400, "missing_parameter"},
		{"which may be put right", "POST", "/api/tokens", "k-3", `{"name":"two","scopes":["account:read"]}`, ann, 201, `"two"`},
	} {
		resp, text := send(c.who, c.method, c.path, c.key, c.body)
		if resp.StatusCode != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s is %d: %s", c.name, resp.StatusCode, text)
		}
		if replayed := c.name == "a refusal, again"; (resp.Header.Get(keyReplayed) == "true") != replayed {
			t.Errorf("%s has %s %q", c.name, keyReplayed, resp.Header.Get(keyReplayed))
		}
	}
	var database strings.Builder
	_, err := s.store.Dump(context.Background(), func(string, []string) (func([]any) error, error) {
		return func(row []any) error { _, err := fmt.Fprintln(&database, row...); return err }, nil
	})
	must(err)
	if secret := tokenSecret.FindString(text); secret == "" || strings.Contains(database.String(), secret) || strings.Contains(database.String(), base64.StdEncoding.EncodeToString([]byte(secret))[:40]) {
		t.Error("the secret of a token is stored in plain text")
	}

	// Many at once: one is executed, the others must wait or get its response.
	var all sync.WaitGroup
	before := tokensOf(t, ann)
	for range 12 {
		all.Go(func() {
			resp, text := send(ann, "POST", "/api/tokens", "k-4", `{"name":"race","scopes":["account:read"]}`)
			if resp.StatusCode != 201 && !(resp.StatusCode == 409 && strings.Contains(text, "idempotency_in_progress")) {
				t.Errorf("a racer is %d: %s", resp.StatusCode, text)
			}
		})
	}
	all.Wait()
	if n := tokensOf(t, ann); n != before+1 {
		t.Errorf("a race made %d tokens", n-before)
	}

	// The same key over the other protocol.
	call := func(arguments string) map[string]any {
		t.Helper()
		resp, text := s.send(t, "POST", web.MCPPath, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"manage_tokens","arguments":`+arguments+`}}`,
			"Authorization", "Bearer "+ann.token, "Content-Type", "application/json", "Accept", "application/json, text/event-stream")
		var answer struct{ Result map[string]any }
		_, data, _ := strings.Cut(text, "data: ")
		if data == "" {
			data = text
		}
		if err := json.Unmarshal([]byte(data), &answer); err != nil {
			t.Fatalf("%d %v: %s", resp.StatusCode, err, text)
		}
		return answer.Result
	}
	result := call(`{"action":"create","name":"two","scopes":["account:read"],"idempotency_key":"k-3"}`)
	if result["isError"] == true || result["_meta"] == nil || result["structuredContent"].(map[string]any)["name"] != "two" {
		t.Errorf("the tool answers %v", result)
	}
	if result := call(`{"action":"create","name":"three","scopes":["account:read"],"idempotency_key":"k-3"}`); result["isError"] != true || !strings.Contains(fmt.Sprint(result), "idempotency_key_reused") {
		t.Errorf("the tool answers %v", result)
	}
	if n := tokensOf(t, ann); n != before+1 {
		t.Errorf("the tools made %d tokens", n-before-1)
	}
}

// TestFormsSentTwice sends the form of every operation that creates something twice, one
// after the other and at once, as browsers do when a button is clicked twice: it creates one
// thing, and both are answered alike. The form must be on its page, with a key.
func TestFormsSentTwice(t *testing.T) {
	t.Parallel()
	url := storetest.SQLite(t)
	db, err := sql.Open("sqlite", strings.TrimPrefix(url, "sqlite:"))
	must(err)
	defer db.Close()
	s := newMarketServer(t, func(c *Config) { c.Store = storetest.Open(t, url, func() time.Time { return testNow }) })
	people := map[string]*testMember{}
	for handle, role := range map[string]models.Role{"ann": models.RoleMember, "bob": models.RoleMember, "eve": models.RoleMember, "the-operator": models.RoleOperator} {
		people[handle] = s.join(t, handle, role)
	}
	c := &scene{T: t, s: s, ann: people["ann"], bob: people["bob"], eve: people["eve"]}
	sent := 0
	for _, o := range s.Operations() {
		if !o.NeedsKey() || o.Page == "" || o.Name == "create_project" { // this site has no folder of photographs
			continue
		}
		c.caller = people[matrix[o.Name].right]
		if o.Access == web.Operators || c.caller == nil {
			c.caller = people["the-operator"]
		}
		if o.Form != "" && o.Name != "add_photos" { // the photos are part of the form of save_listing
			s.checkFormKey(t, c.caller, o, matrix[o.Name].ask(c))
		}
		created := 0
		for _, atOnce := range []bool{false, true} {
			form := matrix[o.Name].ask(c)
			path := bind.PathName.ReplaceAllStringFunc(o.Page, func(name string) string {
				value := form[strings.Trim(name, "{}")].(string)
				delete(form, strings.Trim(name, "{}"))
				return value
			})
			form[keyArgument] = fmt.Sprint("key of ", atOnce)
			body := string(must1(json.Marshal(form)))
			post := func() string {
				resp, text := s.send(t, "POST", path, body, "Cookie", c.caller.cookie, "Content-Type", "application/json", "Accept", "text/html", "Sec-Fetch-Site", "same-origin")
				if resp.StatusCode >= 400 && (o.Name != "start_import" || resp.StatusCode != 409) { // one import runs at a time
					t.Errorf("%s is %d: %.300s", o.Name, resp.StatusCode, text)
				}
				if resp.StatusCode < 300 {
					return regexp.MustCompile(`value="[^"]*"`).ReplaceAllString(text, "") // but the key of its forms
				}
				return resp.Header.Get("Location") + resp.Header.Get("Set-Cookie")
			}
			before := countRows(db)
			var first, second string
			if atOnce {
				var both sync.WaitGroup
				both.Go(func() { first = post() })
				second = post()
				both.Wait()
			} else {
				first = post()
				created = countRows(db) - before
				second = post()
			}
			if first != second {
				t.Errorf("%s is answered by %.300q and %.300q", o.Name, first, second)
			}
			if n := countRows(db) - before; n > created {
				t.Errorf("%s creates %d rows, sent twice %d (at once: %v)", o.Name, created, n, atOnce)
			}
		}
		if created == 0 && o.Name != "send_possession" { // which replaces a photo
			t.Errorf("%s creates nothing", o.Name)
		}
		sent++
	}
	if sent < 15 {
		t.Errorf("only %d forms were sent", sent)
	}
}

// checkFormKey checks that the form of an operation has a key, given its path parameters.
func (s *testServer) checkFormKey(t *testing.T, who *testMember, o *web.Operation, values args) {
	t.Helper()
	fill := func(path string) string {
		return bind.PathName.ReplaceAllStringFunc(path, func(name string) string { return fmt.Sprint(values[strings.Trim(name, "{}")]) })
	}
	page := must1(html.Parse(strings.NewReader(who.read(t, fill(o.Form)))))
	for form := range page.Descendants() {
		if form.Data != "form" || attr(form, "action") != fill(o.Page) || attr(form, "method") != "post" {
			continue
		}
		for input := range form.Descendants() {
			if attr(input, "name") == keyArgument && attr(input, "value") != "" {
				return
			}
		}
	}
	t.Errorf("the form of %s on %s has no idempotency key", o.Name, fill(o.Form))
}

// countRows counts the rows of all tables but those of idempotency keys.
func countRows(db *sql.DB) (n int) {
	tables := must1(db.Query(`SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'idempotency'`))
	defer tables.Close()
	var names []string
	for tables.Next() {
		var name string
		must(tables.Scan(&name))
		names = append(names, name)
	}
	for _, name := range names {
		var rows int
		must(db.QueryRow(`SELECT COUNT(*) FROM "` + name + `"`).Scan(&rows))
		n += rows
	}
	return n
}
