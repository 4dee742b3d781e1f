package serve

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/valyala/fasthttp"
)

// readHandler returns the handler of an operation that reads, in one section. It
// negotiates the format, binds the input, runs the operation and renders its page,
// before it writes to the response.
func (s *responder) readHandler(op *web.Operation, section web.Section) fiber.Handler {
	available := op.AllFormats(section == web.API)
	return func(c *fiber.Ctx) error {
		if s.Hides(op) {
			return fiber.ErrNotFound
		}
		ctx := c.Context()
		state := web.StateOf(ctx)
		state.Op = op
		if path, status := redirection(op, c, section); path != "" {
			if state.Suffixed {
				path += state.Format.Suffix()
			}
			s.Redirect(ctx, withQuery(path, ctx), status)
			return nil
		}
		format, err := negotiate(ctx, state, available)
		if err != nil {
			return err
		}
		state.Sent = format
		if s.dropUnknown(ctx, op, section) && s.serveCached(ctx, state) {
			return nil
		}
		if err := op.Authorize(&state.Caller); err != nil {
			return s.denyAccess(ctx, op, err, section == web.Pages && format == web.HTML, string(ctx.RequestURI()))
		}
		query := string(ctx.URI().QueryString())
		if format.Feed() && section == web.Pages && op.FeedQuery != "" {
			query += "&" + op.FeedQuery // the first value of a parameter wins
		}
		opCtx, cancel := state.Caller.Context()
		defer cancel()
		in, err := op.Plan.Bind(web.PathParams(c), query, section == web.API)
		if err != nil {
			return op.AllFaults(opCtx, &in, err)
		}
		page, err := op.Do(opCtx, &in.In)
		if err != nil {
			return err
		}
		if page, ok := page.(web.ReleasedPage); ok {
			defer page.Release()
		}
		r := response{op: op, page: page, format: format, section: section, suffixed: state.Suffixed, path: ctx.URI().PathOriginal(), in: &in,
			language: s.languages.in(format, state.Language), private: op.Access != web.Everybody || state.Caller.Identity != nil}
		if s.cacheable(ctx, &r) {
			return s.sendCacheable(ctx, &r, available)
		}
		viewer := s.viewer(ctx, format)
		if r.body, err = s.RenderTo(s.languages.contextFor(ctx, r.language, viewer, s.InZone), responseBuffer(ctx), page, format, viewer); err != nil {
			return fmt.Errorf("render %s as %s: %w", op.Name, format, err)
		}
		s.send(ctx, &r, web.AcceptedEncodings(ctx.Request.Header.PeekAll("Accept-Encoding")).Fast)
		return nil
	}
}

// dropUnknown removes parameters that the operation of a page doesn't have from the query
// and from the target under which the response is cached, and reports whether that is
// another target. In the API they are errors.
func (s *responder) dropUnknown(ctx *fasthttp.RequestCtx, op *web.Operation, section web.Section) bool {
	state := web.StateOf(ctx)
	path, query, ok := strings.Cut(string(state.Target), "?")
	if !ok || section != web.Pages {
		return false
	}
	known := op.Plan.DropUnknown(query)
	if known == query && query != "" {
		return false
	}
	ctx.URI().SetQueryString(known)
	if known != "" {
		path += "?" + known
	}
	state.Target = []byte(path)
	return true
}

// denyAccess responds to a caller who may not call an operation. It redirects an
// anonymous browser to the sign-in page, which leads back to the path in back, and
// otherwise returns err.
func (s *responder) denyAccess(ctx *fasthttp.RequestCtx, op *web.Operation, err error, browser bool, back string) error {
	if browser && err == web.ErrUnauthenticated {
		seeOther(ctx, s.SignIn+"?next="+url.QueryEscape(back))
		return nil
	}
	web.StateOf(ctx).Scope = op.Scope
	return err
}

// negotiate returns the format that a request asks for by suffix or Accept field, or
// an error if it is not available.
func negotiate(ctx *fasthttp.RequestCtx, state *web.RequestState, available []web.Format) (web.Format, error) {
	if state.Suffixed {
		for _, f := range available {
			if f == state.Format {
				return f, nil
			}
		}
		return 0, &problem.Error{Kind: problem.NotFound, Code: "page_not_found",
			Message: problem.Textf("This page isn't available as %s. Available formats: %s.", state.Format, listFormats(available)),
			Hint:    problem.Textf("Remove the suffix or use that of another format.")}
	}
	format, ok := web.Choose(ctx.Request.Header.PeekAll("Accept"), available)
	if !ok {
		return 0, &problem.Error{Kind: problem.Invalid, Code: "not_acceptable",
			Message: problem.Programf("No supported media type in the Accept header. Supported: %s.", listFormats(available)),
			Hint:    problem.Programf("Accept one of these media types, or send no Accept header.")}
	}
	return format, nil
}

// listFormats returns the media types of formats, separated by commas.
func listFormats(available []web.Format) string {
	return strings.Join(web.MediaTypes(available), ", ")
}

// redirection returns the path that a request is redirected to, with the status, or "".
func redirection(o *web.Operation, c *fiber.Ctx, section web.Section) (path string, status int) {
	if section == web.Pages && o.Moved != nil {
		if path := o.Moved(web.PathParams(c)); path != "" {
			return path, fasthttp.StatusMovedPermanently
		}
	}
	if path, other := canonicalOrLower(o, c, section); other {
		return path, fasthttp.StatusPermanentRedirect
	}
	return "", 0
}

// canonicalOrLower returns the path that a request should have been sent to, and whether
// that is another: the canonical path of the page, or the path in lower case.
func canonicalOrLower(o *web.Operation, c *fiber.Ctx, section web.Section) (path string, other bool) {
	requested := c.Context().URI().PathOriginal()
	if section == web.Pages && o.Canonical != nil {
		if path = o.Canonical(web.PathParams(c)); path != "" {
			return path, path != string(requested)
		}
	}
	return foldPath(requested)
}

// foldPath returns a path with its letters in lower case, except those of percent
// escapes, and whether it had others. Path parameters of operations that read are
// slugs, ids and codes, which are in lower case.
func foldPath(path []byte) (lower string, folded bool) {
	escaped := 0 // characters left of a percent escape
	isUpper := func(c byte) bool {
		switch {
		case escaped > 0:
			escaped--
			return false
		case c == '%':
			escaped = 2
		}
		return 'A' <= c && c <= 'Z'
	}
	if folded = slices.ContainsFunc(path, isUpper); !folded {
		return "", false
	}
	buf := bytes.Clone(path)
	escaped = 0
	for i, c := range buf {
		if isUpper(c) {
			buf[i] = c + 'a' - 'A'
		}
	}
	return string(buf), true
}
