package handlers

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/secondlight/secondlight/models"
)

// payloads holds texts that try to inject scripts or markup: every vector with every
// prefix that could break out of its context.
func payloads() []string {
	vectors := []string{
		`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `<svg onload=alert(1)>`, `<svg/onload=alert(1)//`, `<iframe src="javascript:alert(1)"></iframe>`,
		`<a href="javascript:alert(1)">x</a>`, `<body onload=alert(1)>`, `<details open ontoggle=alert(1)>`, `<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>`,
		`<style>@import"//evil.example"</style>`, `<link rel=stylesheet href=//evil.example>`, `<base href="//evil.example/">`, `<meta http-equiv=refresh content="0;url=//evil.example">`,
		`<object data="data:text/html,<script>alert(1)</script>">`, `<input autofocus onfocus=alert(1)>`, `<template><script>alert(1)</script></template>`, `{{constructor.constructor('alert(1)')()}}`,
		`javascript:alert(1)`, `[x](javascript:alert(1))`, `![x](https://evil.example/x.png)`, `<https://evil.example>`, "`<script>`", `&lt;script&gt;alert(1)&lt;/script&gt;`, `&#60;script&#62;`, `%3Cscript%3E`,
		`# heading`, `| a | b |`, "*em* _em_ ~~s~~",
	}
	ways := []string{"%s", `"%s`, `'%s`, `">%s`, `'/>%s`, `</textarea>%s`, `</title>%s`, `</script>%s`, `-->%s`, `]]>%s`, "\u2028%s"}
	var all []string
	for i, way := range ways {
		for j, v := range vectors {
			if i == 0 || (i+j)%3 == 0 {
				all = append(all, fmt.Sprintf(way, v))
			}
		}
	}
	return all
}

// markup is a heading or a link that a payload would be in Markdown.
var markup = regexp.MustCompile(`(?m)^# heading|[^\\]\]\((javascript:|https://evil)`)

// TestPayloads puts every payload into every text field of a listing and reads it
// back in every format: it must be shown as text, complete and unchanged.
func TestPayloads(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newMarketServer(t, func(c *Config) { c.RateLimit = 1 << 20 })
	ann := s.join(t, "ann", models.RoleMember)
	id := ann.ask(t, "POST", "/api/listings", r6, 201)["id"].(string)
	ann.ask(t, "POST", "/api/listings/"+id+"/publish", "", 200)
	all := payloads()
	if len(all) < 100 {
		t.Fatalf("there are %d payloads", len(all))
	}
	plain := s.elements(t, ann, id, "Plain")
	for _, payload := range all {
		s.elements(t, ann, id, payload).same(t, payload, plain)
		_, text := s.do(t, "GET", "/listings/"+id+".md")
		if found := markup.FindString(text); found != "" {
			t.Errorf("%q is markup in Markdown: %s", payload, found)
		}
		for i := strings.IndexByte(text, '<'); i >= 0; {
			if i == 0 || text[i-1] != '\\' {
				t.Errorf("%q opens a tag in Markdown: %.60s", payload, text[i:])
				break
			}
			next := strings.IndexByte(text[i+1:], '<')
			if next < 0 {
				break
			}
			i += 1 + next
		}
	}
	// A rejected form shows what was typed, as text.
	for _, payload := range all {
		form := r6Form()
		for _, field := range []string{"title", "description", "included", "serial", "price", "shutter_count", "gear", "category", "region", "condition"} {
			form.Set(field, payload)
		}
		resp, body := ann.post(t, formAction.FindString(ann.read(t, "/sell")), form.Encode())
		if resp.StatusCode != 400 {
			t.Fatalf("%q in every field is %d", payload, resp.StatusCode)
		}
		count(t, payload, body, false)
		resp, body = s.do(t, "GET", "/sell?title="+url.QueryEscape(payload)+"&gear="+url.QueryEscape(payload), "Cookie", ann.cookie, "Accept", "text/html")
		if resp.StatusCode != 200 {
			t.Fatalf("%q in the address is %d", payload, resp.StatusCode)
		}
		count(t, payload, body, false)
	}
}

// shape counts the elements and attributes of a page.
type shape map[string]int

func (s shape) same(t *testing.T, payload string, want shape) {
	t.Helper()
	for name, n := range s {
		if n != want[name] {
			t.Errorf("with %q there are %d of %s, not %d", payload, n, name, want[name])
		}
	}
}

// elements edits a listing so that every text is the payload, and is what its
// pages are made of then.
func (s *testServer) elements(t *testing.T, m *testMember, id, payload string) shape {
	t.Helper()
	short := payload
	if len(short) > models.MaxSerial {
		short = "short"
	}
	body, err := json.Marshal(map[string]any{"title": payload, "description": payload, "included": []string{short}, "serial": short})
	must(err)
	edited := m.ask(t, "PATCH", "/api/listings/"+id, string(body), 200, "If-Match", "*")
	whole := strings.Join(strings.Fields(payload), " ")
	if edited["title"] != whole || edited["description"] != strings.TrimSpace(payload) || edited["included"].([]any)[0] != strings.Join(strings.Fields(short), " ") {
		t.Errorf("%q is read back as %q, %q and %q", payload, edited["title"], edited["description"], edited["included"])
	}
	all := shape{}
	for _, path := range []string{"/listings/" + id, "/sell/" + id, "/account/listings"} {
		page := m.read(t, path)
		for name, n := range count(t, payload, page, true) {
			all[path+" "+name] = n
		}
	}
	return all
}

// count counts the elements of a page; none of them may run a script of the page's own.
func count(t *testing.T, payload, page string, exact bool) shape {
	t.Helper()
	all := shape{}
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			if z.Err() != io.EOF {
				t.Fatal(z.Err())
			}
			return all
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		token := z.Token()
		if exact && token.Data != "option" { // the gear that a title may mean
			all[token.Data]++
		}
		src, typ := "", ""
		for _, a := range token.Attr {
			switch value := strings.ToLower(strings.TrimSpace(a.Val)); {
			case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "srcdoc":
				t.Errorf("%q makes the attribute %s of %s", payload, a.Key, token.Data)
			case a.Key == "href" || a.Key == "action" || a.Key == "src":
				if strings.HasPrefix(value, "javascript:") || strings.HasPrefix(value, "data:") || strings.Contains(value, "//evil.example") && !strings.Contains(value, "%2f%2fevil") {
					t.Errorf("%q makes the address %s", payload, a.Val)
				}
				if a.Key == "src" {
					src = a.Val
				}
			case a.Key == "type":
				typ = value
			}
		}
		if token.Data == "script" && !strings.HasPrefix(src, "/static/") && typ != "application/ld+json" || token.Data == "iframe" || token.Data == "object" || token.Data == "base" || token.Data == "style" {
			t.Errorf("%q makes an element %s", payload, token.Data)
		}
	}
}
