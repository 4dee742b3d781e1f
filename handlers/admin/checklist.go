package admin

import (
	"context"
	"os"
	"path/filepath"

	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/settings"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/admin"
	"github.com/secondlight/secondlight/views/ui"
)

// Checklists says what a new site needs.
type Checklists struct {
	Accounts *store.Accounts
	Records  *store.Site
	Site     *ui.Site
	Library  *portfolio.Library
	Party    *webauthn.WebAuthn
	DataDir  string
}

func (s siteOps) getChecklist() web.Operation {
	return web.Op[struct{}, *views.Checklist]{
		Name: "get_checklist", Path: "/api" + settings.ChecklistPage, Page: settings.ChecklistPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Checklist",
		Summary:     "Returns what a new site needs, and what of it is done.",
		Description: "Returns the steps of a new site: its look, its owner, photographs, a listing, email and a backup. A step is done as soon as its condition is met, however that happened.",
		Sample:      func() *views.Checklist { return views.NewChecklist(s.Site, views.ChecklistParts{}) },
		Do: func(ctx context.Context, _ *struct{}) (*views.Checklist, error) {
			return s.Checklist.Of(ctx, caller.ID(ctx))
		},
	}.Operation()
}

// Of returns what the site needs, for one of its owners.
func (s *Checklists) Of(ctx context.Context, ownerID string) (*views.Checklist, error) {
	progress, err := s.Records.SiteProgress(ctx)
	if err != nil {
		return nil, err
	}
	parts := views.ChecklistParts{SiteProgress: *progress, Photographs: s.hasOwnPhotographs()}
	if s.Party != nil {
		keys, err := s.Accounts.Passkeys(ctx, ownerID)
		if err != nil {
			return nil, err
		}
		parts.Passkey = len(keys) == 0
	}
	return views.NewChecklist(s.Site, parts), nil
}

// hasOwnPhotographs reports whether the portfolio has photographs other than the demo
// ones.
func (s *Checklists) hasOwnPhotographs() bool {
	if _, err := os.Stat(filepath.Join(s.DataDir, "portfolio")); err != nil && s.Site.Demo() {
		return false
	}
	for _, p := range s.Library.Portfolio().All {
		if len(p.Photos) > 0 {
			return true
		}
	}
	return false
}
