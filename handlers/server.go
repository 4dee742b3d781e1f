// Package handlers makes the server of the site: it builds what the operations use, mounts
// them on the framework of package web, and runs the background jobs. The packages in its
// folder hold the operations, one per noun.
package handlers

import (
	"context"
	"net"
	"time"

	"github.com/secondlight/secondlight/models/delivery"

	"github.com/secondlight/secondlight/handlers/watch"
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models"
)

// Server serves the site over HTTP and runs its background jobs.
type Server struct {
	*serve.Server
	watch.Alerts
	*services
	*upkeep
	*nounDeps
	cfg    *Config
	health *health
}

// Starting answers requests until a Server listens.
type Starting = serve.Starting

// NewStarting answers requests on a listener until a Server is ready to take it over: the
// probes, and all others with 503.
func NewStarting(ln net.Listener) *Starting { return serve.NewStarting(ln) }

// CheckListen checks that an address can be listened on, and returns it: see serve.CheckListen.
func CheckListen(ctx context.Context, address string) (net.Addr, error) {
	return serve.CheckListen(ctx, address)
}

// RunImports runs the imports whose files are on this server.
func (s *Server) RunImports(ctx context.Context) error { return s.admin.RunImports(ctx) }

// RecordDelivery records an attempt to send a delivery as a run of its job. err is nil if
// it was sent.
func (s *Server) RecordDelivery(ctx context.Context, kind models.DeliveryKind, started time.Time, took time.Duration, err error) {
	s.schedule.RecordDelivery(ctx, kind, started, took, err)
}

// UseFiles reads the portfolio, the settings and the pages of the site again, after the mirror
// has fetched changes, and drops cached responses.
func (s *Server) UseFiles() {
	if s.cfg.Library != nil {
		s.cfg.Library.Reload()
	}
	s.settings.Reload()
	if err := s.pages.Reload(context.Background()); err != nil {
		s.cfg.Log.Warn("read pages", "err", err)
	}
	s.Changed()
}

// MailServer returns the mail server that the owner has set, with the address of the sender, and nil
// if they have set none.
func (s *Server) MailServer(ctx context.Context) (*delivery.SMTP, string, error) {
	return s.mailServers.Current(ctx)
}
