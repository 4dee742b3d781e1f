// Package gear has the operations on the gear catalogue.
package gear

import (
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// Deps are the stores and services that the operations use.
type Deps struct {
	Prices    *store.Prices
	Trades    *store.Trades
	Records   *store.Site
	Site      *ui.Site
	Catalog   *catalog.Catalog
	Index     *search.Index
	Library   *portfolio.Library
	Gear      *market.Names
	Cards     *market.Cards
	Estimates *market.Estimates
}
