// Package home has the operations of the home page.
package home

import (
	"context"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/admin"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	gearviews "github.com/secondlight/secondlight/views/gear"
	"github.com/secondlight/secondlight/views/ui"
)

// Deps are the stores and services that the operations use.
type Deps struct {
	Trends    *market.Trends
	Site      *ui.Site
	Catalog   *catalog.Catalog
	Index     *search.Index
	Library   *portfolio.Library
	Pages     *content.Pages
	Gear      *market.Names
	Cards     *market.Cards
	Checklist *admin.Checklists
	Trend     func(context.Context, *catalog.Gear) (*gearviews.Trend, error)
}
