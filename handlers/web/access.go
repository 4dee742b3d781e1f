package web

import (
	"context"
	"net/netip"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/secondlight/secondlight/handlers/web/limit"
)

// Access says who may call an operation.
type Access uint8

const (
	// Everybody includes anonymous callers.
	Everybody Access = iota
	// Members need a session, or a token with the operation's scope.
	Members
	// SignedIn needs a session. Tokens are refused: it is for operations such as
	// changing the password.
	SignedIn
	// Operators are members who run the site: those whose Staff has the operation's
	// scope. They need a session, or a token with that scope.
	Operators
)

// Identity is an authenticated member.
type Identity struct {
	ID        string // member id
	Handle    string // of the member, for the log
	TokenID   string // id of the token in the request, "" for a session
	Scopes    []string
	Session   bool     // authenticated by a session cookie
	Staff     []string // scopes of operations for Operators that the member may call
	Suspended bool
	Language  string // BCP 47 tag of the language they have chosen, "" for none
	Member    any    // the site's own member record
}

// Authenticator looks up credentials. Its methods return a nil Identity and a nil
// error for an unknown secret.
type Authenticator interface {
	Token(ctx context.Context, secret string) (*Identity, error)
	Session(ctx context.Context, secret string) (*Identity, error)
}

// Caller describes the client that calls an operation.
type Caller struct {
	*Identity // nil for an anonymous caller

	Addr   netip.Addr // client address; set for writes
	Agent  string     // User-Agent; set for writes
	Secret string     // session secret, for signing out
	Pass   string     // secret of the cookie for pages with a password of their own, "" for none

	Client     limit.Client    // who is charged
	Unknown    bool            // the credentials could not be looked up, because the data cannot be read
	AuthErr    error           // why the credentials were rejected, or nil
	Span       trace.Span      // of the request; nil if it is not traced
	Background context.Context // background in the caller's language; nil for programs, who get English
}

// CallerKey is the context key of the *Caller.
type CallerKey struct{}

// CallerOf returns the caller of the operation that runs under ctx. It is never nil.
func CallerOf(ctx context.Context) *Caller {
	if c, ok := ctx.Value(CallerKey{}).(*Caller); ok {
		return c
	}
	return &Caller{}
}

// OperationTimeout is how long an operation may take before the response is a 503.
const OperationTimeout = 15 * time.Second

// Context returns a context with the caller and the deadline of an operation. It is
// not derived from the fasthttp.RequestCtx, which is reused for the next request while
// database/sql may still be watching the context.
func (c *Caller) Context() (ctx context.Context, cancel context.CancelFunc) {
	background := c.Background
	if background == nil {
		background = context.Background()
	}
	if c.Span != nil {
		background = trace.ContextWithSpan(background, c.Span)
	}
	return context.WithTimeout(context.WithValue(background, CallerKey{}, c), OperationTimeout)
}

// MemberID returns the id of the calling member, or "" for an anonymous caller. It
// is never "" in an operation whose Access is not Everybody.
func MemberID(ctx context.Context) string {
	if c := CallerOf(ctx); c.Identity != nil {
		return c.ID
	}
	return ""
}

// TokenRequirement returns a sentence about the token that the operation requires, with a
// leading space, for the end of its description. It is "" if none is required.
func (o *Operation) TokenRequirement() string {
	switch o.Access {
	case Members:
		return " Needs a token with the scope " + o.Scope + "."
	case Operators:
		return " Needs an operator's token with the scope " + o.Scope + "."
	}
	return ""
}

// Errors of authentication and authorization.
var (
	ErrUnauthenticated = NewError("unauthenticated")
	errBadToken        = NewError("invalid_token")
	ErrSuspended       = NewError("account_suspended")
	errSessionOnly     = NewError("session_required")
	errNotOperator     = NewError("operators_only")
)
