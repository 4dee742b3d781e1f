// Package listing has the operations that read, create, edit and sell listings.
package listing

import (
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/photo"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// Deps are the stores and services that the operations use.
type Deps struct {
	Listings   *store.Listings
	Trades     *store.Trades
	Watches    *store.Watches
	Prices     *store.Prices
	Store      *store.Store
	Site       *ui.Site
	Catalog    *catalog.Catalog
	Index      *search.Index
	Gear       *market.Names
	Cards      *market.Cards
	Estimates  *market.Estimates
	Guides     *market.Guides
	Amounts    *market.Amounts
	Uploads    *photo.Uploads
	Documented func(code string) bool // reports whether an error code is documented
	Clock      models.Clock
}
