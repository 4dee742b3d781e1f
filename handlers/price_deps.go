package handlers

import (
	"context"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views"
)

// priceDeps are the stores and services that the operations use.
type priceDeps struct {
	Listings     *store.Listings
	Accounts     *store.Accounts
	Watches      *store.Watches
	Prices       *store.Prices
	Site         *views.Site
	Catalog      *catalog.Catalog
	Gear         *gearNames
	Cards        *cardMaker
	Estimates    *estimates
	Guides       *priceGuides
	Amounts      *amounts
	Clock        models.Clock
	ListingParts func(context.Context, *models.Listing) (views.ListingParts, error)
}
