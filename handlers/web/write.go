package web

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/valyala/fasthttp"
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

// replay responds with the stored result of a write.
func (s *responder) replay(ctx *fasthttp.RequestCtx, op *Operation, result *storedResult, format Format, section section) {
	body, ok := result.Formats[format]
	if !ok {
		format, body = JSON, result.Formats[JSON]
	}
	r := &response{op: op, page: nil, format: format, body: append(responseBuffer(ctx), body...), section: section, private: true}
	s.send(ctx, r, chooseEncoding(ctx.Request.Header.PeekAll("Accept-Encoding")))
	ctx.Response.SetStatusCode(result.Status)
	if result.Location != "" {
		ctx.Response.Header.Set("Location", escapeHeader(result.Location))
	}
}
