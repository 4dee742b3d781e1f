package mcp

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/problem"
)

// Errors refer to operations as a request line, "GET /api/gear?keyword=…", whoever
// reports them: see speakTools for the callers of tools.

// requestLine matches a reference to an operation, with the preposition before it.
var requestLine = regexp.MustCompile(`( with |: )?\b(GET|POST|PUT|PATCH|DELETE) (/api/[^\s?,;)]*[^\s?,;).])(\?[^\s,;)]*[^\s,;).])?`)

// speakTools rewrites the references to operations in an error for the caller of a
// tool: "Find the slug with GET /api/gear?keyword=…" is "Find the slug: call find_gear
// with keyword=…", and "GET /api/gear lists every brand" is "find_gear lists every
// brand".
func (s *Endpoint) speakTools(p *web.Problem) {
	p.Message, p.Hint = s.toolText(p.Message), s.toolText(p.Hint)
	for i := range p.Fields {
		p.Fields[i].Message = s.toolText(p.Fields[i].Message)
	}
}

func (s *Endpoint) toolText(text problem.Text) problem.Text {
	return problem.Programf("%s", s.toolWords(text.String()))
}

// addressWords are words for the addresses of operations.
var addressWords = strings.NewReplacer("This address takes", "This tool takes", "this address takes", "this tool takes",
	"send its ETag in If-Match, or its version as if_match", "give its version as if_match", "send its new ETag in If-Match", "give its new version as if_match")

func (s *Endpoint) toolWords(text string) string {
	return requestLine.ReplaceAllStringFunc(addressWords.Replace(text), func(match string) string {
		m := requestLine.FindStringSubmatch(match)
		op, args := s.site.OperationAt(m[2], m[3])
		if op == nil {
			return match
		}
		if query, err := url.ParseQuery(strings.TrimPrefix(m[4], "?")); err == nil {
			for name := range query {
				args = append(args, name+"="+query.Get(name))
			}
		}
		tool, action := s.ToolOf(op.Name)
		if tool == "" {
			tool = op.Name
		}
		if action != "" {
			args = append([]string{"action=" + action}, args...)
		}
		if len(args) > 0 {
			tool += " with " + strings.Join(args, ", ")
		}
		if m[1] == "" {
			return tool
		}
		return ": call " + tool
	})
}
