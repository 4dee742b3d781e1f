package web

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/models/problem"
)

// Names of response header fields in canonical form, for SetCanonical.
var (
	hdrRequestID          = []byte("X-Request-Id")
	hdrOpenerPolicy       = []byte("Cross-Origin-Opener-Policy")
	hdrRateLimit          = []byte("RateLimit")
	hdrRateLimitPolicy    = []byte("RateLimit-Policy")
	hdrRateLimitLimit     = []byte("RateLimit-Limit")
	hdrRateLimitRemaining = []byte("RateLimit-Remaining")
	hdrRateLimitReset     = []byte("RateLimit-Reset")
	hdrETag               = []byte("Etag")
	hdrCacheControl       = []byte("Cache-Control")
	hdrLink               = []byte("Link")
	hdrContentLocation    = []byte("Content-Location")
	hdrRobots             = []byte("X-Robots-Tag")
	hdrContentSecurity    = []byte("Content-Security-Policy")
	hdrVary               = []byte("Vary")
)

// Values of Vary: for responses that are the same for every caller, and for those
// of operations.
const (
	vary         = "Accept, Accept-Encoding"
	varyByCaller = vary + ", Authorization, Cookie"
)

// ContentSecurityPolicy returns a policy that allows resources of the site itself only,
// and no inline scripts or styles. Forms may be sent, and redirected, to the site and to
// the sources in formTargets.
func ContentSecurityPolicy(formTargets string) string {
	return "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; script-src 'self'; " +
		"connect-src 'self'; manifest-src 'self'; form-action " + strings.TrimSpace("'self' "+formTargets) + "; base-uri 'none'; frame-ancestors 'none'"
}

// drawingPolicy is the Content-Security-Policy of drawings, which browsers also show on
// their own: they have a style sheet in them, and load and run nothing.
const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

// exposedHeaders lists the response fields that scripts of other origins may read.
const exposedHeaders = "RateLimit, RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, " +
	"Age, X-Stale, ETag, Link, Location, Content-Location, Idempotency-Replayed, X-Markdown-Tokens, X-Request-Id"

// headerField is a response header field.
type headerField struct{ key, value []byte }

// commonFields returns the header fields of every response.
func commonFields(https bool) []headerField {
	fields := []headerField{
		{[]byte("Vary"), []byte(vary)},
		{hdrContentSecurity, []byte(ContentSecurityPolicy(""))},
		{[]byte("X-Content-Type-Options"), []byte("nosniff")},
		{[]byte("Referrer-Policy"), []byte("strict-origin-when-cross-origin")},
		{[]byte("Permissions-Policy"), []byte("camera=(), geolocation=(), microphone=(), payment=(), usb=()")},
		{hdrOpenerPolicy, []byte("same-origin")},
		{[]byte("Access-Control-Allow-Origin"), []byte("*")},
		{[]byte("Access-Control-Expose-Headers"), []byte(exposedHeaders)},
	}
	if https {
		fields = append(fields, headerField{[]byte("Strict-Transport-Security"), []byte("max-age=31536000; includeSubDomains")})
	}
	return fields
}

// section is the part of the site that a path belongs to. It determines the default
// format and the rate limit.
type section uint8

const (
	pages  section = iota // HTML first, the roomy policy
	api                   // JSON first, the policy named "default"
	assets                // files, photographs and probes: not charged
)

// requestState holds what the server knows about a request in progress.
type requestState struct {
	at      time.Time
	epoch   epoch
	client  client
	caller  Caller
	id      string // request id; made when first needed on the fast path
	quota   quota
	section section

	language int // of the response, see languages

	personal  bool // depends on more than the caller's identity: rejected credentials, or a notice to display
	malformed bool // has an ambiguous header

	// A format's suffix at the end of the path overrides Accept. It is removed from
	// the path before routing.
	suffixed bool
	format   Format

	op   *Operation // that answers, nil for none
	sent Format     // of the response
	made time.Time  // when the response was rendered, if it is from the cache

	stale bool // the response is from the cache because the data cannot be read

	scope    string // scope that the operation requires, if access was denied
	replayed bool   // the response is that of an earlier request with the same idempotency key
}

const requestStateKey = "secondlight.requestState"

// stateOf returns the state of a request in a handler, or nil if the request could
// not be parsed.
func stateOf(ctx *fasthttp.RequestCtx) *requestState {
	state, _ := ctx.UserValue(requestStateKey).(*requestState)
	return state
}

// middleware wraps the router. It authenticates the caller, applies the rate limit,
// serves cached responses, and adds the header fields of every response.
func (s *Server) middleware(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) {
		s.dropQuery(ctx)
		state := s.newRequestState(ctx)
		if state.malformed || state.quota.over || ctx.Request.IsBodyStream() || !s.serveCached(ctx, &state) {
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
func (s *Server) newRequestState(ctx *fasthttp.RequestCtx) requestState {
	state := requestState{at: s.Clock()}
	state.epoch = epoch{version: s.Version(), day: state.at.Unix() / 86400, change: s.cache.changes.count.Load()}
	s.startSpan(ctx, &state)
	state.client = client{addr: s.clientAddr(ctx)}
	state.section = s.sectionOf(ctx.URI().PathOriginal())
	h := &ctx.Request.Header
	cookies := h.Peek("Cookie")
	if state.section != assets && (len(h.Peek("Authorization")) > 0 || bytes.Contains(cookies, s.sessionCookie)) {
		state.caller.authErr = s.identify(ctx, &state)
		state.caller.unknown = s.isAway(state.caller.authErr)
	}
	if state.section != assets {
		state.language = s.languages.of(h, cookies, state.caller.Identity)
		state.caller.language = s.languages.contexts[state.language]
	}
	state.personal = state.caller.authErr != nil || bytes.Contains(cookies, noticePrefix)
	if state.caller.Identity != nil {
		state.client.member = state.caller.ID
	}
	policy, cost := s.pagePolicy, 1
	if state.section == api || state.section == pages && s.sendsAPIData(ctx.URI().PathOriginal()) {
		policy = s.apiPolicy
	}
	if state.section == assets || ctx.IsOptions() || state.section == api && s.free[string(ctx.URI().PathOriginal())] {
		cost = 0
	}
	state.caller.client = state.client
	state.quota = s.limiter.charge(state.client, policy, cost, state.at)
	state.quota.over = state.quota.over && cost > 0
	state.malformed = !wellFormed(h)
	state.id = s.requestID(ctx)
	return state
}

// sectionOf returns the section that a path belongs to.
func (s *Server) sectionOf(path []byte) section {
	switch {
	case bytes.HasPrefix(path, []byte("/api/")), string(path) == "/api":
		return api
	case bytes.HasPrefix(path, []byte("/static/")), string(path) == "/favicon.ico", string(path) == "/robots.txt", isProbe(path),
		slices.ContainsFunc(s.AssetPaths, func(prefix string) bool { return bytes.HasPrefix(path, []byte(prefix)) }):
		return assets
	}
	return pages
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

// Charge charges cost more requests to the client's quota, such as for an asset that has
// to be made. It returns an error if the quota is used up.
func (s *responder) Charge(c *fiber.Ctx, cost int) error {
	if cost == 0 {
		return nil
	}
	state := stateOf(c.Context())
	state.quota = s.limiter.charge(state.client, state.quota.policy, cost, state.at)
	if state.quota.over {
		return rateLimitedError(state.quota)
	}
	return nil
}

// chargeCaller charges cost more requests of the API to the quota of a tool's caller. It
// returns an error if the quota is used up.
func (s *responder) chargeCaller(caller *Caller, cost int) error {
	if cost == 0 {
		return nil
	}
	if quota := s.limiter.charge(caller.client, s.apiPolicy, cost, s.Clock()); quota.over {
		return rateLimitedError(quota)
	}
	return nil
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
func (s *Server) serveCached(ctx *fasthttp.RequestCtx, state *requestState) bool {
	if !state.cacheable(ctx) {
		return false
	}
	entry := s.cache.get(ctx.RequestURI())
	member := state.caller.Identity != nil
	if entry == nil || member && !entry.shared {
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
	f := entry.variant(s.languages.in(format, state.language), format, variantOf(state, format, accepted)).Load()
	if f == nil || !s.cache.valid(f, state.epoch) || !f.acceptable(accepted) || f.becomesHot(accepted) {
		return false
	}
	s.cache.hits.Add(1)
	state.op, state.sent, state.made = entry.op, format, f.made
	s.sendCached(ctx, state, f, format, accepted)
	return true
}

// cacheable reports whether a response to a request may come from the cache.
func (state *requestState) cacheable(ctx *fasthttp.RequestCtx) bool {
	return !state.personal && state.section != assets && (ctx.IsGet() || ctx.IsHead())
}

// route passes a request to the router. It turns a panic into an error response. It
// returns the state of the request, which a handler may have changed.
func (s *Server) route(ctx *fasthttp.RequestCtx, state requestState, next fasthttp.RequestHandler) (after requestState) {
	ctx.SetUserValue(requestStateKey, &state)
	defer func() {
		if r := recover(); r != nil {
			s.writeError(ctx, &state, panicError(r))
		}
		s.writeCommonHeaders(ctx)
		if state.replayed {
			ctx.Response.Header.Set(keyReplayed, "true")
		}
		after = state
	}()
	to := canonicalPath(ctx)
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
	next(ctx)
	return state
}

// admit returns an error for requests that must not reach a handler.
func (s *Server) admit(ctx *fasthttp.RequestCtx, state *requestState) error {
	switch {
	case state.malformed:
		return errMalformedHeader
	case state.quota.over:
		return rateLimitedError(state.quota)
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
// another site. Clients other than browsers send neither Sec-Fetch-Site nor Origin.
func (s *Server) crossSite(ctx *fasthttp.RequestCtx) bool {
	if ctx.IsGet() || ctx.IsHead() || ctx.IsOptions() {
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

// withQuery returns a path with the query of a request.
func withQuery(path string, ctx *fasthttp.RequestCtx) string {
	if q := ctx.URI().QueryString(); len(q) > 0 {
		return path + "?" + string(q)
	}
	return path
}

// stripSuffix removes a format's suffix from the path of a page and records the
// format.
func (s *Server) stripSuffix(ctx *fasthttp.RequestCtx, state *requestState) {
	path := string(ctx.URI().PathOriginal())
	if state.section != pages || s.exact[path] {
		return
	}
	for f := formats - 1; f >= Markdown; f-- { // .feed.json before .json
		bare, ok := strings.CutSuffix(path, f.Suffix())
		if !ok || strings.HasSuffix(bare, "/") {
			continue
		}
		if bare == "/index" {
			bare = "/"
		}
		state.suffixed, state.format = true, f
		ctx.URI().SetPath(bare)
		return
	}
}

// writeCommonHeaders adds the fields of every response. It does not overwrite those
// that a handler has set.
func (s *responder) writeCommonHeaders(ctx *fasthttp.RequestCtx) {
	h := &ctx.Response.Header
	for _, f := range s.common {
		if len(h.PeekCanonical(f.key)) == 0 {
			h.SetCanonical(f.key, f.value)
		}
	}
	if len(h.PeekCanonical(hdrCacheControl)) == 0 {
		h.SetCanonical(hdrCacheControl, []byte(CacheNever))
	}
}

// writeRequestHeaders writes the fields that differ between requests: the client's
// quota and the request id.
func (s *responder) writeRequestHeaders(ctx *fasthttp.RequestCtx, state *requestState) {
	state.quota.writeHeaders(&ctx.Response.Header)
	ctx.Response.Header.SetCanonical(hdrRequestID, []byte(state.id))
	if s.isPopup(ctx.Path()) {
		ctx.Response.Header.SetCanonical(hdrOpenerPolicy, []byte("unsafe-none"))
	}
}

// isPopup reports whether a path is that of a page that other origins wait for. Any other
// opener policy, in the page or in a redirect on the way to it, makes the window look
// closed to its opener.
func (s *responder) isPopup(path []byte) bool {
	return slices.ContainsFunc(s.PopupPaths, func(popup string) bool {
		return len(path) >= len(popup) && string(path[:len(popup)]) == popup && (len(path) == len(popup) || path[len(popup)] == '/')
	})
}

// Redirect redirects to a path of this site, which may include a query, with a 3xx
// status.
func (s *responder) Redirect(ctx *fasthttp.RequestCtx, to string, status int) {
	ctx.Response.Reset()
	ctx.Response.SetStatusCode(status)
	ctx.Response.Header.Set("Location", escapeHeader(to))
	ctx.Response.Header.Set("Cache-Control", CacheShort)
	ctx.Response.Header.SetContentType("text/plain; charset=utf-8")
	ctx.Response.SetBodyString("See " + s.BaseURL + escapeHeader(to) + "\n")
}

// escapeHeader percent-encodes the bytes of a URL that a header field must not
// contain.
func escapeHeader(s string) string {
	for i := range len(s) {
		if !fitsHeader(s[i]) {
			return encodeForHeader(s)
		}
	}
	return s
}

func encodeForHeader(s string) string {
	var dst []byte
	for i := range len(s) {
		if c := s[i]; fitsHeader(c) {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		}
	}
	return string(dst)
}

// fitsHeader reports whether a byte of a URL may be in a header field unescaped.
// Browsers read a backslash as a slash, which could begin the name of a host.
func fitsHeader(c byte) bool {
	return ' ' < c && c < 0x7f && c != '"' && c != '<' && c != '>' && c != '\\'
}

// clientAddr returns the address of the client: that of the peer or, if the peer is
// a trusted proxy, the rightmost address in X-Forwarded-For that is not. Addresses
// to its left are written by the client and cannot be trusted.
func (s *Server) clientAddr(ctx *fasthttp.RequestCtx) netip.Addr {
	var addr netip.Addr
	if tcp, ok := ctx.RemoteAddr().(*net.TCPAddr); ok {
		addr = tcp.AddrPort().Addr().Unmap()
	}
	if !s.trusts(addr) {
		return addr
	}
	lines := ctx.Request.Header.PeekAll("X-Forwarded-For")
	for i := len(lines) - 1; i >= 0; i-- {
		for hops := string(lines[i]); hops != ""; {
			var hop string
			if cut := strings.LastIndexByte(hops, ','); cut >= 0 {
				hops, hop = hops[:cut], hops[cut+1:]
			} else {
				hops, hop = "", hops
			}
			next, ok := parseHop(hop)
			if !ok {
				return addr
			}
			addr = next
			if !s.trusts(addr) {
				return addr
			}
		}
	}
	return addr
}

// parseHop parses an IP address with or without a port.
func parseHop(hop string) (netip.Addr, bool) {
	hop = strings.TrimSpace(hop)
	if a, err := netip.ParseAddr(strings.Trim(hop, "[]")); err == nil {
		return a.Unmap().WithZone(""), true
	}
	if ap, err := netip.ParseAddrPort(hop); err == nil {
		return ap.Addr().Unmap().WithZone(""), true
	}
	return netip.Addr{}, false
}

// trusts reports whether an address is that of a trusted proxy.
func (s *Server) trusts(addr netip.Addr) bool {
	for _, p := range s.TrustedProxies {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// requestID returns the request id that a trusted proxy has set, or a new one.
func (s *Server) requestID(ctx *fasthttp.RequestCtx) string {
	if len(s.TrustedProxies) > 0 {
		if tcp, ok := ctx.RemoteAddr().(*net.TCPAddr); ok && s.trusts(tcp.AddrPort().Addr().Unmap()) {
			if id := ctx.Request.Header.PeekBytes(hdrRequestID); len(id) > 0 && len(id) <= 64 && token(id) {
				return string(id)
			}
		}
	}
	var raw [8]byte
	binary.LittleEndian.PutUint64(raw[:], rand.Uint64())
	return hex.EncodeToString(raw[:])
}

// rateLimitedError returns the error for a client that has exceeded its quota.
func rateLimitedError(q quota) error {
	return &problem.Error{
		Code:    "rate_limited",
		Message: problem.Textf("You've reached the limit of %d requests per minute.", q.policy.limit),
		Hint:    problem.Textf("Try again in %d seconds.", q.reset).And(problem.Programf("The RateLimit header of every response shows what is left.")),
	}
}
