package handlers

import (
	"context"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views"
)

// homeDeps are the stores and services that the operations use.
type homeDeps struct {
	Trades    *store.Trades
	Prices    *store.Prices
	Site      *views.Site
	Catalog   *catalog.Catalog
	Index     *search.Index
	Library   *portfolio.Library
	Gear      *gearNames
	Cards     *cardMaker
	Checklist *checklister
	Clock     models.Clock
	Trend     func(context.Context, *catalog.Gear) (*views.Trend, error)
}

// homeOperations returns the operations of the package.
func homeOperations(deps homeDeps) []web.Operation {
	home := homeOps{deps}
	return []web.Operation{
		home.getHome(),
		home.previewSite(),
	}
}

// showPrimitives returns the operation that shows all UI components, for development.
func (s homeDeps) showPrimitives() web.Operation { return homeOps{s}.primitives() }
