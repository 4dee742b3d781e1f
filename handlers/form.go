package handlers

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

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// take is the handler of an operation that writes, at one of its addresses. The
// API and the other faces of a page answer with what came of it; a form in a
// browser ends at its page, or is shown again with what is wrong.
func (s *Server) take(op *Operation, where side) fiber.Handler {
	offers := op.offers(where == api)
	return func(c *fiber.Ctx) error {
		ctx := c.Context()
		x := exchangeOf(ctx)
		x.caller.addr, x.caller.agent = x.client.addr, string(ctx.UserAgent())
		face, err := wanted(ctx, x, offers)
		if err != nil {
			return err
		}
		browser := where == pages && face == HTML
		if err := op.allow(&x.caller); err != nil {
			return s.refuse(ctx, op, err, browser, op.formAddress(pathParams(c)))
		}
		g := &request{path: pathParams(c), header: func(name string) string { return string(ctx.Request.Header.Peek(name)) }}
		if where == pages {
			g.header = nil // a form has no say in header fields
		}
		if err := op.plan.read(ctx, g); err != nil {
			return err
		}
		in, err := op.plan.bindGiven(g, where == api)
		if err != nil {
			return s.again(c, op, g, browser, err)
		}
		work := x.caller.work()
		defer work.end()
		key := ""
		if !browser {
			key = strings.TrimSpace(string(ctx.Request.Header.Peek(keyHeader)))
		}
		page, before, err := s.once(work, op, key, g, face, func(ctx context.Context) (views.Page, error) { return op.Do(ctx, &in.in) })
		x.replayed = before != nil
		if err != nil {
			return s.again(c, op, g, browser, err)
		}
		if before != nil {
			s.replay(ctx, op, before, face, where)
			return nil
		}
		if p, ok := page.(sessionPage); ok {
			s.setSession(ctx, p.Session())
		}
		var viewer *views.Viewer
		if browser {
			if p, ok := page.(shownPage); !ok || !p.Shown() {
				seeOther(ctx, page.Head().Path)
				if op.Done != "" {
					s.setNotice(ctx, op.Name)
				}
				return nil
			}
			viewer = s.viewer(ctx, work, HTML)
			viewer.Notice = op.Done
		}
		body, err := s.renderTo(takeBody(ctx), page, face, viewer)
		if err != nil {
			return fmt.Errorf("render %s as %s: %w", op.Name, face, err)
		}
		s.send(ctx, &response{op: op, page: page, face: face, body: body, where: where, path: ctx.URI().PathOriginal(), in: &in, private: true},
			chooseEncoding(ctx.Request.Header.PeekAll("Accept-Encoding")))
		if op.Creates {
			ctx.Response.SetStatusCode(fasthttp.StatusCreated)
			ctx.Response.Header.Set("Location", escapeHeader(resourceOf(page)))
		}
		return nil
	}
}

// read takes in what a write says: its body, or where it has none, its query.
func (plan *bindPlan) read(ctx *fasthttp.RequestCtx, g *request) (err error) {
	query, err := parseQuery(string(ctx.URI().QueryString()))
	switch {
	case err != nil:
		return err
	case plan.body:
		g.stray = query
	case !ctx.IsPost(): // a form always has a body
		g.pairs = query
		return nil
	}
	return readBody(ctx, g)
}

// resourcePage is a page of something the API has at an address of its own.
type resourcePage interface{ Resource() string }

// resourceOf is where the API has what a page shows, else the page's own address.
func resourceOf(page views.Page) string {
	if p, ok := page.(resourcePage); ok {
		return p.Resource()
	}
	return page.Head().Path
}

// shownPage is a page that answers a form by itself, because its address would
// not show it again: a secret is told once.
type shownPage interface{ Shown() bool }

// sessionPage is a page that signs a browser in, or with "" out.
type sessionPage interface{ Session() (secret string) }

// noticeCookie holds the name of the operation that was just done, for the one
// page that says so. No address can make a page say it.
const noticeCookie = "notice"

// setNotice keeps a notice for the next page, or with "" drops it. Both name the
// same path: a browser keeps cookies of two paths apart.
func (s *Server) setNotice(ctx *fasthttp.RequestCtx, operation string) {
	s.setCookie(ctx, noticeCookie, operation, 30*time.Second)
}

// setCookie writes a cookie for this site's own requests, which no script sees,
// or drops it where the value is "".
func (s *Server) setCookie(ctx *fasthttp.RequestCtx, name, value string, life time.Duration) {
	var cookie fasthttp.Cookie
	cookie.SetKey(name)
	cookie.SetValue(value)
	cookie.SetPath("/")
	cookie.SetHTTPOnly(true)
	cookie.SetSecure(s.site.HTTPS())
	cookie.SetSameSite(fasthttp.CookieSameSiteLaxMode)
	if value != "" {
		cookie.SetMaxAge(int(life.Seconds()))
	} else {
		cookie.SetExpire(fasthttp.CookieExpireDelete)
	}
	ctx.Response.Header.SetCookie(&cookie)
}

// seeOther sends a browser on to a page of this site.
func seeOther(ctx *fasthttp.RequestCtx, to string) {
	ctx.Response.SetStatusCode(fasthttp.StatusSeeOther)
	ctx.Response.Header.Set("Location", escapeHeader(to))
	ctx.Response.Header.Set("Cache-Control", cacheNever)
}

// localPath is where to go on after signing in: a path of this site, else "/account".
func localPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || u.User != nil || u.Opaque != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") ||
		strings.ContainsAny(next, "\\\r\n\t") || !clean(next) {
		return "/account"
	}
	return next
}

// formAddress is the page of an operation's form, with the values of a path.
func (o *Operation) formAddress(path func(string) string) string {
	return pathName.ReplaceAllStringFunc(o.Form, func(name string) string { return url.PathEscape(path(strings.Trim(name, "{}"))) })
}

// again shows a form once more, with what was typed and what is wrong with it.
// Without a form to show the error is all there is.
func (s *Server) again(c *fiber.Ctx, op *Operation, g *request, browser bool, err error) error {
	var told *models.Error
	form := s.formOf(op)
	if !browser || form == nil || !errors.As(err, &told) || told.Kind == models.Internal || told.Kind == models.NotFound {
		return err
	}
	ctx := c.Context()
	x := exchangeOf(ctx)
	in, bindErr := form.plan.bind(pathParams(c), string(ctx.URI().QueryString()), false)
	if bindErr != nil || form.allow(&x.caller) != nil {
		return err
	}
	work := x.caller.work()
	defer work.end()
	page, formErr := form.Do(work, &in.in)
	if formErr != nil {
		return err
	}
	problem := s.problem(err, x.id)
	viewer := s.viewer(ctx, work, HTML)
	viewer.Form = &views.Form{Operation: op.Name, Values: op.plan.typed(g), Error: problem}
	body, renderErr := s.renderTo(takeBody(ctx), page, HTML, viewer)
	if renderErr != nil {
		return fmt.Errorf("render the form of %s: %w", op.Name, renderErr)
	}
	ctx.Response.SetStatusCode(problem.Status)
	ctx.Response.Header.SetContentType(HTML.ContentType())
	ctx.Response.Header.Set("Cache-Control", cacheNever)
	ctx.Response.Header.Set("X-Robots-Tag", "noindex")
	if problem.Status == fasthttp.StatusUnauthorized {
		ctx.Response.Header.Set("WWW-Authenticate", s.challenge(problem.Code, ""))
	}
	if told.Wait > 0 {
		ctx.Response.Header.Set("Retry-After", strconv.Itoa(told.Wait))
	}
	ctx.Response.SwapBody(body)
	return nil
}

// formOf is the operation whose page shows the form of another, nil for none.
func (s *Server) formOf(op *Operation) *Operation {
	for i := range s.ops {
		if o := &s.ops[i]; !o.Writes() && o.Page == op.Form {
			return o
		}
	}
	return nil
}

// typed is what was typed into a form, but for what is secret.
func (plan *bindPlan) typed(g *request) map[string][]string {
	values := map[string][]string{}
	for i := range plan.params {
		p := &plan.params[i]
		for _, pair := range g.pairs {
			if pair.name == p.Name && p.Format != "password" {
				values[p.Name] = append(values[p.Name], pair.value)
			}
		}
	}
	return values
}

// viewer is who reads a page. Only HTML is written for one.
func (s *Server) viewer(ctx *fasthttp.RequestCtx, work context.Context, face Face) *views.Viewer {
	if face != HTML {
		return nil
	}
	v := &views.Viewer{}
	if name := ctx.Request.Header.Cookie(noticeCookie); len(name) > 0 {
		for i := range s.ops {
			if op := &s.ops[i]; op.Name == string(name) {
				v.Notice = op.Done
			}
		}
		s.setNotice(ctx, "")
	}
	x := exchangeOf(ctx)
	id := x.caller.Identity
	if id == nil {
		return v
	}
	v.Handle, v.Name, v.Operator = id.Member.Handle, id.Member.Name, id.Account.Role == models.RoleOperator
	unread, err := s.store.CountUnread(work, id.Member.ID)
	if err != nil {
		s.log.Error("unread messages are not counted", "request_id", x.id, "err", err)
	}
	v.Unread = unread
	return v
}
