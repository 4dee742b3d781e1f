// Package oauth renders the consent to apps, and the list of connected apps.
package oauth

import (
	"context"
	"io"
	"net/netip"

	"github.com/secondlight/secondlight/models"
	accountviews "github.com/secondlight/secondlight/views/account"
	"github.com/secondlight/secondlight/views/ui"
)

// Consent is the page that asks a member to let an app act for them.
type Consent struct {
	App       string                   `json:"app" jsonschema:"name of the app, as it calls itself" untrusted:"true"`
	Host      string                   `json:"host" jsonschema:"host of the app"`
	Return    string                   `json:"return" jsonschema:"where the member is sent afterwards"`
	Handle    string                   `json:"handle"`
	Scopes    []accountviews.ScopeCard `json:"scopes"`
	ExpiresAt string                   `json:"expires_at"`
	verified  bool                     // the app is identified by an address on its host
	local     bool                     // the app runs on the member's own computer
	code      string
	site      *ui.Site
}

// ConsentRequest is what an app asks a member to allow.
type ConsentRequest struct {
	ClientID, ClientName, RedirectURI string
	Scopes                            models.Scopes
	Handle                            string
	Until                             models.Time
	Code                              string // one-time code of the page
}

// NewConsent returns the page that asks a member to allow a request.
func NewConsent(site *ui.Site, r *ConsentRequest) *Consent {
	host := appHost(r.ClientID, r.RedirectURI)
	p := &Consent{App: appName(r.ClientName, host), Host: host, Return: ui.HostOf(r.RedirectURI), Handle: r.Handle, ExpiresAt: r.Until.RFC3339(),
		verified: ui.HostOf(r.ClientID) != "", local: isLocal(ui.HostOf(r.RedirectURI)), code: r.Code, site: site}
	for _, s := range r.Scopes {
		p.Scopes = append(p.Scopes, accountviews.ScopeCard{Scope: s, Meaning: accountviews.ScopeText[s]})
	}
	return p
}

// appHost returns the host of an app: that of the address it is identified by,
// otherwise that of its redirect URI.
func appHost(clientID, redirectURI string) string {
	if host := ui.HostOf(clientID); host != "" {
		return host
	}
	if host := ui.HostOf(redirectURI); !isLocal(host) {
		return host
	}
	return "localhost"
}

// isLocal reports whether a host is the member's own computer.
func isLocal(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// appName returns the name of an app, or its host if it has none.
func appName(name, host string) string {
	if name != "" {
		return name
	}
	return host
}

// PlainName returns a name that somebody else chose as one line of at most n visible
// characters.
func PlainName(name string, n int) string {
	runes := []rune(ui.OneLine(ui.Visible(name)))
	return string(runes[:min(len(runes), n)])
}

// Head implements Page.
func (p *Consent) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Connect an app"), Description: ui.T(ctx, "An app wants access to your account."), Path: "/oauth/authorize", NoIndex: true}
}

// warning returns what the member should check before they allow the request.
func (p *Consent) warning(ctx context.Context) string {
	switch {
	case p.local:
		return ui.T(ctx, "This app runs on your computer. Only continue if you've just started connecting it there.")
	case !p.verified:
		return ui.T(ctx, "Apps choose their own names. Only continue if you've just started connecting one at %s.", p.Return)
	}
	return ui.T(ctx, "Only continue if you've just started connecting it at %s.", p.Host)
}

// choices returns the scopes as check boxes.
func (p *Consent) choices() []ui.Choice {
	var all []ui.Choice
	for _, s := range p.Scopes {
		all = append(all, ui.Choice{Value: string(s.Scope), Label: s.Meaning, Chosen: true})
	}
	return all
}

// Markdown implements Page.
func (p *Consent) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Connect %s?", ui.Untrusted(p.App)), "").In(ctx)
	m.Paragraph(ui.T(ctx, "An app wants access to your account. Open this page in a browser to allow it."))
	return m.Done(w)
}
