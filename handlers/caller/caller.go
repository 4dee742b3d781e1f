// Package caller says who calls an operation.
package caller

import (
	"context"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/limit"
	"github.com/secondlight/secondlight/models"
)

// Identity returns the identity of the member who calls an operation, or nil for an anonymous caller.
func Identity(ctx context.Context) *models.Identity {
	c := web.CallerOf(ctx)
	if c.Identity == nil {
		return nil
	}
	return c.Member.(*models.Identity)
}

// ID returns the id of the member who calls an operation, or "" for an anonymous caller.
func ID(ctx context.Context) string { return web.MemberID(ctx) }

// Addr returns the network address that login attempts are counted by.
func Addr(ctx context.Context) string {
	return limit.Addr(web.CallerOf(ctx).Addr).String()
}
