package handlers

import (
	"context"
	"os"
	"path/filepath"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

const checklistPage = "/admin/checklist"

func (s siteOps) getChecklist() web.Operation {
	return web.Op[struct{}, *views.Checklist]{
		Name: "get_checklist", Path: "/api" + checklistPage, Page: checklistPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Checklist",
		Summary:     "Returns what a new site needs, and what of it is done.",
		Description: "Returns the steps of a new site: its look, its owner, photographs, a listing, email and a backup. Each is done when it is, whoever did it and how.",
		Sample:      func() *views.Checklist { return views.NewChecklist(s.site, views.ChecklistParts{}) },
		Do: func(ctx context.Context, _ *struct{}) (*views.Checklist, error) {
			return s.checklist(ctx, memberID(ctx))
		},
	}.Operation()
}

// checklist returns what the site needs, for one of its owners.
func (s *app) checklist(ctx context.Context, ownerID string) (*views.Checklist, error) {
	progress, err := s.store.Site.SiteProgress(ctx)
	if err != nil {
		return nil, err
	}
	parts := views.ChecklistParts{SiteProgress: *progress, Photographs: s.hasOwnPhotographs()}
	if s.party != nil {
		keys, err := s.store.Accounts.Passkeys(ctx, ownerID)
		if err != nil {
			return nil, err
		}
		parts.Passkey = len(keys) == 0
	}
	return views.NewChecklist(s.site, parts), nil
}

// hasOwnPhotographs reports whether there are photographs beside those of the
// demonstration.
func (s *app) hasOwnPhotographs() bool {
	if _, err := os.Stat(filepath.Join(s.dataDir, "portfolio")); err != nil && s.site.Demo() {
		return false
	}
	for _, p := range s.library.Portfolio().All {
		if len(p.Photos) > 0 {
			return true
		}
	}
	return false
}
