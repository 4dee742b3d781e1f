package views

import (
	"cmp"
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
)

// SitePreview shows the home page with a theme, before the owner uses it.
type SitePreview struct {
	Theme string `json:"theme" jsonschema:"name of the theme"`
	Light string `json:"light" jsonschema:"light or dark pages" enum:"light,dark"`
	Links []Link `json:"links"`

	version int64
	home    *Home
	site    *Site // with the theme
}

// NewSitePreview returns the preview of a theme. The site is that of Site.Preview.
func NewSitePreview(site *Site, theme, light string, home *Home) *SitePreview {
	theme, light = cmp.Or(theme, models.DefaultTheme), cmp.Or(light, "light")
	home.site = site
	return &SitePreview{Theme: theme, Light: light, Links: []Link{{themePreviewPath(theme, "light"), "Light"}, {themePreviewPath(theme, "dark"), "Dark"}, {adminSitePath, "Site"}},
		version: site.Settings().Version, home: home, site: site}
}

// Site returns the site with the theme.
func (p *SitePreview) Site() *Site { return p.site }

// Head implements Page.
func (p *SitePreview) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Preview"), Description: t(ctx, "The home page with another theme. Only you see it."), Path: themePreviewPath(p.Theme, p.Light), NoIndex: true,
		Crumbs: []Link{{adminSitePath, t(ctx, "Site")}}, Light: p.Light}
}

// Markdown implements Page.
func (p *SitePreview) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, "Preview", "").in(ctx)
	m.text(t(ctx, "The home page with another theme. Only you see it."))
	m.raw("\n")
	m.head("Fact", "Value")
	m.row(t(ctx, "Theme"), choiceLabel(ctx, themeNames, p.Theme))
	m.row(t(ctx, "Appearance"), t(ctx, lightNames[p.Light]))
	m.links(p.Links)
	return m.done(w)
}

var lightNames = map[string]string{"light": "Light", "dark": "Dark"}
