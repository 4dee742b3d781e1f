package handlers

import (
	"context"

	"github.com/secondlight/secondlight/handlers/web"
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

// priceOperations returns the operations of the package.
func priceOperations(deps priceDeps) []web.Operation {
	price, myKit := priceOps{deps}, myKitOps{deps}
	return []web.Operation{
		price.getPrice(),
		price.showPrices(),
		price.getPriceAccuracy(),
		price.getPriceChart(),
		price.explainEstimate(),
		price.valueGear(),
		price.showValuation(),
		price.compareGear(),
		price.showComparison(),
		myKit.listKit(),
		myKit.newKitItem(),
		myKit.addToKit(),
		myKit.exportKit(),
		myKit.getKitItem(),
		myKit.editKitItem(),
		myKit.removeFromKit(),
	}
}
