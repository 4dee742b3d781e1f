package handlers

import (
	"context"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/document"
	"github.com/secondlight/secondlight/handlers/web"
)

// TestResourcesAreThePages reads every resource, and every template filled in
// with what its operation shows, and compares it with the page at its address.
func TestResourcesAreThePages(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	ctx := context.Background()
	resources, err := session.ListResources(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	templates, err := session.ListResourceTemplates(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []mcp.Cacheable{resources.Cacheable, templates.Cacheable} {
		if c.TTLMs != 3600_000 || c.CacheScope != "public" {
			t.Errorf("a list may be cached %+v", c)
		}
	}
	addresses := map[string]string{} // to type
	for _, r := range resources.Resources {
		if r.Name == "" || r.Title == "" || r.Description == "" || len(r.Icons) == 0 {
			t.Errorf("%s is not described", r.URI)
		}
		if !strings.HasPrefix(r.URI, "ui:") { // see TestApps
			addresses[r.URI] = r.MIMEType
		}
	}
	for _, want := range []string{"/index.md", "/developers.json", "/errors.md", "/listings.md", "/guides/condition-grades.md"} {
		if addresses[s.site.URL(want)] == "" {
			t.Errorf("%s is not listed", want)
		}
	}
	for _, r := range templates.ResourceTemplates {
		if strings.HasPrefix(r.URITemplate, "schema:") {
			continue // see TestToolSchemas
		}
		filled := strings.Replace(r.URITemplate, "{+query}", "limit=2&keyword=50mm&gear=canon/eos-r6", 1)
		for _, op := range s.Operations() {
			if strings.HasPrefix(r.Name, op.Name+".") {
				filled, _, _ = strings.Cut(op.ExampleTarget(filled, op.Examples()), "?gear=canon%2F")
			}
		}
		if strings.Contains(filled, "{") || strings.HasSuffix(filled, "/.md") {
			t.Errorf("%s: nothing to fill it with", r.URITemplate)
		}
		addresses[filled] = r.MIMEType
	}
	if len(templates.ResourceTemplates) < 8 {
		t.Errorf("only %d templates", len(templates.ResourceTemplates))
	}
	for address, kind := range addresses {
		read, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: address})
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		_, page := s.do(t, "GET", strings.TrimPrefix(address, s.site.BaseURL))
		if c := read.Contents[0]; c.Text != page || c.MIMEType != kind || c.URI != address {
			t.Errorf("%s: is not the page: %s %.100s", address, c.MIMEType, c.Text)
		}
	}
}

func TestResourcesThatAreNotThere(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	for uri, says := range map[string]string{
		"https://secondlight.example/gear/canon/eos-r66.md": "canon/eos-r66",
		"https://secondlight.example/listings/7.md":         "No listing has the id",
		"https://secondlight.example/listings.md?limit=x":   "whole number",
		"https://secondlight.example/nothing.md":            "not found",
		"https://elsewhere.example/index.md":                "not found",
		"file:///etc/passwd":                                "not found",
	} {
		_, err := session.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", uri, err)
		}
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	template := &mcp.CompleteReference{Type: "ref/resource", URI: "https://secondlight.example/gear/{brand}/{model}.md"}
	prompt := &mcp.CompleteReference{Type: "ref/prompt", Name: "is_this_price_fair"}
	for _, test := range []struct {
		ref            *mcp.CompleteReference
		argument, text string
		brand          string // chosen before
		first          string
	}{
		{template, "brand", "ni", "", "nikon"},
		{template, "brand", "Cano", "", "canon"},
		{template, "brand", "blad", "", "hasselblad"},
		{template, "model", "eos-r6", "canon", "eos-r6"},
		{template, "model", "eos-r6", "nikon", ""},
		{prompt, "gear", "canon/eos-r6", "", "canon/eos-r6"},
		{prompt, "gear", "5d mark iv", "", "canon/eos-5d-mark-iv"},
		{prompt, "gear", "nifty fifty", "", "sony/fe-50mm-f1-8"},
		{prompt, "condition", "ex", "", "excellent"},
		{prompt, "mount", "canon-r", "", "canon-rf"},
		{prompt, "category", "mir", "", "mirrorless"},
		{prompt, "slug", "cond", "", "condition-grades"},
		{prompt, "code", "gear", "", "gear_not_found"},
		{prompt, "nothing", "a", "", ""},
	} {
		params := &mcp.CompleteParams{Ref: test.ref, Argument: mcp.CompleteParamsArgument{Name: test.argument, Value: test.text}}
		if test.brand != "" {
			params.Context = &mcp.CompleteContext{Arguments: map[string]string{"brand": test.brand}}
		}
		result, err := session.Complete(context.Background(), params)
		if err != nil {
			t.Errorf("%s %q: %v", test.argument, test.text, err)
			continue
		}
		values := result.Completion.Values
		if first := append(values, "")[0]; first != test.first || len(values) > web.MaxCompletions {
			t.Errorf("%s %q: %d values, first %q, want %q", test.argument, test.text, len(values), first, test.first)
		}
	}
	all, err := session.Complete(context.Background(), &mcp.CompleteParams{Ref: template, Argument: mcp.CompleteParamsArgument{Name: "model"}})
	if err != nil || len(all.Completion.Values) != web.MaxCompletions || !all.Completion.HasMore || all.Completion.Total <= web.MaxCompletions {
		t.Errorf("all models: %v %d of %d", err, len(all.Completion.Values), all.Completion.Total)
	}
}

func TestPrompts(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	session := s.connect(t, web.MCPPath, eras[0])
	listed, err := session.ListPrompts(context.Background(), nil)
	if err != nil || len(listed.Prompts) != len(document.Prompts) {
		t.Fatalf("%v, %d prompts", err, len(listed.Prompts))
	}
	for _, test := range []struct {
		name      string
		arguments map[string]string
		says      []string
		fails     string
	}{
		{name: "find_a_kit", arguments: map[string]string{"budget": "1500", "mount": "canon-rf"}, says: []string{"at most 1500", "mount=canon-rf", "search_listings", "get_price"}},
		{name: "find_a_kit", arguments: map[string]string{"mount": "canon-rf"}, fails: "budget is required"},
		{name: "find_a_kit", arguments: map[string]string{"budget": "1500", "colour": "red"}, fails: `no argument "colour"`},
		{name: "is_this_price_fair", arguments: map[string]string{"gear": "r6 mk ii", "price": "950"}, says: []string{"Is 950 a fair price", "# Canon EOS R6 Mark II", "Median of these sales by condition"}},
		{name: "is_this_price_fair", arguments: map[string]string{"gear": "a spoon of sugar", "price": "1\x002"}, fails: "price must be plain text"},
		{name: "what_is_my_kit_worth", arguments: map[string]string{"kit": "Nikon Z6, good; 50mm f/1.8"}, says: []string{"Nikon Z6, good", "value_gear"}},
	} {
		got, err := session.GetPrompt(context.Background(), &mcp.GetPromptParams{Name: test.name, Arguments: test.arguments})
		if test.fails != "" {
			if err == nil || !strings.Contains(err.Error(), test.fails) {
				t.Errorf("%s %v: %v", test.name, test.arguments, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %v: %v", test.name, test.arguments, err)
			continue
		}
		var text strings.Builder
		for _, m := range got.Messages {
			switch part := m.Content.(type) {
			case *mcp.TextContent:
				text.WriteString(part.Text)
			case *mcp.ResourceLink:
				text.WriteString(part.URI)
			}
		}
		for _, word := range test.says {
			if !strings.Contains(text.String(), word) {
				t.Errorf("%s %v does not say %q:\n%s", test.name, test.arguments, word, text.String())
			}
		}
	}
	// What a prompt tells a model to use is there.
	tools, err := session.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, tool := range tools.Tools {
		known[tool.Name] = true
	}
	for _, p := range document.Prompts {
		for word := range strings.FieldsFuncSeq(p.Text(map[string]string{}), func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }) {
			if strings.Contains(word, "_") && !known[word] {
				t.Errorf("%s speaks of %s, which is no tool", p.Name, word)
			}
		}
	}
}
