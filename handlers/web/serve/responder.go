package serve

import (
	"golang.org/x/time/rate"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/limit"
)

// responder writes responses.
type responder struct {
	*web.Site
	languages             *languages
	cache                 *responseCache
	common, commonJSON    []headerField // of every response, and of JSON
	limiter               limit.Limiter
	apiPolicy, pagePolicy *limit.Policy
	timePolicy            *limit.Policy // of processor time
	clientErrors          *clientErrors
	overload              rate.Sometimes // limits what clients that exceed the limits add to the log
}
