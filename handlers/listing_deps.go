package handlers

import (
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// listingDeps are the stores and services that the operations use.
type listingDeps struct {
	Listings  *store.Listings
	Trades    *store.Trades
	Watches   *store.Watches
	Prices    *store.Prices
	Store     *store.Store
	Site      *ui.Site
	Catalog   *catalog.Catalog
	Index     *search.Index
	Gear      *gearNames
	Cards     *cardMaker
	Estimates *estimates
	Guides    *priceGuides
	Amounts   *amounts
	Uploads   *photoUploads
	Server    *serve.Server
	Clock     models.Clock
}
