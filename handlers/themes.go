package handlers

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/views"
)

// shippedThemes are the themes that every site has, in the order in which they are shown.
var shippedThemes = []string{models.DefaultTheme, "gallery_white", "darkroom"}

// readThemes reads the themes of the program, and those in DATA_DIR/themes. It returns
// which of these can't be used, and why.
func (s *app) readThemes() (themes []*models.Theme, refused []string) {
	add := func(folders fs.FS, name string) {
		theme, err := models.ReadTheme(folders, name)
		if err != nil {
			s.log.Warn("read theme", "theme", name, "err", err)
			refused = append(refused, name+": "+err.Error())
		} else if models.FindTheme(themes, name) == nil {
			themes = append(themes, theme)
		}
	}
	for _, name := range shippedThemes {
		add(content.Themes(), name)
	}
	own := os.DirFS(filepath.Join(s.dataDir, "themes"))
	folders, err := fs.ReadDir(own, ".")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.log.Warn("read themes", "err", err)
	}
	for _, folder := range folders {
		if folder.IsDir() {
			add(own, folder.Name())
		}
	}
	return themes, refused
}

type previewInput struct {
	Theme string `json:"theme,omitempty" jsonschema:"name of the theme" maxlength:"40" example:"darkroom"`
	Light string `json:"light,omitempty" jsonschema:"light or dark pages" enum:"light,dark" example:"dark"`
}

func (s siteOps) previewSite() web.Operation {
	return web.Op[previewInput, *views.SitePreview]{
		Name: "preview_site", Page: adminSitePage + "/preview",
		Access: web.Operators, Scope: string(models.SiteWrite), Tag: "Administration", Title: "Preview of a theme",
		Summary:     "Shows the home page with a theme that isn't in use yet.",
		Description: "Returns the home page with a theme, on light or dark pages. Only operators see it.",
		Errors:      []string{"invalid_parameter"},
		Sample:      func() *views.SitePreview { return views.NewSitePreview(s.site, "", "", &views.Home{}) },
		Do: func(ctx context.Context, in *previewInput) (*views.SitePreview, error) {
			if models.FindTheme(s.site.Settings().Themes, in.Theme) == nil {
				return nil, web.InvalidField("theme", problem.Textf("There is no such theme."), problem.Textf("Choose one of those on the page of the site."))
			}
			home, err := pageOps(s).readHome(ctx, nil)
			if err != nil {
				return nil, err
			}
			return views.NewSitePreview(s.site.Preview(in.Theme), in.Theme, in.Light, home), nil
		},
	}.Operation()
}
