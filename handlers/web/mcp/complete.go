package mcp

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
)

// completeArgument completes an argument of a prompt or of a resource template.
func (s *Endpoint) completeArgument(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	name, text := req.Params.Argument.Name, strings.TrimSpace(req.Params.Argument.Value)
	if len(text) > bind.MaxValueLength {
		return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
	}
	var chosen map[string]string
	if c := req.Params.Context; c != nil {
		chosen = c.Arguments
	}
	var values []string
	ok := false
	if s.site.Completer != nil {
		values, ok = s.site.Completer.Complete(name, text, chosen)
	}
	if !ok {
		values = web.Matching(s.candidatesFor(name), text)
	}
	shown := values[:min(len(values), web.MaxCompletions)]
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: shown, Total: len(values), HasMore: len(shown) < len(values)}}, nil
}

// candidatesFor returns the values that operations define for a parameter: those of
// its enum, and the last path elements of the pages that List returns. For toolArgument
// they are the names of the tools.
func (s *Endpoint) candidatesFor(name string) []string {
	var words []string
	if name == toolArgument {
		for _, t := range s.tools {
			words = append(words, t.Name)
		}
	}
	for i := range s.site.Ops {
		for _, p := range s.site.Ops[i].Plan.Params {
			if p.Name == name {
				words = append(words, p.Enum...)
			}
			if p.Name == name && p.Path && s.site.Ops[i].List != nil {
				for _, l := range s.site.Ops[i].List() {
					words = append(words, path.Base(l.Href))
				}
			}
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}
