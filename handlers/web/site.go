package web

import (
	"bytes"
	"cmp"
	"context"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/handlers/web/limit"
	"github.com/valyala/fasthttp"
)

// Site is what all ways of serving the operations of a site share. Create one with NewSite.
type Site struct {
	Config
	Ops         []Operation
	Codes       *errorCatalogue
	ProblemPage reflect.Type // type of error pages
	HTTPS       bool
	StoreTool   func(op *Operation, page Page) (*StoredTool, error) // returns the result of a write's tool
	turns       limit.Turns                                         // of operations with a Cost
}

// NewSite returns a site without operations.
func NewSite(cfg Config) *Site {
	cfg.Log = cmp.Or(cfg.Log, slog.Default())
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	return &Site{Config: cfg, Codes: newErrorCatalogue(cfg.Codes), HTTPS: strings.HasPrefix(cfg.BaseURL, "https://"),
		ProblemPage: reflect.TypeOf(cfg.Layout.Problem(&Problem{})).Elem()}
}

// Operations returns the operations in the order they were mounted, without hidden ones.
func (s *Site) Operations() []*Operation {
	all := make([]*Operation, 0, len(s.Ops))
	for i := range s.Ops {
		if op := &s.Ops[i]; !s.Hides(op) {
			all = append(all, op)
		}
	}
	return all
}

// Hides reports whether an operation is not part of the site at the moment.
func (s *Site) Hides(op *Operation) bool { return s.Hidden != nil && s.Hidden(op) }

// API returns the operations that have an API path.
func (s *Site) API() []*Operation {
	return slices.DeleteFunc(s.Operations(), func(o *Operation) bool { return o.Path == "" })
}

// URL returns the absolute URL of a path on this site.
func (s *Site) URL(path string) string { return s.BaseURL + path }

// Host returns the host name of the site without its port: "secondlight.example".
func (s *Site) Host() string {
	_, host, _ := strings.Cut(s.BaseURL, "://")
	if at := strings.LastIndexByte(host, ':'); at > strings.LastIndexByte(host, ']') {
		host = host[:at]
	}
	return host
}

// ErrorCodes returns every error code of the site, sorted by status.
func (s *Site) ErrorCodes() []ErrorCode { return s.Codes.all }

// HasErrorCode reports whether a code is documented.
func (s *Site) HasErrorCode(code string) bool { return s.Codes.byCode[code] != nil }

// OperationAt returns the operation with a method and a path of the API, and the values
// of its path parameters as arguments. It returns nil if there is none.
func (s *Site) OperationAt(method, path string) (op *Operation, args []string) {
	for i := range s.Ops {
		o := &s.Ops[i]
		if o.Path == "" || o.Method != method || !MatchesPattern(o.Path, path) || op != nil && !strings.Contains(op.Path, "{") {
			continue
		}
		op, args = o, nil
		for _, name := range bind.PathNames(o.Path) {
			value := PathValues(o.Path, path)[name]
			if strings.HasPrefix(value, "{") {
				value = "…"
			}
			args = append(args, name+"="+value)
		}
	}
	return op, args
}

// PageAt returns the public page at a path of the site.
func (s *Site) PageAt(ctx context.Context, path string) (Page, error) {
	for i := range s.Ops {
		op := &s.Ops[i]
		if op.Page != "" && op.Open() && !s.Hides(op) && MatchesPattern(op.Page, path) {
			return op.PageAt(ctx, path)
		}
	}
	return nil, NewError("page_not_found")
}

// SessionCookie returns the name of the cookie that holds the session secret. Over
// HTTPS it has the prefix __Host-, so that browsers reject a cookie set by another
// host or over HTTP.
func (s *Site) SessionCookie() string {
	if s.HTTPS {
		return "__Host-session"
	}
	return "session"
}

// PassCookie returns the name of the cookie for pages with a password of their own, with the
// same prefix.
func (s *Site) PassCookie() string {
	if s.HTTPS {
		return "__Host-pass"
	}
	return "pass"
}

// IdentityFromHeader returns the member that the credentials in a request header
// belong to, nil if there are none, and the session secret if there is one.
func (s *Site) IdentityFromHeader(ctx context.Context, h *fasthttp.RequestHeader) (id *Identity, secret string, err error) {
	field := h.Peek("Authorization")
	cookie := h.Cookie(s.SessionCookie())
	if len(field) > 0 {
		scheme, secret, _ := bytes.Cut(field, []byte(" "))
		if !strings.EqualFold(string(scheme), "Bearer") {
			return nil, "", errBadToken
		}
		id, err := s.Auth.Token(ctx, string(bytes.TrimSpace(secret)))
		if err == nil && id == nil {
			err = errBadToken
		}
		return id, "", err
	}
	if len(cookie) == 0 {
		return nil, "", nil
	}
	id, err = s.Auth.Session(ctx, string(cookie))
	return id, string(cookie), err
}
