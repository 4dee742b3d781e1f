// Package settings reads the settings, texts and themes of the site, and applies them.
package settings

import (
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
	"golang.org/x/text/language"
)

// Settings holds the settings and the texts of the site as they were read last.
type Settings struct {
	Prices         *store.Prices
	Records        *store.Site
	Store          *store.Store
	Site           *ui.Site
	Catalog        *catalog.Catalog
	Index          *search.Index
	Feed           *search.Feed
	Library        *portfolio.Library
	Pages          *content.Pages
	Demo           *DemoJob
	Convertible    bool
	DataDir        string
	OfferLanguages func([]language.Tag) // tells the server the languages of the site
	Log            *slog.Logger
	Clock          models.Clock

	Texts     atomic.Pointer[WrittenTexts]
	reloading sync.Mutex    // held by Reload
	reloads   atomic.Uint64 // how often the settings were read
}

// Hidden reports whether an operation belongs to a half that the site doesn't have.
func (s *Settings) Hidden(op *web.Operation) bool {
	purpose := s.Site.Purpose()
	return !purpose.HasPortfolio() && slices.Contains(portfolioTags, op.Tag) || !purpose.HasShop() && slices.Contains(shopTags, op.Tag)
}

// Version returns a number that increases when all cached responses become stale: when
// the portfolio, the settings, the catalogue or a page of the owner change, or the index if
// there is no feed to tell what changed.
func (s *Settings) Version() (version uint64) {
	if s.Feed == nil {
		version = s.Index.Version()
	}
	if s.Library != nil {
		version += s.Library.Version()
	}
	return version + s.Pages.Version() + s.reloads.Load() + s.Catalog.Version()
}

// Facts returns what pages about the site say of its owner.
func (s *Settings) Facts() content.Facts {
	set := s.Site.Settings()
	return content.Facts{Site: set.Name, Owner: set.Owner, Address: set.Address, Email: set.Email, URL: s.Site.BaseURL, Fees: set.FeesNote, Shipping: set.ShippingNote, Demo: set.Demo}
}

var portfolioTags = []string{"Portfolio"}

var shopTags = []string{"Listings", "Gear", "Sellers", "Prices", "Selling", "Offers", "Messages", "Watching", "Integration"}

const ChecklistPage = "/admin/checklist"

// WrittenTexts are the texts that the owner wrote in the browser, as they were when they
// were read.
type WrittenTexts struct {
	All     []*models.Text
	written []content.Written // those that are public
	Moves   map[models.TextSection]map[string]string
	due     models.Time // when the next is published, 0 for never
}
