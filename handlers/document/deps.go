// Package document serves the documents that describe the site to programs.
package document

import (
	"context"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/store"
	gearviews "github.com/secondlight/secondlight/views/gear"
	"github.com/secondlight/secondlight/views/ui"
)

// Deps are the stores and services that the operations use.
type Deps struct {
	Listings *store.Listings
	Site     *ui.Site
	Catalog  *catalog.Catalog
	Library  *portfolio.Library
	Pages    *content.Pages
	Tools    []web.Tool // of the MCP server
	Toolsets []string
	Server   *serve.Server
	Clock    models.Clock
	Trend    func(context.Context, *catalog.Gear) (*gearviews.Trend, error)
}
