package admin

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Look is the page of the appearance of the site: its colours, fonts, menus and home page.
type Look struct {
	Version     int64                `json:"version" jsonschema:"version of the settings, for edit_look" min:"0"`
	Theme       string               `json:"theme" jsonschema:"name of the theme"`
	Themes      []string             `json:"themes" jsonschema:"names of the themes there are"`
	Refused     []string             `json:"refused_themes,omitempty" jsonschema:"themes of the owner that can't be used, each with why"`
	Accent      string               `json:"accent" jsonschema:"accent colour on light pages, empty for the default"`
	AccentDark  string               `json:"accent_dark" jsonschema:"accent colour on dark pages, empty for the default"`
	Fonts       models.Fonts         `json:"fonts" jsonschema:"typefaces of pages"`
	HeaderLinks []models.SiteLink    `json:"header_links" jsonschema:"links of the header"`
	FooterLinks []models.SiteLink    `json:"footer_links" jsonschema:"additional links of the footer"`
	Home        []models.HomeSection `json:"home_sections" jsonschema:"sections of the home page that are shown, in order"`
	HomeLayout  models.HomeLayout    `json:"home_layout" jsonschema:"how the home page of a portfolio begins"`
	Logo        string               `json:"logo,omitempty" jsonschema:"path of the logo"`
	Favicon     string               `json:"favicon,omitempty" jsonschema:"path of the favicon"`
	Links       []ui.Link            `json:"links"`
	set         *AdminSite
	site        *ui.Site
}

// NewLook returns the page of the appearance.
func NewLook(site *ui.Site) *Look {
	set := NewAdminSite(site)
	return &Look{Version: set.Version, Theme: set.Theme, Themes: set.Themes, Refused: set.Refused, Accent: set.Accent, AccentDark: set.AccentDark, Fonts: set.Fonts,
		HeaderLinks: ui.List(site.Settings().HeaderLinks), FooterLinks: ui.List(site.Settings().FooterLinks), Home: set.Home, HomeLayout: set.HomeLayout, Logo: set.Logo, Favicon: set.Favicon,
		Links: []ui.Link{{Href: ui.AdminSitePath, Label: "Details"}, {Href: "/", Label: "Home"}}, set: set, site: site}
}

// Head implements Page.
func (p *Look) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Look"), Description: ui.T(ctx, lookLead), Path: ui.LookPath, NoIndex: true, Crumbs: ui.AdminCrumbs(ctx)}
}

// Markdown implements Page.
func (p *Look) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Look"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(ui.T(ctx, lookLead))
	m.Raw("\n")
	m.Head("Setting", "Value")
	m.Row(ui.T(ctx, "Version"), strconv.FormatInt(p.Version, 10))
	for _, f := range p.set.look(ctx) {
		m.Row(ui.T(ctx, f.Name), ui.MarkdownText(cmp.Or(f.Value, "–")))
	}
	m.Links(p.Links)
	return m.Done(w)
}

var lookLead = languages.Mark("Colours, typefaces, menus and home page. The preview shows your changes before you save them.")

// swatches are accents that can be read on light pages.
var swatches = []ui.Choice{
	{Value: "#c02f0c", Label: languages.Mark("Red")},
	{Value: "#9a4b00", Label: languages.Mark("Orange")},
	{Value: "#6b5a00", Label: languages.Mark("Olive")},
	{Value: "#1f6b3a", Label: languages.Mark("Green")},
	{Value: "#006b75", Label: languages.Mark("Teal")},
	{Value: "#1f5fae", Label: languages.Mark("Blue")},
	{Value: "#6a3fb5", Label: languages.Mark("Purple")},
	{Value: "#a3245f", Label: languages.Mark("Pink")},
}

// darkSwatches are accents that can be read on dark pages.
var darkSwatches = []ui.Choice{
	{Value: "#ff8a6b", Label: languages.Mark("Red")},
	{Value: "#ffb066", Label: languages.Mark("Orange")},
	{Value: "#d9c65c", Label: languages.Mark("Olive")},
	{Value: "#7fd39b", Label: languages.Mark("Green")},
	{Value: "#6fd0da", Label: languages.Mark("Teal")},
	{Value: "#8fbcff", Label: languages.Mark("Blue")},
	{Value: "#c3a6ff", Label: languages.Mark("Purple")},
	{Value: "#ff9cc7", Label: languages.Mark("Pink")},
}

// accentField is a field of a colour.
type accentField struct {
	name, label, help, value string
	swatches                 []ui.Choice
	dark                     bool
}

func (p *Look) accentFields() []accentField {
	return []accentField{
		{"accent", languages.Mark("Accent colour"), languages.Mark("For links and buttons. We check that it’s readable."), p.Accent, swatches, false},
		{"accent_dark", languages.Mark("Accent colour on dark pages"), languages.Mark("By default, a lighter shade of your accent colour."), p.AccentDark, darkSwatches, true},
	}
}

// shown returns the colour of the picker, which has always one.
func (f *accentField) shown() string { return cmp.Or(f.value, f.swatches[0].Value) }

// themeColors are the colours of a theme, on light or on dark pages.
type themeColors struct{ paper, sheet, ink, accent, grounds, text string }

// colors returns the colours of a theme.
func (p *Look) colors(name string, dark bool) themeColors {
	theme := models.FindTheme(p.site.Settings().Themes, name)
	tokens, ground := theme.Light, models.LightGround
	if dark {
		tokens, ground = theme.Dark, models.DarkGround
	}
	if name != models.DefaultTheme {
		ground = tokens.Ground()
	}
	papers := make([]string, len(ground.Papers))
	for i, paper := range ground.Papers {
		papers[i] = paper.String()
	}
	return themeColors{paper: tokens["paper"], sheet: tokens["sheet"], ink: tokens["ink"], accent: tokens["safelight"], grounds: strings.Join(papers, " "), text: ground.Text.String()}
}

// linkTargets are the pages of the site that a link of a menu can lead to.
var linkTargets = []ui.Choice{
	{Value: "/", Label: languages.Mark("Home")},
	{Value: "/listings", Label: languages.Mark("Shop all")},
	{Value: "/gear", Label: languages.Mark("Price guide")},
	{Value: "/prices", Label: languages.Mark("Prices")},
	{Value: "/portfolio", Label: languages.Mark("Portfolio")},
	{Value: "/kit", Label: languages.Mark("What I shoot with")},
	{Value: "/journal", Label: languages.Mark("Journal")},
	{Value: "/guides", Label: languages.Mark("Guides")},
	{Value: "/about", Label: languages.Mark("About")},
	{Value: "/contact", Label: languages.Mark("Contact")},
	{Value: "/help", Label: languages.Mark("Help")},
	{Value: otherTarget, Label: languages.Mark("Another address…")},
}

const otherTarget = "other"

// targets returns the pages that the site has.
func (p *Look) targets() []ui.Choice {
	return slices.DeleteFunc(slices.Clone(linkTargets), func(c ui.Choice) bool {
		return c.Value != otherTarget && len(p.site.Existing([]ui.Link{{Href: c.Value}})) == 0
	})
}

// spareRows is how many empty rows a menu has.
const spareRows = 2

// linkRow is a row of a menu that is edited.
type linkRow struct {
	models.SiteLink
	target string
}

// linkRows returns the rows of a menu, and some that are empty.
func (p *Look) linkRows(links []models.SiteLink) (rows []linkRow) {
	targets := p.targets()
	for _, l := range links {
		row := linkRow{l, otherTarget}
		if slices.ContainsFunc(targets, func(c ui.Choice) bool { return c.Value == l.Href }) {
			row.target, row.Href = l.Href, ""
		}
		rows = append(rows, row)
	}
	for range min(spareRows, models.MaxSiteLinks-len(links)) {
		rows = append(rows, linkRow{target: "/"})
	}
	return rows
}

// homeRow is a section of the home page that is edited.
type homeRow struct {
	ui.Choice
	shown bool
}

// homeRows returns the sections of the home page: those that are shown in their order, then the others.
func (p *Look) homeRows() (rows []homeRow) {
	for _, shown := range []bool{true, false} {
		for _, c := range homeChoices {
			if slices.Contains(p.Home, models.HomeSection(c.Value)) == shown {
				rows = append(rows, homeRow{c, shown})
			}
		}
	}
	slices.SortStableFunc(rows[:len(p.Home)], func(a, b homeRow) int {
		return slices.Index(p.Home, models.HomeSection(a.Value)) - slices.Index(p.Home, models.HomeSection(b.Value))
	})
	return rows
}

// place returns the number of a row, as it is entered.
func place(i int) string { return strconv.Itoa(i + 1) }
