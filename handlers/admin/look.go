package admin

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/admin"
	"github.com/secondlight/secondlight/views/ui"
)

// lookForm is the form of the look. Its menus and sections are rows, each with a place and whether it
// is visible.
type lookForm struct {
	Version       int64             `json:"version" jsonschema:"version of the settings being changed" min:"0" example:"0"`
	Theme         string            `json:"theme,omitempty" jsonschema:"name of the theme" maxlength:"40" example:"paper"`
	Accent        string            `json:"accent,omitempty" jsonschema:"accent colour on light pages" maxlength:"7" example:"#1f5fae"`
	AccentDark    string            `json:"accent_dark,omitempty" jsonschema:"accent colour on dark pages" maxlength:"7" example:"#8fbcff"`
	Fonts         models.Fonts      `json:"fonts,omitempty" jsonschema:"typefaces of pages" example:"editorial"`
	HeaderPlace   []int             `json:"header_place,omitempty" sep:"none" jsonschema:"places of links of the header"`
	HeaderLabel   []string          `json:"header_label,omitempty" sep:"none" jsonschema:"their labels" maxlength:"30"`
	HeaderTarget  []string          `json:"header_target,omitempty" sep:"none" jsonschema:"the pages that they lead to, or other" maxlength:"300"`
	HeaderAddress []string          `json:"header_address,omitempty" sep:"none" jsonschema:"the addresses of others" maxlength:"300"`
	HeaderVisible []string          `json:"header_visible,omitempty" sep:"none" jsonschema:"whether they are visible" maxlength:"5"`
	FooterPlace   []int             `json:"footer_place,omitempty" sep:"none" jsonschema:"places of links of the footer"`
	FooterLabel   []string          `json:"footer_label,omitempty" sep:"none" jsonschema:"their labels" maxlength:"30"`
	FooterTarget  []string          `json:"footer_target,omitempty" sep:"none" jsonschema:"the pages that they lead to, or other" maxlength:"300"`
	FooterAddress []string          `json:"footer_address,omitempty" sep:"none" jsonschema:"the addresses of others" maxlength:"300"`
	FooterVisible []string          `json:"footer_visible,omitempty" sep:"none" jsonschema:"whether they are visible" maxlength:"5"`
	HomePlace     []int             `json:"home_place,omitempty" sep:"none" jsonschema:"places of sections of the home page"`
	HomeSection   []string          `json:"home_section,omitempty" sep:"none" jsonschema:"their names" maxlength:"40"`
	HomeLayout    models.HomeLayout `json:"home_layout,omitempty" jsonschema:"how the home page of a portfolio begins" example:"stream"`
	HomeVisible   []string          `json:"home_visible,omitempty" sep:"none" jsonschema:"whether they are visible" maxlength:"5"`
}

func (s siteOps) getLook() web.Operation {
	return web.Op[struct{}, *views.Look]{
		Name: "get_look", Page: ui.LookPath,
		Access: web.Operators, Scope: string(models.SiteWrite), Tag: "Administration", Title: "Look",
		Summary: "Shows the look of the site: colours, typefaces, menus and home page.", Description: "Returns the page that changes the look, with a preview. Programs use edit_site.",
		Sample: func() *views.Look { return views.NewLook(s.Site) },
		Do:     func(context.Context, *struct{}) (*views.Look, error) { return views.NewLook(s.Site), nil },
	}.Operation()
}

func (s siteOps) editLook() web.Operation {
	return web.Op[lookForm, *views.Look]{
		Name: "edit_look", Method: http.MethodPost, Page: ui.LookPath,
		Access: web.Operators, Scope: string(models.SiteWrite), Tag: "Administration", Title: "Change the look", Done: "Your changes are live.",
		Summary: "Changes the look of the site, with its form.", Description: "Changes colours, typefaces, menus and home page. Programs use edit_site.",
		Errors: []string{"invalid_parameter", "site_changed"},
		Sample: func() *views.Look { return views.NewLook(s.Site) },
		Do:     s.doEditLook,
	}.Operation()
}

func (s siteOps) doEditLook(ctx context.Context, in *lookForm) (*views.Look, error) {
	set, _, err := s.Records.SiteSettings(ctx)
	if err != nil {
		return nil, err
	}
	set.Theme, set.Accent, set.AccentDark, set.Fonts = in.Theme, in.Accent, in.AccentDark, in.Fonts
	set.HeaderLinks = linksOf(in.HeaderPlace, in.HeaderLabel, in.HeaderTarget, in.HeaderAddress, in.HeaderVisible)
	set.FooterLinks = linksOf(in.FooterPlace, in.FooterLabel, in.FooterTarget, in.FooterAddress, in.FooterVisible)
	set.Home, set.HomeLayout = nil, in.HomeLayout
	for _, i := range inPlaces(in.HomePlace, len(in.HomeSection)) {
		if at(in.HomeVisible, i) != "false" {
			set.Home = append(set.Home, models.HomeSection(in.HomeSection[i]))
		}
	}
	if slices.Equal(set.Home, models.DefaultHome) {
		set.Home = nil
	}
	if _, err := s.replaceSite(ctx, in.Version, set); err != nil {
		return nil, err
	}
	return views.NewLook(s.Site), nil
}

// linksOf returns the links of the rows that have a label or an address, in their places.
func linksOf(places []int, labels, targets, addresses, visible []string) (links []models.SiteLink) {
	for _, i := range inPlaces(places, len(labels)) {
		href := at(targets, i)
		if href == "other" {
			href = at(addresses, i)
		}
		if labels[i] != "" || at(addresses, i) != "" {
			links = append(links, models.SiteLink{Label: labels[i], Href: href, Hidden: at(visible, i) == "false"})
		}
	}
	return links
}

// inPlaces returns the indexes of n rows in the order of their places.
func inPlaces(places []int, n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(at(places, a), at(places, b)) })
	return rows
}

// at returns the ith value, or none.
func at[T any](values []T, i int) (value T) {
	if i < len(values) {
		value = values[i]
	}
	return value
}
