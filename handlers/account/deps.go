// Package account has the operations on accounts, tokens and sellers.
package account

import (
	"context"

	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/query"
	"github.com/secondlight/secondlight/handlers/settings"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	tradeviews "github.com/secondlight/secondlight/views/trade"
	"github.com/secondlight/secondlight/views/ui"
	watchviews "github.com/secondlight/secondlight/views/watch"
)

// Deps are the stores and services that the operations use.
type Deps struct {
	Listings *store.Listings
	Trades   *store.Trades
	Accounts *store.Accounts
	Tokens   *store.Tokens
	Watches  *store.Watches
	Site     *ui.Site
	Catalog  *catalog.Catalog
	Index    *search.Index
	Cards    *market.Cards
	Amounts  *market.Amounts
	Queries  *query.Reader
	Mailer   *mailer.Mailer
	Settings *settings.Settings
	Party    *webauthn.WebAuthn
	Clock    models.Clock
	Offers   func(context.Context, []models.Offer) ([]tradeviews.OfferCard, error)
	Watched  func(context.Context) ([]watchviews.Watch, error)
}

// accountOps holds the operations on accounts: sign-up, sign-in, settings and passkeys.
type accountOps struct{ Deps }
