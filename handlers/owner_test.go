package handlers

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture/picturetest"
	"github.com/secondlight/secondlight/models/portfolio"
)

// An ownersProgram performs an operation for the owner of a site. refused is the error that
// the response must have, or "".
type ownersProgram func(t *testing.T, operation string, arguments map[string]any, refused string) map[string]any

// withAPI performs operations with the API and a token.
func withAPI(owner *testMember) ownersProgram {
	inPath := regexp.MustCompile(`\{[a-z]+\}`)
	return func(t *testing.T, operation string, arguments map[string]any, refused string) map[string]any {
		t.Helper()
		op := owner.server.operation(t, operation)
		body := map[string]any{}
		for name, value := range arguments {
			body[name] = value
		}
		path := inPath.ReplaceAllStringFunc(op.Path, func(name string) string {
			name = strings.Trim(name, "{}")
			value := body[name].(string)
			delete(body, name)
			return url.PathEscape(value)
		})
		status := 200
		switch {
		case refused != "":
			status = 400
		case op.Creates:
			status = 201
		}
		answer := owner.ask(t, op.Method, path, encode(body), status)
		if refused != "" && !strings.Contains(encode(answer), refused) {
			t.Errorf("%s doesn't say %q: %v", operation, refused, answer)
		}
		return answer
	}
}

// withMCP performs operations with the tools of the MCP server.
func withMCP(owner *testMember) ownersProgram {
	var session *mcp.ClientSession
	return func(t *testing.T, operation string, arguments map[string]any, refused string) map[string]any {
		t.Helper()
		if session == nil {
			session = owner.server.connectAs(t, owner)
		}
		result, err := session.CallTool(context.Background(), owner.server.toolCall(operation, arguments))
		if err != nil {
			t.Fatalf("%s: %v", operation, err)
		}
		text := result.Content[0].(*mcp.TextContent).Text
		if result.IsError != (refused != "") || !strings.Contains(text, refused) {
			t.Fatalf("%s: %s", operation, text)
		}
		answer, _ := result.StructuredContent.(map[string]any)
		return answer
	}
}

// TestOwnerWithPrograms makes an empty site the owner's with the API alone, and with MCP
// alone, and reads it like a visitor.
func TestOwnerWithPrograms(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	for name, with := range map[string]func(*testMember) ownersProgram{"API": withAPI, "MCP": withMCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := t.TempDir()
			s := newMarketServer(t, func(c *Config) {
				c.DataDir = data
				c.Library = portfolio.Open(os.DirFS(data), c.Catalog, filepath.Join(data, "photos"), c.Log)
			})
			makeSite(t, with(s.join(t, "ada", models.RoleOperator)))
			visitSite(t, s)
		})
	}
}

// makeSite plays the owner of an empty site.
func makeSite(t *testing.T, do ownersProgram) {
	call := func(operation string, arguments map[string]any) map[string]any {
		t.Helper()
		return do(t, operation, arguments, "")
	}
	inBase64 := func(file []byte) []string { return []string{base64.StdEncoding.EncodeToString(file)} }
	logo := inBase64(picturetest.PNG(t, picturetest.Image(300, 80)))

	settings := call("get_site", nil)
	call("edit_site", map[string]any{"version": settings["version"], "name": "Foto Ecke", "tagline": "Leica and Rollei, serviced", "owner": "Ada Ortega", "address": "1 Mill Road, 10115 Berlin",
		"email": "hello@example.org", "accent": "#1f5fae", "country": "DE", "languages": []string{"en"}})
	call("set_site_picture", map[string]any{"kind": "logo", "picture": logo})

	project := call("create_project", map[string]any{"title": "Harbours"})["folder"]
	upload := func(name string, file []byte, refused string) map[string]any {
		t.Helper()
		return do(t, "upload_project_photos", map[string]any{"project": project, "name": name, "photo": inBase64(file)}, refused)
	}
	file := picturetest.JPEG(t, 900, 600)
	upload("a.jpg", file, "")
	upload("Küste 🌊 1.jpg", picturetest.JPEG(t, 600, 900), "")
	upload("a.xmp", []byte(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/">`+
		`<dc:title><rdf:Alt><rdf:li xml:lang="x-default">The pier</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`), "")
	upload("b.NEF", []byte("II*"), "This is a RAW file.")
	upload("c.jpg", file[:len(file)/2], "The file is incomplete or damaged.")
	parts := picturetest.JPEG(t, 300, 200)
	first := call("upload_project_photos", map[string]any{"project": project, "name": "parts.jpg", "size": len(parts), "photo": inBase64(parts[:1000])})
	if first["received"] != 1000.0 {
		t.Errorf("of a part has arrived %v", first["received"])
	}
	done := call("upload_project_photos", map[string]any{"project": project, "name": "parts.jpg", "size": len(parts), "offset": 1000, "photo": inBase64(parts[1000:])})
	if done["total"] != 3.0 {
		t.Errorf("the project has %v photographs", done["total"])
	}
	call("update_project_photo", map[string]any{"project": project, "photo": "Küste 🌊 1.jpg", "alt": "Cranes", "focus_x": 30, "focus_y": 70, "position": 1, "step": "cover"})
	call("update_project", map[string]any{"project": project, "title": "Harbours", "description": "Low water in March.", "visibility": "public"})
	if photos := call("edit_project", map[string]any{"project": project})["photos"].([]any); photos[0].(map[string]any)["focus_y"] != 70.0 || photos[0].(map[string]any)["cover"] != true {
		t.Errorf("the first photograph is %v", photos[0])
	}

	entry := call("create_text", map[string]any{"section": "journal", "title": "Winter on the coast"})
	picture := call("add_text_picture", map[string]any{"alt": "A grey sea", "picture": logo})
	call("edit_text", map[string]any{"section": "journal", "slug": entry["slug"], "language": "en", "text": "Six weeks.\n\n" + picture["markdown"].(string), "publish": true})
	for _, page := range []string{"terms", "imprint"} {
		call("edit_text", map[string]any{"section": "pages", "slug": page, "language": "en", "text": "The " + page + " of Foto Ecke.", "publish": true})
	}

	call("add_to_kit", map[string]any{"name": "Canon EOS R6", "condition": "good", "bought_on": "2024-05-17", "paid": "1890.00 EUR", "serial": "SN-4711", "public": true})

	listing := call("create_listing", map[string]any{"gear": "canon/eos-r6", "condition": "good", "price": "900.00 EUR", "region": "DE", "description": "From the shop."})["id"]
	call("add_photos", map[string]any{"id": listing, "photo": inBase64(file)})
	call("publish_listing", map[string]any{"id": listing})

	for _, step := range call("get_checklist", nil)["steps"].([]any) {
		if step := step.(map[string]any); step["done"] != (!slices.Contains([]any{"mail", "backup", "prices"}, step["step"])) {
			t.Errorf("the checklist says %v", step)
		}
	}
}

// visitSite reads the pages of the site that makeSite made.
func visitSite(t *testing.T, s *testServer) {
	for path, want := range map[string]string{
		"/":                            "Leica and Rollei, serviced",
		"/portfolio":                   "Low water in March.",
		"/portfolio/harbours":          "The pier",
		"/portfolio/harbours/kuste-1":  "Cranes",
		"/journal":                     "Winter on the coast",
		"/journal/winter-on-the-coast": "A grey sea",
		"/terms":                       "The terms of Foto Ecke.",
		"/imprint":                     "The imprint of Foto Ecke.",
		"/kit":                         "EOS R6",
		"/listings":                    "900",
		"/sellers/ada":                 "EOS R6",
	} {
		var html string
		eventually(t, path+" says "+want, func() bool {
			var resp *http.Response
			resp, html = s.do(t, "GET", path, "Accept", "text/html")
			return resp.StatusCode == 200 && strings.Contains(html, want)
		})
		if strings.Contains(html, "SN-4711") {
			t.Errorf("%s shows a serial number", path)
		}
	}
}
