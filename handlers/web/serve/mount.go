package serve

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/openapi"
)

// MountMCP serves the MCP server that build returns at a path: see Endpoint.Handler. The
// rate limits and errors of the API apply. It must be called before Listen.
func (s *Server) MountMCP(path string, build func() *mcp.Server) {
	handler := s.Endpoint.Handler(build)
	s.app.Post(path, handler)
	if path == web.MCPPath && s.Scopes != nil {
		s.app.Post(web.MCPMemberPath, handler)
	}
}

// MountOpenAPI serves the description of the API at /openapi.json and, as the same
// document, at /openapi.yaml.
func (s *Server) MountOpenAPI() {
	document := s.MountDocument("/openapi.json", web.JSON.ContentType(), func(ctx context.Context) ([]byte, error) {
		return web.EncodeJSON(s.WithExamples(ctx))
	})
	s.MountDocument("/openapi.yaml", "application/yaml; charset=utf-8", func(context.Context) ([]byte, error) {
		r, err := s.publish(document, web.IdentityEncoding)
		if err != nil {
			return nil, err
		}
		return openapi.ToYAML(r.body)
	})
}

// MountOpenAPISubset serves a description of the operations that include selects. Head
// holds the members openapi and info, so that the document can have an older version for
// monitors and gateways that require it.
func (s *Server) MountOpenAPISubset(path string, head func() web.Object, include func(*web.Operation) bool) {
	s.MountDocument(path, web.JSON.ContentType(), func(ctx context.Context) ([]byte, error) {
		return web.EncodeIndentedJSON(s.SubsetWithExamples(ctx, head(), include))
	})
}

// MountLanguage serves the form at a path that chooses the language of pages, its
// parameter language, and redirects to the path in next. The choice is stored in a cookie;
// save also stores that of a member.
func (s *Server) MountLanguage(path string, save func(ctx context.Context, language string) error) {
	s.Post(path, func(c *fiber.Ctx) error {
		ctx, state := c.Context(), web.StateOf(c.Context())
		fields := ctx.PostArgs()
		chosen := string(fields.Peek(languageCookie))
		if _, known := s.languages.find(chosen); !known {
			return web.NewError("bad_request")
		}
		if state.Caller.Identity != nil {
			opCtx, cancel := state.Caller.Context()
			defer cancel()
			if err := save(opCtx, chosen); err != nil {
				return err
			}
		}
		s.setCookie(ctx, languageCookie, chosen, languageLife)
		seeOther(ctx, web.LocalPath(string(fields.Peek("next"))))
		return nil
	})
}
