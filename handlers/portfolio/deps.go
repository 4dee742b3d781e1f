// Package portfolio has the operations on the portfolio.
package portfolio

import (
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/photo"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// Deps are the stores and services that the operations use.
type Deps struct {
	Watches   *store.Watches
	Prices    *store.Prices
	Galleries *store.Galleries
	Clock     models.Clock
	Site      *ui.Site
	Catalog   *catalog.Catalog
	Library   *portfolio.Library
	Editor    *portfolio.Editor
	Gear      *market.Names
	Cards     *market.Cards
	AVIFs     *photo.AVIFs
}
