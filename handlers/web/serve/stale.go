package serve

import (
	"strconv"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/handlers/web"
)

// away returns for how long the data cannot be read, 0 if it can.
func (s *responder) away() time.Duration {
	if s.Away == nil {
		return 0
	}
	return s.Away()
}

// isAway reports whether err is due to data that cannot be read, which may just have begun.
func (s *responder) isAway(err error) bool {
	return err != nil && s.Away != nil && s.PublicError(err).Code == "unavailable"
}

// serveStale sends the cached response to a request that failed with err because the data
// cannot be read, although it may be outdated, and reports whether there is one. A caller
// who cannot be identified gets that of an anonymous one.
func (s *responder) serveStale(ctx *fasthttp.RequestCtx, state *web.RequestState, err error) bool {
	if !s.isAway(err) || state.Section == web.Assets || !ctx.IsGet() && !ctx.IsHead() || state.Caller.Identity != nil {
		return false
	}
	entry := s.cache.get(state.Target)
	if entry == nil {
		return false
	}
	format, ok := entry.choose(ctx)
	if !ok {
		return false
	}
	accepted := web.AcceptedEncodings(ctx.Request.Header.PeekAll("Accept-Encoding"))
	language := s.languages.in(format, state.Language)
	for _, enc := range []web.Encoding{accepted.Best, accepted.Fast, web.IdentityEncoding} {
		if f := entry.variant(language, format, enc).Load(); f != nil && f.acceptable(accepted) {
			ctx.Response.Reset()
			state.Op, state.Sent, state.Made, state.Stale = entry.op, format, f.made, true
			f.write(ctx)
			return true
		}
	}
	return false
}

// markStale says that a response may be outdated because the data cannot be read: X-Stale
// has for how many seconds, Age for how many since it was rendered.
func (s *responder) markStale(ctx *fasthttp.RequestCtx, state *web.RequestState) {
	away := s.away()
	status := ctx.Response.StatusCode()
	if away == 0 && !state.Stale && !state.Caller.Unknown || state.Op == nil || state.Op.Writes() || status != fasthttp.StatusOK && status != fasthttp.StatusNotModified {
		return
	}
	h := &ctx.Response.Header
	h.Set("X-Stale", seconds(max(away, 1)))
	age := time.Duration(0)
	if !state.Made.IsZero() {
		age = s.Clock().Sub(state.Made)
	}
	h.Set("Age", seconds(max(age, 0)))
	if state.Caller.Unknown {
		h.SetCanonical(web.HdrCacheControl, []byte(web.CacheNever))
	}
}

// seconds returns a duration in seconds, rounded up, as a header field has it.
func seconds(d time.Duration) string { return strconv.Itoa(int((d + time.Second - 1) / time.Second)) }
