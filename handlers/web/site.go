package web

import (
	"cmp"
	"context"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Site is what all ways of serving the operations of a site share. Create one with NewSite.
type Site struct {
	Config
	ops         []Operation
	codes       *errorCatalogue
	problemType reflect.Type // type of error pages
	https       bool
	storeTool   func(op *Operation, page Page) (*storedTool, error) // returns the result of a write's tool
}

// NewSite returns a site without operations.
func NewSite(cfg Config) *Site {
	cfg.Log = cmp.Or(cfg.Log, slog.Default())
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	return &Site{Config: cfg, codes: newErrorCatalogue(cfg.Codes), https: strings.HasPrefix(cfg.BaseURL, "https://"),
		problemType: reflect.TypeOf(cfg.Layout.Problem(&Problem{})).Elem()}
}

// Operations returns the operations in the order they were mounted, without hidden ones.
func (s *Site) Operations() []*Operation {
	all := make([]*Operation, 0, len(s.ops))
	for i := range s.ops {
		if op := &s.ops[i]; !s.hidden(op) {
			all = append(all, op)
		}
	}
	return all
}

// hidden reports whether an operation is not part of the site at the moment.
func (s *Site) hidden(op *Operation) bool { return s.Hidden != nil && s.Hidden(op) }

// API returns the operations that have an API path.
func (s *Site) API() []*Operation {
	return slices.DeleteFunc(s.Operations(), func(o *Operation) bool { return o.Path == "" })
}

// url returns the absolute URL of a path on this site.
func (s *Site) url(path string) string { return s.BaseURL + path }

// Host returns the host name of the site without its port: "secondlight.example".
func (s *Site) Host() string {
	_, host, _ := strings.Cut(s.BaseURL, "://")
	if at := strings.LastIndexByte(host, ':'); at > strings.LastIndexByte(host, ']') {
		host = host[:at]
	}
	return host
}

// ErrorCodes returns every error code of the site, sorted by status.
func (s *Site) ErrorCodes() []ErrorCode { return s.codes.all }

// HasErrorCode reports whether a code is documented.
func (s *Site) HasErrorCode(code string) bool { return s.codes.byCode[code] != nil }

// operationAt returns the operation with a method and a path of the API, and the values
// of its path parameters as arguments. It returns nil if there is none.
func (s *Site) operationAt(method, path string) (op *Operation, args []string) {
	for i := range s.ops {
		o := &s.ops[i]
		if o.Path == "" || o.Method != method || !matchesPattern(o.Path, path) || op != nil && !strings.Contains(op.Path, "{") {
			continue
		}
		op, args = o, nil
		for _, name := range pathNames(o.Path) {
			value := pathValues(o.Path, path)[name]
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
	for i := range s.ops {
		op := &s.ops[i]
		if op.Page != "" && op.Open() && !s.hidden(op) && matchesPattern(op.Page, path) {
			return op.PageAt(ctx, path)
		}
	}
	return nil, NewError("page_not_found")
}
