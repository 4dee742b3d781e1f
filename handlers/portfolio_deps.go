package handlers

import (
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// portfolioDeps are the stores and services that the operations use.
type portfolioDeps struct {
	Watches *store.Watches
	Prices  *store.Prices
	Site    *ui.Site
	Catalog *catalog.Catalog
	Library *portfolio.Library
	Editor  *portfolio.Editor
	Gear    *gearNames
	Cards   *cardMaker
	Server  *serve.Server
}
