package serve

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/valyala/fasthttp"
)

// writeHandler returns the handler of a write in one section. In the API, and for
// formats of a page other than HTML, the response is the operation's page. A form
// sent by a browser is redirected to that page, or displayed again with its errors.
func (s *responder) writeHandler(op *web.Operation, section web.Section) fiber.Handler {
	available := op.AllFormats(section == web.API)
	return func(c *fiber.Ctx) error {
		if s.Hides(op) {
			return fiber.ErrNotFound
		}
		ctx := c.Context()
		state := web.StateOf(ctx)
		state.Caller.Addr, state.Caller.Agent = state.Client.Addr, string(ctx.UserAgent())
		state.Op = op
		format, err := negotiate(ctx, state, available)
		if err != nil {
			return err
		}
		state.Sent = format
		browser := section == web.Pages && format == web.HTML
		if err := op.Authorize(&state.Caller); err != nil {
			return s.denyAccess(ctx, op, err, browser, formAddress(op, web.PathParams(c)))
		}
		req := &bind.Request{Path: web.PathParams(c), Header: func(name string) string { return string(ctx.Request.Header.Peek(name)) }}
		if section == web.Pages {
			req.Header = nil // a form sends header parameters as fields
		}
		if browser { // a form has times in the zone in which its page shows them
			state.Caller.Background = s.languages.contextFor(ctx, state.Language, &web.Viewer{Identity: state.Caller.Identity}, s.InZone)
		}
		opCtx, cancel := state.Caller.Context()
		defer cancel()
		if err := op.Plan.Read(ctx, req); err != nil {
			return err
		}
		key, store := strings.TrimSpace(string(ctx.Request.Header.Peek(web.KeyHeader))), s.ResultIn(op, format)
		if browser {
			key, store = formKey(op, req), s.formResult(ctx, op)
		}
		in, err := op.Plan.BindRequest(req, section == web.API)
		if err == nil {
			err = s.Charge(c, op.ExtraCost(&in))
		}
		if err != nil {
			return s.redisplayForm(c, op, req, browser, op.AllFaults(opCtx, &in, err))
		}
		do := func(ctx context.Context) (web.Page, error) { return op.Do(ctx, &in.In) }
		page, previous, err := s.DoIdempotent(opCtx, op, key, req, store, do)
		for browser && inProgress(err) && wait(opCtx, 50*time.Millisecond) {
			page, previous, err = s.DoIdempotent(opCtx, op, key, req, store, do)
		}
		state.Replayed = previous != nil
		if err != nil {
			return s.redisplayForm(c, op, req, browser, err)
		}
		if previous != nil {
			s.replay(ctx, op, previous, format, section)
			return nil
		}
		if p, ok := page.(web.SessionPage); ok {
			s.setSession(ctx, p.Session())
		}
		if p, ok := page.(web.PassPage); ok && p.Pass() != "" {
			s.setCookie(ctx, s.PassCookie(), p.Pass(), passLife)
		}
		var viewer *web.Viewer
		if browser {
			if !shown(page) {
				s.acceptForm(ctx, op, s.Layout.Head(page).Path, undone(page))
				return nil
			}
			viewer = s.viewer(ctx, web.HTML)
			viewer.Notice = op.Done
		}
		language := s.languages.in(format, state.Language)
		body, err := s.RenderTo(s.languages.contextFor(ctx, language, viewer, s.InZone), responseBuffer(ctx), page, format, viewer)
		if err != nil {
			return fmt.Errorf("render %s as %s: %w", op.Name, format, err)
		}
		s.send(ctx, &response{op: op, page: page, format: format, language: language, body: body, section: section, path: ctx.URI().PathOriginal(), in: &in, private: true},
			web.ChooseEncoding(ctx.Request.Header.PeekAll("Accept-Encoding")))
		if op.Creates {
			ctx.Response.SetStatusCode(fasthttp.StatusCreated)
			ctx.Response.Header.Set("Location", web.EscapeHeader(s.ResourceOf(page)))
		}
		return nil
	}
}

// shown reports whether a form is answered with its page, instead of being redirected to it.
func shown(page web.Page) bool {
	p, ok := page.(web.ShownPage)
	return ok && p.Shown()
}

// undone reports whether a write had nothing to do, so that nothing is confirmed.
func undone(page web.Page) bool {
	p, ok := page.(web.UndonePage)
	return ok && p.Undone()
}

// acceptForm redirects a browser that sent a form to a page, which confirms what was done.
func (s *responder) acceptForm(ctx *fasthttp.RequestCtx, op *web.Operation, path string, undone bool) {
	seeOther(ctx, path)
	if op.Done != "" && !undone {
		s.setNotice(ctx, op.Name)
	}
}

// formKey removes the field with the idempotency key from a form, and returns the key of its
// content, "" for none: a form that was corrected is another write.
func formKey(op *web.Operation, req *bind.Request) (key string) {
	if key, req.Pairs = op.CutKeyArgument(req.Pairs); key == "" {
		return ""
	}
	return key + "-" + op.Plan.Fingerprint(req)
}

// formResult returns what to store for a form: where the browser is redirected to, or the
// page that it is shown. A form that was rejected may be sent again.
func (s *responder) formResult(ctx *fasthttp.RequestCtx, op *web.Operation) web.NewResult {
	return func(page web.Page, err error) (*web.StoredResult, error) {
		if err != nil {
			return nil, err
		}
		if !shown(page) {
			return &web.StoredResult{Location: s.Layout.Head(page).Path, Undone: undone(page)}, nil
		}
		viewer := &web.Viewer{Identity: web.StateOf(ctx).Caller.Identity, Notice: op.Done}
		body, err := s.RenderTo(s.languages.contextFor(ctx, web.StateOf(ctx).Language, viewer, s.InZone), nil, page, web.HTML, viewer)
		return &web.StoredResult{Status: op.Success(), Formats: map[web.Format][]byte{web.HTML: body}}, err
	}
}

// inProgress reports whether a form waits for the first that was sent with its key. The
// browser shows only the answer to the last.
func inProgress(err error) bool {
	var perr *problem.Error
	return errors.As(err, &perr) && perr.Code == "idempotency_in_progress"
}

// wait waits, and reports whether the context has not ended by then.
func wait(ctx context.Context, pause time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
		return true
	}
}

// formAddress returns the path of the page with the operation's form, given the
// values of its path parameters.
func formAddress(o *web.Operation, path func(string) string) string {
	return bind.PathName.ReplaceAllStringFunc(o.Form, func(name string) string { return url.PathEscape(path(strings.Trim(name, "{}"))) })
}

// redisplayForm responds to a rejected form with the page of the form, the values
// that were entered and the error. It returns err if the request is not a form, or
// if the page cannot be displayed.
func (s *responder) redisplayForm(c *fiber.Ctx, op *web.Operation, req *bind.Request, browser bool, err error) error {
	var perr *problem.Error
	form := formOf(s.Ops, op)
	if !browser || form == nil || !errors.As(err, &perr) || perr.Kind == problem.Internal || perr.Kind == problem.NotFound {
		return err
	}
	ctx := c.Context()
	state := web.StateOf(ctx)
	in, bindErr := form.Plan.Bind(web.PathParams(c), string(ctx.URI().QueryString()), false)
	if bindErr != nil || form.Authorize(&state.Caller) != nil {
		return err
	}
	opCtx, cancel := state.Caller.Context()
	defer cancel()
	page, formErr := form.Do(opCtx, &in.In)
	if formErr != nil {
		return err
	}
	p := s.Problem(err, state.ID)
	viewer := s.viewer(ctx, web.HTML)
	viewer.Form = &web.Form{Operation: op.Name, Values: op.Plan.FormValues(req, state.Caller.Identity == nil), Problem: p}
	body, renderErr := s.RenderTo(s.languages.contextFor(ctx, state.Language, viewer, s.InZone), responseBuffer(ctx), page, web.HTML, viewer)
	if renderErr != nil {
		return fmt.Errorf("render the form of %s: %w", op.Name, renderErr)
	}
	ctx.Response.SetStatusCode(p.Status)
	ctx.Response.Header.SetContentType(web.HTML.ContentType())
	ctx.Response.Header.Set("Cache-Control", web.CacheNever)
	ctx.Response.Header.Set("X-Robots-Tag", "noindex")
	s.writeLanguage(&ctx.Response.Header, web.HTML, state.Language, web.VaryCaller, web.VaryCallerLanguage)
	if p.Status == fasthttp.StatusUnauthorized {
		ctx.Response.Header.Set("WWW-Authenticate", s.challenge(ctx, p.Code, ""))
	}
	if perr.Wait > 0 {
		ctx.Response.Header.Set("Retry-After", strconv.Itoa(perr.Wait))
	}
	ctx.Response.SwapBody(body)
	return nil
}

// formOf returns the operation of ops whose page contains the form of op, or nil.
func formOf(ops []web.Operation, op *web.Operation) *web.Operation {
	for i := range ops {
		if o := &ops[i]; !o.Writes() && o.Page == op.Form {
			return o
		}
	}
	return nil
}

// replay responds with the stored result of a write.
func (s *responder) replay(ctx *fasthttp.RequestCtx, op *web.Operation, result *web.StoredResult, format web.Format, section web.Section) {
	if result.Formats == nil {
		s.acceptForm(ctx, op, result.Location, result.Undone)
		return
	}
	body, ok := result.Formats[format]
	if !ok {
		format, body = web.JSON, result.Formats[web.JSON]
	}
	r := &response{op: op, format: format, body: append(responseBuffer(ctx), body...), section: section, private: true}
	s.send(ctx, r, web.ChooseEncoding(ctx.Request.Header.PeekAll("Accept-Encoding")))
	ctx.Response.SetStatusCode(result.Status)
	if result.Location != "" {
		ctx.Response.Header.Set("Location", web.EscapeHeader(result.Location))
	}
}
