package handlers

import (
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// tradeDeps are the stores and services that the operations use.
type tradeDeps struct {
	Listings   *store.Listings
	Trades     *store.Trades
	Accounts   *store.Accounts
	Prices     *store.Prices
	Moderation *store.Moderation
	Site       *ui.Site
	Catalog    *catalog.Catalog
	Estimates  *estimates
	Amounts    *amounts
	Uploads    *photoUploads
}
