package handlers

import (
	"context"

	"github.com/secondlight/secondlight/handlers/account"
	"github.com/secondlight/secondlight/handlers/admin"
	"github.com/secondlight/secondlight/handlers/document"
	"github.com/secondlight/secondlight/handlers/gear"
	"github.com/secondlight/secondlight/handlers/home"
	"github.com/secondlight/secondlight/handlers/listing"
	"github.com/secondlight/secondlight/handlers/oauth"
	portfolioops "github.com/secondlight/secondlight/handlers/portfolio"
	"github.com/secondlight/secondlight/handlers/price"
	searchops "github.com/secondlight/secondlight/handlers/search"
	"github.com/secondlight/secondlight/handlers/text"
	"github.com/secondlight/secondlight/handlers/trade"
	"github.com/secondlight/secondlight/handlers/watch"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/serve"
	watchviews "github.com/secondlight/secondlight/views/watch"
)

// nounDeps are what the operations use, by noun.
type nounDeps struct {
	listing   listing.Deps
	search    searchops.Deps
	gear      gear.Deps
	price     price.Deps
	trade     trade.Deps
	watch     watch.Deps
	account   account.Deps
	oauth     oauth.Deps
	portfolio portfolioops.Deps
	text      text.Deps
	admin     admin.Deps
	home      home.Deps
	document  document.Deps
}

// newNounDeps returns what the operations use. Each noun may use those before it.
func newNounDeps(cfg *Config, s *services, u *upkeep, watching watch.Deps, server *serve.Server) *nounDeps {
	db, site := cfg.Store, &cfg.Site
	n := &nounDeps{watch: watching}
	n.listing = listing.Deps{
		Listings: db.Listings, Trades: db.Trades, Watches: db.Watches, Prices: db.Prices, Store: db,
		Site: site, Catalog: cfg.Catalog, Index: cfg.Index, Gear: s.names, Cards: s.cards, Estimates: s.estimates, Guides: s.guides, Amounts: s.amounts, Uploads: s.uploads,
		Documented: server.HasErrorCode, Clock: cfg.Clock,
	}
	n.search = searchops.Deps{
		Site: site, Catalog: cfg.Catalog, Index: cfg.Index, Words: s.words, Gear: s.names, Cards: s.cards, Queries: s.queries, Buffers: searchops.NewSearchBuffers(),
		ReadPage: func(ctx context.Context, path string) (title, text string, err error) {
			return readPage(ctx, server, path)
		},
	}
	n.gear = gear.Deps{
		Prices: db.Prices, Trades: db.Trades, Records: db.Site, Site: site, Catalog: cfg.Catalog, Index: cfg.Index, Library: cfg.Library, Gear: s.names, Cards: s.cards, Estimates: s.estimates,
	}
	n.price = price.Deps{
		Listings: db.Listings, Accounts: db.Accounts, Watches: db.Watches, Prices: db.Prices,
		Site: site, Catalog: cfg.Catalog, Gear: s.names, Cards: s.cards, Estimates: s.estimates, Guides: s.guides, Amounts: s.amounts,
		Clock: cfg.Clock, ListingParts: n.listing.ListingParts,
	}
	n.trade = trade.Deps{
		Listings: db.Listings, Trades: db.Trades, Accounts: db.Accounts, Prices: db.Prices, Moderation: db.Moderation,
		Site: site, Catalog: cfg.Catalog, Estimates: s.estimates, Amounts: s.amounts, Uploads: s.uploads,
	}
	n.account = account.Deps{
		Listings: db.Listings, Trades: db.Trades, Accounts: db.Accounts, Tokens: db.Tokens, Watches: db.Watches,
		Site: site, Catalog: cfg.Catalog, Index: cfg.Index, Cards: s.cards, Amounts: s.amounts, Queries: s.queries,
		Mailer: s.mailer, Settings: s.settings, Party: s.party, Clock: cfg.Clock, Offers: n.trade.OfferCards,
		Watched: func(ctx context.Context) ([]watchviews.Watch, error) { return watching.Watched(ctx, "") },
	}
	n.oauth = oauth.Deps{Tokens: db.Tokens, Site: site, Mailer: s.mailer, Guard: cfg.Webhooks, Clock: cfg.Clock}
	n.portfolio = portfolioops.Deps{
		Watches: db.Watches, Prices: db.Prices, Galleries: db.Galleries, Clock: cfg.Clock, Site: site, Catalog: cfg.Catalog, Library: cfg.Library, Editor: s.editor, Gear: s.names, Cards: s.cards, AVIFs: s.avifs,
	}
	n.text = text.Deps{Records: db.Site, Site: site, Pages: s.pages, Settings: s.settings, Codes: server.ErrorCodes, StatusOf: server.StatusOf}
	n.admin = admin.Deps{
		Listings: db.Listings, Trades: db.Trades, Accounts: db.Accounts, Deliveries: db.Deliveries, Moderation: db.Moderation, Records: db.Site, Imports: db.Imports, Store: db,
		Site: site, Catalog: cfg.Catalog, Index: cfg.Index, Gear: s.names, Estimates: s.estimates, Uploads: s.uploads, Mailer: s.mailer, Settings: s.settings, Checklist: s.checklists,
		Leases: s.leases, Backups: u.backups, Storage: u.storage, Guard: cfg.Webhooks, Schedule: u.schedule, Errors: u.errors, Mail: s.mailServers,
		DataDir: cfg.DataDir, API: document.APIVersion, Program: cfg.Version, StartedAt: s.estimates.StartedAt, Log: cfg.Log, Clock: cfg.Clock,
	}
	n.home = home.Deps{
		Trends: s.trends, Site: site, Catalog: cfg.Catalog, Index: cfg.Index, Library: cfg.Library, Pages: s.pages,
		Gear: s.names, Cards: s.cards, Checklist: s.checklists, Trend: n.gear.TrendOf,
	}
	n.document = document.Deps{
		Listings: db.Listings, Site: site, Catalog: cfg.Catalog, Index: cfg.Index, Library: cfg.Library, Pages: s.pages,
		Tools: tools, Toolsets: toolsets, Reference: server, MCP: server, Clock: cfg.Clock, Trend: n.gear.TrendOf,
	}
	return n
}

// newWatch returns what the operations on watched listings and saved searches use.
func newWatch(cfg *Config, s *services) watch.Deps {
	db := cfg.Store
	return watch.Deps{
		Listings: db.Listings, Trades: db.Trades, Accounts: db.Accounts, Watches: db.Watches, Prices: db.Prices, Store: db,
		Site: &cfg.Site, Catalog: cfg.Catalog, Index: cfg.Index, Words: s.words, Cards: s.cards, Queries: s.queries,
		Hub: s.hub, Guard: cfg.Webhooks, Log: cfg.Log, Clock: cfg.Clock,
	}
}

// readPage returns the title and the Markdown of the public page at a path.
func readPage(ctx context.Context, server *serve.Server, path string) (title, text string, err error) {
	page, err := server.PageAt(ctx, path)
	if err != nil {
		return "", "", err
	}
	body, err := server.RenderSafely(ctx, page, web.Markdown)
	return server.Layout.Head(page).Title, string(body), err
}
