package handlers

import (
	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// textDeps are the stores and services that the operations use.
type textDeps struct {
	Records  *store.Site
	Site     *ui.Site
	Pages    *content.Pages
	Settings *siteSettings
	Server   *serve.Server
}
