package handlers

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/views/ui"
)

// note is the result of a write, for tests of how results of writes are shown.
type note struct {
	ID    string       `json:"id"`
	Text  string       `json:"note" jsonschema:"what was written"`
	Price models.Money `json:"price"`
}

func (n *note) Head(context.Context) ui.Head {
	return ui.Head{Title: "Note", Description: "A note.", Path: "/notes"}
}
func (n *note) HTML() templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		_, err := fmt.Fprintf(w, "<h1>Note</h1><p>%s</p>", templ.EscapeString(n.Text))
		return err
	})
}
func (n *note) Markdown(ctx context.Context, w io.Writer) error {
	_, err := fmt.Fprintf(w, "# Note\n\n%s\n", n.Text)
	return err
}

type noteIn struct {
	Text    string       `json:"note" jsonschema:"what to write" maxlength:"2000" example:"hello"`
	Price   models.Money `json:"price,omitempty" jsonschema:"what it costs" example:"450.00 EUR"`
	Words   *[]string    `json:"words,omitempty" jsonschema:"some words" sep:"lines"`
	IfMatch string       `json:"if_match,omitempty" in:"If-Match" jsonschema:"ETag of what is changed"`
}

func noteOperations() []web.Operation {
	write := func(ctx context.Context, in *noteIn) (*note, error) {
		if in.Text == "refuse" {
			return nil, &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("Not now."), Fields: []problem.FieldError{{Field: "note", Code: "invalid_value", Message: problem.Textf("Not this.")}}}
		}
		return &note{ID: caller.ID(ctx), Text: in.Text, Price: in.Price}, nil
	}
	described := func(o web.Op[noteIn, *note]) web.Operation {
		o.Tag, o.Title, o.Summary, o.Description = "Service", "A note", "Writes a note.", "For tests."
		return o.Operation()
	}
	return []web.Operation{
		web.Op[struct{}, *note]{Name: "read_note", Page: "/notes", Access: web.Members, Scope: string(models.AccountRead), Tag: "Service", Title: "A note", Summary: "Reads.", Description: "For tests.",
			Do: func(context.Context, *struct{}) (*note, error) { return &note{}, nil }}.Operation(),
		described(web.Op[noteIn, *note]{Name: "write_note", Method: "POST", Path: "/api/notes", Page: "/notes", Access: web.Members, Scope: string(models.ListingsWrite), Creates: true, Done: "It is written.", Do: write}),
		described(web.Op[noteIn, *note]{Name: "judge_note", Method: "PUT", Path: "/api/notes", Access: web.Operators, Scope: string(models.Moderation), Do: write}),
		described(web.Op[noteIn, *note]{Name: "sign_note", Method: "POST", Page: "/notes/sign", Form: "/notes", Access: web.SignedIn, Do: write}),
	}
}

// TestAccess tests who may call an operation, and the errors for callers who may not.
func TestAccess(t *testing.T) {
	t.Parallel()
	s := serveTest(t, build(quiet(emptyMarket(t)), noteOperations()...))
	ann, op := s.join(t, "ann", models.RoleMember), s.join(t, "the-operator", models.RoleOperator)
	reader, err := s.store.Tokens.CreateToken(context.Background(), ann.ID, &models.Token{Name: "reader", Scopes: models.Scopes{models.AccountRead}})
	must(err)
	bearer := func(token string) []string {
		return []string{"Authorization", "Bearer " + token, "Content-Type", "application/json"}
	}
	for _, c := range []struct {
		method, target string
		header         []string
		status         int
		code           string
	}{
		{"POST", "/api/notes", []string{"Content-Type", "application/json"}, 401, "unauthenticated"},
		{"POST", "/api/notes", bearer("sl_nonsense"), 401, "invalid_token"},
		{"POST", "/api/notes", []string{"Authorization", "Basic Og=="}, 401, "invalid_token"},
		{"GET", "/api/health", bearer("sl_nonsense"), 200, ""},
		{"GET", "/about.json", bearer("sl_nonsense"), 401, "invalid_token"},
		{"POST", "/api/notes", bearer(reader), 403, "insufficient_scope"},
		{"POST", "/api/notes", bearer(ann.token), 201, ""},
		{"PUT", "/api/notes", bearer(ann.token), 403, "operators_only"},
		{"PUT", "/api/notes", bearer(op.token), 200, ""},
		{"POST", "/notes/sign", append(bearer(ann.token), "Accept", "application/json"), 403, "session_required"},
		{"POST", "/api/notes", append(bearer(ann.token), "Sec-Fetch-Site", "cross-site"), 201, ""},
		{"POST", "/api/notes", append(bearer(ann.token), "Sec-Fetch-Site", "cross-site", "Cookie", "session=x"), 403, "cross_site"},
		{"POST", "/api/notes", append(bearer(ann.token), "Content-Type", "text/xml"), 415, "unsupported_media_type"},
		{"GET", "/notes.json", nil, 401, "unauthenticated"},
		{"GET", "/notes.json", bearer(reader), 200, ""},
	} {
		body := `{"note":"hello"}`
		if c.method == "GET" {
			body = ""
		}
		header := c.header
		if strings.Contains(c.code, "media") {
			header = []string{"Authorization", "Bearer " + ann.token, "Content-Type", "text/xml"}
		}
		resp, text := s.send(t, c.method, c.target, body, header...)
		if resp.StatusCode != c.status || !strings.Contains(text, c.code) {
			t.Errorf("%s %s %q is %d %s, want %d %s", c.method, c.target, c.header, resp.StatusCode, text, c.status, c.code)
		}
		challenge := resp.Header.Get("WWW-Authenticate")
		if (resp.StatusCode == 401 || c.code == "insufficient_scope") != strings.HasPrefix(challenge, "Bearer realm=") {
			t.Errorf("%s %s is %d with WWW-Authenticate %q", c.method, c.target, resp.StatusCode, challenge)
		}
		if c.code == "insufficient_scope" && !strings.Contains(challenge, `scope="listings:write"`) {
			t.Errorf("%s %s does not say which scope: %q", c.method, c.target, challenge)
		}
		if resp.StatusCode == 200 && len(c.header) > 0 && c.target != "/api/health" && !strings.Contains(resp.Header.Get("Vary"), "Authorization") {
			t.Errorf("%s %s varies by %q", c.method, c.target, resp.Header.Get("Vary"))
		}
	}
}

// TestForms tests browser forms: visitors are asked to sign in, a valid form redirects
// to its page, an invalid one is shown again.
func TestForms(t *testing.T) {
	t.Parallel()
	s := serveTest(t, build(quiet(emptyMarket(t)), noteOperations()...))
	ann := s.join(t, "ann", models.RoleMember)
	html := []string{"Accept", "text/html", "Content-Type", "application/x-www-form-urlencoded"}
	for _, method := range []string{"GET", "POST"} {
		resp, _ := s.do(t, method, "/notes", html...)
		if to := resp.Header.Get("Location"); resp.StatusCode != http.StatusSeeOther || to != "/sign-in?next="+url.QueryEscape("/notes") {
			t.Errorf("%s /notes for nobody is %d to %q", method, resp.StatusCode, to)
		}
	}
	resp, _ := ann.post(t, "/notes", "note=hello&price=450")
	if resp.StatusCode != http.StatusSeeOther || resp.Header.Get("Location") != "/notes" {
		t.Fatalf("a good form is %d to %q", resp.StatusCode, resp.Header.Get("Location"))
	}
	notice, _, _ := strings.Cut(resp.Header.Get("Set-Cookie"), ";")
	ann.cookie += "; " + notice
	if body := ann.read(t, "/notes"); !strings.Contains(body, "It is written.") {
		t.Errorf("the page does not say what was done: %s", body)
	}
	resp, _ = s.do(t, "GET", "/notes", "Cookie", ann.cookie, "Accept", "text/html")
	if cookies := resp.Cookies(); len(cookies) != 1 || cookies[0].Name != "notice" || cookies[0].Path != "/" || cookies[0].Expires.After(testNow) {
		t.Errorf("the notice cookie isn't cleared: %v", cookies)
	}
	resp, body := ann.post(t, "/notes", "note=refuse")
	if resp.StatusCode != 409 || !strings.Contains(body, "<h1>Note</h1>") {
		t.Errorf("a bad form is %d: %.400s", resp.StatusCode, body)
	}
	if resp, _ := ann.post(t, "/notes", "note="+strings.Repeat("a", 2001)); resp.StatusCode != 400 {
		t.Errorf("a text that is too long is %d", resp.StatusCode)
	}
}

// TestBodies tests valid and invalid request bodies.
func TestBodies(t *testing.T) {
	t.Parallel()
	s := serveTest(t, build(quiet(emptyMarket(t)), noteOperations()...))
	ann := s.join(t, "ann", models.RoleMember)
	for _, c := range []struct {
		body   string
		status int
		want   string
	}{
		{`{"note":"hello","price":{"amount":"450.00","currency":"EUR"}}`, 201, `"price":{"amount":"450.00","currency":"EUR"}`},
		{`{"note":"hello","price":{"amount":450,"currency":"EUR"}}`, 201, `"price":{"amount":"450","currency":"EUR"}`},
		{`{"note":"hello","price":{"sum":1}}`, 400, "invalid_parameter"},
		{`{"note":"hello","notes":"x"}`, 400, "unknown_parameter"},
		{`{"note":["a","b"]}`, 400, "duplicate_parameter"},
		{`{"note":[["a"]]}`, 400, "invalid_parameter"},
		{`{"note":null}`, 400, "missing_parameter"},
		{`{"note":"a\u0000b"}`, 400, "invalid_parameter"},
		{`{"note":"hello"} {}`, 400, "invalid_parameter"},
		{`[]`, 400, "invalid_parameter"},
		{`{`, 400, "invalid_parameter"},
		{``, 400, "missing_parameter"},
		{`{"note":"hello","words":[` + strings.Repeat(`"a",`, 300) + `"b"]}`, 400, "invalid_parameter"},
		{`{"note":"hello","if_match":"x"}`, 400, "unknown_parameter"},
	} {
		resp, text := s.send(t, "POST", "/api/notes", c.body, "Authorization", "Bearer "+ann.token, "Content-Type", "application/json")
		if resp.StatusCode != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s is %d %s, want %d %s", c.body, resp.StatusCode, text, c.status, c.want)
		}
	}
	resp, text := s.send(t, "POST", "/api/notes?note=hello", `{"note":"hello"}`, "Authorization", "Bearer "+ann.token, "Content-Type", "application/json")
	if resp.StatusCode != 400 || !strings.Contains(text, "unknown_parameter") {
		t.Errorf("a parameter of the body in the query is %d %s", resp.StatusCode, text)
	}
}
