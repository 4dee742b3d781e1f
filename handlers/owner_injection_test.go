package handlers

import (
	"context"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture/picturetest"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/views/viewstest"
)

// newOwnedServer starts a market with a folder for the owner's portfolio, imports and
// themes, and an operator.
func newOwnedServer(t *testing.T) (s *testServer, owner *testMember) {
	data := t.TempDir()
	s = newMarketServer(t, func(c *Config) {
		c.RateLimit, c.DataDir = 1<<20, data
		c.Library = portfolio.Open(os.DirFS(data), c.Catalog, filepath.Join(data, "photos"), c.Log)
	})
	s.feed.Correct(s.catalog)
	return s, s.join(t, "the-owner", models.RoleOperator)
}

// cut returns at most length characters of a text, as one line.
func cut(text string, length int) string {
	line := []rune(input.OneLine(text))
	return strings.TrimSpace(string(line[:min(len(line), length)]))
}

// notText lists what may be wrong with the owner's texts in Markdown. They aren't between
// delimiters, and may link elsewhere and have invisible characters.
func notText(markdown string) (wrong []string) {
	for _, w := range viewstest.CheckMarkdown(markdown, testSite.BaseURL) {
		switch link, isLink := strings.CutPrefix(w, "link to "); {
		case strings.HasPrefix(w, "text without delimiters"), strings.HasPrefix(w, "no note about the delimiters"), strings.HasPrefix(w, "invisible character"):
		case isLink && safeTarget.MatchString(link):
		default:
			wrong = append(wrong, w)
		}
	}
	return wrong
}

// safeTarget matches where a link of the owner may lead.
var safeTarget = regexp.MustCompile(`^(https?://|ftp://|mailto:|tel:|/[^/]|#|\w+@)`)

// theirOwn matches what links of the owner lead to.
var theirOwn = regexp.MustCompile(`(?i)//evil\.example`)

// foreignPicture matches a picture of another site in HTML.
var foreignPicture = regexp.MustCompile(`<(img|source)[^>]+src(set)?="(https?:)?//[^"]*evil`)

// look reads pages as the owner and as a visitor in every format, and checks that what the
// owner wrote is text. Links of their own to other sites are allowed.
func (m *testMember) look(t *testing.T, payload string, pages ...string) {
	t.Helper()
	for _, page := range pages {
		header := []string{}
		if strings.HasPrefix(page, "/admin") || strings.HasPrefix(page, "/account") {
			header = []string{"Cookie", m.cookie}
		}
		get := func(accept string) string {
			resp, body := m.server.do(t, "GET", page, append(slices.Clone(header), "Accept", accept)...)
			if resp.StatusCode != 200 {
				t.Errorf("%s with %q is %d: %.200s", page, payload, resp.StatusCode, body)
			}
			for name, values := range resp.Header {
				if strings.ContainsFunc(strings.Join(values, ""), unicode.IsControl) {
					t.Errorf("%s with %q: the header %s is %q", page, payload, name, values)
				}
			}
			return body
		}
		body := get("text/html")
		if foreignPicture.MatchString(body) {
			t.Errorf("%s with %q shows %s", page, payload, foreignPicture.FindString(body))
		}
		count(t, page+" with "+payload, theirOwn.ReplaceAllString(body, "//elsewhere.example"), false)
		markdown := get("text/markdown")
		for _, wrong := range notText(markdown) {
			t.Errorf("%s with %q: %s", page, payload, wrong)
		}
		if !json.Valid([]byte(get("application/json"))) {
			t.Errorf("%s with %q is not JSON", page, payload)
		}
	}
}

// TestOwnerInjections writes texts that try to be more than text into every field of
// administration, and reads the pages, feeds and documents that show them.
func TestOwnerInjections(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	for name, write := range map[string]func(*testing.T, *testServer, *testMember){
		"site": injectSite, "texts": injectTexts, "catalogue": injectCatalog, "portfolio": injectPortfolio, "imports": injectImports, "members": injectMembers, "themes": injectThemes,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, owner := newOwnedServer(t)
			write(t, s, owner)
		})
	}
}

func injectSite(t *testing.T, s *testServer, owner *testMember) {
	version := 0
	for i, text := range viewstest.Injections {
		text = plainText(text)
		resp, answer := s.send(t, "PATCH", "/api/admin/site", encode(map[string]any{"version": version, "name": cut(text, models.MaxSiteName), "tagline": cut(text, models.MaxTagline), "owner": cut(text, models.MaxSiteName),
			"address": cut(text, models.MaxSiteText), "fees_note": text, "shipping_note": text,
			"header_links": []string{strings.ReplaceAll(cut(text, models.MaxLinkLabel), "|", "") + " | /journal"}, "footer_links": []string{strings.ReplaceAll(cut(text, models.MaxLinkLabel), "|", "") + " | https://links.example/" + url.PathEscape(text)}}),
			"Authorization", "Bearer "+owner.token, "Content-Type", "application/json")
		if resp.StatusCode != 200 {
			t.Errorf("%q is %d: %.300s", text, resp.StatusCode, answer)
			continue
		}
		version++
		var set struct{ Name, Tagline, Owner string }
		must(json.Unmarshal([]byte(answer), &set))
		if set.Name != cut(text, models.MaxSiteName) || set.Tagline != cut(text, models.MaxTagline) {
			t.Errorf("%q is read back as %q and %q", text, set.Name, set.Tagline)
		}
		owner.look(t, text, "/", "/fees", "/shipping", "/imprint", "/about", "/admin/site")
		if i%8 == 0 {
			owner.look(t, text, "/admin", "/admin/checklist", "/admin/site/preview", "/contact", "/terms", "/privacy", "/listings", "/developers", "/account", "/kit", "/portfolio", "/journal", "/guides")
			s.wellFormed(t, "/opensearch.xml", "/listings.atom", "/journal.atom", "/sitemap.xml", "/manifest.webmanifest", "/openapi.json", "/openapi-admin.json", "/listings.feed.json", "/.well-known/oauth-protected-resource")
			for _, document := range []string{"/llms.txt", "/agent.txt", "/robots.txt"} {
				if resp, _ := s.do(t, "GET", document); resp.StatusCode != 200 || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/plain") && !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/markdown") {
					t.Errorf("%s with %q is %d as %s", document, text, resp.StatusCode, resp.Header.Get("Content-Type"))
				}
			}
		}
	}
	owner.ask(t, "POST", "/api/admin/mail/test", "", 200)
	for _, m := range s.mails(t) {
		if strings.ContainsFunc(m.Subject, unicode.IsControl) {
			t.Errorf("the subject is %q", m.Subject)
		}
	}
}

// WellFormed checks that documents are XML or JSON.
func (s *testServer) wellFormed(t *testing.T, documents ...string) {
	t.Helper()
	for _, path := range documents {
		resp, body := s.do(t, "GET", path)
		if resp.StatusCode != 200 {
			t.Errorf("%s is %d", path, resp.StatusCode)
		}
		if !strings.HasPrefix(body, "<") {
			if !json.Valid([]byte(body)) {
				t.Errorf("%s is not JSON: %.300s", path, body)
			}
			continue
		}
		decoder := xml.NewDecoder(strings.NewReader(body))
		for {
			token, err := decoder.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Errorf("%s is not XML: %v", path, err)
				break
			}
			if start, ok := token.(xml.StartElement); ok && slices.Contains([]string{"script", "img", "b", "iframe"}, start.Name.Local) {
				t.Errorf("%s has the element %s", path, start.Name.Local)
			}
		}
	}
}

func injectTexts(t *testing.T, s *testServer, owner *testMember) {
	for i, text := range viewstest.Injections {
		text = plainText(text)
		made := owner.ask(t, "POST", "/api/admin/pages", encode(map[string]any{"section": []string{"journal", "guides"}[i%2], "title": cut(text, 150)}), 201)
		at := fmt.Sprintf("%s/%s/en", made["section"], made["slug"])
		published := owner.ask(t, "PATCH", "/api/admin/pages/"+at, encode(map[string]any{"description": cut(text, 300), "tags": []string{cut(strings.ReplaceAll(text, ",", ""), 40)}, "text": "Words.\n\n" + text, "publish": true}), 200)
		if published["title"] != cut(text, 150) || published["description"] != cut(text, 300) {
			t.Errorf("%q is read back as %q and %q", text, published["title"], published["description"])
		}
		owner.lookWritten(t, text, fmt.Sprintf("/%s/%s", made["section"], made["slug"]), "/admin/pages/"+at)
	}
	owner.ask(t, "PATCH", "/api/admin/pages/pages/about/en", encode(map[string]any{"text": joined(0, 200), "publish": true}), 200)
	owner.lookWritten(t, "all", "/about")
	owner.look(t, "all", "/journal", "/guides", "/admin/pages", "/admin")
	s.wellFormed(t, "/journal.atom", "/journal.feed.json", "/sitemaps/journal.xml")
	_, atom := s.do(t, "GET", "/journal.atom")
	var feed struct {
		Entries []struct {
			Content string `xml:"content"`
		} `xml:"entry"`
	}
	must(xml.Unmarshal([]byte(atom), &feed))
	if len(feed.Entries) == 0 {
		t.Error("the feed is empty")
	}
	for _, entry := range feed.Entries {
		count(t, "the feed", theirOwn.ReplaceAllString(entry.Content, "//elsewhere.example"), false)
	}
}

// lookWritten is look for texts that are Markdown: as Markdown they are as they were
// written.
func (m *testMember) lookWritten(t *testing.T, payload string, pages ...string) {
	t.Helper()
	for _, page := range pages {
		resp, body := m.server.do(t, "GET", page, "Cookie", m.cookie, "Accept", "text/html")
		if resp.StatusCode != 200 || foreignPicture.MatchString(body) {
			t.Errorf("%s with %q is %d and shows %q", page, payload, resp.StatusCode, foreignPicture.FindString(body))
		}
		count(t, page+" with "+payload, theirOwn.ReplaceAllString(body, "//elsewhere.example"), false)
		if _, body := m.server.do(t, "GET", page, "Cookie", m.cookie, "Accept", "application/json"); !json.Valid([]byte(body)) {
			t.Errorf("%s with %q is not JSON", page, payload)
		}
		if resp, _ := m.server.do(t, "GET", page, "Cookie", m.cookie, "Accept", "text/markdown"); resp.StatusCode != 200 || resp.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s with %q is %d as Markdown", page, payload, resp.StatusCode)
		}
	}
}

func injectCatalog(t *testing.T, s *testServer, owner *testMember) {
	added := 0
	for i := 0; i < len(viewstest.Injections); i += 3 {
		texts := []string{}
		for _, text := range viewstest.Injections[i:min(i+3, len(viewstest.Injections))] {
			texts = append(texts, cut(plainText(text), 80))
		}
		resp, answer := s.send(t, "POST", "/api/admin/catalog", encode(map[string]any{"brand": "Canon", "model": texts[0], "category": "mirrorless", "aliases": texts}), "Authorization", "Bearer "+owner.token, "Content-Type", "application/json")
		if resp.StatusCode != 201 {
			continue // there are characters that no name has
		}
		added++
		var gear struct{ Gear string }
		must(json.Unmarshal([]byte(answer), &gear))
		owner.look(t, texts[0], "/gear/"+gear.Gear, "/admin/catalog/"+gear.Gear)
	}
	if added < 15 {
		t.Errorf("only %d are added", added)
	}
	owner.look(t, "all", "/gear", "/gear/canon", "/gear?keyword=zqx", "/admin/catalog?show=corrections&limit=100", "/admin/catalog?keyword=zqx", "/listings?keyword=zqx")
	_, file := s.do(t, "GET", "/admin/catalog/export.csv", "Cookie", owner.cookie)
	for _, cell := range slices.Concat(must1(csv.NewReader(strings.NewReader(file)).ReadAll())...) {
		if strings.IndexAny(cell, "=+-@\t\r") == 0 {
			t.Errorf("the export has the formula %q", cell)
		}
	}
	_, suggested := s.do(t, "GET", "/api/suggest?q=zqx")
	if !json.Valid([]byte(suggested)) {
		t.Errorf("the suggestions are %s", suggested)
	}
}

func injectPortfolio(t *testing.T, s *testServer, owner *testMember) {
	owner.ask(t, "POST", "/api/admin/portfolio", `{"title":"Iceland"}`, 201)
	sidecar := `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag>`
	for _, text := range viewstest.Injections[:60] {
		sidecar += "<rdf:li>" + html.EscapeString(cut(plainText(text), 60)) + "</rdf:li>"
	}
	sidecar += `</rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>`
	for name, file := range map[string][]byte{"a.jpg": picturetest.JPEG(t, 60, 40), "a.xmp": []byte(sidecar)} {
		owner.ask(t, "POST", "/api/admin/portfolio/iceland/uploads", encode(map[string]any{"name": name, "size": len(file), "photo": []string{base64.StdEncoding.EncodeToString(file)}}), 200)
	}
	for _, text := range viewstest.Injections {
		text = plainText(text)
		project := owner.ask(t, "PUT", "/api/admin/portfolio/iceland", encode(map[string]any{"title": cut(text, 200), "description": cut(text, 300), "text": "Words.\n\n" + text, "license": cut(text, 100), "visibility": "public"}), 200)
		edited := owner.ask(t, "PUT", "/api/admin/portfolio/iceland/a.jpg", encode(map[string]any{"title": cut(text, 200), "caption": cut(text, 2000), "alt": cut(text, 300), "location": cut(text, 200), "license": cut(text, 100)}), 200)
		for at, length := range map[string]int{"title": 200, "description": 300, "license": 100, "photos.0.title": 200, "photos.0.caption": 2000, "photos.0.alt": 300, "photos.0.location": 200, "photos.0.license": 100} {
			if got := get(t, edited, at); got != cut(text, length) {
				t.Errorf("%s %q is read back as %v", at, text, got)
			}
		}
		if body, _ := project["body"].(string); strings.TrimSpace(body) != strings.TrimSpace("Words.\n\n"+text) {
			t.Errorf("the text %q is read back as %q", text, body)
		}
		p := s.library.Portfolio().InFolder("iceland")
		owner.lookWritten(t, text, "/portfolio/"+p.Slug)
		owner.look(t, text, "/portfolio", "/portfolio/"+p.Slug+"/"+p.Photos[0].Slug, "/account/portfolio", "/account/portfolio/iceland")
	}
	s.wellFormed(t, "/portfolio.atom", "/sitemap.xml")
	if tags := s.library.Portfolio().InFolder("iceland").Photos[0].Tags; len(tags) == 0 {
		t.Error("the keywords of the sidecar are not read")
	}
	for _, text := range viewstest.Injections[:20] {
		owner.ask(t, "POST", "/api/me/kit", encode(map[string]any{"name": cut(plainText(text), 200), "note": cut(plainText(text), 1000), "public": true}), 201)
	}
	owner.look(t, "all", "/kit")
}

func injectImports(t *testing.T, s *testServer, owner *testMember) {
	var file strings.Builder
	w := csv.NewWriter(&file)
	must(w.Write([]string{"external_id", "title", "condition", "price", "region", "description"}))
	for i, text := range viewstest.Injections {
		text = plainText(text)
		must(w.Write([]string{fmt.Sprint("zqx-", i), text, "good", []string{"900", text}[i%2], "DE", text}))
		must(w.Write([]string{text, text, text, "900", text, text}))
	}
	w.Flush()
	started := owner.ask(t, "POST", "/api/admin/imports", encode(map[string]any{"file": base64.StdEncoding.EncodeToString([]byte(file.String()))}), 201)
	must(s.RunImports(context.Background()))
	for _, name := range []string{`"><img src=x onerror=alert(1)>.csv`, "../../zqx.csv", "=zqx().csv", "[zqx](javascript:alert(1)).csv", "zqx\u202evsc.exe"} {
		if resp, body := owner.postParts(t, "/admin/imports", part{"file", strings.ReplaceAll(name, `"`, "%22"), "external_id,title,condition,price,region\n1,zqx,good,x,DE\n"}); resp.StatusCode >= 400 {
			t.Errorf("%q is %d: %.300s", name, resp.StatusCode, body)
		}
		must(s.RunImports(context.Background()))
	}
	page := "/admin/imports/" + started["id"].(string)
	owner.look(t, "cells", "/admin/imports", page)
	_, rejected := s.do(t, "GET", page+".csv", "Cookie", owner.cookie)
	rows := must1(csv.NewReader(strings.NewReader(rejected)).ReadAll())
	for _, cell := range slices.Concat(rows...) {
		if strings.IndexAny(cell, "=+-@\t\r") == 0 {
			t.Errorf("the rejected rows have the formula %q", cell)
		}
	}
	if len(rows) < 100 {
		t.Errorf("only %d rejected rows", len(rows))
	}
}

func injectMembers(t *testing.T, s *testServer, owner *testMember) {
	some := s.join(t, "somebody", models.RoleMember)
	for i, text := range viewstest.Injections {
		text = plainText(text)
		action := []string{"suspend", "reinstate"}[i%2]
		owner.ask(t, "POST", "/api/members/"+some.Handle+"/"+action, encode(map[string]any{"note": text}), 200)
		owner.look(t, text, "/admin/members?keyword="+url.QueryEscape(text))
	}
	for i := range viewstest.Injections {
		text := plainText(viewstest.Injections[i])
		must(s.admin.AddMessage(t.Context(), &models.ContactMessage{Name: cut(text, 60), Email: "zqx@example.org", Topic: models.ContactOther, About: cut(text, 300), Text: text, Status: models.ContactOpen}))
	}
	owner.look(t, "notes", "/admin/audit", "/admin/members", "/admin/contact?limit=100", "/admin/mail", "/admin/jobs", "/admin/backups", "/admin")
}

func injectThemes(t *testing.T, s *testServer, owner *testMember) {
	for i, text := range viewstest.Injections {
		folder := filepath.Join(s.dataDir, "themes", fmt.Sprint("zqx", i%3))
		must(os.MkdirAll(folder, 0o755))
		must(os.WriteFile(filepath.Join(folder, "light.css"), []byte(paperCSS(t, "light.css")), 0o644))
		must(os.WriteFile(filepath.Join(folder, "dark.css"), []byte(paperCSS(t, "dark.css")), 0o644))
		if i%3 == 0 {
			must(os.WriteFile(filepath.Join(folder, "headline.txt"), []byte(cut(text, models.MaxTagline)), 0o644))
		} else {
			must(os.WriteFile(filepath.Join(folder, "light.css"), []byte(":root { --paper: "+text+" }"), 0o644))
		}
		s.settings.Reload()
		owner.look(t, text, "/admin/site/preview?theme=zqx0", "/admin/site")
	}
	owner.ask(t, "PATCH", "/api/admin/site", `{"version":0,"theme":"zqx0"}`, 200)
	owner.look(t, "headline", "/", "/admin/site")
}

// paperCSS returns a file of the default theme.
func paperCSS(t *testing.T, name string) string {
	t.Helper()
	return string(must1(os.ReadFile(filepath.Join("..", "content", "themes", models.DefaultTheme, name))))
}
