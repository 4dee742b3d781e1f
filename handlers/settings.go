package handlers

import (
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views"
)

// siteSettings holds the settings and the texts of the site as they were read last.
type siteSettings struct {
	Prices      *store.Prices
	Records     *store.Site
	Store       *store.Store
	Site        *views.Site
	Catalog     *catalog.Catalog
	Index       *search.Index
	Feed        *search.Feed
	Library     *portfolio.Library
	Pages       *content.Pages
	Demo        *demoJob
	Convertible bool
	DataDir     string
	Server      *web.Server
	Log         *slog.Logger
	Clock       models.Clock

	texts     atomic.Pointer[writtenTexts]
	reloading sync.Mutex    // held by reloadSite
	reloads   atomic.Uint64 // how often the settings were read
}
