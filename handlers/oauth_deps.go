package handlers

import (
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/delivery"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// oauthDeps are the stores and services that the operations use.
type oauthDeps struct {
	Tokens *store.Tokens
	Site   *ui.Site
	Mailer *mailer
	Guard  *delivery.Guard
	Server *serve.Server
	Clock  models.Clock
}
