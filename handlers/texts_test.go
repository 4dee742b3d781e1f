package handlers

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture/picturetest"
	"github.com/secondlight/secondlight/models/storetest"
	"github.com/secondlight/secondlight/views/viewstest"
)

// TestEditText publishes, schedules, restores and takes back texts, as visitors see it.
func TestEditText(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	editor := s.join(t, "the-editor", models.RoleEditor)
	edit := func(path, body string, status int, header ...string) map[string]any {
		t.Helper()
		return editor.ask(t, "PATCH", "/api/admin/pages/"+path, body, status, header...)
	}
	read := func(path, language string) string {
		t.Helper()
		_, body := s.do(t, "GET", path, "Accept", "text/html", "Accept-Language", language)
		return body
	}
	before := editor.ask(t, "GET", "/api/admin/pages/pages/terms/de", "", 200)
	if before["state"] != "original" || before["version"] != 0.0 || before["text"] == "" {
		t.Fatalf("the terms are %v", before)
	}
	draft := edit("pages/terms/de", `{"text":"## Unsere Regeln\n\n[weg](/nirgends) [da](/gear) [hier](#unsere-regeln) [x](javascript:alert(1)) ![](/pictures/none-1x1.jpg)"}`, 200, "If-Match", "0")
	if draft["state"] != "original" || draft["draft"] != true || draft["version"] != 1.0 {
		t.Errorf("the draft is %v", draft)
	}
	if got := fmt.Sprint(draft["warnings"]); !strings.Contains(got, "broken_link address:/nirgends") && !strings.Contains(got, "address:/nirgends code:broken_link") ||
		strings.Contains(got, "/gear") || strings.Contains(got, "#unsere") || !strings.Contains(got, "unsafe_link") || !strings.Contains(got, "missing_alt") {
		t.Errorf("warnings are %s", got)
	}
	if strings.Contains(read("/terms", "de"), "Unsere Regeln") {
		t.Error("visitors read a draft")
	}
	if resp, text := s.send(t, "PATCH", "/api/admin/pages/pages/terms/de", `{"title":"x"}`, "If-Match", `"0"`, "Authorization", "Bearer "+editor.token, "Content-Type", "application/json"); resp.StatusCode != 412 || !strings.Contains(text, "text_changed") {
		t.Errorf("a late change is %d: %s", resp.StatusCode, text)
	}
	edit("pages/terms/de", `{"publish":true}`, 200, "If-Match", `"1"`)
	if html := read("/terms", "de"); !strings.Contains(html, "Unsere Regeln") || strings.Contains(html, `href="javascript`) {
		t.Error("visitors don't read what was published")
	}
	if html := read("/terms", "en"); strings.Contains(html, "Unsere Regeln") || !strings.Contains(html, "<h1>Terms") {
		t.Error("the English terms have changed too")
	}
	edit("pages/terms/de", `{"text":"Neu","publish":true}`, 200)
	old := editor.ask(t, "GET", "/api/admin/pages/pages/terms/de?revision=1", "", 200)
	edit("pages/terms/de", encode(map[string]any{"text": old["text"], "publish": true}), 200)
	if !strings.Contains(read("/terms", "de"), "Unsere Regeln") {
		t.Error("the earlier revision is not restored")
	}
	reset := editor.ask(t, "DELETE", "/api/admin/pages/pages/terms/de", "", 200)
	if html := read("/terms", "de"); reset["state"] != "original" || strings.Contains(html, "Unsere Regeln") || len(reset["history"].([]any)) != 3 {
		t.Errorf("the original is not back: %v", reset)
	}
	for path, code := range map[string]string{"pages/none/en": "text_not_found", "journal/none/en": "text_not_found", "journal/none/fr": "invalid_parameter", "news/about/en": "invalid_parameter"} {
		if resp, text := s.send(t, "PATCH", "/api/admin/pages/"+path, `{"title":"x"}`, "Authorization", "Bearer "+editor.token, "Content-Type", "application/json"); resp.StatusCode < 400 || !strings.Contains(text, code) {
			t.Errorf("%s is %d: %s", path, resp.StatusCode, text)
		}
	}
}

// TestJournalEntry writes an entry, schedules it, and gives it other addresses.
func TestJournalEntry(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	editor := s.join(t, "the-editor", models.RoleEditor)
	made := editor.ask(t, "POST", "/api/admin/pages", `{"section":"journal","title":"Winter an der Küste","language":"de"}`, 201)
	if made["slug"] != "winter-an-der-kuste" || made["state"] != "unpublished" {
		t.Fatalf("made %v", made)
	}
	again := editor.ask(t, "POST", "/api/admin/pages", `{"section":"journal","title":"Winter an der Küste"}`, 201)
	if again["slug"] != "winter-an-der-kuste-2" {
		t.Errorf("the second is %v", again["slug"])
	}
	edit := func(slug, body string, status int) map[string]any {
		t.Helper()
		return editor.ask(t, "PATCH", "/api/admin/pages/journal/"+slug+"/de", body, status)
	}
	status := func(path string) (int, string) {
		resp, _ := s.do(t, "GET", path, "Accept", "text/html")
		return resp.StatusCode, resp.Header.Get("Location")
	}
	const path = "/journal/winter-an-der-kuste"
	if code, _ := status(path); code != 404 {
		t.Errorf("a draft is %d", code)
	}
	edit("winter-an-der-kuste", encode(map[string]any{"text": "Sechs Wochen mit *einem* Objektiv.", "tags": []string{"Film"}, "publish": true, "publish_at": s.store.Now().Std().Add(time.Hour).Format(time.RFC3339)}), 200)
	if code, _ := status(path); code != 404 {
		t.Errorf("before its time the entry is %d", code)
	}
	published := edit("winter-an-der-kuste", `{"publish":true}`, 200)
	if published["state"] != "published" || published["publish_at"] != nil {
		t.Errorf("published %v", published)
	}
	for _, page := range []string{path, "/journal", "/journal.atom", "/sitemaps/journal.xml", "/llms.txt", "/journal?tag=film"} {
		if _, body := s.do(t, "GET", page, "Accept", "text/html, */*;q=0.5"); !strings.Contains(body, "winter-an-der-kuste") && page != path || page == path && !strings.Contains(body, "<em>einem</em>") {
			t.Errorf("%s lacks the entry", page)
		}
	}
	edit("winter-an-der-kuste", `{"address":"Winter"}`, 200)
	edit("winter", `{"address":"kueste"}`, 200)
	for _, old := range []string{path, "/journal/winter"} {
		if code, to := status(old); code != http.StatusMovedPermanently || to != "/journal/kueste" {
			t.Errorf("%s is %d to %s", old, code, to)
		}
	}
	if code, to := status(path + ".md"); code != http.StatusMovedPermanently || to != "/journal/kueste.md" {
		t.Errorf("the Markdown of the old address is %d to %s", code, to)
	}
	edit("kueste", `{"address":"winter-an-der-kuste"}`, 200) // and back
	if code, _ := status(path); code != 200 {
		t.Errorf("the entry is %d at its first address", code)
	}
	if code, to := status("/journal/kueste"); code != http.StatusMovedPermanently || to != path {
		t.Errorf("the last address is %d to %s", code, to)
	}
	for _, c := range []struct{ path, body, code string }{
		{"journal/winter-an-der-kuste-2/en", `{"address":"kueste"}`, "address_in_use"},
		{"journal/winter-an-der-kuste-2/en", `{"address":"???"}`, "invalid_parameter"},
		{"pages/about/en", `{"address":"us"}`, "invalid_parameter"},
		{"guides/selling-well/en", `{"address":"sell"}`, "invalid_parameter"},
	} {
		resp, text := s.send(t, "PATCH", "/api/admin/pages/"+c.path, c.body, "Authorization", "Bearer "+editor.token, "Content-Type", "application/json")
		if resp.StatusCode < 400 || !strings.Contains(text, c.code) {
			t.Errorf("%s with %s is %d: %s", c.path, c.body, resp.StatusCode, text)
		}
	}
}

// TestScheduledText publishes a text when its time has come, without a change.
func TestScheduledText(t *testing.T) {
	t.Parallel()
	var later atomic.Int64
	clock := func() time.Time { return testNow.Add(time.Duration(later.Load())) }
	s := newMarketServer(t, func(c *Config) { c.Store, c.Clock = storetest.Open(t, storetest.SQLite(t), clock), clock })
	editor := s.join(t, "the-editor", models.RoleEditor)
	editor.ask(t, "PATCH", "/api/admin/pages/pages/fees/en", encode(map[string]any{"text": "Nothing at all.", "publish": true, "publish_at": testNow.Add(time.Hour).Format(time.RFC3339)}), 200)
	for _, c := range []struct {
		after time.Duration
		want  bool
	}{{0, false}, {59 * time.Minute, false}, {time.Hour, true}} {
		later.Store(int64(c.after))
		must(s.settings.ReloadTexts(t.Context()))
		if _, body := s.do(t, "GET", "/fees.md"); strings.Contains(body, "Nothing at all.") != c.want {
			t.Errorf("after %v the text is public: %v", c.after, !c.want)
		}
	}
}

// TestPreviewText previews a form, and adds a picture to it, without JavaScript.
func TestPreviewText(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newMarketServer(t)
	editor := s.join(t, "the-editor", models.RoleEditor)
	const path = "/admin/pages/pages/about/en"
	post := func(path string, fields map[string]string, file []byte) (*http.Response, string) {
		t.Helper()
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		for name, value := range fields {
			must(form.WriteField(name, value))
		}
		part, err := form.CreateFormFile("picture", "DSC 1.jpg")
		must(err)
		_, err = part.Write(file)
		must(err)
		must(form.Close())
		return s.send(t, "POST", path, body.String(), "Cookie", editor.cookie, "Origin", s.site.BaseURL, "Content-Type", form.FormDataContentType(), "Accept", "text/html")
	}
	typed := map[string]string{"if_match": "0", "title": "About <us>", "description": "", "tags": "", "alt": "A [lens]", "publish_at": "", "text": "We <script>alert(1)</script> **repair**.\r\n\r\n## Text"}
	resp, html := post(path+"/preview", typed, picturetest.JPEG(t, 3000, 1500))
	if resp.StatusCode != 200 {
		t.Fatalf("the preview is %d: %s", resp.StatusCode, html)
	}
	for _, want := range []string{"About &lt;us&gt;", "<strong>repair</strong>", "<h2>Text</h2>", `alt="A (lens)" width="1280" height="640"`, "![A (lens)](/pictures/"} {
		if !strings.Contains(html, want) {
			t.Errorf("the preview lacks %s", want)
		}
	}
	if strings.Contains(html, "<script>alert") {
		t.Error("the preview has a script")
	}
	picture := html[strings.Index(html, "/pictures/"):]
	picture = picture[:strings.Index(picture, ".jpg")+4]
	if resp, body := s.do(t, "GET", picture); resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "image/jpeg" || len(body) > 200<<10 {
		t.Errorf("%s is %d, %d bytes", picture, resp.StatusCode, len(body))
	}
	if got := editor.ask(t, "GET", "/api/admin/pages/pages/about/en", "", 200); got["version"] != 0.0 {
		t.Error("the preview has saved the text")
	}
	if resp, html := post(path+"/preview", typed, []byte("<svg/>")); resp.StatusCode != 400 || !strings.Contains(html, "Only JPEG, PNG, WebP, HEIC and AVIF") || !strings.Contains(html, "About &lt;us&gt;") {
		t.Errorf("a picture that is none is %d", resp.StatusCode)
	}
	typed["publish"] = "true"
	if resp, body := post(path, typed, nil); resp.StatusCode != 303 || resp.Header.Get("Location") != path {
		t.Errorf("publishing is %d to %s: %s", resp.StatusCode, resp.Header.Get("Location"), body)
	}
	if _, html := s.do(t, "GET", "/about", "Accept", "text/html"); !strings.Contains(html, "<strong>repair</strong>") {
		t.Error("the text is not public")
	}
	if resp, _ := editor.post(t, path+"/reset", url.Values{"if_match": {"1"}}.Encode()); resp.StatusCode != 303 {
		t.Errorf("the original is restored with %d", resp.StatusCode)
	}
	added := editor.ask(t, "POST", "/api/admin/pictures", `{"picture":["`+base64.StdEncoding.EncodeToString(picturetest.JPEG(t, 30, 20))+`"],"alt":"A lens"}`, 200)
	if added["width"] != 30.0 || !strings.HasPrefix(added["markdown"].(string), "![A lens](/pictures/") {
		t.Errorf("added %v", added)
	}
}

// TestTextsOfStaff tests who may write.
func TestTextsOfStaff(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	for role, want := range map[models.Role]int{models.RoleMember: 403, models.RoleModerator: 403, models.RoleEditor: 200, models.RoleOperator: 200} {
		m := s.join(t, "the-"+string(role), role)
		for _, path := range []string{"/admin/pages", "/admin/pages/journal/none/en", "/admin/pages/pages/about/de"} {
			resp, body := s.do(t, "GET", path, "Cookie", m.cookie, "Accept", "text/html")
			if got := resp.StatusCode; got != want && (want == 403 || got != 404) {
				t.Errorf("%s for a %s is %d: %.200s", path, role, got, body)
			}
		}
	}
	if resp, _ := s.do(t, "GET", "/admin/pages", "Accept", "text/html"); resp.StatusCode != 303 {
		t.Errorf("for a visitor the list is %d", resp.StatusCode)
	}
}

// TestHostileTexts publishes Markdown that tries to be more than text, and finds in its page
// only the elements, attributes and addresses that texts may have.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	editor := s.join(t, "the-editor", models.RoleEditor)
	hostile := append(scripts(t), viewstest.Injections...)
	hostile = append(hostile, "[a](javascript:alert(1))", "![a](javascript:alert(1))", "<javascript:alert(1)>", "[a]: javascript:alert(1)\n\n[a]", "[a](data:text/html;base64,PHNjcmlwdD4=)", "![x](//evil.example/t.gif)",
		"[a](/\\\\evil.example)", "[a](<java\nscript:alert(1)>)", "[a](&#106;avascript:alert(1))", "![\" onerror=alert(1)](/x)", "# a {onclick=alert(1)}", "[^1]\n\n[^1]: <img src=x onerror=alert(1)>", "```html\n<script>alert(1)</script>\n```",
		"|<b>|\n|-|\n|[a](javascript:1)|", "---\ntitle: !!python/object x\n---", "[![a](javascript:1)](javascript:2)", "![a](/pictures/1-1x1.jpg \"\"><script>alert(1)</script>\")")
	allowed := map[string]string{"a": "href class title role id", "img": "src alt title width height loading", "div": "class role aria-label tabindex id", "pre": "tabindex", "th": "style", "td": "style"}
	for start := 0; start < len(hostile); start += 40 {
		body := plainText(strings.Join(hostile[start:min(start+40, len(hostile))], "\n\n"))
		resp, text := s.send(t, "PATCH", "/api/admin/pages/pages/safety/en", encode(map[string]any{"text": body, "publish": true}), "Authorization", "Bearer "+editor.token, "Content-Type", "application/json")
		if resp.StatusCode != 200 {
			t.Fatalf("texts from %d are %d: %.300s", start, resp.StatusCode, text)
		}
		_, page := s.do(t, "GET", "/safety", "Accept", "text/html")
		doc, err := html.Parse(strings.NewReader(page))
		must(err)
		for article := range doc.Descendants() {
			if article.Data != "article" {
				continue
			}
			for n := range article.Descendants() {
				if n.Type != html.ElementNode {
					continue
				}
				if strings.Contains(" script style iframe object embed form input button textarea base link meta svg math template ", " "+n.Data+" ") {
					t.Errorf("texts from %d make a %s", start, n.Data)
				}
				for _, a := range n.Attr {
					if !strings.Contains(" "+allowed[n.Data]+" id class lang ", " "+a.Key+" ") || a.Key == "style" {
						t.Errorf("texts from %d make <%s %s=%q>", start, n.Data, a.Key, a.Val)
					}
					external := strings.HasPrefix(a.Val, "https://") || strings.HasPrefix(a.Val, "http://") || strings.HasPrefix(a.Val, "mailto:") || strings.HasPrefix(a.Val, "tel:")
					local := strings.HasPrefix(a.Val, "#") || strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "//")
					if a.Key == "href" && !external && !local || a.Key == "src" && !local {
						t.Errorf("texts from %d lead to %q", start, a.Val)
					}
				}
			}
		}
	}
}

// TestEmptySite reads the pages of a site without demonstration data, as visitors and as the
// editor.
func TestEmptySite(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	editor := s.join(t, "the-editor", models.RoleEditor)
	for page, want := range map[string]struct{ visitor, editor string }{
		"/journal":   {"The first entry is still being written", `href="/admin/pages#journal"`},
		"/portfolio": {"Photographs coming soon", `href="/account/portfolio"`},
		"/listings":  {"Nothing for sale right now", `href="/sell">Create a listing`},
	} {
		if _, html := s.do(t, "GET", page, "Accept", "text/html"); !strings.Contains(html, want.visitor) || strings.Contains(html, want.editor) {
			t.Errorf("%s does not tell a visitor %q", page, want.visitor)
		}
		if _, html := s.do(t, "GET", page, "Accept", "text/html", "Cookie", editor.cookie); strings.Contains(html, want.visitor) || !strings.Contains(html, want.editor) {
			t.Errorf("%s does not tell its editor %q", page, want.editor)
		}
	}
	essay := content.Journal()[0].Slug
	for _, page := range []string{"/", "/journal", "/journal.atom", "/journal.feed.json", "/sitemaps/journal.xml", "/llms.txt", "/llms-full.txt"} {
		if resp, body := s.do(t, "GET", page, "Accept", "text/html, */*;q=0.5"); resp.StatusCode != 200 || strings.Contains(body, essay) {
			t.Errorf("%s is %d, with our essay: %v", page, resp.StatusCode, strings.Contains(body, essay))
		}
	}
	if resp, _ := s.do(t, "GET", "/journal/"+essay); resp.StatusCode != 404 {
		t.Errorf("our essay is %d", resp.StatusCode)
	}
}
