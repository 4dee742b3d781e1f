// Package text has the operations on pages, guides, the journal and error codes.
package text

import (
	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/settings"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// Deps are the stores and services that the operations use.
type Deps struct {
	Records  *store.Site
	Site     *ui.Site
	Pages    *content.Pages
	Settings *settings.Settings
	Codes    func() []web.ErrorCode
	StatusOf func(path string) int // of an address of the site, for somebody who is not signed in
}
