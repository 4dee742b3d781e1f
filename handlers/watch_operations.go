package handlers

import "github.com/secondlight/secondlight/handlers/web"

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
