package handlers

import "github.com/secondlight/secondlight/handlers/web"

// oauthOperations returns the operations of the package.
func oauthOperations(deps oauthDeps) []web.Operation {
	connection := connectionOps{deps}
	return []web.Operation{
		connection.listConnections(),
		connection.endConnection(),
	}
}
