package handlers

import (
	"context"

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
