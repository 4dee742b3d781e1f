package oauth

import "github.com/secondlight/secondlight/handlers/web"

// Operations returns the operations of the package.
func Operations(deps Deps) []web.Operation {
	connection := connectionOps{deps}
	return []web.Operation{
		connection.listConnections(),
		connection.endConnection(),
		connection.showConnect(),
	}
}
