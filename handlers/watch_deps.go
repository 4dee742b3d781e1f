package handlers

import (
	"context"
	"log/slog"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views"
)

// watchDeps are the stores and services that the operations use.
type watchDeps struct {
	Listings        *store.Listings
	Trades          *store.Trades
	Accounts        *store.Accounts
	Watches         *store.Watches
	Prices          *store.Prices
	Store           *store.Store
	Site            *views.Site
	Catalog         *catalog.Catalog
	Index           *search.Index
	Words           *views.Vocabulary
	Cards           *cardMaker
	Queries         *queryReader
	Hub             *eventHub
	Guard           *delivery.Guard
	Server          *serve.Server
	Log             *slog.Logger
	Clock           models.Clock
	NotifyKits      func(ctx context.Context, gear []string) error
	NotifyKitsOfFit func(context.Context) error
}

// watchOperations returns the operations of the package.
func watchOperations(deps watchDeps) []web.Operation {
	savedSearch, watcher, watchlist := savedSearchOps{deps}, watcherOps{deps}, watchlistOps{deps}
	return []web.Operation{
		changeOps{deps}.listChanges(),
		savedSearch.showAdvanced(),
		savedSearch.showSearchWebhook(),
		savedSearch.setSearchWebhook(),
		watcher.getWatchers(),
		watcher.messageWatchers(),
		watchlist.getWatchlist(),
		watchlist.watchListing(),
		watchlist.unwatchListing(),
		savedSearch.listSearches(),
		savedSearch.newSearch(),
		savedSearch.saveSearch(),
		savedSearch.getSearch(),
		savedSearch.editSearch(),
		savedSearch.deleteSearch(),
		savedSearch.rotateSearch(),
		savedSearch.testSearch(),
	}
}

// mount serves the stream of events, the feeds of saved searches and the links that end their
// emails.
func (s watchDeps) mount() {
	savedSearchOps{s}.mountFeeds()
	eventOps{s}.mount()
}

// updates follows the changes of pages for MCP clients.
func (s watchDeps) updates() web.Updates { return updates{s} }
