package web

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/models/problem"
)

// writeHandler returns the handler of a write in one section. In the API, and for
// formats of a page other than HTML, the response is the operation's page. A form
// sent by a browser is redirected to that page, or displayed again with its errors.
func (s *responder) writeHandler(op *Operation, section section) fiber.Handler {
	available := op.AllFormats(section == api)
	return func(c *fiber.Ctx) error {
		if s.hidden(op) {
			return fiber.ErrNotFound
		}
		ctx := c.Context()
		state := stateOf(ctx)
		state.caller.Addr, state.caller.Agent = state.client.addr, string(ctx.UserAgent())
		state.op = op
		format, err := negotiate(ctx, state, available)
		if err != nil {
			return err
		}
		state.sent = format
		browser := section == pages && format == HTML
		if err := op.authorize(&state.caller); err != nil {
			return s.denyAccess(ctx, op, err, browser, formAddress(op, pathParams(c)))
		}
		req := &request{path: pathParams(c), header: func(name string) string { return string(ctx.Request.Header.Peek(name)) }}
		if section == pages {
			req.header = nil // a form sends header parameters as fields
		}
		opCtx, cancel := state.caller.context()
		defer cancel()
		if err := op.plan.read(ctx, req); err != nil {
			return err
		}
		in, err := op.plan.bindRequest(req, section == api)
		if err == nil {
			err = s.Charge(c, op.extraCost(&in))
		}
		if err != nil {
			return s.redisplayForm(c, op, req, browser, op.allFaults(opCtx, &in, err))
		}
		key := ""
		if !browser {
			key = strings.TrimSpace(string(ctx.Request.Header.Peek(keyHeader)))
		}
		page, previous, err := s.doIdempotent(opCtx, op, key, req, format, func(ctx context.Context) (Page, error) { return op.Do(ctx, &in.in) })
		state.replayed = previous != nil
		if err != nil {
			return s.redisplayForm(c, op, req, browser, err)
		}
		if previous != nil {
			s.replay(ctx, op, previous, format, section)
			return nil
		}
		if p, ok := page.(SessionPage); ok {
			s.setSession(ctx, p.Session())
		}
		var viewer *Viewer
		if browser {
			if p, ok := page.(ShownPage); !ok || !p.Shown() {
				seeOther(ctx, s.Layout.Head(page).Path)
				if p, ok := page.(UndonePage); op.Done != "" && (!ok || !p.Undone()) {
					s.setNotice(ctx, op.Name)
				}
				return nil
			}
			viewer = s.viewer(ctx, HTML)
			viewer.Notice = op.Done
		}
		language := s.languages.in(format, state.language)
		body, err := s.renderTo(s.languages.contexts[language], responseBuffer(ctx), page, format, viewer)
		if err != nil {
			return fmt.Errorf("render %s as %s: %w", op.Name, format, err)
		}
		s.send(ctx, &response{op: op, page: page, format: format, language: language, body: body, section: section, path: ctx.URI().PathOriginal(), in: &in, private: true},
			chooseEncoding(ctx.Request.Header.PeekAll("Accept-Encoding")))
		if op.Creates {
			ctx.Response.SetStatusCode(fasthttp.StatusCreated)
			ctx.Response.Header.Set("Location", escapeHeader(s.resourceOf(page)))
		}
		return nil
	}
}

// read parses the parameters of a write from its body, or from its query if it has
// none.
func (plan *bindPlan) read(ctx *fasthttp.RequestCtx, req *request) (err error) {
	query, err := parseQuery(string(ctx.URI().QueryString()))
	switch {
	case err != nil:
		return err
	case plan.body:
		req.misplaced = query
	case !ctx.IsPost(): // a form always has a body
		req.pairs = query
		return nil
	}
	return plan.readBody(ctx, req)
}

// resourceOf returns the API path of the resource that a page shows, or the path of
// the page if there is none.
func (s *Site) resourceOf(page Page) string {
	if p, ok := page.(ResourcePage); ok {
		return p.Resource()
	}
	return s.Layout.Head(page).Path
}

// noticeCookie is the name of the cookie that holds the name of the operation just
// completed, whose notice the next page displays.
const noticeCookie = "notice"

var noticePrefix = []byte(noticeCookie + "=")

// setNotice sets the notice of the next page, or deletes it if operation is "".
func (s *responder) setNotice(ctx *fasthttp.RequestCtx, operation string) {
	s.setCookie(ctx, noticeCookie, operation, 30*time.Second)
}

// setCookie sets an HTTP-only cookie for all paths, or deletes it if value is "".
func (s *responder) setCookie(ctx *fasthttp.RequestCtx, name, value string, life time.Duration) {
	var cookie fasthttp.Cookie
	cookie.SetKey(name)
	cookie.SetValue(value)
	cookie.SetPath("/")
	cookie.SetHTTPOnly(true)
	cookie.SetSecure(s.https)
	cookie.SetSameSite(fasthttp.CookieSameSiteLaxMode)
	if value != "" {
		cookie.SetMaxAge(int(life.Seconds()))
	} else {
		cookie.SetExpire(fasthttp.CookieExpireDelete)
	}
	ctx.Response.Header.SetCookie(&cookie)
}

// seeOther redirects to a page of this site with status 303.
func seeOther(ctx *fasthttp.RequestCtx, to string) {
	ctx.Response.SetStatusCode(fasthttp.StatusSeeOther)
	ctx.Response.Header.Set("Location", escapeHeader(to))
	ctx.Response.Header.Set("Cache-Control", CacheNever)
}

// LocalPath returns the path to redirect to after signing in: next if it is a path
// of this site, else "/account".
func LocalPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || u.User != nil || u.Opaque != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") ||
		strings.ContainsAny(next, "\\\r\n\t") || !ValidText(next) {
		return "/account"
	}
	return next
}

// formAddress returns the path of the page with the operation's form, given the
// values of its path parameters.
func formAddress(o *Operation, path func(string) string) string {
	return pathName.ReplaceAllStringFunc(o.Form, func(name string) string { return url.PathEscape(path(strings.Trim(name, "{}"))) })
}

// redisplayForm responds to a rejected form with the page of the form, the values
// that were entered and the error. It returns err if the request is not a form, or
// if the page cannot be displayed.
func (s *responder) redisplayForm(c *fiber.Ctx, op *Operation, req *request, browser bool, err error) error {
	var perr *problem.Error
	form := s.formOf(op)
	if !browser || form == nil || !errors.As(err, &perr) || perr.Kind == problem.Internal || perr.Kind == problem.NotFound {
		return err
	}
	ctx := c.Context()
	state := stateOf(ctx)
	in, bindErr := form.plan.bind(pathParams(c), string(ctx.URI().QueryString()), false)
	if bindErr != nil || form.authorize(&state.caller) != nil {
		return err
	}
	opCtx, cancel := state.caller.context()
	defer cancel()
	page, formErr := form.Do(opCtx, &in.in)
	if formErr != nil {
		return err
	}
	p := s.problem(err, state.id)
	viewer := s.viewer(ctx, HTML)
	viewer.Form = &Form{Operation: op.Name, Values: op.plan.formValues(req, state.caller.Identity == nil), Problem: p}
	body, renderErr := s.renderTo(s.languages.contexts[state.language], responseBuffer(ctx), page, HTML, viewer)
	if renderErr != nil {
		return fmt.Errorf("render the form of %s: %w", op.Name, renderErr)
	}
	ctx.Response.SetStatusCode(p.Status)
	ctx.Response.Header.SetContentType(HTML.ContentType())
	ctx.Response.Header.Set("Cache-Control", CacheNever)
	ctx.Response.Header.Set("X-Robots-Tag", "noindex")
	s.writeLanguage(&ctx.Response.Header, HTML, state.language, varyByCaller, varyByCallerLanguage)
	if p.Status == fasthttp.StatusUnauthorized {
		ctx.Response.Header.Set("WWW-Authenticate", s.challenge(ctx, p.Code, ""))
	}
	if perr.Wait > 0 {
		ctx.Response.Header.Set("Retry-After", strconv.Itoa(perr.Wait))
	}
	ctx.Response.SwapBody(body)
	return nil
}

// formOf returns the operation whose page contains the form of op, or nil.
func (s *responder) formOf(op *Operation) *Operation {
	for i := range s.ops {
		if o := &s.ops[i]; !o.Writes() && o.Page == op.Form {
			return o
		}
	}
	return nil
}

// maxFormText is the maximum number of bytes that a rejected form of an anonymous client
// is displayed again with.
const maxFormText = 4 << 10

// formValues returns the values entered into a form, without passwords. If short, it
// leaves out values beyond maxFormText bytes.
func (plan *bindPlan) formValues(req *request, short bool) map[string][]string {
	values := map[string][]string{}
	size := 0
	for i := range plan.params {
		p := &plan.params[i]
		for _, pair := range req.pairs {
			if pair.name != p.Name || p.Format == "password" {
				continue
			}
			if size += len(pair.value); !short || size <= maxFormText {
				values[p.Name] = append(values[p.Name], pair.value)
			}
		}
	}
	return values
}

// viewer returns the viewer of a page, nil for formats other than HTML. It deletes
// the notice that the page displays.
func (s *responder) viewer(ctx *fasthttp.RequestCtx, format Format) *Viewer {
	if format != HTML {
		return nil
	}
	v := &Viewer{}
	if name := ctx.Request.Header.Cookie(noticeCookie); len(name) > 0 {
		for i := range s.ops {
			if op := &s.ops[i]; op.Name == string(name) {
				v.Notice = op.Done
			}
		}
		s.setNotice(ctx, "")
	}
	v.Identity = stateOf(ctx).caller.Identity
	return v
}
