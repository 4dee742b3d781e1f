package handlers

import (
	"bufio"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/web"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestSentences searches for sentences as people type them: each finds something, or the nearest searches that
// do with their counts. All formats say what was read.
func TestSentences(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	file, err := os.Open("../models/sentence/testdata/sentences.tsv")
	must(err)
	defer file.Close()
	empty := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		text, _, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			continue
		}
		answer := s.askJSON(t, "/api/listings/search?keyword="+url.QueryEscape(text))
		if answer["total"].(float64) > 0 {
			continue
		}
		empty++
		if relax, _ := answer["relax"].([]any); len(relax) == 0 {
			t.Errorf("%q finds nothing, and no other search: %v", text, answer["query"])
		}
	}
	t.Logf("%d sentences find nothing", empty)
}

// TestSentenceFormats reads a sentence in each format.
func TestSentenceFormats(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	const text = "35mm lens for my fuji under 400 in germany no fungus with hood"
	at := "keyword=" + url.QueryEscape(text)
	answer := s.askJSON(t, "/api/listings/search?"+at)
	query, _ := answer["query"].(map[string]any)
	if encode(query["without_defects"]) != `["fungus"]` || query["mount"] != "Fujifilm X" || query["category"] != "lens" || encode(query["region"]) != `["DE"]` {
		t.Errorf("the query is %v", query)
	}
	understood := encode(answer["understood"])
	for _, want := range []string{`"words":"under 400"`, `"parameter":"budget"`, `"value":"400"`, `"words":"no fungus"`} {
		if !strings.Contains(understood, want) {
			t.Errorf("understood doesn't have %s: %s", want, understood)
		}
	}
	_, page := s.do(t, "GET", "/listings?"+at, "Accept", "text/html")
	for _, want := range []string{"No fungus<span", "Fujifilm X<span", "Up to €400<span", "Germany<span", `value="` + text + `"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page doesn't have %q", want)
		}
	}
	_, markdown := s.do(t, "GET", "/listings.md?"+at)
	if !strings.Contains(markdown, "Without defects: No fungus.") {
		t.Errorf("Markdown doesn't say the filters: %.600s", markdown)
	}
	session := s.connect(t, web.MCPPath, eras[0])
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "search_listings", Arguments: map[string]any{"keyword": text}})
	must(err)
	if tool := encode(result.StructuredContent); !strings.Contains(tool, "without_defects=fungus") || !strings.Contains(tool, `"words":"under 400"`) {
		t.Errorf("the tool doesn't say the filters: %.600s", tool)
	}
	for _, plain := range []string{"/api/listings/search?keyword=canon", "/api/listings/search?keyword=%22lens+for+my+fuji%22"} {
		if answer := s.askJSON(t, plain); answer["understood"] != nil {
			t.Errorf("%s is read as %v", plain, answer["understood"])
		}
	}
}
