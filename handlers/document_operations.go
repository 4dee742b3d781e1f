package handlers

import "github.com/secondlight/secondlight/handlers/web"

// documentOperations returns the operations of the package.
func documentOperations(deps documentDeps) []web.Operation {
	documents := documents{deps}
	return []web.Operation{
		documents.readReference(),
		documents.getOperation(),
	}
}

// mount serves the documents that describe the site. Call it after all operations
// are mounted.
func (s documentDeps) mount() { documents{s}.mount() }

// apiInfo returns the metadata of the API.
func (s documentDeps) apiInfo() web.APIInfo { return documents{s}.apiInfo() }
