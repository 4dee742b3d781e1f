package web

import (
	"cmp"
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
