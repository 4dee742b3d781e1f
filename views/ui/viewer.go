package ui

import (
	"context"

	"github.com/secondlight/secondlight/models"
)

// Viewer is the person who reads a page in a browser. Only HTML depends on it.
type Viewer struct {
	Handle  string // "" when signed out
	Name    string
	Role    models.Role // "" when signed out
	Steps   int         // what an operator has left to do on a new site
	Waiting int         // number of messages and offers that wait for them
	Notice  string      // confirmation of the last action, "" for none
	Form    *Form       // the form that was rejected, nil for none
	FormKey string      // idempotency key of the page's forms, "" for none
}

// viewerKey is the context key of the viewer.
type viewerKey struct{}

// NewContext returns a copy of ctx in which pages are rendered for v. A nil v is an
// anonymous viewer.
func (v *Viewer) NewContext(ctx context.Context) context.Context {
	if v == nil {
		return ctx
	}
	return context.WithValue(ctx, viewerKey{}, v)
}

// ViewerOf returns the viewer of ctx, an anonymous one by default.
func ViewerOf(ctx context.Context) *Viewer {
	if v, ok := ctx.Value(viewerKey{}).(*Viewer); ok {
		return v
	}
	return &Viewer{}
}
