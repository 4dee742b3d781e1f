package handlers

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture/picturetest"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/storetest"
)

const galleryPassword = "amber lens quartet"

// delivered is a site with a project that is delivered to clients.
type delivered struct {
	*testServer
	owner   *testMember
	path    string // of the gallery
	address string
	clock   *turnedClock
	keys    []string // of its photographs
}

// canaries are what only those with the password may read.
var canaries = []string{"Zugvogelhochzeit", "Kirschlorbeer", "kanarienbild", "Brautstrauß", "Goldammer"}

// newDelivered returns a site with a gallery of two photographs, whose texts are canaries.
func newDelivered(t *testing.T) *delivered {
	t.Helper()
	data := t.TempDir()
	d := &delivered{clock: &turnedClock{at: testNow}}
	store := storetest.Open(t, storetest.SQLite(t), d.clock.now)
	d.testServer = newMarketServer(t, func(c *Config) {
		c.RateLimit, c.DataDir, c.Store, c.Clock = 1<<20, data, store, d.clock.now
		c.Index = search.New(c.Catalog.Lookup())
		c.Library = portfolio.Open(os.DirFS(data), c.Catalog, filepath.Join(data, "photos"), c.Log)
	})
	folder := filepath.Join(data, "portfolio", "wedding")
	must(os.MkdirAll(folder, 0o755))
	must(os.WriteFile(filepath.Join(folder, "index.md"), []byte(`---
title: Zugvogelhochzeit
description: Kirschlorbeer and rain.
tags: [Goldammer]
photos:
  - file: kanarienbild-1.jpg
    title: Brautstrauß
    caption: A Goldammer in the hedge
  - file: kanarienbild-2.jpg
---
Kirschlorbeer everywhere.
`), 0o644))
	for i, name := range []string{"kanarienbild-1.jpg", "kanarienbild-2.jpg"} {
		must(os.WriteFile(filepath.Join(folder, name), picturetest.JPEG(t, 640+i, 480), 0o644))
	}
	d.library.Reload()
	for _, photo := range d.library.Portfolio().InFolder("wedding").Photos {
		d.keys = append(d.keys, photo.Key)
	}
	d.owner = d.join(t, "the-owner", models.RoleOperator)
	d.fillGallery(t, "password="+url.QueryEscape(galleryPassword), 303)
	g, err := d.store.Galleries.Gallery(t.Context(), "wedding")
	must(err)
	d.address, d.path = g.Address, "/galleries/"+g.Address
	return d
}

// fillGallery sends the form of the owner.
func (d *delivered) fillGallery(t *testing.T, form string, status int) string {
	t.Helper()
	resp, body := d.owner.post(t, "/account/portfolio/wedding/gallery", form)
	if resp.StatusCode != status {
		t.Fatalf("the form of the gallery: %d, want %d: %.300s", resp.StatusCode, status, body)
	}
	return body
}

// post sends a form of a visitor with a cookie.
func (d *delivered) post(t *testing.T, path, form, cookie string) (*http.Response, string) {
	t.Helper()
	return d.send(t, "POST", path, form, "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html", "Sec-Fetch-Site", "same-origin", "Cookie", cookie)
}

// enter returns the cookie of a visitor who has entered the password.
func (d *delivered) enter(t *testing.T, name string) string {
	t.Helper()
	resp, body := d.post(t, d.path, "name="+url.QueryEscape(name)+"&password="+url.QueryEscape(galleryPassword), "")
	if resp.StatusCode != 303 || resp.Header.Get("Location") != d.path {
		t.Fatalf("entering: %d to %q: %.300s", resp.StatusCode, resp.Header.Get("Location"), body)
	}
	for _, c := range resp.Cookies() {
		if c.Name == d.PassCookie() {
			if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.MaxAge <= 0 {
				t.Errorf("the cookie is %s", c)
			}
			return c.Name + "=" + c.Value
		}
	}
	t.Fatal("no cookie")
	return ""
}

// TestGallery follows a gallery from the owner's password to the client's selection and its end.
func TestGallery(t *testing.T) {
	t.Parallel()
	d := newDelivered(t)
	if p := d.library.Portfolio().InFolder("wedding"); p.Visibility != portfolio.Private {
		t.Fatalf("the project is %q", p.Visibility)
	}
	resp, locked := d.do(t, "GET", d.path, "Accept", "text/html")
	if resp.StatusCode != 200 || !strings.Contains(locked, `name="password"`) || !strings.Contains(locked, "noindex") || resp.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the page without password is %d, %s", resp.StatusCode, resp.Header.Get("Cache-Control"))
	}
	if _, german := d.do(t, "GET", d.path, "Accept", "text/html", "Accept-Language", "de"); !strings.Contains(german, "Private Galerie") {
		t.Error("the page isn't in German")
	}
	if resp, body := d.post(t, d.path, "name=Vera&password=wrong", ""); resp.StatusCode != 400 || !strings.Contains(body, "The password is wrong.") || len(resp.Cookies()) > 0 {
		t.Errorf("a wrong password: %d, %v", resp.StatusCode, resp.Cookies())
	}
	vera := d.enter(t, "Vera")
	for _, accept := range []string{"text/html", "text/markdown", "application/json"} {
		resp, body := d.do(t, "GET", d.path, "Accept", accept, "Cookie", vera)
		if resp.StatusCode != 200 || !strings.Contains(body, "Zugvogelhochzeit") || !strings.Contains(body, d.path+"/kanarienbild-1") || strings.Contains(body, "/photos/"+d.keys[0]) || resp.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("as %s: %d, %s, %.300s", accept, resp.StatusCode, resp.Header.Get("Cache-Control"), body)
		}
	}
	photo := d.path + "/kanarienbild-1"
	if resp, _ := d.post(t, photo, "mark=&mark=favourite&comment=Large%2C+please", vera); resp.StatusCode != 303 || resp.Header.Get("Location") != photo {
		t.Errorf("marking: %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	for page, want := range map[string]string{photo: "Large, please", d.path: "1 favourite"} {
		if _, body := d.do(t, "GET", page, "Accept", "text/html", "Cookie", vera); !strings.Contains(body, want) {
			t.Errorf("%s lacks %q", page, want)
		}
	}
	d.chooseFavourites(t, vera)
	if _, body := d.do(t, "GET", d.path, "Accept", "text/html", "Cookie", d.enter(t, "Ben")); strings.Contains(body, "Large, please") {
		t.Error("another visitor reads the comment")
	}
	editor := d.owner.read(t, "/account/portfolio/wedding/gallery")
	for _, want := range []string{"Vera", "kanarienbild-1.jpg", "Large, please", ">kanarienbild-1</textarea>", d.path} {
		if !strings.Contains(editor, want) {
			t.Errorf("the owner's page lacks %q", want)
		}
	}

	d.fillGallery(t, "password=&last_day=2026-11-30x", 400)
	d.fillGallery(t, "password=short", 400)
	last := d.clock.now().UTC().Format(time.DateOnly)
	d.fillGallery(t, "password=&last_day="+last, 303)
	if resp, _ := d.do(t, "GET", d.path, "Cookie", vera); resp.StatusCode != 200 {
		t.Errorf("on the last day: %d", resp.StatusCode)
	}
	d.clock.add(24 * time.Hour)
	for _, path := range []string{d.path, photo, d.picture(0), d.archive(), d.webArchive()} {
		resp, body := d.do(t, "GET", path, "Accept", "text/html", "Cookie", vera)
		if resp.StatusCode != http.StatusGone || strings.Contains(body, "Zugvogel") {
			t.Errorf("%s after the last day: %d", path, resp.StatusCode)
		}
	}
	d.owner.beginSession()
	d.fillGallery(t, "password=&last_day="+d.clock.now().UTC().Format(time.DateOnly), 303)
	if resp, _ := d.do(t, "GET", photo, "Cookie", vera); resp.StatusCode != 200 {
		t.Errorf("open again: %d", resp.StatusCode)
	}
	if resp, _ := d.owner.post(t, "/account/portfolio/wedding/gallery/delete", ""); resp.StatusCode != 303 {
		t.Errorf("ending the gallery: %d", resp.StatusCode)
	}
	if resp, _ := d.do(t, "GET", d.path, "Cookie", vera); resp.StatusCode != 404 {
		t.Errorf("the gallery that was ended: %d", resp.StatusCode)
	}
}

// chooseFavourites chooses several photos at once by the form without script, and one by the
// script, as a visitor who has commented on the first, which is a favourite.
func (d *delivered) chooseFavourites(t *testing.T, cookie string) {
	t.Helper()
	path := d.path + "/photos/favourites"
	for _, c := range []struct {
		form string
		want string // favourites
	}{
		{"shown=kanarienbild-1&shown=kanarienbild-2&favourite=kanarienbild-1&favourite=kanarienbild-2", "kanarienbild-1.jpg kanarienbild-2.jpg"},
		{"shown=kanarienbild-1&shown=kanarienbild-2&favourite=kanarienbild-2", "kanarienbild-2.jpg"},
		{"shown=kanarienbild-2", ""},
		{"shown=kanarienbild-2&shown=removed&favourite=removed", ""},
		{"shown=kanarienbild-1&favourite=kanarienbild-1", "kanarienbild-1.jpg"},
	} {
		if resp, body := d.post(t, path, c.form, cookie); resp.StatusCode != 303 || resp.Header.Get("Location") != d.path {
			t.Fatalf("%s: %d to %s: %.200s", c.form, resp.StatusCode, resp.Header.Get("Location"), body)
		}
		marks, err := d.store.Galleries.GalleryMarks(t.Context(), "wedding")
		must(err)
		var favourites []string
		for _, m := range marks {
			if m.Favourite {
				favourites = append(favourites, m.File)
			}
		}
		if got := strings.Join(favourites, " "); got != c.want || marks[0].Comment != "Large, please" {
			t.Errorf("%s: the favourites are %q, want %q, and the comment is %q", c.form, got, c.want, marks[0].Comment)
		}
	}
	resp, body := d.send(t, "POST", path, "shown=kanarienbild-2&favourite=kanarienbild-2", "Content-Type", "application/x-www-form-urlencoded", "Accept", "application/json", "Sec-Fetch-Site", "same-origin", "Cookie", cookie)
	if resp.StatusCode != 200 || strings.Count(body, `"favourite":true`) != 2 {
		t.Errorf("the answer to the script is %d: %.300s", resp.StatusCode, body)
	}
	if _, body := d.do(t, "GET", d.path, "Accept", "text/html", "Cookie", cookie); strings.Count(body, `name="favourite"`) != 2 || !strings.Contains(body, "2 favourites") {
		t.Error("the page lacks hearts, or the selection")
	}
	d.post(t, path, "shown=kanarienbild-2", cookie)
}

func (d *delivered) picture(i int) string {
	return fmt.Sprintf("/gallery-photos/%s/%s-480.jpg", d.address, d.keys[i])
}

func (d *delivered) archive() string { return "/gallery-photos/" + d.address + "/all.zip" }

func (d *delivered) webArchive() string { return "/gallery-photos/" + d.address + "/web.zip" }

// TestGalleryOfRemovedProject creates a project in the place of one that was removed with its
// folder: clients of that one don't see it.
func TestGalleryOfRemovedProject(t *testing.T) {
	t.Parallel()
	d := newDelivered(t)
	vera := d.enter(t, "Vera")
	must(os.RemoveAll(filepath.Join(d.dataDir, "portfolio", "wedding")))
	d.library.Reload()
	if resp, _ := d.owner.post(t, "/account/portfolio", "title=Wedding"); resp.StatusCode != 303 {
		t.Fatalf("creating a project: %d", resp.StatusCode)
	}
	if d.library.Portfolio().InFolder("wedding") == nil {
		t.Fatal("the project has another folder")
	}
	if resp, body := d.do(t, "GET", d.path, "Cookie", vera); resp.StatusCode != 404 {
		t.Errorf("its gallery is %d: %.200s", resp.StatusCode, body)
	}
}

// TestGalleryFiles checks the pictures and the archive of a gallery: the files as they are stored.
func TestGalleryFiles(t *testing.T) {
	t.Parallel()
	d := newDelivered(t)
	vera := d.enter(t, "Vera")
	resp, _ := d.do(t, "GET", d.picture(0), "Cookie", vera)
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "image/jpeg" || !strings.Contains(resp.Header.Get("Cache-Control"), "no-store") {
		t.Errorf("the picture is %d, %s", resp.StatusCode, resp.Header.Get("Cache-Control"))
	}
	if resp, body := d.do(t, "HEAD", d.archive(), "Cookie", vera); resp.StatusCode != 200 || body != "" {
		t.Errorf("HEAD of the archive: %d", resp.StatusCode)
	}
	resp, body := d.do(t, "GET", d.archive(), "Cookie", vera)
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "application/zip" || !strings.Contains(resp.Header.Get("Content-Disposition"), "zugvogelhochzeit.zip") || !strings.Contains(resp.Header.Get("Cache-Control"), "no-store") {
		t.Fatalf("the archive is %d, %v", resp.StatusCode, resp.Header)
	}
	archive, err := zip.NewReader(strings.NewReader(body), int64(len(body)))
	must(err)
	for i, f := range archive.File {
		in, err := f.Open()
		must(err)
		got, err := io.ReadAll(in)
		must(err)
		want, err := os.ReadFile(filepath.Join(d.dataDir, "portfolio", "wedding", f.Name))
		if err != nil || !bytes.Equal(got, want) || f.Name != fmt.Sprintf("kanarienbild-%d.jpg", i+1) {
			t.Errorf("%s has %d bytes, %v", f.Name, len(got), err)
		}
	}
	if len(archive.File) != 2 {
		t.Errorf("%d files", len(archive.File))
	}

	resp, body = d.do(t, "GET", d.webArchive(), "Cookie", vera)
	if resp.StatusCode != 200 || !strings.Contains(resp.Header.Get("Content-Disposition"), "zugvogelhochzeit-web.zip") {
		t.Fatalf("the archive of web size is %d, %v", resp.StatusCode, resp.Header)
	}
	archive, err = zip.NewReader(strings.NewReader(body), int64(len(body)))
	must(err)
	for i, f := range archive.File {
		in, err := f.Open()
		must(err)
		got, err := jpeg.DecodeConfig(in)
		if err != nil || got.Width != 640+i || f.Name != fmt.Sprintf("kanarienbild-%d.jpg", i+1) {
			t.Errorf("%s of web size is %d px wide, %v", f.Name, got.Width, err)
		}
	}
	if len(archive.File) != 2 {
		t.Errorf("%d files of web size", len(archive.File))
	}
}

// TestGalleryLeaks asks for everything that the site has, in every format, as those who have not
// entered the password: nothing of the gallery is in any of it.
func TestGalleryLeaks(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	d := newDelivered(t)
	vera := d.enter(t, "Vera")
	d.post(t, d.path+"/kanarienbild-1", "mark=favourite&comment=Goldammer", vera)
	member := d.join(t, "a-member", models.RoleMember)
	leaks := append([]string{d.address}, append(canaries, d.keys...)...)
	look := func(who, target, body string) {
		t.Helper()
		for _, secret := range leaks {
			if strings.Contains(strings.ReplaceAll(body, target, ""), secret) && !(secret == d.address && strings.Contains(target, secret)) {
				t.Errorf("%s of %s has %q", target, who, secret)
			}
		}
	}
	strangers := map[string]string{"a stranger": "", "a browser with a forged pass": d.PassCookie() + "=" + strings.Repeat("A", 43), "a member": member.cookie}
	addresses := append(d.everywhere(), "/portfolio/wedding", "/portfolio/"+d.address, "/api/portfolio/wedding", "/portfolio/wedding/photo", "/listings?keyword=birds", "/search?q=birds",
		"/portfolio.atom", "/portfolio.feed.json", "/sitemap-portfolio.xml", "/api/portfolio?tag=birds", "/oembed?url="+url.QueryEscape(testSite.URL(d.path)), "/previews"+d.path+".png", "/service-worker.js",
		d.path, d.path+".md", d.path+".json", d.path+"/photo", d.path+"/photo.md", d.archive(), d.webArchive())
	for _, key := range d.keys {
		addresses = append(addresses, "/gallery-photos/"+d.address+"/"+key+"-480.jpg", "/photos/"+key+"-480.jpg", "/gallery-photos/x/"+key+"-480.jpg")
	}
	for who, cookie := range strangers {
		proof := []string{"Cookie", cookie}
		if cookie == "" {
			proof = nil
		}
		for _, target := range addresses {
			for _, accept := range []string{"text/html", "text/markdown", "application/json", "application/atom+xml", "*/*"} {
				resp, body := d.do(t, "GET", target, append([]string{"Accept", accept}, proof...)...)
				look(who, target, body)
				if strings.HasSuffix(target, "-480.jpg") && resp.StatusCode != 404 {
					t.Errorf("%s for %s is %d", target, who, resp.StatusCode)
				}
			}
		}
		for _, op := range d.Operations() {
			if op.ForOperators() || !op.ChangesNothing() {
				continue
			}
			example := map[string]any{}
			for _, p := range op.Parameters(nil) {
				if p.In == "path" {
					example[p.Name] = map[string]string{"project": "wedding", "gallery": d.address, "photo": "photo"}[p.Name]
				}
			}
			_, body := d.request(t, op, example, proof...)
			look(who, op.Name, body)
		}
		if resp, body := d.post(t, d.path+"/photo", "mark=favourite", cookie); resp.StatusCode != 404 {
			t.Errorf("%s marks a photo: %d %.200s", who, resp.StatusCode, body)
		}
		if resp, body := d.post(t, d.path+"/photos/favourites", "shown=photo&favourite=photo", cookie); resp.StatusCode != 404 {
			t.Errorf("%s chooses favourites: %d %.200s", who, resp.StatusCode, body)
		}
	}
	session := d.connect(t, web.MCPPath, eras[0])
	for _, op := range d.Operations() {
		if !op.Tool() || op.ForOperators() || !op.ChangesNothing() {
			continue
		}
		result, err := session.CallTool(t.Context(), d.toolCall(op.Name, map[string]any{"project": "wedding"}))
		if err == nil {
			look("MCP", op.Name, encoded(result))
		}
	}
}

// encoded returns the JSON of the result of a tool.
func encoded(result *mcp.CallToolResult) string {
	text, err := json.Marshal(result)
	must(err)
	return string(text)
}
