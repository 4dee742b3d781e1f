package text

import (
	"slices"

	"github.com/secondlight/secondlight/handlers/web"
)

// Operations returns the operations of the package.
func Operations(deps Deps) []web.Operation {
	page, text := pageOps{deps}, textOps{deps}
	return slices.Concat([]web.Operation{
		page.listGuides(),
		page.getGuide(),
		page.listJournal(),
		page.getJournalEntry(),
		page.listDocs(),
		page.getDoc(),
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
