package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hostilePictures are files that a browser may run or that cost much to read, by name.
func hostilePictures() map[string]string {
	svg := func(content string) string {
		return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">` + content + `</svg>`
	}
	return map[string]string{
		"script":           svg(`<script>alert(1)</script>`),
		"onload":           strings.Replace(svg(""), "viewBox", `onload="alert(1)" viewBox`, 1),
		"foreignObject":    svg(`<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:alert(1)"/></foreignObject>`),
		"external image":   svg(`<image xlink:href="https://evil.example/a.png" width="9" height="9"/>`),
		"external use":     svg(`<use href="https://evil.example/a.svg#a"/>`),
		"javascript link":  svg(`<a href="javascript:alert(1)"><rect width="9" height="9"/></a>`),
		"style":            svg(`<style>@import url(https://evil.example/a.css);</style>`),
		"animated link":    svg(`<a><animate attributeName="href" values="javascript:alert(1)"/><text>x</text></a>`),
		"entity expansion": `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>` + svg(`<text>&c;</text>`),
		"external entity":  `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>` + svg(`<text>&a;</text>`),
		"stylesheet":       `<?xml-stylesheet href="https://evil.example/a.xsl" type="text/xsl"?>` + svg(""),
		"huge":             strings.Replace(svg(strings.Repeat(`<rect width="9" height="9"/>`, 40_000)), "0 0 9 9", "0 0 999999999 999999999", 1),
		"compressed":       "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03",
		"page":             `<!DOCTYPE html><script>alert(1)</script>`,
		"GIF with script":  "GIF89a/*" + svg("") + "*/=1;alert(1)",
		"JPEG by its head": "\xff\xd8\xff\xe0" + svg(`<script>alert(1)</script>`),
		"PNG by its head":  "\x89PNG\r\n\x1a\n" + svg(`<script>alert(1)</script>`),
	}
}

// TestHostilePictures tests that no upload of the owner takes a picture that can run or
// load something, whatever it is called.
func TestHostilePictures(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s, owner := newOwnedServer(t)
	owner.ask(t, "POST", "/api/admin/portfolio", `{"title":"Iceland"}`, 201)
	uploads := map[string][]part{
		"/admin/site/pictures":                {{name: "kind", content: "logo"}, {name: "picture"}},
		"/api/admin/site/pictures":            {{name: "kind", content: "favicon"}, {name: "picture"}},
		"/api/admin/pictures":                 {{name: "picture"}},
		"/admin/catalog/canon/eos-r6":         {{name: "picture"}},
		"/account/portfolio/iceland/uploads":  {{name: "photo"}},
		"/admin/pages/pages/about/en/preview": {{name: "title", content: "About"}, {name: "picture"}},
	}
	for what, file := range hostilePictures() {
		for path, parts := range uploads {
			for _, name := range []string{"logo.svg", "logo.png", "logo.svg\u0000.jpg"} {
				parts := append([]part(nil), parts...)
				parts[len(parts)-1].file, parts[len(parts)-1].content = name, file
				content, contentType := form(t, parts...)
				resp, body := s.send(t, "POST", path, content, "Cookie", owner.cookie, "Content-Type", contentType, "Accept", "text/html", "Sec-Fetch-Site", "same-origin")
				if resp.StatusCode != http.StatusBadRequest && resp.StatusCode != http.StatusRequestEntityTooLarge {
					t.Errorf("%s as %q at %s is %d", what, name, path, resp.StatusCode)
				}
				count(t, what, body, false)
			}
		}
	}
	if set := s.site.Settings(); set.Logo != "" || set.Favicon != "" || len(s.library.Portfolio().InFolder("iceland").Photos) > 0 {
		t.Errorf("stored %q, %q", set.Logo, set.Favicon)
	}
}

// hostileCSS are values that end a declaration, load or run something.
var hostileCSS = []string{
	"red;}body{display:none}", "#fff;}body{background:url(https://evil.example)}", "url(javascript:alert(1))", "url(https://evil.example/a.png)", `expression(alert(1))`, "</style><script>alert(1)</script>",
	"#c02f0c}@import 'https://evil.example/a.css';", "#c02f0c/*", "*/red", "var(--ink)", "color-mix(in srgb,red,blue)", `\3c/style>`, "#c02f0c\n;color:red", "image-set('https://evil.example/a' 1x)", "-moz-binding:url(https://evil.example/a.xml)",
	"attr(href)", "env(x)", "paint(x)", "#c02f0c;--ink:#ffffff", "#ＦＦ0000",
}

// TestHostileCSS tests that colours and tokens of themes can't be more than values.
func TestHostileCSS(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s, owner := newOwnedServer(t)
	folder := filepath.Join(s.dataDir, "themes", "hostile")
	must(os.MkdirAll(folder, 0o755))
	for _, value := range hostileCSS {
		for _, field := range []string{"accent", "accent_dark", "fonts", "theme"} {
			resp, body := s.send(t, "PATCH", "/api/admin/site", encode(map[string]any{"version": 0, field: value}), "Authorization", "Bearer "+owner.token, "Content-Type", "application/json")
			if resp.StatusCode != http.StatusBadRequest {
				t.Errorf("%s %q is %d: %.200s", field, value, resp.StatusCode, body)
			}
			_, page := owner.post(t, "/admin/site", "version=0&"+field+"="+url.QueryEscape(value))
			count(t, value, page, false)
		}
		for _, token := range []string{"paper", "corner", "serif", "x: red; --paper"} {
			light := strings.Replace(paperCSS(t, "light.css"), "{", fmt.Sprintf("{ --%s: %s;", token, value), 1)
			if token == "paper" {
				light = strings.Replace(paperCSS(t, "light.css"), "#fbfaf7", value, 1)
			}
			must(os.WriteFile(filepath.Join(folder, "light.css"), []byte(light), 0o644))
			must(os.WriteFile(filepath.Join(folder, "dark.css"), []byte(paperCSS(t, "dark.css")), 0o644))
			s.settings.Reload()
			if resp, _ := s.do(t, "GET", "/admin/site/preview?theme=hostile", "Cookie", owner.cookie, "Accept", "text/html"); resp.StatusCode == 200 {
				t.Errorf("a theme with %s: %q is used", token, value)
			}
			_, page := s.do(t, "GET", "/admin/site", "Cookie", owner.cookie, "Accept", "text/html")
			count(t, value, page, false)
		}
	}
	for _, link := range []string{"javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "//evil.example", `/\evil.example`, "vbscript:x", "https://evil.example/ x", "http:evil", "\tjavascript:alert(1)", "mailto:a", "file:///etc/passwd"} {
		owner.ask(t, "PATCH", "/api/admin/site", encode(map[string]any{"version": 0, "header_links": []string{"Prints | " + link}}), 400)
		owner.ask(t, "PATCH", "/api/admin/site", encode(map[string]any{"version": 0, "footer_links": []string{"Prints | " + link}}), 400)
	}
}

// hostileMarkdown are texts with raw HTML, addresses that run something, pictures of other
// sites, and nested forms of them.
var hostileMarkdown = []string{
	"<script>alert(1)</script>", "a <img src=x onerror=alert(1)> b", "<iframe srcdoc='<script>alert(1)</script>'></iframe>", "<svg/onload=alert(1)>", "<style>body{display:none}</style>", "<base href=https://evil.example/>",
	"[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](java&#115;cript:alert(1))", "[x](javascript&colon;alert(1))", "[x](&#x01;javascript:alert(1))", "[x](<javascript:alert(1)>)", "[x](vbscript:x)", "[x](data:text/html;base64,PHNjcmlwdD4=)",
	"<javascript:alert(1)>", "[x][1]\n\n[1]: javascript:alert(1)", "![x](javascript:alert(1))", "![x](data:image/svg+xml,<svg/onload=alert(1)>)", "![x](https://evil.example/a.png)", "![x](//evil.example/a.png)", "![x][p]\n\n[p]: https://evil.example/p.png",
	"[![x](javascript:alert(1))](javascript:alert(2))", "[![x](https://evil.example/a.png)](data:text/html,x)", "![[x](javascript:alert(1))](https://evil.example/a.png)", "**[*x*](javascript:alert(1))**", "> - [x](javascript:alert(1))\n>   <script>alert(1)</script>",
	"| a |\n| --- |\n| [x](javascript:alert(1)) <b onclick=alert(1)>b</b> |", "[^1]\n\n[^1]: [x](javascript:alert(1))", "# x {onclick=alert(1)}", "## x {#a style=\"position:fixed\"}", "```<script>alert(1)</script>\nx\n```", "~~~ \" onload=alert(1)\nx\n~~~", "[x](/a \"t\\\" onmouseover=alert(1)\")",
	"![x\" onerror=\"alert(1)](/pictures/a.jpg)", "![x](/pictures/0123456789abcdef-1x1.jpg\"onerror=alert(1))", strings.Repeat("> ", 500) + "x", strings.Repeat("[", 5000) + "x", strings.Repeat("![", 2000) + "](javascript:alert(1))", strings.Repeat("*a _b ", 3000),
}

// TestHostileMarkdown tests that texts of the owner make nothing but text, links and
// pictures of the site, wherever they are Markdown.
func TestHostileMarkdown(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s, owner := newOwnedServer(t)
	owner.ask(t, "POST", "/api/admin/pages", `{"section":"journal","title":"Winter"}`, 201)
	owner.ask(t, "POST", "/api/admin/portfolio", `{"title":"Iceland"}`, 201)
	for _, text := range hostileMarkdown {
		for path, page := range map[string]string{"journal/winter": "/journal/winter", "pages/terms": "/terms", "guides/condition-grades": "/guides/condition-grades"} {
			owner.ask(t, "PATCH", "/api/admin/pages/"+path+"/en", encode(map[string]any{"text": text, "description": cut(text, 300), "publish": true}), 200)
			owner.lookWritten(t, text, page, "/admin/pages/"+path+"/en")
		}
		_, preview := owner.post(t, "/admin/pages/journal/winter/en/preview", "title=Winter&text="+url.QueryEscape(text))
		count(t, text, theirOwn.ReplaceAllString(preview, "//elsewhere.example"), false)
		owner.ask(t, "PUT", "/api/admin/portfolio/iceland", encode(map[string]any{"title": "Iceland", "visibility": "public", "text": text}), 200)
		owner.lookWritten(t, text, "/portfolio/iceland", "/account/portfolio/iceland")
		for _, feed := range []string{"/journal.atom", "/portfolio.atom"} {
			s.wellFormed(t, feed)
		}
	}
}
