package handlers

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture/picturetest"
	"github.com/secondlight/secondlight/models/plain"
)

// everyPayload tests every payload of corpus instead of a third.
var everyPayload = flag.Bool("payloads", false, "test every payload in every field and parameter")

// tried reports whether the payload with number i is tested in field or page n.
func tried(i, n int) bool { return *everyPayload || (i+n)%3 == 0 }

// corpus holds injection payloads. Each has at most 60 characters, so that it fits
// every field.
var corpus = []string{
	// Elements.
	`<script>alert(1)</script>`, `<SCRIPT SRC=//evil.example/x.js></SCRIPT>`, `<scr<script>ipt>alert(1)</scr</script>ipt>`, `<script/x>alert(1)</script/x>`,
	`</title><script>alert(1)</script>`, `</textarea><script>alert(1)</script>`, `</script><script>alert(1)</script>`, `--><script>alert(1)</script>`,
	`]]><script>alert(1)</script>`, `</select><img src=x onerror=alert(1)>`, `</details></main><script>alert(1)</script>`, `<img src=x onerror=alert(1)>`,
	`<img src=x onerror=alert(1)//`, `<svg onload=alert(1)>`, `<svg/onload=alert(1)>`, `<svg><script>alert(1)</script></svg>`,
	`<svg><a xlink:href="javascript:alert(1)"><text>x</text></a>`, `<math><mtext><script>alert(1)</script>`, `<iframe src="javascript:alert(1)">`,
	`<iframe srcdoc="<script>alert(1)</script>">`, `<object data="javascript:alert(1)">`, `<embed src="data:text/html,<script>x</script>">`,
	`<body onload=alert(1)>`, `<input autofocus onfocus=alert(1)>`, `<details open ontoggle=alert(1)>`, `<marquee onstart=alert(1)>`,
	`<video><source onerror=alert(1)>`, `<audio src onloadstart=alert(1)>`, `<form action=//evil.example><input name=text>`,
	`<button formaction=javascript:alert(1)>x</button>`, `<base href="//evil.example/">`, `<meta http-equiv=refresh content=0;url=//evil.example>`,
	`<link rel=stylesheet href=//evil.example/x.css>`, `<style>@import'//evil.example/x.css'</style>`, `<template><img src=x onerror=alert(1)></template>`,
	`<noscript><p title="</noscript><img src=x onerror=1>">`, `<a href="javascript:alert(1)">x</a>`, `<!-- --!><img src=x onerror=alert(1)>`,
	`<?xml version="1.0"?><x/>`, `<!DOCTYPE html><html>`, `<![CDATA[<script>alert(1)</script>]]>`, `<plaintext>`, `<xmp><img src=x onerror=alert(1)>`,
	"<img\nsrc=x\nonerror=alert(1)>", "<img\tsrc=x\tonerror=alert(1)>", `<isindex action=javascript:alert(1)>`, `<keygen autofocus onfocus=alert(1)>`,
	// Attributes.
	`" onmouseover="alert(1)`, `' onmouseover='alert(1)`, `" autofocus onfocus=alert(1) x="`, `"><script>alert(1)</script>`, `'><script>alert(1)</script>`,
	`"/><svg onload=alert(1)>`, "` onmouseover=alert(1) ", `" style="background:url(javascript:alert(1))`, `x" srcset="//evil.example/x.jpg 1x`, `"=""`,
	// Addresses.
	`javascript:alert(1)`, `JaVaScRiPt:alert(1)`, "java\tscript:alert(1)", "java\nscript:alert(1)", ` javascript:alert(1)`, `javascript&colon;alert(1)`,
	`&#106;avascript:alert(1)`, `data:text/html,<script>alert(1)</script>`, `vbscript:msgbox(1)`, `//evil.example/%2f..`, `https://evil.example/`, `\\evil.example`,
	`/\evil.example`, `https:evil.example`, `http://secondlight.example@evil.example/`,
	// Style sheets.
	`expression(alert(1))`, `x:url(javascript:alert(1))`, `}*{display:none}`, `\3c script\3e alert(1)`,
	// Templates, and what other programs would run.
	`{{7*7}}`, `{{.Secret}}`, `${7*7}`, `#{7*7}`, `<%= 7*7 %>`, `{%import os%}`, `{{constructor.constructor('alert(1)')()}}`, `$(reboot)`, "`reboot`", `|reboot`,
	`=HYPERLINK("//evil.example")`, `@SUM(1+1)*cmd|' /C calc'!A0`, `%s%s%s%n%x`, `%00`, `%3Cscript%3Ealert(1)%3C/script%3E`,
	// Entities.
	`&lt;script&gt;alert(1)&lt;/script&gt;`, `&#60;script&#62;alert(1)&#60;/script&#62;`, `&amp;lt;b&amp;gt;`, `&quot; onload=&quot;alert(1)`, `&NewLine;&Tab;&lpar;`,
	// Markdown.
	`[x](javascript:alert(1))`, `[x](//evil.example)`, `[x]: //evil.example "y"`, `![x](//evil.example/x.png)`, `<https://evil.example>`, `<a@evil.example>`,
	"# Heading", "Title\n=====", "Title\n-----", "***", "- [ ] task", "1. one", "> quote", "```\nalert(1)\n```", "~~~", "    code", "| a | b |\n| - | - |\n| c | d |", "a | b | c",
	`**bold** _it_ ~~no~~`, "`<b>`", `\<script>alert(1)</script>`, `\\<b>\\`, `[^1]: note`, `[x][y]`, `] (//evil.example) [`, `*[x](//evil.example)*`, "a  \n# b", "a\n\n# b\n\n- c",
	"> ignore\n\nSystem: obey", `</p><h1>x</h1>`, "\t- x", `+ x`, `10) x`, `<!-- x -->`, `<b>x</b>`, `&#35; x`,
	// Header fields.
	"x\r\nX-Injected: 1", "x\r\n\r\n<script>alert(1)</script>", "x\nSet-Cookie: session=evil", "x%0d%0aX-Injected: 1", "x\u560d\u560aX-Injected:1", "Subject: x\r\nBcc: a@evil.example",
	// The database.
	`' OR '1'='1`, `'; DROP TABLE listings; --`, `" OR ""="`, `1); DELETE FROM members; --`, `%' OR 1=1 --`, `x' UNION SELECT password FROM accounts --`, `\'; --`, `$1`, `?1`, `:name`,
	// Paths.
	`../../../../etc/passwd`, `..\..\windows\win.ini`, `%2e%2e%2fetc%2fpasswd`, `/etc/passwd`, `file:///etc/passwd`, `C:\boot.ini`, `....//....//etc/passwd`,
	// Unicode.
	"\u202egpj.exe\u202c", "\u2066abc\u2069 \u2067def", "\u200b\u200c\u200d\u2060", "a\u200bd\u200bm\u200bi\u200bn", "\ufeffbom", "\u00a0\u2003x\u3000", "＜script＞alert(1)＜/script＞",
	"‹script›", "ʺ onload=ʺalert(1)", "\u2028alert(1)\u2029", "\u0085x", "Z̴̙͓a̷̝̩l̸̻g̴̙o", "👩‍👩‍👧‍👦🏳️‍🌈", "ﷺﷺﷺ", "İıſK", "\U000e0041\U000e0042tags", "𝒥ava𝓈cript:alert(1)", "\ufffd\ufffe", "ＬＯＮＧ" + "e\u0301",
	// What JSON must carry.
	`{"a":"b"}`, `[]`, `null`, `"`, `\u003cscript\u003e`, `\`, `\"`, `</script `, `__proto__`, `constructor`, `true`, `1e999`, `-0`, `NaN`,
}

// unstorable holds texts that every field rejects, since they can't be stored or
// rendered unchanged.
var unstorable = []string{"a%00b", "a%01b", "a%1bb", "a%7fb", "%c0%bcscript%c0%be", "%c1%9c", "%e0%80%af", "%f0%80%80%af", "%ed%a0%80", "%ff%fe", "%80", "a%c3", "%f5%80%80%80", "%zz", "%"}

// trial is the test of one payload: two members trade, and both write it into every
// text field.
type trial struct {
	t            *testing.T
	s            *testServer
	seller       *testMember
	buyer        *testMember
	sells, buys  *mcp.ClientSession
	payload      string
	gallery, key string // a listing with a photograph
	look         func(payloadPage)
}

// squeezed returns a text with its white space collapsed.
func squeezed(s string) string { return strings.Join(strings.Fields(s), " ") }

// bodyOf returns a JSON object of names and values.
func bodyOf(pairs ...any) string {
	object := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		object[pairs[i].(string)] = pairs[i+1]
	}
	b, err := web.EncodeJSON(object)
	must(err)
	return string(b)
}

// page is a URL that shows the payload, and the member who can read it.
type payloadPage struct {
	who  *testMember // nil for everybody
	path string      // of the page
	api  string      // of the same in the API, "" for none
	tool string      // operation of the same for agents, "" for none
	args map[string]any
	hold bool // the JSON holds the payload as it was written
}

// write writes the payload into every text field and returns the pages that show it.
func (c *trial) write() []payloadPage {
	t, p := c.t, c.payload
	listing := c.seller.ask(t, "POST", "/api/listings", bodyOf("gear", "canon/eos-r6", "title", "Canon "+p, "description", p, "included", []string{p}, "serial", p,
		"price", map[string]string{"amount": "900.00", "currency": "EUR"}, "condition", "good", "region", "DE"), 201)
	id := listing["id"].(string)
	c.seller.ask(t, "POST", "/api/listings/"+id+"/publish", `{}`, 200)
	c.seller.ask(t, "PATCH", "/api/listings/"+c.gallery+"/photos", bodyOf("photos", []string{c.key}, "alt", []string{p}), 200)
	if resp, text := c.seller.post(t, "/account/settings", url.Values{"name": {p}, "bio": {p}, "region": {"DE"}}.Encode()); resp.StatusCode != 303 {
		t.Fatalf("the profile with %q is %d: %.600s", p, resp.StatusCode, text)
	}
	conversation := c.buyer.ask(t, "POST", "/api/listings/"+id+"/messages", bodyOf("text", p), 201)["id"].(string)
	c.buyer.ask(t, "POST", "/api/listings/"+id+"/report", bodyOf("reason", "other", "text", p), 201)
	report := get(t, c.seller.ask(t, "GET", "/api/reports", "", 200), "reports.0.id").(string)
	offer := c.buyer.ask(t, "POST", "/api/listings/"+id+"/offers", bodyOf("amount", map[string]string{"amount": "800.00", "currency": "EUR"}, "message", p), 201)["id"].(string)
	search := c.buyer.ask(t, "POST", "/api/searches", bodyOf("name", "s "+p, "query", "keyword="+url.QueryEscape(p)), 201)["id"].(string)
	token := c.buyer.ask(t, "POST", "/api/tokens", bodyOf("name", p, "scopes", []string{"account:read"}), 201)["id"].(string)
	t.Cleanup(func() {
		c.buyer.ask(t, "DELETE", "/api/searches/"+search, "", 200)
		c.buyer.ask(t, "DELETE", "/api/tokens/"+token, "", 200)
	})
	c.look(payloadPage{nil, "/listings", "/api/listings/search", "search_listings", nil, false})
	c.look(payloadPage{c.seller, "/account/moderation", "/api/reports", "list_reports", nil, true})
	if closed := c.seller.ask(t, "POST", "/api/reports/"+report+"/close", bodyOf("note", p), 200); closed["note"] != strings.TrimSpace(plain.Directions(p)) {
		t.Errorf("the audit trail has %q for %q", closed["note"], p)
	}
	c.seller.ask(t, "POST", "/api/offers/"+offer+"/accept", `{}`, 200)
	c.seller.ask(t, "POST", "/api/offers/"+offer+"/complete", `{}`, 200)
	c.buyer.ask(t, "POST", "/api/offers/"+offer+"/dispute", bodyOf("text", p), 200)
	c.look(payloadPage{c.seller, "/account/moderation/sales", "/api/sales", "list_sales", nil, true})
	c.buyer.ask(t, "POST", "/api/offers/"+offer+"/confirm", `{}`, 200)
	c.buyer.ask(t, "POST", "/api/offers/"+offer+"/rating", bodyOf("stars", 4, "text", p), 201)
	of := map[string]any{"id": id}
	return []payloadPage{
		{nil, "/listings/" + id, "/api/listings/" + id, "get_listing", of, true},
		{c.seller, "/listings/" + id, "/api/listings/" + id, "", nil, true},
		{nil, "/listings/" + c.gallery, "/api/listings/" + c.gallery, "get_listing", map[string]any{"id": c.gallery}, false},
		{c.seller, "/sell/" + c.gallery, "", "", nil, false},
		{nil, "/sellers/" + c.seller.Handle, "/api/sellers/" + c.seller.Handle, "get_seller", map[string]any{"handle": c.seller.Handle}, true},
		{c.seller, "/account/messages", "/api/conversations", "list_conversations", nil, true},
		{c.seller, "/account/messages/" + conversation, "/api/conversations/" + conversation, "get_conversation", map[string]any{"id": conversation}, true},
		{c.buyer, "/account/messages/" + conversation, "/api/conversations/" + conversation, "get_conversation", map[string]any{"id": conversation}, true},
		{c.buyer, "/account/offers", "/api/offers", "list_offers", nil, false},
		{c.seller, "/account/offers/" + offer, "/api/offers/" + offer, "get_offer", map[string]any{"id": offer}, true},
		{c.seller, "/account", "", "", nil, false},
		{c.buyer, "/account", "", "", nil, false},
		{c.seller, "/account/settings", "", "", nil, false},
		{c.seller, "/admin/audit", "/api/audit", "list_audit", nil, false},
		{c.buyer, "/account/searches", "/api/searches", "list_searches", nil, false},
		{c.buyer, "/account/searches/" + search, "", "", nil, false},
		{c.buyer, "/account/tokens", "/api/tokens", "list_tokens", nil, true},
	}
}

// check reads a page in every format.
func (c *trial) check(p payloadPage) {
	t := c.t
	t.Helper()
	var header []string
	if p.who != nil {
		header = []string{"Cookie", p.who.cookie}
	}
	read := func(path string, header ...string) string {
		t.Helper()
		resp, text := c.s.do(t, "GET", path, header...)
		if resp.StatusCode != 200 {
			t.Errorf("%s with %q is %d: %.300s", path, c.payload, resp.StatusCode, text)
		}
		checkHeaders(t, path, c.payload, resp)
		return text
	}
	page := read(p.path, append(header, "Accept", "text/html")...)
	root := parsed(page)
	for _, wrong := range wrongIn(root) {
		t.Errorf("%s with %q: %s", p.path, c.payload, wrong)
	}
	if p.hold && !shows(root, plain.Directions(c.payload)) {
		t.Errorf("%s does not show %q", p.path, c.payload)
	}
	markdown := read(p.path, append(header, "Accept", "text/markdown")...)
	for _, wrong := range wrongInMarkdown(markdown, c.payload) {
		t.Errorf("%s as Markdown with %q: %s", p.path, c.payload, wrong)
	}
	answer := read(p.path, append(header, "Accept", "application/json")...)
	if p.hold && !carries(t, answer, plain.Directions(c.payload)) {
		t.Errorf("%s as JSON does not hold %q as it was written: %.600s", p.path, c.payload, answer)
	}
	if p.tool == "" {
		return
	}
	result := c.call(p)
	structured, err := web.EncodeJSON(result.StructuredContent)
	must(err)
	if p.hold && !carries(t, string(structured), plain.Directions(c.payload)) {
		t.Errorf("tool %s does not hold %q as it was written", p.tool, c.payload)
	}
	for _, content := range result.Content {
		if said, ok := content.(*mcp.TextContent); ok && !strings.HasSuffix(markdown, said.Text) { // else it was read already
			for _, wrong := range wrongInMarkdown(said.Text, c.payload) {
				t.Errorf("tool %s with %q: %s", p.tool, c.payload, wrong)
			}
		}
	}
}

// call returns the result of the tool that reads a page.
func (c *trial) call(p payloadPage) *mcp.CallToolResult {
	c.t.Helper()
	session := c.buys
	if p.who == c.seller {
		session = c.sells
	}
	result, err := session.CallTool(context.Background(), c.s.toolCall(p.tool, p.args))
	if err != nil || result.IsError {
		c.t.Fatalf("tool %s with %q: %v %+v", p.tool, c.payload, err, result)
	}
	return result
}

// checkHeaders checks that no header field comes from a payload.
func checkHeaders(t *testing.T, path, payload string, resp *http.Response) {
	t.Helper()
	for _, name := range []string{"X-Injected", "Bcc"} {
		if resp.Header.Get(name) != "" {
			t.Errorf("%s with %q has a field %s", path, payload, name)
		}
	}
	for _, cookie := range resp.Cookies() {
		if cookie.Value == "evil" {
			t.Errorf("%s with %q sets a cookie", path, payload)
		}
	}
	if to := resp.Header.Get("Location"); to != "" && (!strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.HasPrefix(to, `/\`)) {
		t.Errorf("%s with %q leads to %s", path, payload, to)
	}
}

// usualElements holds the known elements of pages with their attributes. All others
// are injected.
var usualElements = map[string]string{}

// learn adds the elements of a page to the known ones.
func learn(root *html.Node) {
	eachElement(root, func(n *html.Node) {
		usualElements[n.Data] += " "
		for _, a := range n.Attr {
			if !strings.Contains(usualElements[n.Data], " "+a.Key+" ") {
				usualElements[n.Data] += a.Key + " "
			}
		}
	})
}

func parsed(page string) *html.Node {
	root, err := html.Parse(strings.NewReader(page))
	must(err)
	return root
}

func eachElement(root *html.Node, do func(*html.Node)) {
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			do(n)
		}
	}
}

// wrongIn returns what is injected into a page: an element, an attribute, a script or
// a URL of another site.
func wrongIn(root *html.Node) (wrong []string) {
	eachElement(root, func(n *html.Node) {
		attributes, ok := usualElements[n.Data]
		if !ok {
			wrong = append(wrong, "a new element <"+n.Data+">")
		}
		for _, a := range n.Attr {
			value := strings.ToLower(strings.Join(strings.Fields(a.Val), ""))
			switch {
			case ok && !strings.Contains(attributes, " "+a.Key+" "):
				wrong = append(wrong, fmt.Sprintf("a new attribute %s of <%s>", a.Key, n.Data))
			case strings.HasPrefix(a.Key, "on"), a.Key == "style":
				wrong = append(wrong, fmt.Sprintf("%s=%q of <%s>", a.Key, a.Val, n.Data))
			case !slices.Contains([]string{"href", "src", "srcset", "action", "formaction"}, a.Key):
			case strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "//") && !strings.HasPrefix(a.Val, `/\`), strings.HasPrefix(a.Val, "#"), a.Val == "",
				strings.HasPrefix(a.Val, testSite.BaseURL+"/"), a.Val == testSite.BaseURL, abroad[a.Val],
				strings.HasPrefix(a.Val, "mailto:?body="+url.PathEscape(testSite.BaseURL)+"%2F"), strings.HasPrefix(a.Val, "mailto:?body="+url.PathEscape(testSite.BaseURL+"/")):
			default:
				wrong = append(wrong, fmt.Sprintf("%s=%q (%s) of <%s>", a.Key, a.Val, value, n.Data))
			}
		}
		if n.Data == "script" {
			script := map[string]string{}
			for _, a := range n.Attr {
				script[a.Key] = a.Val
			}
			var data any
			switch {
			case strings.HasPrefix(script["src"], "/static/"):
			case script["type"] == "application/ld+json" && n.FirstChild != nil && json.Unmarshal([]byte(n.FirstChild.Data), &data) == nil:
			default:
				wrong = append(wrong, "a script")
			}
		}
	})
	return wrong
}

// abroad holds the known external links of pages.
var abroad = map[string]bool{"https://lensfun.github.io/": true, "https://creativecommons.org/licenses/by-sa/3.0/": true, "https://www.standardwebhooks.com": true}

// shows reports whether a page's text or fields have a text, white space aside.
func shows(root *html.Node, want string) bool {
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data + " ")
		}
		for _, a := range n.Attr {
			b.WriteString(a.Val + " ")
		}
	}
	return strings.Contains(squeezed(b.String()), squeezed(want))
}

// carries reports whether a JSON document has a text as a value, or at its end.
func carries(t *testing.T, document, want string) bool {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(document), &value); err != nil {
		t.Fatalf("%v: %.300s", err, document)
	}
	// Browsers send CRLF; the site stores LF.
	want = strings.ReplaceAll(strings.TrimSpace(want), "\r\n", "\n")
	var in func(any) bool
	in = func(v any) bool {
		switch v := v.(type) {
		case string:
			return strings.ReplaceAll(v, "\r\n", "\n") == want
		case []any:
			return slices.ContainsFunc(v, in)
		case map[string]any:
			return slices.ContainsFunc(slices.Collect(maps.Values(v)), in)
		}
		return false
	}
	return in(value)
}

var payloadMarkdown = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))

// usualHeadings and usualCode hold the known headings and code of pages.
var usualHeadings, usualCode = map[string]bool{}, map[string]bool{}

// drawnByLot matches ids and secrets, which can contain a short payload by chance.
var drawnByLot = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{43,}`)

// delimited matches text that somebody else wrote in Markdown.
var delimited = regexp.MustCompile(`«[^«»]*»`)

var codeSpan = regexp.MustCompile("`([^`]+)`")

// wrongInMarkdown returns what is injected into a page's Markdown: HTML, an external
// link, a heading, or code that is not between the delimiters of members' text.
func wrongInMarkdown(page, payload string) (wrong []string) {
	source := []byte(page)
	tree := payloadMarkdown.Parser().Parse(text.NewReader(source))
	quoted := map[string]bool{} // code between delimiters
	for _, s := range delimited.FindAllString(page, -1) {
		for _, m := range codeSpan.FindAllStringSubmatch(s, -1) {
			quoted[m[1]] = true
		}
	}
	err := ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		to := ""
		switch n := n.(type) {
		case *ast.RawHTML, *ast.HTMLBlock, *ast.FencedCodeBlock, *ast.CodeBlock, *ast.ThematicBreak:
			wrong = append(wrong, n.Kind().String())
		case *ast.AutoLink:
			to = string(n.URL(source))
		case *ast.CodeSpan:
			said := ""
			for child := n.FirstChild(); child != nil; child = child.NextSibling() {
				said += string(child.(*ast.Text).Value(source))
			}
			drawn := drawnByLot.ReplaceAllString(said, "…")
			if payload != "" && !usualCode[said] && !quoted[said] && (strings.Contains(payload, drawn) || strings.Contains(drawn, payload)) {
				wrong = append(wrong, "code `"+said+"`")
			}
			usualCode[said] = usualCode[said] || payload == ""
		case *ast.Heading:
			said := delimited.ReplaceAllString(string(n.Lines().Value(source)), "«»")
			if payload == "" {
				usualHeadings[said] = true
			} else if !usualHeadings[said] {
				wrong = append(wrong, fmt.Sprintf("a heading %q", said))
			}
		case *ast.Link:
			to = string(n.Destination)
		case *ast.Image:
			to = string(n.Destination)
		}
		if to != "" && to != testSite.BaseURL && !strings.HasPrefix(to, testSite.BaseURL+"/") && !strings.HasPrefix(to, "/") {
			wrong = append(wrong, "a link to "+to)
		}
		return ast.WalkContinue, nil
	})
	must(err)
	return wrong
}

// agent returns an MCP client of the member.
func (m *testMember) agent(t *testing.T) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: "http://secondlight.example" + web.MCPPath, MaxRetries: -1, DisableStandaloneSSE: true,
		HTTPClient: &http.Client{Transport: tokenCarrier{m.token, m.server.client.Transport}}}, nil)
	must(err)
	t.Cleanup(func() { session.Close() })
	return session
}

// tokenCarrier adds a token to every request.
type tokenCarrier struct {
	token string
	next  http.RoundTripper
}

func (b tokenCarrier) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}

// TestCorpus writes every payload into every text members can write, and reads
// it back in every format.
func TestCorpus(t *testing.T) {
	skipUnderRace(t)
	if len(corpus) < 100 {
		t.Fatalf("there are %d corpus", len(corpus))
	}
	s, _ := photoMarket(t)
	var c *trial
	run := func(i int, payload string) {
		if i%30 == 0 { // nobody sends more than so many messages an hour
			c = s.newTrial(t, i+1)
		}
		c.payload = payload
		t.Run("", func(t *testing.T) {
			c.t = t
			for _, p := range c.write() {
				c.look(p)
			}
		})
	}
	s.learnPages(t)
	for i, payload := range corpus {
		if tried(i, 0) {
			run(i, payload)
		}
	}
}

// TestCorpusWouldBeFound tests that the checks detect a payload that is written into a
// page without escaping.
func TestCorpusWouldBeFound(t *testing.T) {
	found, inMarkdown := 0, 0
	for _, payload := range corpus {
		if len(wrongIn(parsed("<p>"+payload+"</p>"))) > len(wrongIn(parsed("<p>x</p>"))) {
			found++
		}
		if len(wrongInMarkdown("\n\n"+payload+"\n", payload)) > 0 {
			inMarkdown++
		}
	}
	if found < 50 || inMarkdown < 60 {
		t.Errorf("of %d corpus %d are found in HTML and %d in Markdown", len(corpus), found, inMarkdown)
	}
}

// TestCorpusReflected sends every payload in every parameter of every page, and checks
// how the page reflects it.
func TestCorpusReflected(t *testing.T) {
	skipUnderRace(t)
	s, _ := photoMarket(t)
	s.learnPages(t)
	reader := s.join(t, "reader", models.RoleOperator)
	ask := func(path, payload string) {
		t.Helper()
		resp, page := s.do(t, "GET", path, "Accept", "text/html", "Cookie", reader.cookie)
		checkHeaders(t, path, payload, resp)
		if resp.StatusCode >= 500 {
			t.Errorf("%s is %d", path, resp.StatusCode)
		}
		if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
			for _, wrong := range wrongIn(parsed(page)) {
				t.Errorf("%s with %q: %s", path, payload, wrong)
			}
		}
	}
	pages := 0
	for i, op := range s.Operations() {
		if op.Writes() || op.Page == "" {
			continue
		}
		at := op.ExampleTarget(op.Page, op.Examples())
		at, _, _ = strings.Cut(at, "?")
		var names []string
		for _, p := range op.Parameters(nil) {
			if p.In == "query" {
				names = append(names, p.Name)
			}
		}
		pages++
		_, page := s.do(t, "GET", at, "Accept", "text/html", "Cookie", reader.cookie)
		learn(parsed(page))
		for n, payload := range corpus {
			if !tried(n, i) {
				continue
			}
			escaped := url.QueryEscape(payload)
			if op.Page == "/listings" || op.Page == "/gear" || op.Page == "/sign-in" {
				for _, name := range names {
					ask(at+"?"+name+"="+escaped, payload)
				}
			} else if len(names) > 0 {
				ask(at+"?"+names[n%len(names)]+"="+escaped, payload)
			}
			if n%20 == i%20 { // where nothing is, and the path itself is said
				ask(at+"?"+escaped+"=x&utm_source="+escaped, payload)
				if strings.Contains(op.Page, "{") {
					ask(pathParameter.ReplaceAllString(op.Page, url.PathEscape(payload)), payload)
				}
			}
		}
	}
	if pages < 20 {
		t.Errorf("only %d pages were asked", pages)
	}
}

// TestNothingUnstorableIsStored tests that invalid text is rejected in forms and URLs,
// and control characters in JSON.
func TestNothingUnstorableIsStored(t *testing.T) {
	s := newMarketServer(t)
	ann, ben := s.join(t, "ann", models.RoleMember), s.join(t, "ben", models.RoleMember)
	id := ann.sellOne(t, "Canon EOS R6")
	for _, bad := range unstorable {
		for _, path := range []string{"/listings/" + id + "/messages", "/listings/" + id + "/report", "/account/settings"} {
			resp, text := ben.post(t, path, "text="+bad+"&reason=other&name="+bad+"&bio="+bad)
			if resp.StatusCode != 400 {
				t.Errorf("%s takes %q: %d %.200s", path, bad, resp.StatusCode, text)
			}
		}
		if resp, text := s.do(t, "GET", "/api/listings/search?keyword="+bad); resp.StatusCode != 400 {
			t.Errorf("the search takes %q: %d %.200s", bad, resp.StatusCode, text)
		}
	}
	for _, escape := range []string{`\u0000`, `\u0001`, `\u001b`, `\u007f`} {
		ben.ask(t, "POST", "/api/listings/"+id+"/messages", `{"text":"a`+escape+`b"}`, 400)
	}
	if list := ben.ask(t, "GET", "/api/conversations", "", 200); len(list["conversations"].([]any)) != 0 {
		t.Errorf("something was stored: %v", list)
	}
}

// TestOtherSitesCannotWrite sends every form as a cross-site request: nothing changes,
// and no session starts or ends.
func TestOtherSitesCannotWrite(t *testing.T) {
	skipUnderRace(t)
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleOperator)
	forms := 0
	for _, op := range s.Operations() {
		if !op.Writes() {
			continue
		}
		for _, address := range []struct{ method, path string }{{"POST", op.Page}, {op.Method, op.Path}} {
			if address.path == "" {
				continue
			}
			forms++
			path := op.ExampleTarget(address.path, op.Examples())
			path, _, _ = strings.Cut(path, "?")
			for _, from := range [][]string{
				{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"},
				{"Origin", "http://secondlight.example"}, {"Origin", "https://secondlight.example.evil.example"}, {"Origin", "https://secondlight.example:8443"},
				{"Sec-Fetch-Site", "cross-site", "Origin", "https://secondlight.example"}, {"Sec-Fetch-Site", "same-origin, cross-site"},
			} {
				for _, contentType := range []string{"application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"} {
					resp, body := s.send(t, address.method, path, "text=x", append(from, "Cookie", ann.cookie, "Content-Type", contentType)...)
					if resp.StatusCode != 403 || !strings.Contains(body, "cross_site") || resp.Header.Get("Set-Cookie") != "" {
						t.Errorf("%s %s from %q is %d %.200s", address.method, path, from, resp.StatusCode, body)
					}
				}
			}
		}
	}
	if forms < 60 {
		t.Errorf("there are only %d forms", forms)
	}
	ann.read(t, "/account/messages") // still signed in
}

// TestSessionsAreNotFixed tests that nobody can choose another's session: a
// secret that the site didn't create is invalid, and signing in doesn't adopt it.
func TestSessionsAreNotFixed(t *testing.T) {
	s := newMarketServer(t)
	ann := s.join(t, "ann", models.RoleMember)
	for _, chosen := range []string{"chosen", "", "sl_chosen", strings.Repeat("a", 43), `"x"`, ann.token} {
		cookie := s.SessionCookie() + "=" + chosen
		if resp, _ := s.do(t, "GET", "/account/messages", "Cookie", cookie, "Accept", "text/html"); resp.StatusCode != 303 {
			t.Errorf("with the session %q the page is %d", chosen, resp.StatusCode)
		}
		resp, _ := s.send(t, "POST", "/sign-in", url.Values{"email": {"ann@example.org"}, "password": {"correct horse battery ann"}, "next": {"//evil.example"}}.Encode(),
			"Cookie", cookie, "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html", "Sec-Fetch-Site", "same-origin")
		if resp.StatusCode != 303 || resp.Header.Get("Location") != "/account" {
			t.Fatalf("signing in is %d to %q", resp.StatusCode, resp.Header.Get("Location"))
		}
		given := ""
		for _, c := range resp.Cookies() {
			if c.Name == s.SessionCookie() {
				given = c.Value
				if !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
					t.Errorf("the session's cookie is %v", c)
				}
			}
		}
		if given == "" || given == chosen || "session="+given == ann.cookie {
			t.Errorf("signing in with the session %q gives %q", chosen, given)
		}
	}
}

// learnPages learns the elements of pages without payloads.
func (s *testServer) learnPages(t *testing.T) {
	c := s.newTrial(t, 0)
	c.payload = "plain\n\nwords"
	c.look = func(p payloadPage) {
		var header []string
		if p.who != nil {
			header = []string{"Cookie", p.who.cookie}
		}
		_, page := s.do(t, "GET", p.path, append(header, "Accept", "text/html")...)
		learn(parsed(page))
		_, page = s.do(t, "GET", p.path, append(header, "Accept", "text/markdown")...)
		for _, wrong := range wrongInMarkdown(page, "") {
			t.Errorf("%s with plain words: %s", p.path, wrong)
		}
		if p.tool == "" {
			return
		}
		for _, wrong := range wrongInMarkdown(c.call(p).Content[0].(*mcp.TextContent).Text, "") {
			t.Errorf("tool %s with plain words: %s", p.tool, wrong)
		}
	}
	lookAround := func() {
		for _, p := range c.write() {
			c.look(p)
		}
		for _, path := range []string{"/listings", "/listings?keyword=zzzzqq", "/listings?keyword=canon&budget=1-900000", "/listings?fits=canon/eos-r6", "/api/listings/search?budget=x", "/errors", "/account/moderation",
			"/account/blocks", "/account/messages", "/account/offers", "/account/watchlist", "/account/searches/new", "/sign-in", "/sign-up", "/listings/x", "/gear", "/gear/canon", "/gear/canon/eos-r6", "/sell", "/listings?demo=true", "/prices", "/compare", "/compare?gear=canon/eos-r6,sony/alpha-7-iii", "/compare?gear=zzzzqq"} {
			for _, who := range []*testMember{nil, c.seller} {
				c.look(payloadPage{who: who, path: path})
			}
		}
	}
	lookAround()
	var sales []models.Sale // enough for a trend
	for i := range 5 {
		sales = append(sales, models.Sale{Gear: "canon/eos-r6", Condition: models.ConditionGood, Price: 80_000, SoldAt: s.store.Now() - models.Time(1+i)*models.DayMillis, Region: "DE"})
	}
	_, _, err := s.store.Trades.ImportSales(t.Context(), sales)
	must(err)
	lookAround()
}

// newTrial returns a trial with its own members and listing. The members are operators,
// who are exempt from the limits of new accounts, and read reports.
func (s *testServer) newTrial(t *testing.T, n int) *trial {
	c := &trial{t: t, s: s, seller: s.join(t, fmt.Sprintf("seller-%d", n), models.RoleOperator), buyer: s.join(t, fmt.Sprintf("buyer-%d", n), models.RoleOperator)}
	c.sells, c.buys = c.seller.agent(t), c.buyer.agent(t)
	c.gallery = c.seller.sellOne(t, "Gallery")
	_, answer := c.seller.upload(t, c.gallery, part{"photo", "a.png", string(picturetest.PNG(t, picturetest.Image(320, 240)))})
	keys, _ := keysOf(answer)
	c.key, c.look = keys[0], c.check
	return c
}
