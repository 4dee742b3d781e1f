package web

import (
	"golang.org/x/time/rate"
)

// responder writes responses.
type responder struct {
	*Site
	languages             *languages
	cache                 *responseCache
	common                []headerField // of every response
	limiter               limiter
	apiPolicy, pagePolicy *policy
	overload              rate.Sometimes // limits what clients that exceed the limits add to the log
}
