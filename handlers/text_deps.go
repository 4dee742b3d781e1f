package handlers

import (
	"slices"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views"
)

// textDeps are the stores and services that the operations use.
type textDeps struct {
	Records  *store.Site
	Site     *views.Site
	Pages    *content.Pages
	Settings *siteSettings
	Server   *serve.Server
}

// textOperations returns the operations of the package.
func textOperations(deps textDeps) []web.Operation {
	page, text := pageOps{deps}, textOps{deps}
	return slices.Concat([]web.Operation{
		page.listGuides(),
		page.getGuide(),
		page.listJournal(),
		page.getJournalEntry(),
		page.getAbout(),
		page.showOffline(),
		page.listErrors(),
		page.getError(),
		text.listTexts(),
		text.createText(),
		text.getText(),
		text.editText(),
		text.resetText(),
		text.previewText(),
		text.addPicture(),
	}, page.textPages())
}
