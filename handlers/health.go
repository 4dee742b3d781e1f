package handlers

import (
	"context"

	"github.com/secondlight/secondlight/views"
)

// checkHealth says that the server answers, and what time it has.
func (s *Server) checkHealth() Operation {
	return Op[struct{}, *views.Health]{
		Name:        "check_health",
		Path:        "/api/health",
		Tag:         "Service",
		Title:       "Check health",
		Summary:     "Says that the service answers.",
		Description: "Answers 200 with the server's time while the service runs. Use it to monitor the site, not to learn about listings.",
		Live:        true,
		Do: func(context.Context, *struct{}) (*views.Health, error) {
			return &views.Health{Status: "ok", Timestamp: s.clock().UTC().Format("2006-01-02T15:04:05.000000Z")}, nil
		},
	}.Operation()
}
