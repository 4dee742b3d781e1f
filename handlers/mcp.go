package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/static"
	"github.com/secondlight/secondlight/views"
)

// mcpPath is where agents talk to the site.
const mcpPath = "/api/mcp"

// mcpListTTL is how long, in milliseconds, a client may keep a list of tools,
// resources or prompts: they change when the program does.
const mcpListTTL = 3600_000

// newMCP is the site as agents see it: a tool for every operation of the API, a
// resource for every page, and prompts for what people ask for.
func (s *Server) newMCP() *mcp.Server {
	server := mcp.NewServer(s.implementation(), &mcp.ServerOptions{
		Instructions:      mcpInstructions,
		CompletionHandler: s.completeArgument,
		Capabilities:      s.capabilities(),
		SetCacheable: func(ctx context.Context, req mcp.Request, c *mcp.Cacheable) {
			if c.CacheScope = "public"; memberID(ctx) != "" {
				c.CacheScope = "private"
			}
			if _, ok := req.(*mcp.ReadResourceRequest); !ok {
				c.TTLMs = mcpListTTL // a page, as over HTTP, is asked for each time
			}
		},
	})
	for i := range s.ops {
		op := &s.ops[i]
		if op.Path != "" {
			server.AddTool(s.tool(op), s.callTool(op))
		}
		if op.Page != "" && op.Open() {
			s.addResources(server, op)
		}
	}
	s.addPrompts(server)
	return server
}

// mcpInstructions tell a model how the tools belong together.
const mcpInstructions = "Secondlight is a marketplace for used cameras and lenses with public price trends made of completed sales. " +
	"To buy: search_listings (sort=deal puts the best prices first), then get_listing. To judge a price: find_gear turns any name into a slug brand/model, then get_trend says what it sold for by month and condition. " +
	"Prices are objects with a decimal string and a currency; compare an asking price with the median of the same condition. Figures made of fewer than five sales say insufficient_data: do not guess them. " +
	"Tools that only read are open to everybody. To sell, offer, write, watch or rate, send a member's token as Authorization: Bearer sl_…; each such tool names the scope it needs. A failed call says in hint how to repair it."

// MountMCP serves an MCP server by streamable HTTP at a path: protocol 2026-07-28,
// which keeps no state between requests, and older clients, which begin with
// initialize. Everything that holds for the API holds here, limits included.
// Call it before Listen.
func (s *Server) MountMCP(path string, server *mcp.Server) {
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true,
		// A name that was bound to this machine by somebody else must not reach a
		// server that only this machine may reach. Behind a proxy on the same machine
		// every request comes from here, under the public name.
		DisableLocalhostProtection: !loopback(s.site.BaseURL),
		// The server has read the body already, within the limits of who sends it.
		MaxRequestBodyBytes: uploadBytes,
	})
	server.AddReceivingMiddleware(s.guardMCP)
	stream := s.bridge(handler)
	s.app.Post(path, func(c *fiber.Ctx) error {
		if err := exchangeOf(c.Context()).caller.refused; err != nil {
			return err
		}
		if body := bytes.TrimLeft(c.Body(), " \t\r\n"); len(body) > 0 && body[0] == '[' {
			return errBatch
		}
		return stream(c)
	})
}

// errBatch refuses batches, which the protocol has given up: one request would
// carry thousands of calls past the rate limit.
var errBatch = &models.Error{Kind: models.Invalid, Code: "bad_request",
	Message: "A request carries one JSON-RPC message, not a batch of them.",
	Hint:    "Send each message in a request of its own."}

// loopback reports whether an address can be reached from this machine only.
func loopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// guardMCP stands around every message: work ends when the client leaves,
// subscriptions when the server stops, and a panic is an answer, not the end of
// the program.
func (s *Server) guardMCP(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if r := recover(); r != nil {
				s.log.Error("request failed", "request_id", requestIDOf(req), "mcp", method, "err", panicked(r))
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fromCode("internal_error").Message}
			}
		}()
		ctx, cancel := whileClient(ctx)
		defer cancel()
		if method == "subscriptions/listen" {
			defer context.AfterFunc(s.stopping, cancel)()
		}
		return next(ctx, method, req)
	}
}

// requestIDOf is the id of the HTTP request that carried a message.
func requestIDOf(req mcp.Request) string {
	if extra := req.GetExtra(); extra != nil {
		return extra.Header.Get("X-Request-Id")
	}
	return ""
}

// tool describes an operation as a tool.
func (s *Server) tool(op *Operation) *mcp.Tool {
	no := false
	destroys := op.Destructive || op.Method == http.MethodDelete
	repeats := !op.Writes() || op.Method == http.MethodPut || op.Method == http.MethodDelete
	return &mcp.Tool{
		Name: op.Name, Title: op.Title, Description: op.Summary + " " + op.Description + op.need(),
		InputSchema: op.inputSchema(), OutputSchema: toolOutput(op),
		Annotations: &mcp.ToolAnnotations{Title: op.Title, ReadOnlyHint: !op.Writes(), IdempotentHint: repeats, DestructiveHint: &destroys, OpenWorldHint: &no},
		Icons:       s.icons(op.Tag),
	}
}

// icons are the picture of a group of operations, or of the site.
func (s *Server) icons(tag string) []mcp.Icon {
	name := "icons/" + strings.ToLower(tag) + ".svg"
	if _, ok := static.ByName(name); !ok {
		name = "favicon.svg"
	}
	return []mcp.Icon{{Source: s.site.URL(static.Path(name)), MIMEType: "image/svg+xml", Sizes: []string{"any"}}}
}

// callTool is the handler of an operation's tool. What the caller can repair is
// an answer that says how; what it cannot goes to the log.
func (s *Server) callTool(op *Operation) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := s.runTool(ctx, op, req.Params.Arguments)
		if err == nil {
			return result, nil
		}
		id := requestIDOf(req)
		problem := s.problem(err, id)
		problem.Hint = s.inTools(problem.Hint)
		if problem.Status >= 500 && ctx.Err() == nil {
			s.log.Error("tool failed", "request_id", id, "tool", op.Name, "err", err)
		}
		result, err = s.toolResult(problem)
		if err == nil {
			result.IsError = true
		}
		return result, err
	}
}

func (s *Server) runTool(ctx context.Context, op *Operation, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	if err := op.allow(callerOf(ctx)); err != nil {
		return nil, err
	}
	pairs, err := pairsOf(arguments)
	if err != nil {
		return nil, err
	}
	key, pairs := op.takeArgument(pairs)
	g := &request{pairs: pairs}
	in, err := op.plan.bindGiven(g, true)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, workTime)
	defer cancel()
	page, before, err := s.once(ctx, op, key, g, JSON, func(ctx context.Context) (views.Page, error) { return op.Do(ctx, &in.in) })
	if err != nil {
		return nil, err
	}
	if before != nil {
		return s.toolAgain(before), nil
	}
	result, err := s.toolResult(page)
	if err != nil {
		return nil, err
	}
	if op.Page != "" && op.Open() {
		result.Content = append(result.Content, s.resourceLink(page.Head().Path, page.Head().Title))
	}
	if p, ok := page.(relatedPage); ok {
		for _, l := range p.Related() {
			result.Content = append(result.Content, s.resourceLink(l.Href, l.Label))
		}
	}
	return result, nil
}

// toolAgain is what a tool answered when the write was done.
func (s *Server) toolAgain(before *kept) *mcp.CallToolResult {
	result := &mcp.CallToolResult{
		Meta:              mcp.Meta{"io.github.secondlight/idempotency-replayed": true},
		StructuredContent: json.RawMessage(before.Faces[JSON]),
		Content:           []mcp.Content{&mcp.TextContent{Text: string(before.Faces[Markdown])}},
	}
	for _, l := range before.Related {
		result.Content = append(result.Content, s.resourceLink(l.Href, l.Label))
	}
	return result
}

// relatedPage is a page about things that have pages of their own.
type relatedPage interface{ Related() []views.Link }

// toolResult is a page as a tool answers it: the JSON for programs, the Markdown
// for the model.
func (s *Server) toolResult(page views.Page) (*mcp.CallToolResult, error) {
	structured, err := s.renderSafely(page, JSON)
	if err != nil {
		return nil, err
	}
	text, err := s.renderSafely(page, Markdown)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{
		StructuredContent: json.RawMessage(structured),
		Content:           []mcp.Content{&mcp.TextContent{Text: string(text)}},
	}, nil
}

// resourceLink leads to the Markdown of a page.
func (s *Server) resourceLink(path, title string) *mcp.ResourceLink {
	return &mcp.ResourceLink{URI: s.site.URL(views.MarkdownPath(path)), Name: strings.Trim(path, "/"), Title: title, MIMEType: Markdown.MediaType()}
}

// toolOutput is the schema of what a tool answers: the operation's page, or the
// problem that keeps it from one.
func toolOutput(op *Operation) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", AnyOf: []*jsonschema.Schema{schemaOf(op.out), schemaOf(reflect.TypeFor[views.Error]())}}
}

var addressInHint = regexp.MustCompile(`GET (/api/[\w/]+)(?:\?(\w+)=…)?`)

// inTools says in tools what a hint says in addresses.
func (s *Server) inTools(hint string) string {
	return addressInHint.ReplaceAllStringFunc(hint, func(found string) string {
		m := addressInHint.FindStringSubmatch(found)
		for i := range s.ops {
			switch op := &s.ops[i]; {
			case op.Path != m[1]:
			case m[2] == "":
				return "the tool " + op.Name
			default:
				return "the tool " + op.Name + " (" + m[2] + ")"
			}
		}
		return found
	})
}
