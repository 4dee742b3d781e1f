package search

import "github.com/secondlight/secondlight/handlers/web"

// Operations returns the operations of the package.
func Operations(deps Deps) []web.Operation {
	search := searchOps{deps}
	return []web.Operation{
		search.searchListings(),
		search.suggestSearches(),
		search.browseCategory(),
		search.browsePart(),
		search.find(),
		search.fetch(),
	}
}
