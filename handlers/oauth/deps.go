// Package oauth is the authorization server for apps that members connect.
package oauth

import (
	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// Deps are the stores and services that the operations use.
type Deps struct {
	Tokens *store.Tokens
	Site   *ui.Site
	Mailer *mailer.Mailer
	Guard  *delivery.Guard
	Server *serve.Server
	Clock  models.Clock
}
