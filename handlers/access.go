package handlers

import (
	"bytes"
	"context"
	"fmt"
	"net/netip"
	"strings"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/models"
)

// Access is who may do an operation.
type Access uint8

// Everybody may do what is public. Members sign in, or send a token with the
// operation's scope. SignedIn is for what no token may, such as changing the
// password: the member in a browser alone. Operators are members who keep the site.
const (
	Everybody Access = iota
	Members
	SignedIn
	Operators
)

// caller is who makes a request. It is never nil in an operation.
type caller struct {
	*models.Identity // nil for nobody

	addr  netip.Addr
	agent string // what the client calls itself
	// secret is that of the session, for signing out.
	secret string
	// refused is why whatever says who asks is not believed, nil when it is.
	refused error
}

type callerKey struct{}

// callerOf is who asked for what is done under a context.
func callerOf(ctx context.Context) *caller {
	if c, ok := ctx.Value(callerKey{}).(*caller); ok {
		return c
	}
	return &caller{}
}

// memberID is the id of who asks, "" for nobody. Where an operation needs a
// member it is never "".
func memberID(ctx context.Context) string {
	if c := callerOf(ctx); c.Identity != nil {
		return c.Member.ID
	}
	return ""
}

// sessionCookie holds the secret of a browser's session. Over HTTPS its name
// makes browsers refuse one that another host or an insecure page has set.
func (s *Server) sessionCookie() string {
	if s.site.HTTPS() {
		return "__Host-session"
	}
	return "session"
}

// identify finds out who makes a request. A token that is not good is refused,
// so that nobody believes to be somebody; a session that is over is nobody's.
func (s *Server) identify(ctx *fasthttp.RequestCtx, x *exchange) (err error) {
	x.caller.Identity, x.caller.secret, err = s.identityIn(&ctx.Request.Header)
	return err
}

// identityIn is who the header of a request says asks, nil for nobody, and the
// secret of the session it says so by.
func (s *Server) identityIn(h *fasthttp.RequestHeader) (id *models.Identity, secret string, err error) {
	field := h.Peek("Authorization")
	cookie := h.Cookie(s.sessionCookie())
	if len(field) > 0 {
		scheme, secret, _ := bytes.Cut(field, []byte(" "))
		if !strings.EqualFold(string(scheme), "Bearer") {
			return nil, "", errBadToken
		}
		id, err := s.store.TokenIdentity(context.Background(), string(bytes.TrimSpace(secret)))
		if err == nil && id == nil {
			err = errBadToken
		}
		return id, "", err
	}
	if len(cookie) == 0 {
		return nil, "", nil
	}
	id, err = s.store.Session(context.Background(), string(cookie))
	return id, string(cookie), err
}

// allow reports nil when the caller may do the operation, else who may.
func (o *Operation) allow(c *caller) error {
	switch {
	case c.refused != nil && !o.Live:
		return c.refused
	case o.Access == Everybody:
		return nil
	case c.Identity == nil:
		return errUnauthenticated
	case o.Writes() && c.Account.Suspended() && o.Access != SignedIn:
		return errSuspended
	case o.Access == SignedIn && !c.Session:
		return errSessionOnly
	case o.Access == Operators && c.Account.Role != models.RoleOperator:
		return errNotOperator
	case o.Scope != "" && !c.Scopes.Has(o.Scope):
		return &models.Error{Kind: models.Forbidden, Code: "insufficient_scope",
			Message: fmt.Sprintf("The token has the scopes %q and needs %s.", c.Scopes, o.Scope),
			Hint:    fmt.Sprintf("Make a token with the scope %s at /account/tokens.", o.Scope)}
	}
	return nil
}

// need is what a tool's description says of who may call it, "" for everybody.
func (o *Operation) need() string {
	switch o.Access {
	case Members:
		return " Needs a token with the scope " + string(o.Scope) + "."
	case Operators:
		return " Needs an operator's token with the scope " + string(o.Scope) + "."
	}
	return ""
}

// Why a caller may not.
var (
	errUnauthenticated = fromCode("unauthenticated")
	errBadToken        = fromCode("invalid_token")
	errSuspended       = fromCode("account_suspended")
	errSessionOnly     = fromCode("session_required")
	errNotOperator     = fromCode("operators_only")
)

// challenge is the WWW-Authenticate field of a refusal, RFC 6750.
func (s *Server) challenge(code string, scope models.Scope) string {
	field := `Bearer realm="` + strings.ReplaceAll(escapeHeader(s.site.Name), "%20", " ") + `"`
	switch code {
	case "invalid_token", "insufficient_scope":
		field += `, error="` + code + `"`
	}
	if scope != "" {
		field += `, scope="` + string(scope) + `"`
	}
	return field
}

// setSession writes the cookie of a browser's session, or with "" drops it.
func (s *Server) setSession(ctx *fasthttp.RequestCtx, secret string) {
	s.setCookie(ctx, s.sessionCookie(), secret, models.SessionMost)
}
