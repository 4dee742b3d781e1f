package handlers

import (
	"bytes"
	"context"
	"io"
	"log/slog"

	"github.com/secondlight/secondlight/handlers/admin"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	homeviews "github.com/secondlight/secondlight/views/home"
	"github.com/secondlight/secondlight/views/ui"
)

// layout renders pages as HTML documents. It implements web.Layout.
type layout struct {
	site       *ui.Site
	trades     *store.Trades
	checklists *admin.Checklists
	log        *slog.Logger
}

// Document writes the HTML document of a page.
func (l layout) Document(ctx context.Context, w io.Writer, page web.Page, viewer *web.Viewer) error {
	site := l.site
	if preview, ok := page.(*homeviews.SitePreview); ok {
		site = preview.Site()
	}
	return ui.Document(site, page.(ui.Page)).Render(l.viewer(ctx, viewer).NewContext(ctx), w)
}

// ViewerLinks returns the links of the header that lead to the viewer's account.
func (l layout) ViewerLinks(ctx context.Context, viewer *web.Viewer) []byte {
	var links bytes.Buffer
	// Writing to memory does not fail.
	_ = ui.ViewerLinks(l.viewer(ctx, viewer)).Render(ctx, &links)
	return links.Bytes()
}

// viewer returns the viewer a document is rendered for, or nil for a cacheable one.
func (l layout) viewer(ctx context.Context, viewer *web.Viewer) *ui.Viewer {
	if viewer == nil {
		return nil
	}
	v := &ui.Viewer{Notice: viewer.Notice, FormKey: viewer.FormKey}
	if f := viewer.Form; f != nil {
		v.Form = &ui.Form{Operation: f.Operation, Values: f.Values, Error: errorPage(f.Problem)}
	}
	if viewer.Identity == nil {
		return v
	}
	id := viewer.Identity.Member.(*models.Identity)
	v.Handle, v.Name, v.Role = id.Member.Handle, id.Member.Name, id.Account.Role
	waiting, err := l.trades.CountWaiting(ctx, id.Member.ID)
	if err != nil {
		l.log.Error("count what waits for a member", "member", id.Member.Handle, "err", err)
	}
	v.Waiting = waiting.Total()
	if v.Role == models.RoleOperator {
		list, err := l.checklists.Of(ctx, id.Member.ID)
		if err != nil {
			l.log.Error("read checklist", "err", err)
		} else {
			v.Steps = list.Left()
		}
	}
	return v
}

// Head returns the title, description and path of a page.
func (l layout) Head(page web.Page) web.Head {
	head := page.(ui.Page).Head(context.Background())
	return web.Head{Title: head.Title, Description: head.Description, Path: head.Path}
}

// Problem returns the page of an error.
func (l layout) Problem(p *web.Problem) web.Page { return errorPage(p) }

// errorPage converts an error to its page.
func errorPage(p *web.Problem) *ui.Error {
	e := &ui.Error{Type: p.Type, Title: p.Title, Status: p.Status, Code: p.Code, Message: p.Message, Hint: p.Hint, RequestID: p.RequestID}
	for _, f := range p.Fields {
		e.Errors = append(e.Errors, ui.FieldError{Field: f.Field, Code: f.Code, Message: f.Message})
		for _, value := range f.Candidates {
			e.Candidates = append(e.Candidates, ui.Candidate{Field: f.Field, Value: value})
		}
	}
	for _, l := range p.Links {
		e.Links = append(e.Links, ui.Link{Href: l.Href, Label: l.Label})
	}
	return e
}
