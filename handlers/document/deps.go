// Package document serves the documents that describe the site to programs.
package document

import (
	"context"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	gearviews "github.com/secondlight/secondlight/views/gear"
	"github.com/secondlight/secondlight/views/ui"
)

// Reference describes the API that is served.
type Reference interface {
	Operations() []*web.Operation
	API() []*web.Operation // those with an API path
	ErrorCodes() []web.ErrorCode
	Curl(op *web.Operation, values map[string]string) string
	Example(op *web.Operation) string // response, as indented JSON
	RateLimits() (api, pages int)     // requests per minute
	Host() string
}

// MCP describes the tools that are served.
type MCP interface {
	Tools() []web.ToolDoc
	ToolOf(operation string) (name, action string)
	ToolPhrase(operation string) string
}

// Deps are the stores and services that the operations use.
type Deps struct {
	Listings  *store.Listings
	Site      *ui.Site
	Catalog   *catalog.Catalog
	Index     *search.Index
	Library   *portfolio.Library
	Pages     *content.Pages
	Tools     []web.Tool // of the MCP server
	Toolsets  []string
	OAuth     web.OAuthFlow
	Webhooks  []web.Webhook
	Reference Reference
	MCP       MCP
	Clock     models.Clock
	Trend     func(context.Context, *catalog.Gear) (*gearviews.Trend, error)
}
