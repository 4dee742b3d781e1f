package handlers

import (
	"context"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/views"
)

// checkHealth returns the operation that reports whether the server is up.
func (s pageOps) checkHealth() web.Operation {
	return web.Op[struct{}, *views.Health]{
		Name:        "check_health",
		Path:        "/api/health",
		Tag:         "Service",
		Title:       "Check health",
		Summary:     "Reports whether the service is up.",
		Description: "Returns 200 with the server time while the service is up. Use it for monitoring only.",
		Live:        true,
		Do: func(context.Context, *struct{}) (*views.Health, error) {
			return &views.Health{Status: "ok", Timestamp: s.clock().UTC().Format("2006-01-02T15:04:05.000000Z")}, nil
		},
	}.Operation()
}
