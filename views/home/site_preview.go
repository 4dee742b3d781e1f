package home

import (
	"cmp"
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
	adminviews "github.com/secondlight/secondlight/views/admin"
	"github.com/secondlight/secondlight/views/ui"
)

// SitePreview shows the home page with a theme, before the owner uses it.
type SitePreview struct {
	Theme string    `json:"theme" jsonschema:"name of the theme"`
	Light string    `json:"light" jsonschema:"light or dark pages" enum:"light,dark"`
	Links []ui.Link `json:"links"`

	version int64
	home    *Home
	site    *ui.Site // with the theme
}

// NewSitePreview returns the preview of a theme. The site is that of Site.Preview.
func NewSitePreview(site *ui.Site, theme, light string, home *Home) *SitePreview {
	theme, light = cmp.Or(theme, models.DefaultTheme), cmp.Or(light, "light")
	home.site = site
	return &SitePreview{Theme: theme, Light: light, Links: []ui.Link{{Href: ui.ThemePreviewPath(theme, "light"), Label: "Light"}, {Href: ui.ThemePreviewPath(theme, "dark"), Label: "Dark"}, {Href: ui.AdminSitePath, Label: "Site"}},
		version: site.Settings().Version, home: home, site: site}
}

// Site returns the site with the theme.
func (p *SitePreview) Site() *ui.Site { return p.site }

// Head implements Page.
func (p *SitePreview) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Preview"), Description: ui.T(ctx, "Preview of another theme. Only you can see this."), Path: ui.ThemePreviewPath(p.Theme, p.Light), NoIndex: true,
		Crumbs: []ui.Link{{Href: ui.AdminSitePath, Label: ui.T(ctx, "Site")}}, Light: p.Light}
}

// Markdown implements Page.
func (p *SitePreview) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, "Preview", "").In(ctx)
	m.Paragraph(ui.T(ctx, "Preview of another theme. Only you can see this."))
	m.Raw("\n")
	m.Head("Detail", "Value")
	m.Row(ui.T(ctx, "Theme"), ui.ChoiceLabel(ctx, adminviews.ThemeNames, p.Theme))
	m.Row(ui.T(ctx, "Appearance"), ui.T(ctx, lightNames[p.Light]))
	m.Links(p.Links)
	return m.Done(w)
}

var lightNames = map[string]string{"light": "Light", "dark": "Dark"}
