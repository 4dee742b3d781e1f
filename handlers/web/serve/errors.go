package serve

import (
	"github.com/secondlight/secondlight/handlers/web"
)

// Errors of the server itself.
var (
	errUnknownMethod = web.NewError("method_not_implemented")
	errCrossSite     = web.NewError("cross_site")
)
