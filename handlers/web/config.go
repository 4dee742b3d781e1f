// Package web is the ground of an HTTP framework. An operation is defined once (see Op)
// and served as HTML pages, as a JSON API, as Markdown and as a tool of the Model Context
// Protocol. Every response follows the same rules for content negotiation, rate limits,
// caching, idempotency and errors.
//
// The package does not depend on the site's domain, which it receives in Config. Package
// serve answers requests with what is defined here.
package web

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/text/language"

	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/handlers/web/limit"
)

// Config configures a Server.
type Config struct {
	Name    func() string // name of the site, which may change
	BaseURL string        // scheme and host without a trailing slash: "https://secondlight.example"

	Layout      Layout
	Vocabulary  *bind.Vocabulary
	Results     []Result    // what tools return instead of pages
	Codes       []ErrorCode // error codes of the site, in addition to those of the framework
	API         APIInfo
	Auth        Authenticator
	Idempotency IdempotencyStore
	Updates     Updates   // nil takes no subscriptions
	Completer   Completer // nil completes only values that the operations define

	// Version returns a number that changes when all cached responses become outdated.
	Version func() uint64
	// Ready returns why the server is not to receive requests, such as a database that
	// does not answer, or nil. It may be nil.
	Ready func() error
	// Unavailable reports whether an error is temporary, such as a full disk: the
	// response is a 503. It may be nil.
	Unavailable func(error) bool
	// Away returns for how long the data cannot be read, 0 if it can. Meanwhile cached
	// responses are sent even if they may be outdated. It may be nil.
	Away func() time.Duration
	// Settle waits until responses reflect the writes that are complete, and reports
	// what they changed to Server.Changed. It is called after each write; nil drops all
	// cached responses.
	Settle func(context.Context)
	// Scopes are the scopes that clients may ask members for with OAuth, nil if the site
	// has no authorization server.
	Scopes []string
	// Languages are the languages that HTML and Markdown can be in. The first is for
	// clients that ask for none of them, until OfferLanguages; nil means English. JSON is in
	// English.
	Languages []language.Tag
	// Hidden reports whether an operation is not part of the site at the moment: its
	// addresses are not found, and no document lists it. It may be nil.
	Hidden func(*Operation) bool
	// Localize returns a copy of ctx in which pages are in one of the languages. It may be
	// nil.
	Localize func(ctx context.Context, language language.Tag) context.Context
	// InZone returns a copy of ctx in which pages have times in a time zone, or ctx if there
	// is no zone with that name. It may be nil.
	InZone func(ctx context.Context, zone string) context.Context
	// SignIn is the path of the sign-in page.
	SignIn string
	// PopupPaths are paths, with those below them, of pages that other origins open as
	// pop-up windows and wait for, such as that of signing in.
	PopupPaths []string
	// SessionLife is the lifetime of the session cookie.
	SessionLife time.Duration
	// AssetPaths are path prefixes, in addition to /static/, whose requests do not count
	// towards the rate limit unless a handler calls Charge.
	AssetPaths []string

	// RateLimit is the number of requests per minute that a client may make to the API;
	// pages allow ten times as many. 0 means 100.
	RateLimit int
	// Redis counts the requests to all servers towards one rate limit. If it is nil or does
	// not answer, each server has its own.
	Redis *limit.Redis
	// TrustedProxies are the networks whose X-Forwarded-For and X-Request-Id fields are
	// trusted.
	TrustedProxies []netip.Prefix

	// Observe is called after each response and tool call; it may be nil.
	Observe func(Observation)
	// Tracer makes a span of each request and tool call; nil makes none.
	Tracer trace.Tracer
	// AccessLog is the share of requests that are logged, from 0 to 1. Above 0, those that
	// fail or are slow are logged in any case.
	AccessLog float64

	Clock func() time.Time // nil means time.Now
	Log   *slog.Logger     // nil means slog.Default
}

// APIInfo describes the API for its documentation.
type APIInfo struct {
	Version              string
	Summary, Description string
	Contact              func() string     // name of the contact
	Tags                 map[string]string // descriptions of tags
	Implementation       func() *mcp.Implementation
	Instructions         string   // of the MCP server, for language models
	Tools                []Tool   // in the order in which they are listed
	Toolsets             []string // names of the sets of tools
	Apps                 []App
	OAuth                OAuthFlow
	Webhooks             []Webhook
	// SplitName returns the values of the parameters brand and model of an operation for a
	// name that has both, "" for an unknown name. It may be nil.
	SplitName func(name string) (brand, model string)
}

// OAuthFlow describes how apps get access to the account of a member.
type OAuthFlow struct {
	Authorize, Token string            // paths of the endpoints
	Scopes           map[string]string // descriptions of scopes
}

// Webhook describes an event that the site posts to servers of members.
type Webhook struct {
	Event, Summary string
	Tag            string
	Body           any // an example
}

// Observation describes a response or the result of a tool call, for metrics.
type Observation struct {
	Operation string // name of the operation, "file" for files and photographs, "other" for anything else
	Format    string // "html", "json", "mcp" for a tool call; "" for anything but an operation
	Status    int    // of HTTP; that of the error for a tool call
	Took      time.Duration
}

// IdempotencyStore stores the results of writes by idempotency key.
type IdempotencyStore interface {
	// Claim reserves a key for a member's write. If the write has been done before,
	// it returns a nil Claim and the stored result. It returns an error if the key is
	// in use, or was used for a request with another fingerprint.
	Claim(ctx context.Context, member, operation, key, fingerprint string) (Claim, []byte, error)
}

// Claim is a write in progress under an idempotency key.
type Claim interface {
	// Context returns the context to do the write under.
	Context(ctx context.Context) context.Context
	// Complete stores the result, for further requests with the key, and the location
	// of the resource that the write created, "" for none. Of an old result the location
	// may be all that remains.
	Complete(ctx context.Context, answer []byte, location string) error
	// Release makes the key available again: the write was not done.
	Release(ctx context.Context) error
}
