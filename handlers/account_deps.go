package handlers

import (
	"context"

	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	tradeviews "github.com/secondlight/secondlight/views/trade"
	"github.com/secondlight/secondlight/views/ui"
	watchviews "github.com/secondlight/secondlight/views/watch"
)

// accountDeps are the stores and services that the operations use.
type accountDeps struct {
	Listings *store.Listings
	Trades   *store.Trades
	Accounts *store.Accounts
	Tokens   *store.Tokens
	Watches  *store.Watches
	Site     *ui.Site
	Catalog  *catalog.Catalog
	Index    *search.Index
	Cards    *cardMaker
	Amounts  *amounts
	Queries  *queryReader
	Mailer   *mailer
	Settings *siteSettings
	Demo     *demoJob
	Party    *webauthn.WebAuthn
	Server   *serve.Server
	Clock    models.Clock
	Offers   func(context.Context, []models.Offer) ([]tradeviews.OfferCard, error)
	Watched  func(context.Context) ([]watchviews.Watch, error)
}

// accountOps holds the operations on accounts: sign-up, sign-in, settings and passkeys.
type accountOps struct{ accountDeps }
