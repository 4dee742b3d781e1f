// Package oauth is the authorization server for apps that members connect.
package oauth

import (
	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// Server serves the pages and documents of the authorization server.
type Server interface {
	web.Routes
	MountObject(path, contentType string, value func() web.Object, fields ...string)
	Charge(c *fiber.Ctx, cost int) error
	SeeOther(c *fiber.Ctx, to string) error
	SendPrivatePage(c *fiber.Ctx, page web.Page) error
}

// Deps are the stores and services that the operations use.
type Deps struct {
	Tokens *store.Tokens
	Site   *ui.Site
	Mailer *mailer.Mailer
	Guard  *delivery.Guard
	Clock  models.Clock
}
