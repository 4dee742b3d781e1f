package mcp

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
)

// resourceFormats are the formats in which pages are resources.
var resourceFormats = []web.Format{web.Markdown, web.JSON}

// addResources adds the page of an operation as a resource in each format, under its
// own URL. Pages with parameters become resource templates.
func (s *Endpoint) addResources(server *mcp.Server, op *web.Operation) {
	named := len(bind.PathNames(op.Page)) > 0
	for _, format := range resourceFormats {
		uri := s.site.URL(web.Address(op.Page, format, ""))
		if named {
			s.addTemplate(server, op, format, uri)
			s.addListedPages(server, op, format)
			continue
		}
		if len(op.Plan.Params) > 0 {
			s.addTemplate(server, op, format, uri+"?{+query}")
		}
		if slices.ContainsFunc(op.Plan.Params, func(p bind.Param) bool { return p.Required }) {
			continue
		}
		server.AddResource(&mcp.Resource{
			URI: uri, Name: op.Name + format.Suffix(), Title: op.Title, Description: op.Summary + " " + op.Description,
			MIMEType: format.MediaType(), Icons: s.icons(op.Tag),
		}, s.readResource(op, format))
	}
}

// addTemplate adds a resource template for the page of an operation.
func (s *Endpoint) addTemplate(server *mcp.Server, op *web.Operation, format web.Format, uri string) {
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: uri, Name: op.Name + format.Suffix(), Title: op.Title, Description: op.Summary + " " + op.Description,
		MIMEType: format.MediaType(), Icons: s.icons(op.Tag),
	}, s.readResource(op, format))
}

// addListedPages adds a resource for each page that the operation's List returns.
func (s *Endpoint) addListedPages(server *mcp.Server, op *web.Operation, format web.Format) {
	if op.List == nil {
		return
	}
	for _, l := range op.List() {
		server.AddResource(&mcp.Resource{
			URI: s.site.URL(web.Address(l.Href, format, "")), Name: strings.Trim(l.Href, "/") + format.Suffix(), Title: l.Label,
			Description: op.Summary, MIMEType: format.MediaType(), Icons: s.icons(op.Tag),
		}, s.readResource(op, format))
	}
}

// readResource returns the handler that renders the page of an operation in a format.
func (s *Endpoint) readResource(op *web.Operation, format web.Format) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		uri := req.Params.URI
		u, err := url.Parse(strings.TrimPrefix(uri, s.site.BaseURL))
		if err != nil {
			return nil, mcp.ResourceNotFoundError(uri)
		}
		params := web.PathValues(op.Page, strings.TrimSuffix(u.Path, format.Suffix()))
		ctx, cancel := context.WithTimeout(ctx, web.OperationTimeout)
		defer cancel()
		in, err := op.Plan.Bind(func(name string) string { return params[name] }, u.RawQuery, false)
		if err != nil {
			return nil, s.rpcError(req, err)
		}
		page, err := op.Do(ctx, &in.In)
		if err != nil {
			return nil, s.rpcError(req, err)
		}
		body, err := s.site.RenderSafely(context.Background(), page, format)
		if err != nil {
			return nil, s.rpcError(req, err)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: format.MediaType(), Text: string(body)}}}, nil
	}
}
