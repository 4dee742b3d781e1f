package serve

import (
	"context"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/openapi"
)

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
