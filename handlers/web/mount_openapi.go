package web

import "context"

// MountOpenAPI serves the description of the API at /openapi.json and, as the same
// document, at /openapi.yaml.
func (s *Server) MountOpenAPI() {
	document := s.MountDocument("/openapi.json", JSON.ContentType(), func(ctx context.Context) ([]byte, error) {
		return EncodeJSON(s.WithExamples(ctx))
	})
	s.MountDocument("/openapi.yaml", "application/yaml; charset=utf-8", func(context.Context) ([]byte, error) {
		r, err := s.publish(document, IdentityEncoding)
		if err != nil {
			return nil, err
		}
		return toYAML(r.body)
	})
}

// MountOpenAPISubset serves a description of the operations that include selects. Head
// holds the members openapi and info, so that the document can have an older version for
// monitors and gateways that require it.
func (s *Server) MountOpenAPISubset(path string, head func() Object, include func(*Operation) bool) {
	s.MountDocument(path, JSON.ContentType(), func(ctx context.Context) ([]byte, error) {
		return EncodeIndentedJSON(s.SubsetWithExamples(ctx, head(), include))
	})
}
