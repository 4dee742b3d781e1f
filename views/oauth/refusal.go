package oauth

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Refusal is the page that says why an app can't be connected. The member follows its link
// to the app, or doesn't: nobody is sent to an address that they haven't seen.
type Refusal struct {
	Host   string `json:"host" jsonschema:"where the link leads"`
	Reason string `json:"reason" jsonschema:"what is wrong with the app's request"`
	back   string // address of the app, with the error
	site   *ui.Site
}

// NewRefusal returns the page for an error, with a link to the address of the app that
// tells it the error.
func NewRefusal(site *ui.Site, e *models.OAuthError, back string) *Refusal {
	return &Refusal{Host: ui.HostOf(back), Reason: e.Error(), back: back, site: site}
}

// Head implements Page.
func (p *Refusal) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "The app can't be connected"), Description: ui.T(ctx, "An app gets no access to your account."), Path: "/oauth/authorize", NoIndex: true}
}

// Markdown implements Page.
func (p *Refusal) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "The app can't be connected"), "").In(ctx)
	m.Paragraph(p.Reason)
	return m.Done(w)
}
