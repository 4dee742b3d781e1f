package handlers

import (
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
)

func (s *app) accountDeps() account.Deps {
	return account.Deps{
		Listings: s.store.Listings,
		Trades:   s.store.Trades,
		Accounts: s.store.Accounts,
		Tokens:   s.store.Tokens,
		Watches:  s.store.Watches,
		Site:     s.site,
		Catalog:  s.catalog,
		Index:    s.index,
		Cards:    s.cards,
		Amounts:  s.amounts,
		Queries:  s.queries,
		Mailer:   s.mailer,
		Settings: s.settings,
		Demo:     s.demo,
		Party:    s.party,
		Server:   s.server,
		Clock:    s.clock,
		Offers:   s.offerCards,
		Watched:  s.watched,
	}
}

func (s *app) adminDeps() admin.Deps {
	return admin.Deps{
		Listings:   s.store.Listings,
		Trades:     s.store.Trades,
		Accounts:   s.store.Accounts,
		Deliveries: s.store.Deliveries,
		Moderation: s.store.Moderation,
		Records:    s.store.Site,
		Store:      s.store,
		Site:       s.site,
		Catalog:    s.catalog,
		Index:      s.index,
		Gear:       s.gear,
		Uploads:    s.uploads,
		Mailer:     s.mailer,
		Settings:   s.settings,
		Checklist:  s.checklists,
		Leases:     s.leases,
		Backups:    s.backups,
		Storage:    s.storage,
		Schedule:   s.schedule,
		Errors:     s.errors,
		Mail:       s.mailSettings,
		DataDir:    s.dataDir,
		API:        document.APIVersion,
		Program:    s.program,
		StartedAt:  s.startedAt,
		Server:     s.server,
		Log:        s.log,
		Clock:      s.clock,
	}
}

func (s *app) documentDeps() document.Deps {
	return document.Deps{
		Tools: tools, Toolsets: toolsets,
		Listings: s.store.Listings,
		Site:     s.site,
		Catalog:  s.catalog,
		Library:  s.library,
		Pages:    s.pages,
		Server:   s.server,
		Clock:    s.clock,
		Trend:    s.trendOf,
	}
}

func (s *app) gearDeps() gear.Deps {
	return gear.Deps{
		Prices:    s.store.Prices,
		Site:      s.site,
		Catalog:   s.catalog,
		Index:     s.index,
		Library:   s.library,
		Gear:      s.gear,
		Cards:     s.cards,
		Estimates: s.estimates,
	}
}

func (s *app) homeDeps() home.Deps {
	return home.Deps{
		Trades:    s.store.Trades,
		Prices:    s.store.Prices,
		Site:      s.site,
		Catalog:   s.catalog,
		Index:     s.index,
		Library:   s.library,
		Gear:      s.gear,
		Cards:     s.cards,
		Checklist: s.checklists,
		Clock:     s.clock,
		Trend:     s.trendOf,
	}
}

func (s *app) listingDeps() listing.Deps {
	return listing.Deps{
		Listings:  s.store.Listings,
		Trades:    s.store.Trades,
		Watches:   s.store.Watches,
		Prices:    s.store.Prices,
		Store:     s.store,
		Site:      s.site,
		Catalog:   s.catalog,
		Index:     s.index,
		Gear:      s.gear,
		Cards:     s.cards,
		Estimates: s.estimates,
		Guides:    s.guides,
		Amounts:   s.amounts,
		Uploads:   s.uploads,
		Server:    s.server,
		Clock:     s.clock,
	}
}

func (s *app) oauthDeps() oauth.Deps {
	return oauth.Deps{
		Tokens: s.store.Tokens,
		Site:   s.site,
		Mailer: s.mailer,
		Guard:  s.guard,
		Server: s.server,
		Clock:  s.clock,
	}
}

func (s *app) portfolioDeps() portfolioops.Deps {
	return portfolioops.Deps{
		Watches: s.store.Watches,
		Prices:  s.store.Prices,
		Site:    s.site,
		Catalog: s.catalog,
		Library: s.library,
		Editor:  s.editor,
		Gear:    s.gear,
		Cards:   s.cards,
		Server:  s.server,
	}
}

func (s *app) priceDeps() price.Deps {
	return price.Deps{
		Listings:     s.store.Listings,
		Accounts:     s.store.Accounts,
		Watches:      s.store.Watches,
		Prices:       s.store.Prices,
		Site:         s.site,
		Catalog:      s.catalog,
		Gear:         s.gear,
		Cards:        s.cards,
		Estimates:    s.estimates,
		Guides:       s.guides,
		Amounts:      s.amounts,
		Clock:        s.clock,
		ListingParts: s.listingDeps().ListingParts,
	}
}

func (s *app) searchDeps() searchops.Deps {
	return searchops.Deps{
		Site:    s.site,
		Catalog: s.catalog,
		Index:   s.index,
		Words:   s.words,
		Gear:    s.gear,
		Cards:   s.cards,
		Queries: s.queries,
		Buffers: s.searchBuffers,
	}
}

func (s *app) textDeps() text.Deps {
	return text.Deps{
		Records:  s.store.Site,
		Site:     s.site,
		Pages:    s.pages,
		Settings: s.settings,
		Server:   s.server,
	}
}

func (s *app) tradeDeps() trade.Deps {
	return trade.Deps{
		Listings:   s.store.Listings,
		Trades:     s.store.Trades,
		Accounts:   s.store.Accounts,
		Prices:     s.store.Prices,
		Moderation: s.store.Moderation,
		Site:       s.site,
		Catalog:    s.catalog,
		Estimates:  s.estimates,
		Amounts:    s.amounts,
		Uploads:    s.uploads,
	}
}

func (s *app) watchDeps() watch.Deps {
	return watch.Deps{
		Listings:        s.store.Listings,
		Trades:          s.store.Trades,
		Accounts:        s.store.Accounts,
		Watches:         s.store.Watches,
		Prices:          s.store.Prices,
		Store:           s.store,
		Site:            s.site,
		Catalog:         s.catalog,
		Index:           s.index,
		Words:           s.words,
		Cards:           s.cards,
		Queries:         s.queries,
		Hub:             s.hub,
		Guard:           s.guard,
		Server:          s.server,
		Log:             s.log,
		Clock:           s.clock,
		NotifyKits:      s.notifyKits,
		NotifyKitsOfFit: s.notifyKitsOfFit,
	}
}
