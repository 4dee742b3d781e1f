package handlers

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture/picturetest"
	"github.com/secondlight/secondlight/models/portfolio"
)

// TestEditPortfolio edits a portfolio like an operator, and looks at it like a visitor.
func TestEditPortfolio(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	s := newMarketServer(t, func(c *Config) {
		c.DataDir = data
		c.Library = portfolio.Open(os.DirFS(data), c.Catalog, filepath.Join(data, "photos"), c.Log)
	})
	op := s.join(t, "the-operator", models.RoleOperator)
	seen := func(path string) int {
		resp, _ := s.do(t, "GET", path)
		return resp.StatusCode
	}
	created := op.ask(t, "POST", "/api/admin/portfolio", `{"title":"Iceland"}`, 201)
	if created["folder"] != "iceland" || created["visibility"] != "private" || seen("/portfolio/iceland") != 404 {
		t.Fatalf("created %v", created)
	}
	file := picturetest.JPEG(t, 900, 600)
	upload := func(offset int, part []byte, want int) map[string]any {
		t.Helper()
		body, _ := json.Marshal(map[string]any{"name": "dsc_0042.jpg", "size": len(file), "offset": offset, "photo": []string{base64.StdEncoding.EncodeToString(part)}})
		if len(part) == 0 {
			body = fmt.Appendf(nil, `{"name":"dsc_0042.jpg","size":%d,"offset":%d}`, len(file), offset)
		}
		answer := op.ask(t, "POST", "/api/admin/portfolio/iceland/uploads", string(body), 200)
		if got, _ := answer["received"].(float64); int(got) != want {
			t.Fatalf("%v bytes have arrived, want %d", got, want)
		}
		return answer
	}
	upload(0, file[:1000], 1000)
	upload(0, nil, 1000)
	upload(1000, file[1000:], len(file))
	page := op.ask(t, "GET", "/api/admin/portfolio/iceland", "", 200)
	if get(t, page, "photos.0.file") != "dsc_0042.jpg" || get(t, page, "photos.0.inherited.title") != "Iceland 1" {
		t.Errorf("edits %v", page)
	}
	key := s.library.Portfolio().InFolder("iceland").Photos[0].Key
	if seen("/photos/"+key+"-480.jpg") != 404 {
		t.Error("everybody sees the picture of a private project")
	}
	op.ask(t, "PUT", "/api/admin/portfolio/iceland/dsc_0042.jpg", `{"caption":"Before the <b>buses</b>","location":"Skógar","focus_x":30,"focus_y":0,"step":"cover"}`, 200)
	op.ask(t, "PUT", "/api/admin/portfolio/iceland", `{"title":"Iceland","text":"Two weeks.","visibility":"unlisted","license":"CC BY 4.0"}`, 200)
	slug := s.library.Portfolio().InFolder("iceland").Slug
	if seen("/portfolio/iceland") != 404 || seen("/portfolio/"+slug) != 200 || seen("/photos/"+key+"-480.jpg") != 200 {
		t.Error("an unlisted project is not at its secret address alone")
	}
	if _, html := s.do(t, "GET", "/portfolio/"+slug+"/dsc-0042"); !strings.Contains(html, `content="noindex"`) || !strings.Contains(html, "Skógar") || !strings.Contains(html, "&lt;b&gt;buses") || !strings.Contains(html, "CC BY 4.0") {
		t.Error("the page of an unlisted photograph lacks something")
	}
	for _, public := range []string{"/portfolio", "/sitemap.xml", "/llms.txt", "/api/portfolio"} {
		if _, text := s.do(t, "GET", public); strings.Contains(text, slug) || strings.Contains(text, "Iceland") {
			t.Errorf("%s names an unlisted project", public)
		}
	}
	resp, _ := op.post(t, "/account/portfolio/iceland", "title=Iceland&visibility=public&options=&options=downloads&text=Two+weeks.&publish_at=")
	if resp.StatusCode != 303 || resp.Header.Get("Location") != "/account/portfolio/iceland" || seen("/portfolio/iceland") != 200 {
		t.Errorf("published: %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	if resp, html := op.post(t, "/account/portfolio/iceland", "title=Iceland&visibility=public&publish_at=tomorrow"); resp.StatusCode != 400 || !strings.Contains(html, "isn&#39;t a time.") {
		t.Errorf("a wrong time: %d", resp.StatusCode)
	}
	if resp, html := op.postParts(t, "/account/portfolio/iceland/uploads", part{"photo", "x.jpg", "<svg></svg>"}, part{"photo", "b.png", string(picturetest.PNG(t, picturetest.Image(30, 20)))}); resp.StatusCode != 400 || !strings.Contains(html, "x.jpg") {
		t.Errorf("a wrong file: %d", resp.StatusCode)
	}
	if photos := s.library.Portfolio().InFolder("iceland").Photos; len(photos) != 2 || photos[0].Focus != (portfolio.Focus{X: 30, Y: 0}) {
		t.Errorf("%d photographs", len(photos))
	}
	op.ask(t, "PUT", "/api/admin/portfolio/iceland", `{"title":"Iceland","visibility":"public","publish_at":"2099-01-01T00:00:00Z"}`, 200)
	if seen("/portfolio/iceland") != 404 {
		t.Error("a scheduled project is public")
	}
	op.ask(t, "PUT", "/api/admin/portfolio/iceland/none.jpg", `{}`, 404)
	if text := op.read(t, "/account/portfolio"); !strings.Contains(text, "/account/portfolio/iceland") {
		t.Error("the project is not listed")
	}
}

// TestFilesToRepair tests that the owner reads in the browser which files of the portfolio are left
// out, why, and what to do, until they are right.
func TestFilesToRepair(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := newMarketServer(t, func(c *Config) {
		c.DataDir = folder
		c.Library = portfolio.Open(os.DirFS(folder), c.Catalog, filepath.Join(folder, "photos"), c.Log)
	})
	op := s.join(t, "the-operator", models.RoleOperator)
	write := func(text string) {
		t.Helper()
		must(os.MkdirAll(filepath.Join(folder, "portfolio", "coast"), 0o755))
		must(os.WriteFile(filepath.Join(folder, "portfolio", "coast", "index.md"), []byte(text), 0o600))
		s.library.Reload()
	}
	write("---\ntitle: Coast\nfotos: []\n---\n")
	for _, want := range []string{"Files to repair", "portfolio/coast/index.md", `Line 3 begins with "fotos", which isn't known.`, "Correct its spelling, or remove the line."} {
		if page := html.UnescapeString(op.read(t, "/account/portfolio")); !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	skipped := op.ask(t, "GET", "/api/admin/portfolio", "", 200)
	if get(t, skipped, "skipped_files.0.name") != "portfolio/coast/index.md" || get(t, skipped, "skipped_files.0.hint") != "Correct its spelling, or remove the line." {
		t.Errorf("the API says %v", skipped)
	}
	if n := get(t, op.ask(t, "GET", "/api/admin", "", 200), "waiting.portfolio_files"); n != 1.0 {
		t.Errorf("the dashboard counts %v", n)
	}
	if page := op.read(t, "/admin"); !strings.Contains(page, "Files of the portfolio to repair") {
		t.Error("the dashboard doesn't mention the file")
	}
	write("---\ntitle: Coast\n---\n")
	if page := op.read(t, "/account/portfolio"); strings.Contains(page, "Files to repair") || !strings.Contains(page, "Coast") {
		t.Error("the file that was repaired is still to repair")
	}
}
