package watch

import "github.com/secondlight/secondlight/handlers/web"

// Operations returns the operations of the package.
func Operations(deps Deps) []web.Operation {
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

// Mount serves the stream of events, the feeds of saved searches and the links that end their
// emails.
func (s Deps) Mount() {
	savedSearchOps{s}.mountFeeds()
	eventOps{s}.mount()
}

// Updates follows the changes of pages for MCP clients.
func (s Deps) Updates() web.Updates { return updates{s} }
