package handlers

import (
	"context"
	"os"
	"path/filepath"

	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/store"
	adminviews "github.com/secondlight/secondlight/views/admin"
	"github.com/secondlight/secondlight/views/ui"
)

// checklister says what a new site needs.
type checklister struct {
	Accounts *store.Accounts
	Records  *store.Site
	Site     *ui.Site
	Library  *portfolio.Library
	Party    *webauthn.WebAuthn
	DataDir  string
}

func (s siteOps) getChecklist() web.Operation {
	return web.Op[struct{}, *adminviews.Checklist]{
		Name: "get_checklist", Path: "/api" + checklistPage, Page: checklistPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Checklist",
		Summary:     "Returns what a new site needs, and what of it is done.",
		Description: "Returns the steps of a new site: its look, its owner, photographs, a listing, email and a backup. Each is done when it is, whoever did it and how.",
		Sample:      func() *adminviews.Checklist { return adminviews.NewChecklist(s.Site, adminviews.ChecklistParts{}) },
		Do: func(ctx context.Context, _ *struct{}) (*adminviews.Checklist, error) {
			return s.Checklist.checklist(ctx, memberID(ctx))
		},
	}.Operation()
}

// checklist returns what the site needs, for one of its owners.
func (s *checklister) checklist(ctx context.Context, ownerID string) (*adminviews.Checklist, error) {
	progress, err := s.Records.SiteProgress(ctx)
	if err != nil {
		return nil, err
	}
	parts := adminviews.ChecklistParts{SiteProgress: *progress, Photographs: s.hasOwnPhotographs()}
	if s.Party != nil {
		keys, err := s.Accounts.Passkeys(ctx, ownerID)
		if err != nil {
			return nil, err
		}
		parts.Passkey = len(keys) == 0
	}
	return adminviews.NewChecklist(s.Site, parts), nil
}

// hasOwnPhotographs reports whether there are photographs beside those of the
// demonstration.
func (s *checklister) hasOwnPhotographs() bool {
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
