package web

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// resourceFormats are the formats in which pages are resources.
var resourceFormats = []Format{Markdown, JSON}

// addResources adds the page of an operation as a resource in each format, under its
// own URL. Pages with parameters become resource templates.
func (s *Endpoint) addResources(server *mcp.Server, op *Operation) {
	named := len(pathNames(op.Page)) > 0
	for _, format := range resourceFormats {
		uri := s.site.url(Address(op.Page, format, ""))
		if named {
			s.addTemplate(server, op, format, uri)
			s.addListedPages(server, op, format)
			continue
		}
		if len(op.plan.params) > 0 {
			s.addTemplate(server, op, format, uri+"?{+query}")
		}
		if slices.ContainsFunc(op.plan.params, func(p param) bool { return p.Required }) {
			continue
		}
		server.AddResource(&mcp.Resource{
			URI: uri, Name: op.Name + format.Suffix(), Title: op.Title, Description: op.Summary + " " + op.Description,
			MIMEType: format.MediaType(), Icons: s.icons(op.Tag),
		}, s.readResource(op, format))
	}
}

// addTemplate adds a resource template for the page of an operation.
func (s *Endpoint) addTemplate(server *mcp.Server, op *Operation, format Format, uri string) {
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: uri, Name: op.Name + format.Suffix(), Title: op.Title, Description: op.Summary + " " + op.Description,
		MIMEType: format.MediaType(), Icons: s.icons(op.Tag),
	}, s.readResource(op, format))
}

// addListedPages adds a resource for each page that the operation's List returns.
func (s *Endpoint) addListedPages(server *mcp.Server, op *Operation, format Format) {
	if op.List == nil {
		return
	}
	for _, l := range op.List() {
		server.AddResource(&mcp.Resource{
			URI: s.site.url(Address(l.Href, format, "")), Name: strings.Trim(l.Href, "/") + format.Suffix(), Title: l.Label,
			Description: op.Summary, MIMEType: format.MediaType(), Icons: s.icons(op.Tag),
		}, s.readResource(op, format))
	}
}

// readResource returns the handler that renders the page of an operation in a format.
func (s *Endpoint) readResource(op *Operation, format Format) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		uri := req.Params.URI
		u, err := url.Parse(strings.TrimPrefix(uri, s.site.BaseURL))
		if err != nil {
			return nil, mcp.ResourceNotFoundError(uri)
		}
		params := pathValues(op.Page, strings.TrimSuffix(u.Path, format.Suffix()))
		ctx, cancel := context.WithTimeout(ctx, operationTimeout)
		defer cancel()
		in, err := op.plan.bind(func(name string) string { return params[name] }, u.RawQuery, false)
		if err != nil {
			return nil, s.rpcError(req, err)
		}
		page, err := op.Do(ctx, &in.in)
		if err != nil {
			return nil, s.rpcError(req, err)
		}
		body, err := s.site.renderSafely(context.Background(), page, format)
		if err != nil {
			return nil, s.rpcError(req, err)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: format.MediaType(), Text: string(body)}}}, nil
	}
}
