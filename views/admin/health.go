package admin

import (
	"context"
	"fmt"
	"io"

	"github.com/secondlight/secondlight/views/ui"
)

// Health is the response of the health check.
type Health struct {
	Status    string `json:"status" jsonschema:"ok, or degraded while some requests fail, such as all writes when the disk is full" enum:"ok,degraded"`
	Timestamp string `json:"timestamp" jsonschema:"the server's time, RFC 3339 UTC with six decimals"`
	Site      string `json:"site,omitempty" jsonschema:"id of the site, the same on all its servers"`
	Instance  string `json:"instance,omitempty" jsonschema:"id of the running server, another one after a restart"`
}

// Head implements Page.
func (h *Health) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Health"), Description: ui.T(ctx, "The service answers."), Path: "/api/health", NoIndex: true}
}

// Markdown implements Page.
func (h *Health) Markdown(ctx context.Context, w io.Writer) error {
	_, err := fmt.Fprintf(w, "# %s\n\n- status: %s\n- timestamp: %s\n- site: %s\n- instance: %s\n", ui.T(ctx, "Health"), h.Status, h.Timestamp, h.Site, h.Instance)
	return err
}
