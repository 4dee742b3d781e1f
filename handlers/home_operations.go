package handlers

import "github.com/secondlight/secondlight/handlers/web"

// homeOperations returns the operations of the package.
func homeOperations(deps homeDeps) []web.Operation {
	home := homeOps{deps}
	return []web.Operation{
		home.getHome(),
		home.previewSite(),
	}
}

// showPrimitives returns the operation that shows all UI components, for development.
func (s homeDeps) showPrimitives() web.Operation { return homeOps{s}.primitives() }
