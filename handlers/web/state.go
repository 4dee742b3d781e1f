package web

import (
	"context"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/handlers/web/limit"
)

const (
	Pages  Section = iota // HTML first, the roomy policy
	API                   // JSON first, the policy named "default"
	Assets                // files, photographs and probes: not charged
)

// Section is the part of the site that a path belongs to. It determines the default
// format and the rate limit.
type Section uint8

// RequestState holds what the server knows about a request in progress.
type RequestState struct {
	At      time.Time
	Epoch   Epoch
	Client  limit.Client
	Caller  Caller
	ID      string // request id; made when first needed on the fast path
	Quota   limit.Quota
	Section Section
	Free    bool   // not charged
	Target  []byte // under which the response is cached

	Language int // of the response, see languages

	Personal  bool // depends on more than the caller's identity: rejected credentials, or a notice to display
	Malformed bool // has an ambiguous header

	// A format's suffix at the end of the path overrides Accept. It is removed from
	// the path before routing.
	Suffixed bool
	Format   Format

	Op   *Operation // that answers, nil for none
	Sent Format     // of the response
	Made time.Time  // when the response was rendered, if it is from the cache

	Stale bool // the response is from the cache because the data cannot be read

	Code     string // of the error, "" for none
	Scope    string // scope that the operation requires, if access was denied
	Replayed bool   // the response is that of an earlier request with the same idempotency key
}

const RequestStateKey = "secondlight.requestState"

// StateOf returns the state of a request in a handler, or nil if the request could
// not be parsed.
func StateOf(ctx *fasthttp.RequestCtx) *RequestState {
	state, _ := ctx.UserValue(RequestStateKey).(*RequestState)
	return state
}

// Cacheable reports whether a response to a request may come from the cache.
func (state *RequestState) Cacheable(ctx *fasthttp.RequestCtx) bool {
	return !state.Personal && state.Section != Assets && (ctx.IsGet() || ctx.IsHead())
}

// Epoch identifies the data that responses are rendered from. A cached response is
// valid on one UTC day, for one version, and until its sources change.
type Epoch struct {
	Version uint64
	Day     int64
	Change  uint64 // number of changes recorded
}

// Owner returns who the bodies of a request are counted for: its member, or else its
// address.
func (state *RequestState) Owner() string {
	if id := state.Caller.Identity; id != nil {
		return id.ID
	}
	return limit.Addr(state.Client.Addr).String()
}

// ClientContextKey is the key of the context that is cancelled when the client
// disconnects.
type ClientContextKey struct{}

// WithDisconnect returns a copy of ctx that is also cancelled when the client of the
// streamed request disconnects. The MCP SDK lets calls of older protocol versions
// outlive their request, although nobody can receive the response.
func WithDisconnect(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	client, ok := ctx.Value(ClientContextKey{}).(context.Context)
	if !ok {
		return ctx, cancel
	}
	stop := context.AfterFunc(client, cancel)
	return ctx, func() { stop(); cancel() }
}
