package document

import (
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/serve"
)

// Operations returns the operations of the package.
func Operations(deps Deps) []web.Operation {
	documents := Documents{deps}
	return []web.Operation{
		documents.readReference(),
		documents.getOperation(),
	}
}

// Mount serves the documents that describe the site. Call it after all operations
// are mounted.
func (s Deps) Mount(server *serve.Server) { Documents{s}.mount(server) }

// APIInfo returns the metadata of the API.
func (s Deps) APIInfo() web.APIInfo { return Documents{s}.apiInfo() }
