package handlers

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/document"
	"github.com/secondlight/secondlight/handlers/ucp"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/webtest"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
)

// documentTypes holds the media type of every document.
func documentTypes() map[string]string {
	types := map[string]string{
		"/openapi.json": "application/json", "/openapi-admin.json": "application/json", "/openapi-health.json": "application/json", "/openapi.yaml": "application/yaml",
		"/llms.txt": "text/plain", "/llms-full.txt": "text/plain", "/agent.txt": "text/plain", "/.well-known/agent.txt": "text/plain",
		"/robots.txt": "text/plain", "/.well-known/security.txt": "text/plain", "/auth.md": "text/markdown",
		"/.well-known/mcp/manifest.json": "application/json", "/.well-known/mcp/server-card.json": document.CardType, "/.well-known/mcp.json": document.CardType,
		"/api/mcp/server-card": document.CardType, "/.well-known/ai-catalog.json": "application/ai-catalog+json", "/.well-known/ard.json": "application/ai-catalog+json",
		"/.well-known/api-catalog": "application/linkset+json", ucp.ProfilePath: "application/json", "/.well-known/agent-skills/index.json": "application/json",
	}
	for _, skill := range content.Skills() {
		types[document.SkillPath(skill)] = "text/markdown"
	}
	return types
}

// TestDocuments tests that every document answers with its type, an ETag, and
// nothing that a search engine should list under a machine's address.
func TestDocuments(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	for path, mediaType := range documentTypes() {
		resp, body := s.do(t, "GET", path)
		got, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
		if resp.StatusCode != 200 || got != mediaType || body == "" {
			t.Errorf("%s is %d %s with %d bytes, want 200 %s", path, resp.StatusCode, got, len(body), mediaType)
		}
		webtest.CheckContract(t, path, resp.Header)
		if resp, _ := s.do(t, "GET", path, "If-None-Match", resp.Header.Get("ETag")); resp.StatusCode != 304 {
			t.Errorf("%s is %d when it is known", path, resp.StatusCode)
		}
		if head, body := s.do(t, "HEAD", path); head.StatusCode != 200 || body != "" || head.Header.Get("ETag") != resp.Header.Get("ETag") {
			t.Errorf("HEAD %s is %d", path, head.StatusCode)
		}
		if strings.HasSuffix(got, "json") && !json.Valid([]byte(body)) {
			t.Errorf("%s is not JSON", path)
		}
		if got == "text/markdown" && resp.Header.Get("X-Markdown-Tokens") != fmt.Sprint((len(body)+3)/4) {
			t.Errorf("%s counts %q tokens in %d bytes", path, resp.Header.Get("X-Markdown-Tokens"), len(body))
		}
		if strings.Contains(body, content.SkillSite) && testSite.BaseURL != content.SkillSite {
			t.Errorf("%s names the address that stands for the site", path)
		}
	}
}

// ownAddress matches a URL of the site in a text.
var ownAddress = regexp.MustCompile(regexp.QuoteMeta(testSite.BaseURL) + "[^\\s\"'<>`)|,\\\\]*")

// TestDocumentsAdvertiseNothingThatDoesNotWork asks for every address of the
// site in every document, and for the type it promises where one does.
func TestDocumentsAdvertiseNothingThatDoesNotWork(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t, func(cfg *Config) { cfg.DataDir = t.TempDir() })
	must(s.bulk.MakeFiles(t.Context()))
	asked := s.invented(t)
	known := len(asked)
	for path := range documentTypes() {
		_, body := s.do(t, "GET", path)
		for _, found := range ownAddress.FindAllString(body, -1) {
			address := strings.TrimRight(strings.TrimPrefix(found, testSite.BaseURL), ".;:*")
			address, _, _ = strings.Cut(address, "#")
			if strings.ContainsAny(address, "{…") || asked[address] || address == "/api/events" {
				continue // a pattern, whose examples are addresses too, or a stream without end
			}
			asked[address] = true
			s.mustAnswer(t, path, address)
		}
		for _, promise := range promises(t, path, body) {
			resp, _ := s.do(t, "GET", promise.path)
			got := resp.Header.Get("Content-Type")
			if got, _, _ = strings.Cut(got, ";"); resp.StatusCode != 200 || got != promise.mediaType {
				t.Errorf("%s promises %s as %s, which is %d %s", path, promise.path, promise.mediaType, resp.StatusCode, got)
			}
		}
	}
	if len(asked)-known < 200 {
		t.Errorf("only %d addresses were found", len(asked)-known)
	}
}

// invented holds the URLs in sample responses of writes.
func (s *testServer) invented(t *testing.T) map[string]bool {
	all := map[string]bool{}
	for _, op := range s.Operations() {
		if op.Sample == nil {
			continue
		}
		for _, format := range []web.Format{web.JSON, web.Markdown} {
			text, err := s.Render(op.Sample(), format)
			if err != nil {
				t.Errorf("%s: %v", op.Name, err)
			}
			for _, found := range ownAddress.FindAllString(string(text), -1) {
				address := strings.TrimRight(strings.TrimPrefix(found, testSite.BaseURL), ".;:*")
				address, _, _ = strings.Cut(address, "#")
				all[address] = true
			}
		}
	}
	return all
}

// forMembers reports whether a URL requires a member.
func (s *testServer) forMembers(address string) bool {
	for _, op := range s.Operations() {
		if !op.Open() && (op.Path == address || op.Page == address) {
			return true
		}
	}
	return false
}

// mustAnswer requests a URL from a document. The MCP server gets an initialize
// request.
func (s *testServer) mustAnswer(t *testing.T, document, address string) {
	t.Helper()
	if address == web.MCPPath || address == ucp.EndpointPath {
		s.connect(t, address, web.MCPProtocols[0])
		return
	}
	if address == "" {
		address = "/"
	}
	if address == web.MCPMemberPath || strings.HasPrefix(address, "/oauth/") { // for tokens, by POST
		if resp, body := s.send(t, "POST", address, "{}", "Content-Type", "application/json"); resp.StatusCode == 404 || resp.StatusCode == 405 || resp.StatusCode >= 500 {
			t.Errorf("%s names %s, which is %d: %.200s", document, address, resp.StatusCode, body)
		}
		return
	}
	if resp, body := s.do(t, "GET", address); s.forMembers(address) {
		if !slices.Contains([]int{200, 303, 400, 401, 405}, resp.StatusCode) {
			t.Errorf("%s names %s, which is %d: %.200s", document, address, resp.StatusCode, body)
		}
		return
	} else if resp.StatusCode != 200 {
		t.Errorf("%s names %s, which is %d: %.200s", document, address, resp.StatusCode, body)
	}
	if strings.HasSuffix(address, ".md") || strings.HasSuffix(address, ".json") {
		resp, _ := s.do(t, "GET", address)
		got, want := resp.Header.Get("Content-Type"), "json"
		if strings.HasSuffix(address, ".md") {
			want = "text/markdown"
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s names %s, which is %s", document, address, got)
		}
	}
}

// promise is a path with its media type according to a document.
type promise struct{ path, mediaType string }

// promises returns the promises in the links and entries of a JSON document.
func promises(t *testing.T, document, body string) []promise {
	var value any
	if json.Unmarshal([]byte(body), &value) != nil {
		return nil
	}
	var all []promise
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, inside := range v {
				walk(inside)
			}
		case map[string]any:
			at := v["href"]
			if at == nil {
				at = v["url"]
			}
			path, isText := at.(string)
			mediaType, typed := v["type"].(string)
			path, own := strings.CutPrefix(path, testSite.BaseURL)
			if strings.HasPrefix(path, "/") && isText && typed && strings.Contains(mediaType, "/") && (own || document != "/openapi.json") {
				all = append(all, promise{path, served(mediaType)})
			}
			for _, inside := range v {
				walk(inside)
			}
		}
	}
	walk(value)
	return all
}

// served returns the Content-Type of a media type in a catalog: skills are served as
// Markdown, as their specification requires.
func served(mediaType string) string {
	if mediaType == "application/agent-skills+md" {
		return "text/markdown"
	}
	return mediaType
}

// TestServerCard checks the card against its published rules, and against what the
// server returns when a client connects.
func TestServerCard(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	resp, body := s.do(t, "GET", "/api/mcp/server-card", "Accept", document.CardType)
	for field, want := range map[string]string{"Access-Control-Allow-Origin": "*", "Cache-Control": web.CacheShort} {
		if got := resp.Header.Get(field); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
	mustFit(t, "testdata/server-card.schema.json", body)
	for _, path := range []string{"/.well-known/mcp/server-card.json", "/.well-known/mcp.json"} {
		if _, other := s.do(t, "GET", path); other != body {
			t.Errorf("%s is another card", path)
		}
	}
	var card struct {
		ServerInfo   *mcp.Implementation
		Capabilities *mcp.ServerCapabilities
		Remotes      []struct{ SupportedProtocolVersions []string }
	}
	mustDecode(t, body, &card)
	for _, version := range card.Remotes[0].SupportedProtocolVersions {
		is := s.connect(t, web.MCPPath, version).InitializeResult()
		if !reflect.DeepEqual(is.ServerInfo, card.ServerInfo) {
			t.Errorf("by %s the server introduces itself as %+v, on its card as %+v", version, is.ServerInfo, card.ServerInfo)
		}
		if version < "2026-07-28" { // subscriptions need a session there
			is.Capabilities.Resources.Subscribe = true
		}
		if !reflect.DeepEqual(is.Capabilities, card.Capabilities) {
			t.Errorf("by %s the server can %+v, its card says %+v", version, is.Capabilities, card.Capabilities)
		}
	}
}

// TestManifestListsTheTools checks that the manifest has the tools that clients get.
func TestManifestListsTheTools(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	_, body := s.do(t, "GET", "/.well-known/mcp/manifest.json")
	var manifest struct {
		Tools []struct{ Name, Title string }
	}
	mustDecode(t, body, &manifest)
	operator := s.join(t, "olga", models.RoleOperator)
	var promised, given []string
	for _, tool := range manifest.Tools {
		promised = append(promised, tool.Name+" "+tool.Title)
	}
	for _, set := range toolsets {
		for _, tool := range s.listTools(t, operator.token, set).tools {
			given = append(given, tool.Name+" "+tool.Title)
		}
	}
	slices.Sort(promised)
	slices.Sort(given)
	if given = slices.Compact(given); !slices.Equal(promised, given) {
		t.Errorf("the manifest lists %q, the server %q", promised, given)
	}
}

// TestRegistryEntry checks registry/server.json, which is published by hand,
// against the registry's rules and the server card.
func TestRegistryEntry(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	entry, err := os.ReadFile("../registry/server.json")
	if err != nil {
		t.Fatal(err)
	}
	mustFit(t, "testdata/registry-server.schema.json", string(entry))
	type server struct {
		Name, Version, Description string
		Remotes                    []struct{ Type, URL string }
	}
	var published, card server
	mustDecode(t, string(entry), &published)
	_, body := s.do(t, "GET", web.MCPPath+"/server-card")
	mustDecode(t, body, &card)
	card.Remotes[0].URL = strings.Replace(card.Remotes[0].URL, testSite.BaseURL, "https://{host}", 1)
	if !reflect.DeepEqual(published, card) {
		t.Errorf("the registry has %+v, the card %+v", published, card)
	}
}

// TestSkillsMatchTheirDigests reads the index as a client does: it takes a
// skill only when its bytes have the digest.
func TestSkillsMatchTheirDigests(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	_, body := s.do(t, "GET", "/.well-known/agent-skills/index.json")
	var index struct {
		Schema string `json:"$schema"`
		Skills []struct{ Name, Type, Description, URL, Digest string }
	}
	mustDecode(t, body, &index)
	document, err := json.Marshal(s.OpenAPI())
	must(err)
	// knows reports whether the API has a tool, a parameter or a field of a name.
	knows := func(name string) bool {
		return name == "idempotency_key" || // of every write, beside what is its own
			bytes.Contains(document, []byte(`"`+name+`"`)) || slices.ContainsFunc(s.Tools(), func(tool web.ToolDoc) bool { return tool.Name == name })
	}
	if index.Schema != "https://schemas.agentskills.io/discovery/0.2.0/schema.json" || len(index.Skills) != len(content.Skills()) {
		t.Errorf("the index is %s", body)
	}
	for _, skill := range index.Skills {
		for _, coding := range []string{"identity", "gzip"} {
			resp, served := s.do(t, "GET", skill.URL, "Accept-Encoding", coding)
			if resp.Header.Get("Content-Encoding") == "gzip" {
				served = gunzip(t, served)
			}
			digest := sha256.Sum256([]byte(served))
			if skill.Type != "skill-md" || skill.Digest != "sha256:"+hex.EncodeToString(digest[:]) {
				t.Errorf("%s in %s has another digest than the index says", skill.Name, coding)
			}
			if !strings.HasPrefix(served, "---\nname: "+skill.Name+"\ndescription: "+skill.Description+"\n---\n") {
				t.Errorf("%s begins otherwise than the index says", skill.Name)
			}
		}
		for _, named := range regexp.MustCompile("`([a-z]+_[a-z_]+)`").FindAllStringSubmatch(skillNamed(t, skill.Name).Markdown, -1) {
			if !knows(named[1]) {
				t.Errorf("%s speaks of %s, which is neither a tool, nor a parameter, nor a field", skill.Name, named[1])
			}
		}
	}
}

func skillNamed(t *testing.T, name string) *content.Skill {
	for _, skill := range content.Skills() {
		if skill.Name == name {
			return skill
		}
	}
	t.Fatalf("there is no skill %s", name)
	return nil
}

// TestLLMs lints the index by the rules of llmstxt.org and those of readers
// with a small context window: https://llmstxt.org, https://agentdocsspec.com.
func TestLLMs(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	_, index := s.do(t, "GET", "/llms.txt")
	checkGrowth(t, "llms.txt", len(index))
	for _, brand := range s.catalog.Brands() {
		if len(brand.Gear) > document.SmallBrand && !strings.Contains(index, " "+brand.Slug+",") {
			t.Errorf("%s is not in it", brand.Slug)
		}
	}
	for _, category := range models.Categories {
		if !strings.Contains(index, string(category)) {
			t.Errorf("%s is not in it", category)
		}
	}
	source := []byte(index)
	tree := goldmark.DefaultParser().Parse(text.NewReader(source))
	var blocks []string
	for n := tree.FirstChild(); n != nil; n = n.NextSibling() {
		kind := n.Kind().String()
		if h, ok := n.(*ast.Heading); ok {
			kind = fmt.Sprintf("H%d", h.Level)
		}
		blocks = append(blocks, kind)
	}
	shape := strings.Join(blocks, " ")
	if !regexp.MustCompile(`^H1 Blockquote( Paragraph)+( H2 List)+$`).MatchString(shape) {
		t.Errorf("its blocks are %s", shape)
	}
	links := 0
	for _, line := range strings.Split(index, "\n") {
		if !strings.HasPrefix(line, "- ") {
			continue
		}
		m := regexp.MustCompile(`^- \[[^\]]+\]\((https://[^)]+)\): \S.*$`).FindStringSubmatch(line)
		if m == nil {
			t.Errorf("not a link with what it is about: %s", line)
			continue
		}
		links++
		path, _, _ := strings.Cut(strings.TrimPrefix(m[1], testSite.BaseURL), "#")
		resp, _ := s.do(t, "GET", path)
		if got := resp.Header.Get("Content-Type"); resp.StatusCode != 200 || got != web.Markdown.ContentType() || !strings.HasSuffix(path, ".md") {
			t.Errorf("%s is %d %s", path, resp.StatusCode, got)
		}
	}
	if links < 30 {
		t.Errorf("it has only %d links", links)
	}
}

// TestLLMsFull tests that everything is in the one file, under one heading,
// with absolute links, and that it stays within bounds.
func TestLLMsFull(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	_, full := s.do(t, "GET", "/llms-full.txt")
	checkGrowth(t, "llms-full.txt", len(full))
	for _, guide := range content.Guides() {
		if !strings.Contains(full, "\n## "+guide.Title+"\n") {
			t.Errorf("%s is not in it", guide.Title)
		}
	}
	for _, op := range s.Operations() {
		if op.Published() && op.Access != web.Operators && !strings.Contains(full, op.Name) {
			t.Errorf("%s is not in it", op.Name)
		}
	}
	if relative := regexp.MustCompile(`\]\(/[^)]*\)`).FindString(full); relative != "" {
		t.Errorf("it has a relative link %s", relative)
	}
	if tops := regexp.MustCompile(`(?m)^# `).FindAllString(outsideCode(full), -1); len(tops) != 1 {
		t.Errorf("it has %d first headings", len(tops))
	}
}

var fenced = regexp.MustCompile("(?ms)^```.*?^```$")

func outsideCode(markdown string) string { return fenced.ReplaceAllString(markdown, "") }

// TestLLMsStay tests that the texts for language models keep their ETag while
// the market and the day change: they depend on the program only.
func TestLLMsStay(t *testing.T) {
	t.Parallel()
	today := newTestServer(t)
	emptyLater := newTestServer(t, func(cfg *Config) {
		cfg.Clock = func() time.Time { return testNow.AddDate(0, 2, 3) }
		cfg.Index = search.New(cfg.Catalog.Lookup())
	})
	for _, path := range []string{"/llms.txt", "/llms-full.txt"} {
		before, _ := today.do(t, "GET", path)
		after, _ := emptyLater.do(t, "GET", path)
		if before.Header.Get("ETag") != after.Header.Get("ETag") {
			t.Errorf("%s changes with the market or the day", path)
		}
	}
}

// TestSecurityText checks the file against RFC 9116: one Expires, less than a year
// ahead, and a Contact that is a URI.
func TestSecurityText(t *testing.T) {
	t.Parallel()
	for setting, contact := range map[string]string{"": "https://", "mailto:owner@shop.example": "mailto:owner@shop.example"} {
		s := newTestServer(t, func(cfg *Config) { cfg.Site.SecurityContact = setting })
		_, body := s.do(t, "GET", "/.well-known/security.txt")
		if !strings.HasPrefix(body, "Contact: "+contact) || !strings.Contains(body, "\nCanonical: "+testSite.BaseURL+"/.well-known/security.txt\n") {
			t.Errorf("with the setting %q it is %s", setting, body)
		}
		m := regexp.MustCompile(`(?m)^Expires: (.*)$`).FindAllStringSubmatch(body, -1)
		if len(m) != 1 {
			t.Fatalf("it expires %d times: %s", len(m), body)
		}
		expires, err := time.Parse(time.RFC3339, m[0][1])
		if left := expires.Sub(testNow); err != nil || left < 30*24*time.Hour || left > 365*24*time.Hour {
			t.Errorf("it expires %s: %v", m[0][1], err)
		}
	}
}

// TestRobots checks robots.txt: no crawler is listed twice, each group has its
// content signals, and there is a sitemap.
func TestRobots(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	_, body := s.do(t, "GET", "/robots.txt")
	if !strings.Contains(body, "\nSitemap: "+testSite.BaseURL+"/sitemap.xml\n") {
		t.Error("it names no sitemap")
	}
	seen := map[string]bool{}
	for _, group := range strings.Split(body, "\n\n") {
		agents := regexp.MustCompile(`(?m)^User-agent: (.*)$`).FindAllStringSubmatch(group, -1)
		for _, agent := range agents {
			if seen[strings.ToLower(agent[1])] {
				t.Errorf("%s is named twice", agent[1])
			}
			seen[strings.ToLower(agent[1])] = true
		}
		if len(agents) > 0 && strings.Count(group, "Content-Signal: "+document.ContentSignals) != 1 {
			t.Errorf("a group without its signal: %s", group)
		}
	}
	for _, agent := range []string{"*", "gptbot", "claudebot", "google-extended", "perplexitybot", "ccbot"} {
		if !seen[agent] {
			t.Errorf("%s has no rules", agent)
		}
	}
}

// pageLink matches a link to a page of the site that is not in Markdown: its path has no
// suffix, and it is not in the API.
var pageLink = regexp.MustCompile(`\]\((` + regexp.QuoteMeta(testSite.BaseURL) + `/(?:[b-z][a-z-]*/)*[a-z-]+)(?:[?#][^)]*)?\)`)

// TestMarkdownSaysWhereTheIndexIs tests that every page and every error in
// Markdown leads to the index, and that no link of it needs the address it came from
// or leads to another format of a page.
func TestMarkdownSaysWhereTheIndexIs(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	addresses := []string{"/nothing.md", "/gear/canon/nothing.md"}
	for _, target := range s.targets() {
		addresses = append(addresses, target.address)
	}
	for _, at := range addresses {
		resp, body := s.do(t, "GET", at, "Accept", "text/markdown")
		lines := strings.SplitN(body, "\n", 4)
		if len(lines) < 4 || !strings.HasPrefix(lines[0], "# ") || !strings.Contains(lines[2], "]("+testSite.BaseURL+"/llms.txt)") {
			t.Errorf("%s begins %q", at, lines)
		}
		if relative := regexp.MustCompile(`\]\(/[^)]*\)`).FindString(body); relative != "" {
			t.Errorf("%s has a relative link %s", at, relative)
		}
		for _, link := range pageLink.FindAllStringSubmatch(body, -1) {
			t.Errorf("%s leads to %s, which is not Markdown", at, link[1])
		}
		if got := resp.Header.Get("X-Markdown-Tokens"); got != fmt.Sprint((len(body)+3)/4) {
			t.Errorf("%s counts %q tokens in %d bytes", at, got, len(body))
		}
	}
}

// TestFormsAreTools checks that every form on the pages is an operation: its fields
// are parameters, with the operation's own descriptions, and no two tools of a page
// have one name.
func TestFormsAreTools(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, path := range []string{"/", "/listings?keyword=canon", "/gear"} {
		_, body := s.do(t, "GET", path)
		page, err := html.Parse(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for form := range page.Descendants() {
			if form.Data != "form" || attr(form, "role") == "" && attr(form, "toolname") == "" {
				continue
			}
			name := attr(form, "toolname")
			i := slices.IndexFunc(s.Operations(), func(op *web.Operation) bool {
				return op.Page == attr(form, "action") && strings.HasPrefix(name, op.Name)
			})
			if i < 0 || names[name] {
				t.Errorf("%s has a form %q, which is no operation or comes twice", path, name)
				continue
			}
			names[name] = true
			op := s.Operations()[i]
			if !strings.HasPrefix(attr(form, "tooldescription"), op.Summary) {
				t.Errorf("%s describes %s as %q", path, name, attr(form, "tooldescription"))
			}
			boxes := map[string]bool{} // the first checkbox of several has the description
			for input := range form.Descendants() {
				if input.Data != "input" || attr(input, "type") == "hidden" || boxes[attr(input, "name")] {
					continue
				}
				boxes[attr(input, "name")] = attr(input, "type") == "checkbox"
				if want := s.site.Tools[op.Name].Params[attr(input, "name")]; want == "" || attr(input, "toolparamdescription") != want {
					t.Errorf("%s describes %s of %s as %q, want %q", path, attr(input, "name"), name, attr(input, "toolparamdescription"), want)
				}
			}
		}
		if len(names) == 0 {
			t.Errorf("%s has no tool", path)
		}
	}
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// TestNothingIsFoundThatIsNotThere requests in every format addresses that do not
// exist: each answers 404, in its own type.
func TestNothingIsFoundThatIsNotThere(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, path := range []string{"/nothing", "/gear/nobody", "/gear/canon/nothing", "/guides/nothing", "/errors/nothing", "/listings/nothing", "/sellers/nobody-at-all", "/nothing/at/all"} {
		for suffix, want := range map[string]string{"": "text/html", ".md": "text/markdown", ".json": "application/problem+json"} {
			resp, body := s.do(t, "GET", path+suffix)
			if got := resp.Header.Get("Content-Type"); resp.StatusCode != 404 || !strings.HasPrefix(got, want) {
				t.Errorf("%s is %d %s: %.100s", path+suffix, resp.StatusCode, got, body)
			}
		}
	}
	for _, path := range []string{"/api/", "/api/nothing", "/api/mcp/nothing", "/api/gear/canon/x/y", "/api/listings/search.md", "/api/v1/listings", "/.well-known/nothing", "/.well-known/agent-skills/nothing/SKILL.md"} {
		resp, body := s.do(t, "GET", path)
		var problem struct{ Code, Message, Hint string }
		if resp.StatusCode == 308 {
			resp, body = s.do(t, "GET", resp.Header.Get("Location"))
		}
		if resp.StatusCode != 404 {
			t.Errorf("%s is %d", path, resp.StatusCode)
		}
		if !strings.HasPrefix(path, "/api/") {
			continue
		}
		if err := json.Unmarshal([]byte(body), &problem); err != nil || problem.Code == "" || problem.Message == "" || problem.Hint == "" {
			t.Errorf("%s answers %s: %v", path, body, err)
		}
	}
}

// mustFit fails the test if a JSON document doesn't match the schema in a file.
func mustFit(t *testing.T, file, document string) {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	mustDecode(t, string(source), &schema)
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	mustDecode(t, document, &value)
	if err := resolved.Validate(value); err != nil {
		t.Errorf("it does not fit %s: %v\n%s", file, err, document)
	}
}

func mustDecode(t *testing.T, document string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(document), into); err != nil {
		t.Fatalf("%v: %.200s", err, document)
	}
}

func gunzip(t *testing.T, body string) string {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}
