package serve

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/limit"
)

// middleware wraps the router. It authenticates the caller, applies the rate limit,
// serves cached responses, and adds the header fields of every response.
func (s *Server) middleware(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) {
		s.dropQuery(ctx)
		state := s.newRequestState(ctx)
		if state.Malformed || state.Quota.Over || ctx.Request.IsBodyStream() || !s.serveCached(ctx, &state) {
			state = s.route(ctx, state, next)
		}
		s.writeRequestHeaders(ctx, &state)
		s.markStale(ctx, &state)
		if s.draining.Load() {
			ctx.Response.SetConnectionClose()
		}
		s.observe(ctx, &state)
		s.endSpan(ctx, &state)
		s.logAccess(ctx, &state)
	}
}

// newRequestState authenticates the caller of a request and charges it to the
// client's quota.
func (s *Server) newRequestState(ctx *fasthttp.RequestCtx) web.RequestState {
	state := web.RequestState{At: s.Clock()}
	state.Epoch = web.Epoch{Version: s.Version(), Day: state.At.Unix() / 86400, Change: s.cache.changes.count.Load()}
	s.startSpan(ctx, &state)
	state.Client = limit.Client{Addr: s.clientAddr(ctx)}
	state.Section = s.sectionOf(ctx.URI().PathOriginal())
	h := &ctx.Request.Header
	cookies := h.Peek("Cookie")
	if state.Section != web.Assets && (len(h.Peek("Authorization")) > 0 || bytes.Contains(cookies, s.sessionCookie)) {
		state.Caller.AuthErr = s.identify(ctx, &state)
		state.Caller.Unknown = s.isAway(state.Caller.AuthErr)
	}
	if bytes.Contains(cookies, s.passCookie) {
		state.Caller.Pass = string(h.Cookie(s.PassCookie()))
	}
	if state.Section != web.Assets {
		state.Language = s.languages.of(h, cookies, state.Caller.Identity)
		state.Caller.Background = s.languages.contexts[state.Language]
	}
	state.Personal = state.Caller.AuthErr != nil || bytes.Contains(cookies, noticePrefix)
	if state.Caller.Identity != nil {
		state.Client.Member = state.Caller.ID
	}
	policy, cost := s.pagePolicy, 1
	if state.Section == web.API || state.Section == web.Pages && s.sendsAPIData(ctx.URI().PathOriginal()) {
		policy = s.apiPolicy
	}
	if state.Section == web.Assets || ctx.IsOptions() || state.Section == web.API && s.free[string(ctx.URI().PathOriginal())] {
		cost = 0
	}
	state.Caller.Client = state.Client
	state.Quota = s.limiter.Charge(state.Client, policy, cost, state.At)
	state.Quota.Over, state.Free = state.Quota.Over && cost > 0, cost == 0
	state.Target = ctx.RequestURI()
	state.Malformed = !wellFormed(h)
	state.ID = s.requestID(ctx)
	return state
}

// sectionOf returns the section that a path belongs to.
func (s *Server) sectionOf(path []byte) web.Section {
	switch {
	case isAPI(path):
		return web.API
	case bytes.HasPrefix(path, []byte("/static/")), string(path) == "/favicon.ico", string(path) == "/robots.txt", isProbe(path),
		slices.ContainsFunc(s.AssetPaths, func(prefix string) bool { return bytes.HasPrefix(path, []byte(prefix)) }):
		return web.Assets
	}
	return web.Pages
}

// isAPI reports whether a path is in the API.
func isAPI(path []byte) bool {
	return bytes.HasPrefix(path, []byte("/api/")) || string(path) == "/api"
}

// sendsAPIData reports whether the path of a page selects, by its suffix, the data that
// the API sends: JSON or Markdown of an operation in the API.
func (s *Server) sendsAPIData(path []byte) bool {
	bare, ok := bytes.CutSuffix(path, []byte(".json"))
	if !ok {
		bare, ok = bytes.CutSuffix(path, []byte(".md"))
	}
	return ok && !bytes.HasSuffix(bare, []byte(".feed")) && s.apiPages[string(firstElement(bare))] && !s.exact[string(path)]
}

// firstElement returns the first element of a path: "gear" of "/gear/canon".
func firstElement(path []byte) []byte {
	first, _, _ := bytes.Cut(bytes.TrimPrefix(path, []byte("/")), []byte("/"))
	return first
}

// dropQuery removes the query from a request for a document, which ignores it, so that
// the cached response is found.
func (s *Server) dropQuery(ctx *fasthttp.RequestCtx) {
	path, _, ok := bytes.Cut(ctx.RequestURI(), []byte("?"))
	if ok && slices.ContainsFunc(s.documents, func(prefix string) bool { return bytes.HasPrefix(path, []byte(prefix)) }) {
		ctx.Request.SetRequestURIBytes(bytes.Clone(path))
	}
}

// serveCached sends the cached response to a request and reports whether there is
// one. A member gets the cached response of a shared page, with their own links if it
// is HTML.
func (s *responder) serveCached(ctx *fasthttp.RequestCtx, state *web.RequestState) bool {
	if !state.Cacheable(ctx) {
		return false
	}
	entry := s.cache.get(state.Target)
	member := state.Caller.Identity != nil
	if entry == nil || member && !entry.shared {
		return false
	}
	format, ok := entry.choose(ctx)
	if !ok {
		return false
	}
	accepted := web.AcceptedEncodings(ctx.Request.Header.PeekAll("Accept-Encoding"))
	f := entry.variant(s.languages.in(format, state.Language), format, variantOf(state, format, accepted)).Load()
	if f == nil || !s.cache.valid(f, state.Epoch) || !f.acceptable(accepted) || f.becomesHot(accepted) {
		return false
	}
	s.cache.hits.Add(1)
	state.Op, state.Sent, state.Made = entry.op, format, f.made
	s.sendCached(ctx, state, f, format, accepted)
	return true
}

// route passes a request to the router. It turns a panic into an error response. It
// returns the state of the request, which a handler may have changed.
func (s *Server) route(ctx *fasthttp.RequestCtx, state web.RequestState, next fasthttp.RequestHandler) (after web.RequestState) {
	ctx.SetUserValue(web.RequestStateKey, &state)
	defer func() {
		if r := recover(); r != nil {
			s.writeError(ctx, &state, web.PanicError(r))
		}
		s.writeCommonHeaders(ctx)
		if state.Replayed {
			ctx.Response.Header.Set(web.KeyReplayed, "true")
		}
		after = state
	}()
	to := canonicalPath(ctx)
	trimSlash(ctx)
	s.stripSuffix(ctx, &state) // before errors, which are in the format of the suffix
	if err := s.admit(ctx, &state); err != nil {
		s.writeError(ctx, &state, err)
		if err == errMalformedHeader {
			ctx.Response.SetConnectionClose()
		} else {
			discardBody(ctx)
		}
		return state
	}
	release, err := s.receiveBody(ctx, &state)
	defer release()
	if err != nil {
		s.writeError(ctx, &state, err)
		ctx.Response.SetConnectionClose()
		return state
	}
	if to != "" {
		s.Redirect(ctx, to, fasthttp.StatusPermanentRedirect)
		return state
	}
	defer s.measure(&state)()
	next(ctx)
	return state
}

// admit returns an error for requests that must not reach a handler.
func (s *Server) admit(ctx *fasthttp.RequestCtx, state *web.RequestState) error {
	switch {
	case state.Malformed:
		return errMalformedHeader
	case state.Quota.Over || s.exhausted(state):
		return rateLimitedError(state.Quota)
	case !methodKnown(ctx.Method()):
		return errUnknownMethod
	case s.crossSite(ctx):
		return errCrossSite
	}
	return nil
}

// methodKnown reports whether the server implements a request method.
func methodKnown(method []byte) bool {
	for _, m := range fiber.DefaultMethods {
		if string(method) == m {
			return true
		}
	}
	return false
}

// crossSite reports whether a request is a write that a browser sends on behalf of
// another site. Clients other than browsers send neither Sec-Fetch-Site nor Origin. Writes to
// the API without cookies are allowed: they can do no more than a program with the same token,
// or with none.
func (s *Server) crossSite(ctx *fasthttp.RequestCtx) bool {
	if ctx.IsGet() || ctx.IsHead() || ctx.IsOptions() || isAPI(ctx.URI().PathOriginal()) && len(ctx.Request.Header.Peek("Cookie")) == 0 {
		return false
	}
	if site := ctx.Request.Header.Peek("Sec-Fetch-Site"); len(site) > 0 {
		return string(site) != "same-origin" && string(site) != "none"
	}
	origin := ctx.Request.Header.Peek("Origin")
	return len(origin) > 0 && string(origin) != s.BaseURL
}

// canonicalPath returns the path and query to redirect to if the path ends with a
// slash, else "".
func canonicalPath(ctx *fasthttp.RequestCtx) string {
	path := ctx.URI().PathOriginal()
	if !ctx.IsGet() && !ctx.IsHead() || len(path) < 2 || path[len(path)-1] != '/' {
		return ""
	}
	return withQuery("/"+strings.Trim(string(path), "/"), ctx)
}

// trimSlash removes the slash at the end of the path of a write to the API, which many clients
// don't send again after a redirect.
func trimSlash(ctx *fasthttp.RequestCtx) {
	path := ctx.URI().PathOriginal()
	if isAPI(path) && path[len(path)-1] == '/' && !ctx.IsGet() && !ctx.IsHead() {
		ctx.URI().SetPath(strings.TrimRight(string(path), "/"))
	}
}

// withQuery returns a path with the query of a request.
func withQuery(path string, ctx *fasthttp.RequestCtx) string {
	if q := ctx.URI().QueryString(); len(q) > 0 {
		return path + "?" + string(q)
	}
	return path
}

// stripSuffix removes a format's suffix from the path of a page and records the
// format.
func (s *Server) stripSuffix(ctx *fasthttp.RequestCtx, state *web.RequestState) {
	path := string(ctx.URI().PathOriginal())
	if state.Section != web.Pages || s.exact[path] {
		return
	}
	for f := web.Formats - 1; f >= web.Markdown; f-- { // .feed.json before .json
		bare, ok := strings.CutSuffix(path, f.Suffix())
		if !ok || strings.HasSuffix(bare, "/") {
			continue
		}
		if bare == "/index" {
			bare = "/"
		}
		state.Suffixed, state.Format = true, f
		ctx.URI().SetPath(bare)
		return
	}
}

// Errors of the server itself.
var (
	errUnknownMethod = web.NewError("method_not_implemented")
	errCrossSite     = web.NewError("cross_site")
)
