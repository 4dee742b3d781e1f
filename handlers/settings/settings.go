// Package settings reads the settings, texts and themes of the site, and applies them.
package settings

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

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
	Prices      *store.Prices
	Records     *store.Site
	Store       *store.Store
	Site        *ui.Site
	Catalog     *catalog.Catalog
	Index       *search.Index
	Feed        *search.Feed
	Library     *portfolio.Library
	Pages       *content.Pages
	Demo        *DemoJob
	Convertible bool
	DataDir     string
	Offer       func([]language.Tag) // tells the server the languages of the site
	Log         *slog.Logger
	Clock       models.Clock

	Texts     atomic.Pointer[WrittenTexts]
	reloading sync.Mutex    // held by Reload
	reloads   atomic.Uint64 // how often the settings were read
}

// Reload reads the settings and the texts of the site from the database and applies
// them. If they can't be read, those before stay. It reads them one call at a time, so that
// what was read first never replaces what was read after it.
func (s *Settings) Reload() {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), ReloadTime)
	defer cancel()
	set, version, err := s.Records.SiteSettings(ctx)
	if err != nil {
		s.Log.Error("read site settings", "err", err)
		return
	}
	demo, err := s.Store.Demo(ctx)
	if err != nil {
		s.Log.Error("read site settings", "err", err)
		return
	}
	wanted, err := s.Store.DemoWanted(ctx)
	if err != nil {
		s.Log.Error("read site settings", "err", err)
		return
	}
	rates, err := s.readRates(ctx)
	if err != nil {
		s.Log.Error("read exchange rates", "err", err)
		return
	}
	texts, err := s.readTexts(ctx)
	if err != nil {
		s.Log.Error("read texts of the site", "err", err)
		return
	}
	themes, refused := s.readThemes()
	s.Site.Use(set, ui.SiteState{Version: version, Demo: demo, Filling: wanted, Rates: rates, Themes: themes, Refused: refused})
	s.Demo.Wanted.Store(wanted)
	s.reloads.Add(1)
	s.Offer(LanguageTags(s.Site.Languages()))
	s.Texts.Store(texts)
	s.Pages.Use(LanguageCodes(s.Site.Languages()), s.Facts(), texts.written)
}

// readRates returns the last exchange rates.
func (s *Settings) readRates(ctx context.Context) (*models.Rates, error) {
	main, err := s.Prices.MainCurrency(ctx)
	if err != nil {
		return nil, err
	}
	return s.Prices.LatestRates(ctx, main, s.Convertible)
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

// ReloadTime limits the time to read the settings again.
const ReloadTime = 5 * time.Second

var portfolioTags = []string{"Portfolio"}

var shopTags = []string{"Listings", "Gear", "Sellers", "Prices", "Selling", "Offers", "Messages", "Watching", "Integration"}

const ChecklistPage = "/admin/checklist"
