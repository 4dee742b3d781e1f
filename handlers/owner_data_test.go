package handlers

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/backup"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/picture/picturetest"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// ownerServer starts a server as the program does, on a database and a data folder.
func ownerServer(t *testing.T, url, dir string) *testServer {
	t.Helper()
	catalog, err := catalog.ReadCatalog(content.Catalog())
	must(err)
	store := storetest.Open(t, url, func() time.Time { return testNow })
	must(store.Site.CorrectCatalog(context.Background(), catalog))
	s := newMarketServer(t, func(c *Config) {
		c.Store, c.Catalog, c.Index, c.DataDir = store, catalog, search.New(catalog.Lookup()), dir
		c.Library = portfolio.Open(os.DirFS(dir), catalog, filepath.Join(dir, "photos"), c.Log)
	})
	s.library.Prepare(context.Background())
	return s
}

// restored makes a backup of a server and restores it into a new folder and a new SQLite
// database.
func restored(t *testing.T, s *testServer, dir string) (url, newDir string) {
	t.Helper()
	ctx, file, silent := context.Background(), filepath.Join(t.TempDir(), "site.zip"), func(int, int) {}
	_, err := backup.WriteFile(ctx, file, s.store, s.files, silent)
	must(err)
	archive, err := backup.Open(file)
	must(err)
	defer archive.Close()
	url, newDir = storetest.EmptySQLite(t), t.TempDir()
	must(archive.RestoreFiles(ctx, blob.Folder(newDir), silent))
	store, err := store.Open(ctx, url, nil)
	must(err)
	defer store.Close()
	must(archive.RestoreRows(ctx, store, silent))
	return url, newDir
}

// TestOwnerDataStays fills a site with everything of its owner, and tests that all pages
// say the same after a restart, and after a backup is restored elsewhere.
func TestOwnerDataStays(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		dir := t.TempDir()
		s := ownerServer(t, url, dir)
		pages, op := fillOwnerSite(t, s, dir)
		s.library.Prepare(context.Background()) // makes the sizes and placeholders
		before := readOwnerPages(t, s, op, pages)
		for name, content := range map[string]string{"/admin/site.json": "Foto Ecke", "/terms.md": "Second edition", "/gear/canon/prototype-nine.json": "P-Nine", "/portfolio.json": "Iceland",
			"/admin/contact.json": "as a print", "/account/kit/export.json": "SN-4711", "/kit.json": "Leica M6", "/account/moderation/words.json": "Western Union", "/admin/members.json": "the-editor", "/account/portfolio.json": "Drafts"} {
			if !strings.Contains(before[name], content) {
				t.Errorf("%s has no %q: %.1500s", name, content, before[name])
			}
		}
		compareOwnerPages(t, "after a restart", before, readOwnerPages(t, ownerServer(t, url, dir), op, pages))
		newURL, newDir := restored(t, s, dir)
		compareOwnerPages(t, "after a restore", before, readOwnerPages(t, ownerServer(t, newURL, newDir), op, pages))
	})
}

// fillOwnerSite makes everything that an owner can make in the browser, and returns the
// paths of the pages and files that show it.
func fillOwnerSite(t *testing.T, s *testServer, dir string) (pages []string, op *testMember) {
	t.Helper()
	op = s.join(t, "the-operator", models.RoleOperator)
	s.join(t, "moe", models.RoleModerator)
	ann := s.join(t, "the-editor", models.RoleMember)
	op.ask(t, "PUT", "/api/admin/members/the-editor/role", `{"role":"editor"}`, 200)
	themes := os.DirFS("../content/themes")
	for _, file := range []string{"light.css", "dark.css"} {
		css, err := fs.ReadFile(themes, "darkroom/"+file)
		must(err)
		must(os.MkdirAll(filepath.Join(dir, "themes", "harbour"), 0o755))
		must(os.WriteFile(filepath.Join(dir, "themes", "harbour", file), css, 0o600))
	}
	s.settings.Reload()
	picture := base64.StdEncoding.EncodeToString(picturetest.JPEG(t, 200, 100))
	site := op.ask(t, "PATCH", "/api/admin/site", `{"version":0,"name":"Foto Ecke","tagline":"Leica, serviced","theme":"harbour","footer_links":["Prints | /journal"],"home_sections":["newest","hero"],"fees_note":"Prices include VAT."}`, 200)
	if site["theme"] != "harbour" {
		t.Fatalf("the theme is %v", site["theme"])
	}
	logo := op.ask(t, "POST", "/api/admin/site/pictures", `{"kind":"logo","picture":["`+picture+`"]}`, 200)["logo"].(string)

	op.ask(t, "PATCH", "/api/admin/pages/pages/terms/en", `{"text":"First edition","publish":true}`, 200)
	op.ask(t, "PATCH", "/api/admin/pages/pages/terms/en", `{"text":"Second edition","publish":true}`, 200)
	op.ask(t, "PATCH", "/api/admin/pages/pages/imprint/de", `{"text":"Ein Entwurf"}`, 200)
	op.ask(t, "POST", "/api/admin/pages", `{"section":"journal","title":"Winter","language":"en"}`, 201)
	op.ask(t, "PATCH", "/api/admin/pages/journal/winter/en", `{"text":"Six weeks with *one* lens.","tags":["Film"],"publish":true}`, 200)
	op.ask(t, "PATCH", "/api/admin/pages/journal/winter/en", `{"address":"coast"}`, 200)

	op.ask(t, "POST", "/api/admin/catalog", `{"brand":"Canon","model":"Prototype Nine","category":"mirrorless","mount":"RF","aliases":["P-Nine"],"picture":["`+picture+`"]}`, 201)
	gear := op.ask(t, "PATCH", "/api/admin/catalog/canon/eos-r6", `{"aliases":["Arsix"],"picture":["`+picture+`"]}`, 200)["picture"].(string)

	file := "external_id,seller,title,condition,region,price\n1,the-operator,Canon EOS R6,good,DE,900.00\n2,the-operator,Nothing,good,DE,-\n"
	imported := op.ask(t, "POST", "/api/admin/imports", `{"region":"DE","file":"`+base64.StdEncoding.EncodeToString([]byte(file))+`"}`, 201)["id"].(string)
	must(s.RunImports(context.Background()))

	op.ask(t, "POST", "/api/admin/portfolio", `{"title":"Iceland"}`, 201)
	op.ask(t, "POST", "/api/admin/portfolio", `{"title":"Drafts"}`, 201)
	photo := picturetest.JPEG(t, 900, 600)
	for _, folder := range []string{"iceland", "drafts"} {
		body, _ := json.Marshal(map[string]any{"name": "dsc_0042.jpg", "size": len(photo), "offset": 0, "photo": []string{base64.StdEncoding.EncodeToString(photo)}})
		op.ask(t, "POST", "/api/admin/portfolio/"+folder+"/uploads", string(body), 200)
	}
	op.ask(t, "PUT", "/api/admin/portfolio/iceland/dsc_0042.jpg", `{"caption":"Before the buses","location":"Skógar","focus_x":30,"focus_y":0,"step":"cover"}`, 200)
	op.ask(t, "PUT", "/api/admin/portfolio/iceland", `{"title":"Iceland","text":"Two weeks.","visibility":"public","license":"CC BY 4.0"}`, 200)
	shown := s.library.Portfolio().InFolder("iceland")

	op.ask(t, "POST", "/api/me/kit", `{"name":"canon r6","condition":"good","bought_on":"2024-05-17","paid":"1890","serial":"SN-4711","insured":true}`, 201)
	op.ask(t, "POST", "/api/me/kit", `{"name":"Leica M6","gear":"leica/m6","condition":"good","public":true}`, 201)
	ann.ask(t, "POST", "/api/contact", `{"name":"Ann","email":"ann@example.org","topic":"print","about":"/portfolio/iceland","text":"Is it available as a print?"}`, 201)
	op.ask(t, "PUT", "/api/held-words", `{"version":0,"words":["Western Union"]}`, 200)

	for _, page := range []string{"/", "/admin/site", "/admin/pages", "/admin/pages/pages/terms/en", "/admin/pages/pages/imprint/de", "/admin/pages/journal/coast/en", "/terms", "/journal", "/journal/coast", "/journal/winter",
		"/admin/catalog?show=corrections", "/admin/catalog/canon/eos-r6", "/gear/canon/prototype-nine", "/admin/imports", "/admin/imports/" + imported,
		"/account/portfolio", "/account/portfolio/iceland", "/account/portfolio/drafts", "/portfolio", "/portfolio/iceland", photoPathOf(shown), "/account/kit", "/account/kit/export", "/kit", "/admin/contact", "/admin/members", "/account/moderation/words", "/admin/audit"} {
		path, query, _ := strings.Cut(page, "?")
		if query != "" {
			query = "?" + query
		}
		if path == "/" {
			pages = append(pages, path)
			continue
		}
		pages = append(pages, path+".json"+query, path+".md"+query)
	}
	return append(pages, logo, gear, "/photos/"+shown.Photos[0].Key+"-480.jpg"), op
}

// photoPathOf returns the path of the page of the first photo of a project.
func photoPathOf(p *portfolio.Project) string { return "/portfolio/" + p.Slug + "/" + p.Photos[0].Slug }

// readOwnerPages returns the responses of a server to its operator, by path.
func readOwnerPages(t *testing.T, s *testServer, op *testMember, pages []string) map[string]string {
	t.Helper()
	read := map[string]string{}
	for _, path := range pages {
		resp, body := s.do(t, "GET", path, "Authorization", "Bearer "+op.token)
		if resp.StatusCode != 200 && resp.StatusCode != 301 {
			t.Errorf("%s is %d: %.300s", path, resp.StatusCode, body)
		}
		read[path] = resp.Header.Get("Location") + "\n" + body
	}
	return read
}

// compareOwnerPages fails for every page that differs.
func compareOwnerPages(t *testing.T, when string, before, after map[string]string) {
	t.Helper()
	for path, want := range before {
		got := after[path]
		if got == want {
			continue
		}
		at := 0
		for at < len(got) && at < len(want) && got[at] == want[at] {
			at++
		}
		from := max(0, at-80)
		t.Errorf("%s %s differs: %.200q was %.200q", when, path, got[from:], want[from:])
	}
}
