// Package oauth is the authorization server for apps that members connect.
package oauth

import (
	"net/url"
	"slices"
	"strings"

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

// oauthServer is an OAuth 2.1 authorization server for public clients: it issues access
// tokens of the API and of MCP to programs that members connect. Its handlers follow
// RFC 6749, 7009, 7591, 7636, 8414, 8707, 9207 and 9728.
type oauthServer struct {
	Deps
	Server
	documents *clientDocuments
}

// resource returns the resource that an address (RFC 8707) names, without a query, or
// false if it is none of this server's.
func (o oauthServer) resource(address string) (string, bool) {
	address, _, _ = strings.Cut(address, "?")
	address = strings.TrimSuffix(address, "/")
	return address, HasResource(o.Site, address)
}

// oauthResources are the paths of the resources that tokens are for. A token for one is
// accepted by all, since all have the same operations.
var oauthResources = []string{"", web.MCPPath, web.MCPMemberPath}

// HasResource reports whether an address is a resource of this server.
func HasResource(site *ui.Site, address string) bool {
	path, ok := strings.CutPrefix(address, site.BaseURL)
	return ok && (slices.Contains(oauthResources, path) || path == "/api")
}

// formValues returns the fields of a form in the body of a request.
func formValues(c *fiber.Ctx) (url.Values, error) {
	mediaType, _, _ := strings.Cut(string(c.Context().Request.Header.ContentType()), ";")
	if !strings.EqualFold(strings.TrimSpace(mediaType), "application/x-www-form-urlencoded") {
		return nil, web.NewError("unsupported_media_type")
	}
	form, err := url.ParseQuery(string(c.Body()))
	if err != nil {
		return nil, web.NewError("invalid_encoding")
	}
	return form, nil
}
