package handlers

import "github.com/secondlight/secondlight/handlers/web"

// searchOperations returns the operations of the package.
func searchOperations(deps searchDeps) []web.Operation {
	search := searchOps{deps}
	return []web.Operation{
		search.searchListings(),
		search.suggestSearches(),
	}
}
