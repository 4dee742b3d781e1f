package oauth

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	accountviews "github.com/secondlight/secondlight/views/account"
	"github.com/secondlight/secondlight/views/ui"
)

// Connections is the page of the apps that a member connected.
type Connections struct {
	Text        string       `json:"text"`
	Connections []Connection `json:"connections" jsonschema:"apps that can act for you, newest first"`
	Links       []ui.Link    `json:"links"`
	site        *ui.Site
}

// Connection is an app that can act for a member.
type Connection struct {
	ID         string        `json:"id"`
	App        string        `json:"app" jsonschema:"name of the app, as it calls itself" untrusted:"true"`
	Host       string        `json:"host" jsonschema:"host of the app; localhost for a program on your computer"`
	Scopes     models.Scopes `json:"scopes" jsonschema:"what the app may do"`
	CreatedAt  string        `json:"created_at" jsonschema:"when you connected it" format:"date-time"`
	LastUsedAt string        `json:"last_used_at" jsonschema:"when it last renewed its access" format:"date-time"`
	ExpiresAt  string        `json:"expires_at" jsonschema:"when its access ends" format:"date-time"`
}

// NewConnections returns the page of the apps that a member connected.
func NewConnections(site *ui.Site, grants []models.Grant) *Connections {
	p := &Connections{Text: languages.Mark("Connected apps can act for you within the permissions you gave. Disconnect any you no longer use."),
		Connections: []Connection{}, Links: []ui.Link{{Href: ui.ConnectPath, Label: "Connect a chat app"}, {Href: "/account/settings", Label: "Settings"}, {Href: ui.TokensPath, Label: "Tokens for programs"}}, site: site}
	for i := range grants {
		g := &grants[i]
		host := appHost(g.ClientID, g.RedirectURI)
		p.Connections = append(p.Connections, Connection{ID: g.ID, App: appName(g.ClientName, host), Host: host, Scopes: g.Scopes,
			CreatedAt: g.CreatedAt.RFC3339(), LastUsedAt: g.UsedAt.RFC3339(), ExpiresAt: g.ExpiresAt.RFC3339()})
	}
	return p
}

// Head implements Page.
func (p *Connections) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Connected apps"), Description: ui.T(ctx, p.Text), Path: ui.ConnectionsPath, NoIndex: true, Crumbs: ui.AdvancedCrumbs}
}

// line returns where the app is, when it was connected and last used, and when it ends.
func (c *Connection) line(ctx context.Context) string {
	return ui.T(ctx, "%s. Connected %s, last used %s, ends %s.", c.Host, ui.DayIn(ctx, c.CreatedAt), ui.DayIn(ctx, c.LastUsedAt), ui.DayIn(ctx, c.ExpiresAt))
}

// allowed returns the scopes of the app with their meanings.
func (c *Connection) allowed(ctx context.Context) []ui.Fact {
	var all []ui.Fact
	for _, scope := range c.Scopes {
		all = append(all, ui.Fact{Name: string(scope), Value: ui.T(ctx, accountviews.ScopeText[scope])})
	}
	return all
}

// Markdown implements Page.
func (p *Connections) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Connected apps"), "").In(ctx)
	m.Paragraph(ui.T(ctx, p.Text))
	if len(p.Connections) > 0 {
		m.Raw("\n")
		m.Head("App", "Host", "Id", "Allowed", "Connected", "Last used", "Ends")
		for i := range p.Connections {
			c := &p.Connections[i]
			m.Row(ui.MarkdownText(ui.Untrusted(c.App)), ui.MarkdownText(c.Host), "`"+c.ID+"`", c.Scopes.String(), ui.DayIn(ctx, c.CreatedAt), ui.DayIn(ctx, c.LastUsedAt), ui.DayIn(ctx, c.ExpiresAt))
		}
	} else {
		m.Paragraph(ui.T(ctx, "No connected apps."))
	}
	m.Links(p.Links)
	return m.Done(w)
}
