package handlers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/secondlight/secondlight/handlers/admin"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/store"
	adminviews "github.com/secondlight/secondlight/views/admin"
)

// ready returns an error if the server should not receive traffic.
func ready(db *store.Store) error {
	if away := db.Away(); away > admin.MaxReadyLag {
		return fmt.Errorf("the database has not answered for %v", away.Round(time.Second))
	}
	if lag := db.Lag(); lag > admin.MaxReadyLag {
		return fmt.Errorf("the search index is %v behind the database", lag.Round(time.Second))
	}
	return nil
}

// health checks whether the site can read and write its data.
type health struct {
	cfg *Config

	mu      sync.Mutex
	checked time.Time
	status  string
	err     error
}

// check returns the status, "ok" or "degraded", or an error if nothing can be read.
func (h *health) check() (status string, err error) {
	if away := h.cfg.Store.Away(); away > 0 {
		return "", unhealthy(fmt.Errorf("the database has not answered for %v", away.Round(time.Second)))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.checked.IsZero() || time.Since(h.checked) > admin.HealthInterval {
		h.status, h.err = h.measure()
		h.checked = time.Now()
	}
	return h.status, h.err
}

func (h *health) measure() (status string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), admin.HealthTimeout)
	defer cancel()
	if err := h.cfg.Store.Ping(ctx); err != nil {
		return "", unhealthy(err)
	}
	if err := errors.Join(h.writable(ctx), h.space(), h.lag()); err != nil {
		h.cfg.Log.Warn("health check: degraded", "err", err)
		return "degraded", nil
	}
	return "ok", nil
}

// unhealthy returns the error of a health check that found nothing to be readable.
func unhealthy(cause error) error {
	err := web.NewError("unavailable")
	err.Cause = fmt.Errorf("health check: %w", cause)
	return err
}

// writable returns an error if the database cannot be written.
func (h *health) writable(ctx context.Context) error {
	if err := h.cfg.Store.Site.CheckWritable(ctx); err != nil {
		return fmt.Errorf("write to the database: %w", err)
	}
	return nil
}

// space returns an error if the disk with the data folder is nearly full.
func (h *health) space() error {
	if h.cfg.DataDir == "" {
		return nil
	}
	free, err := durable.FreeBytes(h.cfg.DataDir)
	if err != nil || free >= admin.MinFreeBytes {
		return nil // some systems cannot tell
	}
	return fmt.Errorf("the disk of DATA_DIR has %d MB left", free>>20)
}

// lag returns an error if changes of the database do not reach the search index.
func (h *health) lag() error {
	if lag := h.cfg.Store.Lag(); lag > admin.MaxLag {
		return fmt.Errorf("the search index is %v behind the database", lag.Round(time.Second))
	}
	return nil
}

// operation returns the operation that reports whether the server is up.
func (h *health) operation() web.Operation {
	return web.Op[struct{}, *adminviews.Health]{
		Name:    "check_health",
		Path:    "/api/health",
		Tag:     "Service",
		Title:   "Check health",
		Summary: "Reports whether the service is up.",
		Description: "Returns 200 with the server time while the service answers. The status is degraded while some requests fail, " +
			"such as all writes when the disk is full, and 503 is returned when nothing can be read. Use it for monitoring only.",
		Live: true, Free: true, NoTool: true,
		Sample: func() *adminviews.Health {
			return &adminviews.Health{Status: "ok", Timestamp: "2026-11-21T09:00:00.123456Z", Site: "mfrggzdfmztwq2lk", Instance: "6QKZPW3FTHDJC"}
		},
		Do: func(context.Context, *struct{}) (*adminviews.Health, error) {
			status, err := h.check()
			if err != nil {
				return nil, err
			}
			return &adminviews.Health{Status: status, Timestamp: h.cfg.Clock().UTC().Format("2006-01-02T15:04:05.000000Z"), Site: h.cfg.SiteID, Instance: h.cfg.Instance}, nil
		},
	}.Operation()
}
