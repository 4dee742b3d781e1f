package web

import (
	"context"
	"time"

	"github.com/valyala/fasthttp"
)

const (
	pages  section = iota // HTML first, the roomy policy
	api                   // JSON first, the policy named "default"
	assets                // files, photographs and probes: not charged
)

// section is the part of the site that a path belongs to. It determines the default
// format and the rate limit.
type section uint8

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

// cacheable reports whether a response to a request may come from the cache.
func (state *requestState) cacheable(ctx *fasthttp.RequestCtx) bool {
	return !state.personal && state.section != assets && (ctx.IsGet() || ctx.IsHead())
}

// epoch identifies the data that responses are rendered from. A cached response is
// valid on one UTC day, for one version, and until its sources change.
type epoch struct {
	version uint64
	day     int64
	change  uint64 // number of changes recorded
}

// owner returns who the bodies of a request are counted for: its member, or else its
// address.
func (state *requestState) owner() string {
	if id := state.caller.Identity; id != nil {
		return id.ID
	}
	return RateLimitAddr(state.client.addr).String()
}

// clientContextKey is the key of the context that is cancelled when the client
// disconnects.
type clientContextKey struct{}

// withDisconnect returns a copy of ctx that is also cancelled when the client of the
// streamed request disconnects. The MCP SDK lets calls of older protocol versions
// outlive their request, although nobody can receive the response.
func withDisconnect(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	client, ok := ctx.Value(clientContextKey{}).(context.Context)
	if !ok {
		return ctx, cancel
	}
	stop := context.AfterFunc(client, cancel)
	return ctx, func() { stop(); cancel() }
}
