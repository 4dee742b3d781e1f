package watch

import (
	"github.com/gofiber/fiber/v2"
	"github.com/secondlight/secondlight/handlers/web"
)

// Operations returns the operations of the package.
func Operations(deps Deps) []web.Operation {
	savedSearch, watcher, watchlist := savedSearchOps{deps}, watcherOps{deps}, watchlistOps{deps}
	return []web.Operation{
		changeOps{deps}.listChanges(),
		savedSearch.showAdvanced(),
		savedSearch.getAccountWebhook(),
		savedSearch.setAccountWebhook(),
		savedSearch.testAccountWebhook(),
		savedSearch.redeliverWebhook(),
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

// Server serves what is not an operation.
type Server interface {
	web.Routes
	MountEvents(*web.EventStream)
	SendPrivatePage(*fiber.Ctx, web.Page) error
}

// Mount serves the stream of events, the feeds of saved searches and the links that end their
// emails.
func (s Deps) Mount(server Server) {
	savedSearchOps{s}.mountFeeds(server)
	server.MountEvents(eventOps{s}.stream())
}

// Updates follows the changes of pages for MCP clients.
func (s Deps) Updates() web.Updates { return updates{s} }
