// Package watch has the operations on the watchlist, saved searches and changes, and queues alerts.
package watch

import (
	"log/slog"

	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/query"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	searchviews "github.com/secondlight/secondlight/views/search"
	"github.com/secondlight/secondlight/views/ui"
)

// Deps are the stores and services that the operations use.
type Deps struct {
	Listings *store.Listings
	Trades   *store.Trades
	Accounts *store.Accounts
	Watches  *store.Watches
	Prices   *store.Prices
	Store    *store.Store
	Site     *ui.Site
	Catalog  *catalog.Catalog
	Index    *search.Index
	Words    *searchviews.Vocabulary
	Cards    *market.Cards
	Queries  *query.Reader
	Hub      *EventHub
	Guard    *delivery.Guard
	Log      *slog.Logger
	Clock    models.Clock
}
