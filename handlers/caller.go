package handlers

import (
	"context"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
)

// identityOf returns the identity of the member who calls an operation, or nil for an anonymous caller.
func identityOf(ctx context.Context) *models.Identity {
	c := web.CallerOf(ctx)
	if c.Identity == nil {
		return nil
	}
	return c.Member.(*models.Identity)
}

// memberID returns the id of the member who calls an operation, or "" for an anonymous caller.
func memberID(ctx context.Context) string { return web.MemberID(ctx) }

// clientAddr returns the network address that login attempts are counted by.
func clientAddr(ctx context.Context) string {
	return web.RateLimitAddr(web.CallerOf(ctx).Addr).String()
}
