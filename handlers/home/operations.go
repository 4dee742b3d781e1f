package home

import "github.com/secondlight/secondlight/handlers/web"

// Operations returns the operations of the package.
func Operations(deps Deps) []web.Operation {
	home := homeOps{deps}
	return []web.Operation{
		home.getHome(),
		home.previewSite(),
	}
}

// ShowPrimitives returns the operation that shows all UI components, for development.
func (s Deps) ShowPrimitives() web.Operation { return homeOps{s}.primitives() }
