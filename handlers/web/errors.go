package web

// Errors of the server itself.
var (
	errUnknownMethod = NewError("method_not_implemented")
	errCrossSite     = NewError("cross_site")
)
