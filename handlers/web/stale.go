package web

import (
	"strconv"
	"time"

	"github.com/valyala/fasthttp"
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
	return err != nil && s.Away != nil && s.publicError(err).Code == "unavailable"
}

// serveStale sends the cached response to a request that failed with err because the data
// cannot be read, although it may be outdated, and reports whether there is one. A caller
// who cannot be identified gets that of an anonymous one.
func (s *responder) serveStale(ctx *fasthttp.RequestCtx, state *requestState, err error) bool {
	if !s.isAway(err) || state.section == assets || !ctx.IsGet() && !ctx.IsHead() || state.caller.Identity != nil {
		return false
	}
	entry := s.cache.get(ctx.RequestURI())
	if entry == nil {
		return false
	}
	format, ok := entry.available[0], true
	if len(entry.available) > 1 {
		format, ok = choose(ctx.Request.Header.PeekAll("Accept"), entry.available)
	}
	if !ok {
		return false
	}
	accepted := acceptedEncodings(ctx.Request.Header.PeekAll("Accept-Encoding"))
	language := s.languages.in(format, state.language)
	for _, enc := range []Encoding{accepted.best, accepted.fast, IdentityEncoding} {
		if f := entry.variant(language, format, enc).Load(); f != nil && f.acceptable(accepted) {
			ctx.Response.Reset()
			state.op, state.sent, state.made, state.stale = entry.op, format, f.made, true
			f.write(ctx)
			return true
		}
	}
	return false
}

// markStale says that a response may be outdated because the data cannot be read: X-Stale
// has for how many seconds, Age for how many since it was rendered.
func (s *responder) markStale(ctx *fasthttp.RequestCtx, state *requestState) {
	away := s.away()
	status := ctx.Response.StatusCode()
	if away == 0 && !state.stale && !state.caller.unknown || state.op == nil || state.op.Writes() || status != fasthttp.StatusOK && status != fasthttp.StatusNotModified {
		return
	}
	h := &ctx.Response.Header
	h.Set("X-Stale", seconds(max(away, 1)))
	age := time.Duration(0)
	if !state.made.IsZero() {
		age = s.Clock().Sub(state.made)
	}
	h.Set("Age", seconds(max(age, 0)))
	if state.caller.unknown {
		h.SetCanonical(hdrCacheControl, []byte(CacheNever))
	}
}

// seconds returns a duration in seconds, rounded up, as a header field has it.
func seconds(d time.Duration) string { return strconv.Itoa(int((d + time.Second - 1) / time.Second)) }
