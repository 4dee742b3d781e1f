package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
)

// scripts holds texts that would run a script if they were not escaped.
func scripts(t testing.TB) []string {
	t.Helper()
	file, err := os.ReadFile("testdata/scripts.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimRight(string(file), "\n"), "\n")
}

// never holds elements that no page has.
var never = []string{"iframe", "frame", "frameset", "object", "embed", "applet", "base", "style", "template", "video", "audio", "source", "math", "marquee", "xmp",
	"plaintext", "noembed", "keygen", "isindex", "mglyph", "animate", "use", "x", "image", "font", "noframes"}

// addressed holds attributes whose value is a URL.
var addressed = []string{"href", "src", "action", "formaction", "data", "poster", "background", "manifest", "xlink:href", "srcset", "cite", "code", "icon"}

// stranger returns what is injected into HTML: an element, an event handler, a style,
// or a URL of another site. It returns "" if nothing is.
func stranger(body string, markdown bool) string {
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	for n := range doc.Descendants() {
		if n.Type == html.CommentNode && !markdown && strings.Contains(n.Data, "alert") {
			return "a comment: " + n.Data
		}
		if n.Type != html.ElementNode {
			continue
		}
		attributes := map[string]string{}
		for _, a := range n.Attr {
			attributes[a.Key] = a.Val
			at := strings.ToLower(strings.Join(strings.Fields(a.Val), ""))
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "srcdoc", strings.ContainsAny(a.Key, `"'<`+"`"):
				return fmt.Sprintf("<%s %s=%q>", n.Data, a.Key, a.Val)
			case slices.Contains(addressed, a.Key) && (strings.Contains(at, "script:") || strings.HasPrefix(at, "data:text") || strings.HasPrefix(at, "//") ||
				strings.HasPrefix(at, "https://evil.example") || at == "x" || at == "x:x"):
				return fmt.Sprintf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
		switch {
		case slices.Contains(never, n.Data), n.Data == "meta" && attributes["http-equiv"] != "":
			return "<" + n.Data + ">"
		case n.Data == "script" && attributes["type"] == "application/ld+json" && !markdown:
			if n.FirstChild == nil || !json.Valid([]byte(n.FirstChild.Data)) {
				return "linked data that is no JSON"
			}
		case n.Data == "script" && (markdown || !strings.HasPrefix(attributes["src"], "/static/") || n.FirstChild != nil):
			return "<script>"
		}
	}
	return ""
}

var markdownReader = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList), goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe()))

// strangerIn returns what texts injected into a format of a page, or "".
func strangerIn(format web.Format, body string) string {
	switch format {
	case web.HTML:
		return stranger(body, false)
	case web.Markdown:
		var b bytes.Buffer
		must(markdownReader.Convert([]byte(body), &b))
		for _, made := range []string{">Heading of a stranger</h", `<input checked=""`, "<em>bold", "<strong>bold", "<td>b</td>", "<pre>"} {
			if strings.Contains(b.String(), made) {
				return "markup of a stranger: " + made
			}
		}
		return stranger(b.String(), true)
	}
	if !json.Valid([]byte(body)) {
		return "no JSON"
	}
	return ""
}

// look reads a page in every format, signed in or not, and checks that no text became
// part of its markup. The page must contain the text.
func look(t *testing.T, s *testServer, cookie, path, what string) {
	t.Helper()
	for _, format := range []web.Format{web.HTML, web.Markdown, web.JSON} {
		header := []string{"Accept", format.MediaType()}
		if cookie != "" {
			header = append(header, "Cookie", cookie)
		}
		resp, body := s.do(t, "GET", path, header...)
		if resp.StatusCode != 200 || !strings.HasPrefix(resp.Header.Get("Content-Type"), format.MediaType()) || resp.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Fatalf("%s as %s is %d %s: %.300s", path, format, resp.StatusCode, resp.Header.Get("Content-Type"), body)
		}
		if found := strangerIn(format, body); found != "" {
			t.Errorf("%s as %s, with %q: %s", path, format, what, found)
		}
		if format == web.JSON && !strings.Contains(body, jsonText(what)) {
			t.Errorf("%s does not say %q", path, what)
		}
	}
}

// jsonText returns a text as the inside of a JSON string.
func jsonText(s string) string {
	b, err := web.EncodeJSON(s)
	must(err)
	return strings.Trim(string(b), `"`)
}

func jsonBody(v any) string {
	b, err := web.EncodeJSON(v)
	must(err)
	return string(b)
}

// TestStrangersAreFound tests that the checks themselves detect injected content.
func TestStrangersAreFound(t *testing.T) {
	t.Parallel()
	missed := 0
	for _, text := range scripts(t) {
		if stranger("<p>"+text+"</p>", false) == "" && stranger(`<p title="`+text+`">`, false) == "" && stranger(`<p title='`+text+`'>`, false) == "" && strangerIn(web.Markdown, text) == "" {
			missed++
		}
	}
	if all := len(scripts(t)); all < 100 || missed > 30 {
		t.Errorf("%d of %d texts do nothing when they are written as they are", missed, all)
	}
}

// TestNoTextBecomesPartOfAPage writes each script into every short text field, and
// reads it in every format.
func TestNoTextBecomesPartOfAPage(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	id := ann.list(t, r6)
	search := ann.ask(t, "POST", "/api/searches", `{"keyword":"r6","name":"first"}`, 201)["id"].(string)
	for i, text := range scripts(t) {
		change := map[string]any{"title": text, "description": text + "\n\n" + text}
		if utf8.RuneCountInString(text) <= 80 {
			change["included"] = []string{text}
		}
		ann.ask(t, "PATCH", "/api/listings/"+id, jsonBody(change), 200, "If-Match", "*")
		trimmed := strings.Join(strings.Fields(text), " ")
		anew := "?utm_source=" + fmt.Sprint(i) // a cached response may be slightly old
		look(t, s, "", "/listings/"+id+anew, trimmed)
		if utf8.RuneCountInString(trimmed) <= 60 {
			if resp, body := ann.post(t, "/account/settings", formBody("name", text, "bio", text)); resp.StatusCode != 303 {
				t.Fatalf("the name %q is %d: %.300s", text, resp.StatusCode, body)
			}
			look(t, s, "", "/sellers/ann"+anew, trimmed)
			look(t, s, ann.cookie, "/account/settings", trimmed)
			look(t, s, ann.cookie, "/account", trimmed)
			token := ann.ask(t, "POST", "/api/tokens", jsonBody(map[string]any{"name": trimmed, "scopes": []string{"account:read"}}), 201)["id"].(string)
			look(t, s, ann.cookie, "/account/tokens", trimmed)
			ann.ask(t, "DELETE", "/api/tokens/"+token, "", 200)
			key := models.Passkey{Name: trimmed}
			ann.addPasskey(&key)
			look(t, s, ann.cookie, "/account/passkeys", trimmed)
			must(s.store.Accounts.RemovePasskey(context.Background(), ann.ID, key.ID))
		}
		ann.ask(t, "PATCH", "/api/searches/"+search, jsonBody(map[string]any{"name": trimmed}), 200)
		look(t, s, ann.cookie, "/account/searches", trimmed)

		// What is reflected: into the search box, forms, and errors.
		for _, path := range []string{"/listings?keyword=", "/sign-in?next=", "/sign-up/confirm?code=", "/sellers/", "/gear/", "/errors/"} {
			for _, format := range []web.Format{web.HTML, web.Markdown} {
				if _, body := s.do(t, "GET", path+url.PathEscape(text), "Accept", format.MediaType()); strangerIn(format, body) != "" {
					t.Errorf("%s with %q as %s: %s", path, text, format, strangerIn(format, body))
				}
			}
		}
		if resp, body := s.browser().send(t, "POST", "/sign-up", formBody("handle", text, "name", text, "region", text, "email", text, "password", "short")); resp.StatusCode != 400 && resp.StatusCode != 422 || stranger(body, false) != "" {
			t.Errorf("the form filled in with %q is %d: %s", text, resp.StatusCode, stranger(body, false))
		}
	}
}

// TestNoWordsBecomePartOfAPage does so with what members write each other, and with
// what they and operators say about a trade, several texts to each.
func TestNoWordsBecomePartOfAPage(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newMarketServer(t)
	ann, ben, cas := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember), s.join(t, "cas", models.RoleMember)
	op := s.join(t, "the-operator", models.RoleOperator)
	turn := 0
	for part := range slices.Chunk(scripts(t), 12) {
		turn++
		text := strings.Join(part, "\n")
		words := func(name string, more ...any) string {
			body := map[string]any{name: text}
			for i := 0; i+1 < len(more); i += 2 {
				body[more[i].(string)] = more[i+1]
			}
			return jsonBody(body)
		}
		id := ann.list(t, r6)
		conversation := ben.ask(t, "POST", "/api/listings/"+id+"/messages", words("text"), 201)["id"].(string)
		ann.ask(t, "POST", "/api/conversations/"+conversation+"/messages", words("text"), 201)
		look(t, s, ben.cookie, "/account/messages/"+conversation, part[0])
		look(t, s, ann.cookie, "/account/messages", part[0])
		offer := ben.ask(t, "POST", "/api/listings/"+id+"/offers", words("message", "amount", "900"), 201)["id"].(string)
		ann.ask(t, "POST", "/api/offers/"+offer+"/counter", words("message", "amount", "950"), 200)
		look(t, s, ben.cookie, "/account/offers/"+offer, part[0])
		look(t, s, ann.cookie, "/account/offers", "ben")
		cas.ask(t, "POST", "/api/listings/"+id+"/report", words("text", "reason", "spam"), 201)
		look(t, s, op.cookie, "/account/moderation", part[0])
		op.ask(t, "POST", "/api/listings/"+id+"/hide", words("note"), 200)
		op.ask(t, "POST", "/api/listings/"+id+"/restore", words("note"), 200)
		look(t, s, op.cookie, "/admin/audit", part[0])
		if ben.ask(t, "GET", "/api/offers/"+offer, "", 200)["status"] == "countered" {
			ben.ask(t, "POST", "/api/offers/"+offer+"/accept", "", 200)
		} else { // hiding a listing may end what is open on it
			offer = ben.ask(t, "POST", "/api/listings/"+id+"/offers", words("message", "amount", "950"), 201)["id"].(string)
			ann.ask(t, "POST", "/api/offers/"+offer+"/accept", "", 200)
		}
		ann.ask(t, "POST", "/api/offers/"+offer+"/complete", "", 200)
		ben.ask(t, "POST", "/api/offers/"+offer+"/confirm", "", 200)
		ben.ask(t, "POST", "/api/offers/"+offer+"/rating", words("text", "stars", 5), 201)
		look(t, s, "", "/sellers/ann?utm_source="+fmt.Sprint(turn), part[0])
		look(t, s, ben.cookie, "/account/export", part[0])
	}
}
