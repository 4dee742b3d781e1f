// Package trade has the operations on offers, hand-overs, messages and ratings.
package trade

import (
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/photo"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// Deps are the stores and services that the operations use.
type Deps struct {
	Listings   *store.Listings
	Trades     *store.Trades
	Accounts   *store.Accounts
	Prices     *store.Prices
	Moderation *store.Moderation
	Site       *ui.Site
	Catalog    *catalog.Catalog
	Estimates  *market.Estimates
	Amounts    *market.Amounts
	Uploads    *photo.Uploads
}
