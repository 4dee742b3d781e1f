package handlers

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// resourceFaces are the faces a page is read in as a resource.
var resourceFaces = []Face{Markdown, JSON}

// addResources makes every page a resource under its own address, which a
// client may as well fetch: one where the address needs no parameters, and a
// template for those it takes.
func (s *Server) addResources(server *mcp.Server, op *Operation) {
	named := len(pathNames(op.Page)) > 0
	for _, face := range resourceFaces {
		uri := s.site.URL(address(op.Page, face, ""))
		if named {
			s.addTemplate(server, op, face, uri)
			s.addListed(server, op, face)
			continue
		}
		if len(op.plan.params) > 0 {
			s.addTemplate(server, op, face, uri+"?{+query}")
		}
		if slices.ContainsFunc(op.plan.params, func(p param) bool { return p.Required }) {
			continue
		}
		server.AddResource(&mcp.Resource{
			URI: uri, Name: op.Name + face.Suffix(), Title: op.Title, Description: op.Summary + " " + op.Description,
			MIMEType: face.MediaType(), Icons: s.icons(op.Tag),
		}, s.readResource(op, face))
	}
}

func (s *Server) addTemplate(server *mcp.Server, op *Operation, face Face, uri string) {
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: uri, Name: op.Name + face.Suffix(), Title: op.Title, Description: op.Summary + " " + op.Description,
		MIMEType: face.MediaType(), Icons: s.icons(op.Tag),
	}, s.readResource(op, face))
}

// addListed adds the pages of a template that deserve a place of their own.
func (s *Server) addListed(server *mcp.Server, op *Operation, face Face) {
	if op.List == nil {
		return
	}
	for _, l := range op.List() {
		server.AddResource(&mcp.Resource{
			URI: s.site.URL(address(l.Href, face, "")), Name: strings.Trim(l.Href, "/") + face.Suffix(), Title: l.Label,
			Description: op.Summary, MIMEType: face.MediaType(), Icons: s.icons(op.Tag),
		}, s.readResource(op, face))
	}
}

// readResource answers with a face of the page at the address.
func (s *Server) readResource(op *Operation, face Face) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		uri := req.Params.URI
		u, err := url.Parse(strings.TrimPrefix(uri, s.site.BaseURL))
		if err != nil {
			return nil, mcp.ResourceNotFoundError(uri)
		}
		params := pathValues(op.Page, strings.TrimSuffix(u.Path, face.Suffix()))
		in, err := op.plan.bind(func(name string) string { return params[name] }, u.RawQuery, false)
		if err != nil {
			return nil, s.resourceError(req, err)
		}
		ctx, cancel := context.WithTimeout(ctx, workTime)
		defer cancel()
		page, err := op.Do(ctx, &in.in)
		if err != nil {
			return nil, s.resourceError(req, err)
		}
		body, err := s.renderSafely(page, face)
		if err != nil {
			return nil, s.resourceError(req, err)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: face.MediaType(), Text: string(body)}}}, nil
	}
}

// pathValues are the parameters of a path by the names its pattern gives them.
func pathValues(pattern, path string) map[string]string {
	values := map[string]string{}
	names, parts := strings.Split(pattern, "/"), strings.Split(path, "/")
	for i, name := range names {
		if m := pathName.FindStringSubmatch(name); m != nil && i < len(parts) {
			values[m[1]] = parts[i]
		}
	}
	return values
}

// resourceError is a failure as the protocol tells it, with all its facts in data.
func (s *Server) resourceError(req *mcp.ReadResourceRequest, err error) error {
	problem := s.problem(err, requestIDOf(req))
	problem.Hint = s.inTools(problem.Hint)
	code := int64(jsonrpc.CodeInvalidParams)
	if problem.Status >= 500 {
		s.log.Error("resource failed", "request_id", problem.RequestID, "uri", req.Params.URI, "err", err)
		code = jsonrpc.CodeInternalError
	}
	return &jsonrpc.Error{Code: code, Message: problem.Message, Data: encodeJSON(problem)}
}
