// Package price has the operations on what gear sells for, and on the gear that members own.
package price

import (
	"context"

	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/store"
	listingviews "github.com/secondlight/secondlight/views/listing"
	"github.com/secondlight/secondlight/views/ui"
)

// Deps are the stores and services that the operations use.
type Deps struct {
	Listings     *store.Listings
	Accounts     *store.Accounts
	Watches      *store.Watches
	Prices       *store.Prices
	Site         *ui.Site
	Catalog      *catalog.Catalog
	Gear         *market.Names
	Cards        *market.Cards
	Estimates    *market.Estimates
	Guides       *market.Guides
	Amounts      *market.Amounts
	Clock        models.Clock
	ListingParts func(context.Context, *models.Listing) (listingviews.ListingParts, error)
}
