package views

import (
	"context"
	"fmt"
	"io"
)

// Health is the response of the health check.
type Health struct {
	Status    string `json:"status" jsonschema:"ok, or degraded while some requests fail, such as all writes when the disk is full" enum:"ok,degraded"`
	Timestamp string `json:"timestamp" jsonschema:"the server's time, RFC 3339 UTC with six decimals"`
}

// Head implements Page.
func (h *Health) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Health"), Description: t(ctx, "The service answers."), Path: "/api/health", NoIndex: true}
}

// Markdown implements Page.
func (h *Health) Markdown(ctx context.Context, w io.Writer) error {
	_, err := fmt.Fprintf(w, "# %s\n\n- status: %s\n- timestamp: %s\n", t(ctx, "Health"), h.Status, h.Timestamp)
	return err
}
