package handlers

import (
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// gearDeps are the stores and services that the operations use.
type gearDeps struct {
	Prices    *store.Prices
	Site      *ui.Site
	Catalog   *catalog.Catalog
	Index     *search.Index
	Library   *portfolio.Library
	Gear      *gearNames
	Cards     *cardMaker
	Estimates *estimates
}
