package handlers

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/document"
	"github.com/secondlight/secondlight/handlers/web"
)

// maxApp is the maximum size of the document of an app, in bytes.
const maxApp = 30_000

// appMetadata is what the extension MCP Apps adds to tools and resources.
type appMetadata struct {
	ResourceURI string `json:"resourceUri"`
	CSP         struct {
		ResourceDomains, ConnectDomains, FrameDomains []string
	}
}

// appOf returns the metadata of the extension, the zero value if there is none.
func appOf(t *testing.T, meta mcp.Meta) (ui appMetadata) {
	t.Helper()
	text, err := json.Marshal(meta["ui"])
	must(err)
	must(json.Unmarshal(text, &ui))
	return ui
}

// TestApps tests that tools name apps, and that these are listed and can be read.
func TestApps(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, era := range eras {
		session := s.connect(t, web.MCPPath, era)
		listed, err := session.ListResources(t.Context(), nil)
		must(err)
		resources := map[string]*mcp.Resource{}
		for _, r := range listed.Resources {
			resources[r.URI] = r
		}
		apps := map[string]string{"search_listings": document.SearchApp, "get_trend": document.TrendApp, "get_price": document.TrendApp, "get_listing": document.ListingApp}
		for name, tool := range s.allTools(t) {
			if got := appOf(t, tool.Meta).ResourceURI; got != apps[name] {
				t.Errorf("%s has the app %q, want %q", name, got, apps[name])
			}
		}
		for _, uri := range apps {
			r := resources[uri]
			if r == nil || r.MIMEType != "text/html;profile=mcp-app" || r.Title == "" || r.Description == "" {
				t.Errorf("%s: %s is listed as %+v", era, uri, r)
				continue
			}
			read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
			if err != nil {
				t.Errorf("%s: %s: %v", era, uri, err)
				continue
			}
			c := read.Contents[0]
			if c.URI != uri || c.MIMEType != r.MIMEType || !strings.HasPrefix(strings.ToLower(c.Text), "<!doctype html>") || len(c.Text) >= maxApp {
				t.Errorf("%s: %s has the type %s and %d bytes: %.100s", era, uri, c.MIMEType, len(c.Text), c.Text)
			}
			csp := appOf(t, c.Meta).CSP
			if len(csp.ResourceDomains) != 1 || csp.ResourceDomains[0] != s.site.BaseURL || csp.ConnectDomains != nil || csp.FrameDomains != nil {
				t.Errorf("%s may load from %+v", uri, csp)
			}
		}
	}
}

// TestAppsAreNegotiated tests which clients learn that tools have apps: all but those that
// say what they support and don't name the extension.
func TestAppsAreNegotiated(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":`
	for _, test := range []struct {
		name, capabilities string
		apps               bool
	}{
		{"an earlier protocol, which doesn't say", "", true},
		{"apps in HTML", `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`, true},
		{"apps of another type", `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["application/x-other"]}}}`, false},
		{"another extension", `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`, false},
		{"settings that are no object", `{"extensions":{"io.modelcontextprotocol/ui":7}}`, false},
		{"no extensions", `{}`, false},
	} {
		body, header := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, []string(nil)
		if test.capabilities != "" {
			body, header = list+test.capabilities+`}}}`, []string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list"}
		}
		resp, answer := s.message(t, "POST", web.MCPPath, body, header...)
		if resp.StatusCode != 200 || !strings.Contains(answer, `"search_listings"`) {
			t.Errorf("%s: status %d: %.300s", test.name, resp.StatusCode, answer)
		}
		if got := strings.Contains(answer, document.SearchApp); got != test.apps {
			t.Errorf("%s: named apps %v, want %v", test.name, got, test.apps)
		}
	}
}

// TestAppPictures tests that results have pictures and quartiles only for apps, which ask
// for them.
func TestAppPictures(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	photos := s.site.BaseURL + "/photos/"
	for _, test := range []struct {
		tool      string
		arguments map[string]any
		include   string
		contains  string
	}{
		{"search_listings", map[string]any{"limit": 5}, "photos", `"photo":"` + photos},
		{"get_listing", map[string]any{"id": s.operation(t, "get_listing").Examples()["id"]}, "photos", `"photos":\["` + photos},
		{"get_trend", map[string]any{"brand": "canon", "model": "eos-r6"}, "quartiles", `"month":"[0-9-]+","p25":"`},
	} {
		for _, included := range []bool{false, true} {
			if delete(test.arguments, "include"); included {
				test.arguments["include"] = []string{test.include}
			}
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: test.tool, Arguments: test.arguments})
			must(err)
			structured, err := json.Marshal(result.StructuredContent)
			must(err)
			if got := regexp.MustCompile(test.contains).Match(structured); got != included || result.IsError {
				t.Errorf("%s, include %v: contains %s: %v: %.500s", test.tool, included, test.contains, got, structured)
			}
		}
	}
}
