package handlers

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/models"
)

// Names of the fields written on every response, in canonical form.
var (
	hdrRequestID          = []byte("X-Request-Id")
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
	hdrVary               = []byte("Vary")
)

// vary says what the answer of an address depends on; varyByCaller that of an
// operation, which a member may see otherwise.
const (
	vary         = "Accept, Accept-Encoding"
	varyByCaller = vary + ", Authorization, Cookie"
)

// contentPolicy allows nothing that does not come from the site itself, and no
// script or style written into a page.
const contentPolicy = "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; script-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// exposed are the fields a script of another site may read.
const exposed = "RateLimit, RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, " +
	"ETag, Link, Location, Content-Location, Idempotency-Replayed, X-Markdown-Tokens, X-Request-Id"

// field is a header field.
type field struct{ key, value []byte }

// commonFields are the fields every response carries, whatever it is.
func commonFields(https bool) []field {
	fields := []field{
		{[]byte("Vary"), []byte(vary)},
		{[]byte("Content-Security-Policy"), []byte(contentPolicy)},
		{[]byte("X-Content-Type-Options"), []byte("nosniff")},
		{[]byte("Referrer-Policy"), []byte("strict-origin-when-cross-origin")},
		{[]byte("Permissions-Policy"), []byte("camera=(), geolocation=(), microphone=(), payment=(), usb=()")},
		{[]byte("Cross-Origin-Opener-Policy"), []byte("same-origin")},
		{[]byte("Access-Control-Allow-Origin"), []byte("*")},
		{[]byte("Access-Control-Expose-Headers"), []byte(exposed)},
	}
	if https {
		fields = append(fields, field{[]byte("Strict-Transport-Security"), []byte("max-age=31536000; includeSubDomains")})
	}
	return fields
}

// side is the part of the site an address belongs to.
type side uint8

const (
	pages  side = iota // HTML first, the roomy policy
	api                // JSON first, the policy named "default"
	assets             // files and photographs: not charged
)

// exchange is one request on its way through the server.
type exchange struct {
	at     time.Time
	epoch  epoch
	client client
	caller caller
	id     string // request id; made when first needed on the fast path
	quota  quota
	side   side

	anonymous bool // carries neither a token nor a cookie

	// An address ending in a face's suffix asks for that face whatever Accept
	// says; routes see it without the suffix.
	suffixed bool
	face     Face

	scope    models.Scope // that a refused caller would need
	replayed bool         // the answer is that of an earlier request with the same key
}

const exchangeKey = "secondlight.exchange"

// exchangeOf is the exchange of a request in a handler.
func exchangeOf(ctx *fasthttp.RequestCtx) *exchange {
	x, _ := ctx.UserValue(exchangeKey).(*exchange)
	return x
}

// front is what every request passes first and every response last: it counts
// the client's quota, answers what is finished already, lets the router do the
// rest, and completes the response with what the contract promises.
func (s *Server) front(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) {
		x := s.receive(ctx)
		if x.quota.over || !s.answerFinished(ctx, &x) {
			s.route(ctx, x, next)
		}
		s.sign(ctx, &x)
		s.logAccess(ctx, &x)
	}
}

// receive reads who asks for what and charges the client.
func (s *Server) receive(ctx *fasthttp.RequestCtx) exchange {
	x := exchange{at: s.clock()}
	x.epoch = epoch{s.version(), x.at.Unix() / 86400}
	x.client = client{addr: s.clientAddr(ctx)}
	x.side = s.sideOf(ctx.URI().PathOriginal())
	h := &ctx.Request.Header
	x.anonymous = len(h.Peek("Authorization")) == 0 && len(h.Peek("Cookie")) == 0
	if x.side != assets && !x.anonymous {
		x.caller.refused = s.identify(ctx, &x)
	}
	if x.caller.Identity != nil {
		x.client.token = x.caller.TokenID
	}
	switch x.side {
	case api:
		x.quota = s.limiter.take(x.client, s.apiPolicy, 1, x.at)
	case pages:
		x.quota = s.limiter.take(x.client, s.pagePolicy, 1, x.at)
	default:
		x.quota = s.limiter.take(x.client, s.pagePolicy, 0, x.at)
		x.quota.over = false
	}
	x.id = s.requestID(ctx)
	return x
}

func (s *Server) sideOf(path []byte) side {
	switch {
	case bytes.HasPrefix(path, []byte("/api/")), string(path) == "/api":
		return api
	case bytes.HasPrefix(path, []byte("/static/")), bytes.HasPrefix(path, []byte("/photos/")), bytes.HasPrefix(path, []byte("/previews/")),
		string(path) == "/favicon.ico", string(path) == "/robots.txt":
		return assets
	}
	return pages
}

// answerFinished answers from the cache what is kept there.
func (s *Server) answerFinished(ctx *fasthttp.RequestCtx, x *exchange) bool {
	if !x.keeps(ctx) {
		return false
	}
	kept := s.cache.get(ctx.RequestURI(), x.epoch)
	if kept == nil {
		return false
	}
	face, ok := kept.offers[0], true
	if len(kept.offers) > 1 {
		face, ok = choose(ctx.Request.Header.PeekAll("Accept"), kept.offers)
	}
	if !ok {
		return false
	}
	f := kept.variants[face][chooseEncoding(ctx.Request.Header.PeekAll("Accept-Encoding"))].Load()
	if f == nil {
		return false
	}
	f.write(ctx)
	return true
}

// keeps reports whether the answer to a request may be kept for others.
func (x *exchange) keeps(ctx *fasthttp.RequestCtx) bool {
	return x.anonymous && x.side != assets && (ctx.IsGet() || ctx.IsHead())
}

// route lets the router answer, and makes an error of whatever goes wrong.
func (s *Server) route(ctx *fasthttp.RequestCtx, x exchange, next fasthttp.RequestHandler) {
	ctx.SetUserValue(exchangeKey, &x)
	defer func() {
		if r := recover(); r != nil {
			s.fail(ctx, &x, panicked(r))
		}
		s.complete(ctx)
		if x.replayed {
			ctx.Response.Header.Set(keyReplayed, "true")
		}
	}()
	if err := s.admit(ctx, &x); err != nil {
		s.fail(ctx, &x, err)
		return
	}
	if to := canonicalPath(ctx); to != "" {
		s.redirect(ctx, to, fasthttp.StatusPermanentRedirect)
		return
	}
	s.stripSuffix(ctx, &x)
	next(ctx)
}

// admit refuses what no handler should see.
func (s *Server) admit(ctx *fasthttp.RequestCtx, x *exchange) error {
	switch {
	case x.quota.over:
		return errTooMany(x.quota)
	case !methodKnown(ctx.Method()):
		return errUnknownMethod
	case s.crossSite(ctx):
		return errCrossSite
	}
	return nil
}

func methodKnown(method []byte) bool {
	for _, m := range fiber.DefaultMethods {
		if string(method) == m {
			return true
		}
	}
	return false
}

// crossSite reports whether another site makes a browser write here. Clients
// that are not browsers send neither field.
func (s *Server) crossSite(ctx *fasthttp.RequestCtx) bool {
	if ctx.IsGet() || ctx.IsHead() || ctx.IsOptions() {
		return false
	}
	if site := ctx.Request.Header.Peek("Sec-Fetch-Site"); len(site) > 0 {
		return string(site) != "same-origin" && string(site) != "none"
	}
	origin := ctx.Request.Header.Peek("Origin")
	return len(origin) > 0 && string(origin) != s.site.BaseURL
}

// canonicalPath is where an address with a slash at its end belongs, or "".
func canonicalPath(ctx *fasthttp.RequestCtx) string {
	path := ctx.URI().PathOriginal()
	if !ctx.IsGet() && !ctx.IsHead() || len(path) < 2 || path[len(path)-1] != '/' {
		return ""
	}
	to := "/" + strings.Trim(string(path), "/")
	if q := ctx.URI().QueryString(); len(q) > 0 {
		to += "?" + string(q)
	}
	return to
}

// stripSuffix takes a face's suffix off the address of a page.
func (s *Server) stripSuffix(ctx *fasthttp.RequestCtx, x *exchange) {
	path := string(ctx.URI().PathOriginal())
	if x.side != pages || s.exact[path] {
		return
	}
	for f := faces - 1; f >= Markdown; f-- { // .feed.json before .json
		bare, ok := strings.CutSuffix(path, f.Suffix())
		if !ok || strings.HasSuffix(bare, "/") {
			continue
		}
		if bare == "/index" {
			bare = "/"
		}
		x.suffixed, x.face = true, f
		ctx.URI().SetPath(bare)
		return
	}
}

// complete adds the fields every response carries to one that was not finished
// before; what a handler has set is left.
func (s *Server) complete(ctx *fasthttp.RequestCtx) {
	h := &ctx.Response.Header
	for _, f := range s.common {
		if len(h.PeekCanonical(f.key)) == 0 {
			h.SetCanonical(f.key, f.value)
		}
	}
	if len(h.PeekCanonical(hdrCacheControl)) == 0 {
		h.SetCanonical(hdrCacheControl, []byte(cacheNever))
	}
}

// sign writes what belongs to this one request.
func (s *Server) sign(ctx *fasthttp.RequestCtx, x *exchange) {
	x.quota.writeHeaders(&ctx.Response.Header)
	ctx.Response.Header.SetCanonical(hdrRequestID, []byte(x.id))
}

// redirect answers with another address of this site; to is a path with its query.
func (s *Server) redirect(ctx *fasthttp.RequestCtx, to string, status int) {
	ctx.Response.Reset()
	ctx.Response.SetStatusCode(status)
	ctx.Response.Header.Set("Location", escapeHeader(to))
	ctx.Response.Header.Set("Cache-Control", cacheShort)
	ctx.Response.Header.SetContentType("text/plain; charset=utf-8")
	ctx.Response.SetBodyString("See " + s.site.BaseURL + escapeHeader(to) + "\n")
}

// escapeHeader percent-encodes what may not stand in a header field.
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

func fitsHeader(c byte) bool {
	return ' ' < c && c < 0x7f && c != '"' && c != '<' && c != '>'
}

// clientAddr is the address of the client: the peer, or when the peer is a
// trusted proxy, the rightmost address in X-Forwarded-For that is not one. What
// stands left of it was written by the client and proves nothing.
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

// parseHop reads an address with or without a port.
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

func (s *Server) trusts(addr netip.Addr) bool {
	for _, p := range s.proxies {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// requestID is the id a trusted proxy gave the request, else a new one.
func (s *Server) requestID(ctx *fasthttp.RequestCtx) string {
	if len(s.proxies) > 0 {
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

// errTooMany is the answer to a client over its limit.
func errTooMany(q quota) error {
	return &models.Error{
		Code:    "rate_limited",
		Message: fmt.Sprintf("The limit of %d requests a minute is used up.", q.policy.limit),
		Hint:    fmt.Sprintf("Wait %d seconds and ask again; the RateLimit fields of every answer say what is left.", q.reset),
	}
}
