package admin

import (
	"cmp"
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// AdminSite is the page of the settings of the site.
type AdminSite struct {
	Version      int64                `json:"version" jsonschema:"version of the settings, for edit_site" min:"0"`
	Name         string               `json:"name" jsonschema:"name of the site"`
	Tagline      string               `json:"tagline" jsonschema:"what the site is, in a line"`
	Owner        string               `json:"owner" jsonschema:"the photographer or shop behind the site"`
	Address      string               `json:"address" jsonschema:"postal address for the imprint"`
	Email        string               `json:"email" jsonschema:"public email address"`
	Purpose      models.SitePurpose   `json:"purpose" jsonschema:"which halves of the site there are"`
	Currency     string               `json:"currency" jsonschema:"currency of prices, ISO 4217"`
	Country      models.Region        `json:"country" jsonschema:"country of the owner, empty if unknown"`
	Languages    []string             `json:"languages" jsonschema:"languages of pages, the default first"`
	Accent       string               `json:"accent" jsonschema:"accent colour on light pages, empty for the default"`
	AccentDark   string               `json:"accent_dark" jsonschema:"accent colour on dark pages, empty for the default"`
	Fonts        models.Fonts         `json:"fonts" jsonschema:"typefaces of pages"`
	HeaderLinks  []string             `json:"header_links" jsonschema:"links of the header, each as label | address"`
	FooterLinks  []string             `json:"footer_links" jsonschema:"additional links of the footer, each as label | address"`
	Home         []models.HomeSection `json:"home_sections" jsonschema:"sections of the home page that are shown, in order"`
	HomeLayout   models.HomeLayout    `json:"home_layout" jsonschema:"how the home page of a portfolio begins"`
	HomeText     string               `json:"home_text" jsonschema:"text of the home page, Markdown"`
	HomeQuote    string               `json:"home_quote" jsonschema:"quotation on the home page"`
	FeesNote     string               `json:"fees_note" jsonschema:"note on the page about fees"`
	ShippingNote string               `json:"shipping_note" jsonschema:"note on the page about shipping"`
	Theme        string               `json:"theme" jsonschema:"name of the theme"`
	Themes       []string             `json:"themes" jsonschema:"names of the themes there are"`
	Refused      []string             `json:"refused_themes,omitempty" jsonschema:"themes of the owner that can't be used, each with why"`
	Logo         string               `json:"logo,omitempty" jsonschema:"path of the logo"`
	Favicon      string               `json:"favicon,omitempty" jsonschema:"path of the favicon"`
	Links        []ui.Link            `json:"links"`
	site         *ui.Site
}

// NewAdminSite returns the page of the settings.
func NewAdminSite(site *ui.Site) *AdminSite {
	set := site.Settings()
	p := &AdminSite{Version: set.Version, Name: set.Name, Tagline: set.Tagline, Owner: set.Owner, Address: set.Address, Email: set.Email,
		Purpose: site.Purpose(), Currency: set.Currency.Code, Country: set.Country, Accent: set.Accent, AccentDark: set.AccentDark,
		Fonts: cmp.Or(set.Fonts, models.EditorialFonts), HeaderLinks: siteLinkLines(set.HeaderLinks), FooterLinks: siteLinkLines(set.FooterLinks),
		Home: set.HomeSections(), HomeLayout: cmp.Or(set.HomeLayout, models.StreamLayout), HomeText: set.HomeText, HomeQuote: set.HomeQuote, FeesNote: set.FeesNote, ShippingNote: set.ShippingNote,
		Links: []ui.Link{{Href: ui.LookPath, Label: "Look"}, {Href: ui.ChecklistPath, Label: "Make it yours"}, {Href: "/", Label: "Home"}, {Href: "/account", Label: "Your account"}}, site: site}
	p.Theme, p.Refused = cmp.Or(set.Theme, models.DefaultTheme), set.Refused
	p.Themes = []string{}
	for _, theme := range set.Themes {
		p.Themes = append(p.Themes, theme.Name)
	}
	p.Languages = []string{}
	for _, l := range set.Languages {
		p.Languages = append(p.Languages, l.Code())
	}
	if set.Logo != "" {
		p.Logo = ui.PicturePath(set.Logo)
	}
	if set.Favicon != "" {
		p.Favicon = ui.PicturePath(set.Favicon)
	}
	return p
}

// siteLinkLines returns links as they are entered, one per line.
func siteLinkLines(links []models.SiteLink) []string {
	lines := make([]string, len(links))
	for i, l := range links {
		lines[i] = l.Label + " | " + l.Href
		if l.Hidden {
			lines[i] += " | hidden"
		}
	}
	return lines
}

var siteLead = languages.Mark("Name, owner, currency and notes. Changes go live immediately.")

// Head implements Page.
func (p *AdminSite) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Details"), Description: ui.T(ctx, siteLead), Path: ui.AdminSitePath, NoIndex: true,
		Crumbs: []ui.Link{{Href: "/account", Label: ui.T(ctx, "Your account")}}}
}

// Markdown implements Page.
func (p *AdminSite) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Details"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(ui.T(ctx, siteLead))
	m.Raw("\n")
	m.Head("Setting", "Value")
	row := func(label, value string) { m.Row(ui.T(ctx, label), ui.MarkdownText(cmp.Or(value, "–"))) }
	row("Version", strconv.FormatInt(p.Version, 10))
	row("Name", p.Name)
	row("Tagline", p.Tagline)
	row("Owner", p.Owner)
	row("Postal address", p.Address)
	row("Public email address", p.Email)
	row("Site type", choiceText(ctx, purposeChoices, string(p.Purpose)))
	row("Currency", p.Currency)
	row("Country", string(p.Country))
	row("Languages", strings.Join(p.Languages, ", "))
	row("Text of the home page", p.HomeText)
	row("Quotation on the home page", p.HomeQuote)
	row("Note about fees", p.FeesNote)
	row("Note about postage", p.ShippingNote)
	for _, f := range p.look(ctx) {
		row(f.Name, f.Value)
	}
	m.Links(p.Links)
	return m.Done(w)
}

// choiceText returns the label of a choice with its name.
func choiceText(ctx context.Context, choices []ui.Choice, value string) string {
	return ui.ChoiceLabel(ctx, choices, value) + " (" + value + ")"
}

// look returns the settings of the look for display.
func (p *AdminSite) look(ctx context.Context) []ui.Fact {
	sections, themes := make([]string, len(p.Home)), make([]string, len(p.Themes))
	for i, s := range p.Home {
		sections[i] = choiceText(ctx, homeChoices, string(s))
	}
	for i, theme := range p.Themes {
		themes[i] = choiceText(ctx, ThemeNames, theme)
	}
	facts := []ui.Fact{{Name: "Theme", Value: choiceText(ctx, ThemeNames, p.Theme)}, {Name: "Themes", Value: strings.Join(themes, ", ")},
		{Name: "Accent colour", Value: p.Accent}, {Name: "Accent colour on dark pages", Value: p.AccentDark}, {Name: "Typefaces", Value: choiceText(ctx, fontChoices, string(p.Fonts))},
		{Name: "Header links", Value: strings.Join(p.HeaderLinks, ", ")}, {Name: "Extra footer links", Value: strings.Join(p.FooterLinks, ", ")},
		{Name: "Home page sections", Value: strings.Join(sections, ", ")}, {Name: "Home page of the portfolio", Value: choiceText(ctx, layoutChoices, string(p.HomeLayout))},
		{Name: "Logo", Value: p.Logo}, {Name: "Favicon", Value: p.Favicon}}
	for _, refused := range p.Refused {
		facts = append(facts, ui.Fact{Name: "Theme", Value: ui.T(ctx, "This theme can’t be used: %s", refused)})
	}
	return facts
}

// Choices of the settings.
var (
	purposeChoices = []ui.Choice{
		{Value: string(models.PortfolioAndShop), Label: languages.Mark("Portfolio and shop")},
		{Value: string(models.ShopOnly), Label: languages.Mark("Shop only"), Meaning: languages.Mark("There's no portfolio.")},
		{Value: string(models.PortfolioOnly), Label: languages.Mark("Portfolio only"), Meaning: languages.Mark("Nothing is for sale, and there are no prices.")},
	}
	fontChoices = []ui.Choice{
		{Value: string(models.EditorialFonts), Label: languages.Mark("Editorial"), Meaning: languages.Mark("A serif for headings, a sans for text.")},
		{Value: string(models.SansFonts), Label: languages.Mark("Sans"), Meaning: languages.Mark("Sans serif throughout.")},
		{Value: string(models.SystemFonts), Label: languages.Mark("System"), Meaning: languages.Mark("The device's system font. Nothing to download.")},
	}
	homeChoices = []ui.Choice{
		{Value: string(models.HomeHero), Label: languages.Mark("Headline and photograph")},
		{Value: string(models.HomeCategories), Label: languages.Mark("Categories")},
		{Value: string(models.HomeDeals), Label: languages.Mark("Best deals")},
		{Value: string(models.HomeMovers), Label: languages.Mark("Biggest price changes")},
		{Value: string(models.HomeNewest), Label: languages.Mark("New listings")},
		{Value: string(models.HomeViewed), Label: languages.Mark("Recently viewed")},
		{Value: string(models.HomeProjects), Label: languages.Mark("Projects")},
		{Value: string(models.HomePhotos), Label: languages.Mark("Newest photographs")},
		{Value: string(models.HomeJournal), Label: languages.Mark("Journal")},
		{Value: string(models.HomeText), Label: languages.Mark("Text")},
		{Value: string(models.HomeQuote), Label: languages.Mark("Quotation")},
	}
	layoutChoices = []ui.Choice{
		{Value: string(models.StreamLayout), Label: languages.Mark("Newest photographs in rows")},
		{Value: string(models.FullLayout), Label: languages.Mark("One photograph over the window")},
		{Value: string(models.TilesLayout), Label: languages.Mark("Covers of projects")},
		{Value: string(models.StripLayout), Label: languages.Mark("Photographs side by side")},
	}
)

// ThemeNames names the themes that every site has.
var ThemeNames = []ui.Choice{
	{Value: "paper", Label: languages.Mark("Paper")},
	{Value: "gallery_white", Label: languages.Mark("Gallery white")},
	{Value: "darkroom", Label: languages.Mark("Darkroom")},
}

// layoutDrawings holds the rectangles of a drawing of each layout, as x, y, width and height
// on a sheet of 48 by 32.
var layoutDrawings = map[string][][4]string{
	string(models.StreamLayout): {{"2", "2", "16", "8"}, {"20", "2", "10", "8"}, {"32", "2", "14", "8"}, {"2", "12", "12", "8"}, {"16", "12", "18", "8"}, {"36", "12", "10", "8"}, {"2", "22", "14", "8"}, {"18", "22", "12", "8"}, {"32", "22", "14", "8"}},
	string(models.FullLayout):   {{"0", "0", "48", "32"}},
	string(models.TilesLayout):  {{"2", "2", "21", "13"}, {"25", "2", "21", "13"}, {"2", "17", "21", "13"}, {"25", "17", "21", "13"}},
	string(models.StripLayout):  {{"2", "6", "20", "20"}, {"24", "6", "14", "20"}, {"40", "6", "8", "20"}},
}
