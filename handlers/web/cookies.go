package web

import (
	"time"

	"github.com/valyala/fasthttp"
)

// identify authenticates a request and sets its caller. An invalid token is an
// error; an expired session makes the caller anonymous.
func (s *responder) identify(ctx *fasthttp.RequestCtx, state *requestState) (err error) {
	lookup, cancel := state.caller.context()
	defer cancel()
	state.caller.Identity, state.caller.Secret, err = s.identityFromHeader(lookup, &ctx.Request.Header)
	return err
}

// setSession sets the session cookie, or deletes it if secret is "".
func (s *responder) setSession(ctx *fasthttp.RequestCtx, secret string) {
	s.setCookie(ctx, s.SessionCookie(), secret, s.SessionLife)
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

// seeOther redirects to a page of this site with status 303.
func seeOther(ctx *fasthttp.RequestCtx, to string) {
	ctx.Response.SetStatusCode(fasthttp.StatusSeeOther)
	ctx.Response.Header.Set("Location", escapeHeader(to))
	ctx.Response.Header.Set("Cache-Control", CacheNever)
}
