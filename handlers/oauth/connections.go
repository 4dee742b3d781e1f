package oauth

import (
	"context"
	"net/http"
	"time"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/oauth"
	"github.com/secondlight/secondlight/views/ui"
)

// connectionsPage is the path of the page of the apps that a member connected.
const connectionsPage = "/account/connections"

// connectionOps holds the operations on the apps that members connected with OAuth.
type connectionOps struct{ Deps }

func (s connectionOps) listConnections() web.Operation {
	return web.Op[struct{}, *views.Connections]{
		Name:    "list_connections",
		Path:    "/api/connections",
		Page:    connectionsPage,
		Tag:     "Account",
		Access:  web.Members,
		Scope:   string(models.TokensWrite),
		Title:   "List connected apps",
		Summary: "Lists the apps that you connected to your account.",
		Description: "Returns every app that can act for you: what it may do, until when, and when it was last used. " +
			"Use end_connection to disconnect one.",
		Sample: func() *views.Connections { return views.NewConnections(s.Site, sampleGrants()) },
		Do: func(ctx context.Context, _ *struct{}) (*views.Connections, error) {
			return s.connections(ctx)
		},
	}.Operation()
}

func (s connectionOps) showConnect() web.Operation {
	show := func() *views.Connect {
		return views.NewConnect(s.Site, s.Site.URL(web.MCPPath), s.Site.URL(web.MCPMemberPath))
	}
	return web.Op[struct{}, *views.Connect]{
		Name: "show_connect", Page: ui.ConnectPath, Tag: "Account", Title: "Connect a chat app",
		Summary:     "Says how to connect Claude, ChatGPT, VS Code or Cursor, and what such an app may do.",
		Description: "Returns the address of the MCP server, and what to do in each app.",
		Sample:      show,
		Do:          func(context.Context, *struct{}) (*views.Connect, error) { return show(), nil },
	}.Operation()
}

// connections returns the caller's connections.
func (s connectionOps) connections(ctx context.Context) (*views.Connections, error) {
	grants, err := s.Tokens.Grants(ctx, caller.ID(ctx))
	if err != nil {
		return nil, err
	}
	return views.NewConnections(s.Site, grants), nil
}

type connectionInput struct {
	ID string `json:"id" in:"path" jsonschema:"id of the connection, from list_connections" example:"019aa7d2-7c00-7000-8000-00000000000c"`
}

func (s connectionOps) endConnection() web.Operation {
	return web.Op[connectionInput, *views.Connections]{
		Name:        "end_connection",
		Method:      http.MethodDelete,
		Path:        "/api/connections/{id}",
		Page:        connectionsPage + "/{id}/end",
		Form:        connectionsPage,
		Tag:         "Account",
		Access:      web.Members,
		Scope:       string(models.TokensWrite),
		Destructive: true,
		Done:        "App disconnected.",
		Title:       "Disconnect an app",
		Summary:     "Disconnects an app from your account.",
		Description: "Ends an app's access immediately; to get it back, the app has to ask again. Returns the remaining connections.",
		Errors:      []string{"connection_not_found"},
		Sample:      func() *views.Connections { return views.NewConnections(s.Site, sampleGrants()[:1]) },
		Do: func(ctx context.Context, in *connectionInput) (*views.Connections, error) {
			if err := s.Tokens.EndGrant(ctx, caller.ID(ctx), in.ID); err != nil {
				return nil, err
			}
			return s.connections(ctx)
		},
	}.Operation()
}

// sampleGrants returns example grants.
func sampleGrants() []models.Grant {
	day := func(month time.Month, n int) models.Time {
		return models.TimeOf(time.Date(2026, month, n, 9, 0, 0, 0, time.UTC))
	}
	return []models.Grant{
		{ID: "019aa7d2-7c00-7000-8000-00000000000c", ClientID: "https://chat.example/client.json", ClientName: "Chat", RedirectURI: "https://chat.example/callback",
			Scopes: models.Scopes{models.AccountRead, models.OffersWrite}, CreatedAt: day(11, 20), UsedAt: day(11, 21), ExpiresAt: models.TimeOf(time.Date(2027, 2, 18, 9, 0, 0, 0, time.UTC))},
		{ID: "0199d2a4-5c00-7000-8000-00000000000d", ClientID: "0199d2a4-5c00-7000-8000-00000000000e", ClientName: "Editor", RedirectURI: "http://127.0.0.1/callback",
			Scopes: models.Scopes{models.ListingsWrite}, CreatedAt: day(10, 11), UsedAt: day(11, 2), ExpiresAt: models.TimeOf(time.Date(2027, 1, 9, 9, 0, 0, 0, time.UTC))},
	}
}
