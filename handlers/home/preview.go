package home

import (
	"context"

	"github.com/secondlight/secondlight/handlers/admin"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/home"
)

type previewInput struct {
	Theme string `json:"theme,omitempty" jsonschema:"name of the theme" maxlength:"40" example:"darkroom"`
	Light string `json:"light,omitempty" jsonschema:"light or dark pages" enum:"light,dark" example:"dark"`
}

func (s homeOps) previewSite() web.Operation {
	return web.Op[previewInput, *views.SitePreview]{
		Name: "preview_site", Page: admin.AdminSitePage + "/preview",
		Access: web.Operators, Scope: string(models.SiteWrite), Tag: "Administration", Title: "Preview of a theme",
		Summary:     "Shows the home page with a theme that isn't in use yet.",
		Description: "Returns the home page with a theme, on light or dark pages. Only operators see it.",
		Errors:      []string{"invalid_parameter"},
		Sample:      func() *views.SitePreview { return views.NewSitePreview(s.Site, "", "", &views.Home{}) },
		Do: func(ctx context.Context, in *previewInput) (*views.SitePreview, error) {
			if models.FindTheme(s.Site.Settings().Themes, in.Theme) == nil {
				return nil, web.InvalidField("theme", problem.Textf("There's no such theme."), problem.Textf("Choose one of those on the Site page."))
			}
			home, err := s.readHome(ctx, nil)
			if err != nil {
				return nil, err
			}
			return views.NewSitePreview(s.Site.Preview(in.Theme), in.Theme, in.Light, home), nil
		},
	}.Operation()
}
