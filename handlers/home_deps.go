package handlers

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	gearviews "github.com/secondlight/secondlight/views/gear"
	"github.com/secondlight/secondlight/views/ui"
)

// homeDeps are the stores and services that the operations use.
type homeDeps struct {
	Trades    *store.Trades
	Prices    *store.Prices
	Site      *ui.Site
	Catalog   *catalog.Catalog
	Index     *search.Index
	Library   *portfolio.Library
	Gear      *gearNames
	Cards     *cardMaker
	Checklist *checklister
	Clock     models.Clock
	Trend     func(context.Context, *catalog.Gear) (*gearviews.Trend, error)
}
