package serve

import (
	"crypto/rand"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/handlers/web"
)

// identify authenticates a request and sets its caller. An invalid token is an
// error; an expired session makes the caller anonymous.
func (s *responder) identify(ctx *fasthttp.RequestCtx, state *web.RequestState) (err error) {
	lookup, cancel := state.Caller.Context()
	defer cancel()
	state.Caller.Identity, state.Caller.Secret, err = s.IdentityFromHeader(lookup, &ctx.Request.Header)
	return err
}

// setSession sets the session cookie, or deletes it if secret is "".
func (s *responder) setSession(ctx *fasthttp.RequestCtx, secret string) {
	s.setCookie(ctx, s.SessionCookie(), secret, s.SessionLife)
}

// passLife is the lifetime of the cookie of web.PassPage.
const passLife = 30 * 24 * time.Hour

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
	cookie.SetSecure(s.HTTPS)
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
func (s *responder) viewer(ctx *fasthttp.RequestCtx, format web.Format) *web.Viewer {
	if format != web.HTML {
		return nil
	}
	v := &web.Viewer{}
	if name := ctx.Request.Header.Cookie(noticeCookie); len(name) > 0 {
		for i := range s.Ops {
			if op := &s.Ops[i]; op.Name == string(name) {
				v.Notice = op.Done
			}
		}
		s.setNotice(ctx, "")
	}
	if v.Identity = web.StateOf(ctx).Caller.Identity; v.Identity != nil {
		v.FormKey = rand.Text()
	}
	return v
}

// seeOther redirects to a page of this site with status 303.
func seeOther(ctx *fasthttp.RequestCtx, to string) {
	ctx.Response.SetStatusCode(fasthttp.StatusSeeOther)
	ctx.Response.Header.Set("Location", web.EscapeHeader(to))
	ctx.Response.Header.Set("Cache-Control", web.CacheNever)
}
