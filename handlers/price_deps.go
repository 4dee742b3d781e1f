package handlers

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/store"
	listingviews "github.com/secondlight/secondlight/views/listing"
	"github.com/secondlight/secondlight/views/ui"
)

// priceDeps are the stores and services that the operations use.
type priceDeps struct {
	Listings     *store.Listings
	Accounts     *store.Accounts
	Watches      *store.Watches
	Prices       *store.Prices
	Site         *ui.Site
	Catalog      *catalog.Catalog
	Gear         *gearNames
	Cards        *cardMaker
	Estimates    *estimates
	Guides       *priceGuides
	Amounts      *amounts
	Clock        models.Clock
	ListingParts func(context.Context, *models.Listing) (listingviews.ListingParts, error)
}
