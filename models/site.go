package models

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models/problem"
)

// SiteSettings are the owner's settings of the site. The zero value of a field means the
// default, from the environment if it sets one.
type SiteSettings struct {
	Name         string        `json:"name,omitempty"`
	Tagline      string        `json:"tagline,omitempty"`
	Owner        string        `json:"owner,omitempty"`
	Address      string        `json:"address,omitempty"` // postal address, for the imprint
	Email        string        `json:"email,omitempty"`   // public, for the imprint, help and privacy pages
	Purpose      SitePurpose   `json:"purpose,omitempty"`
	Currency     string        `json:"currency,omitempty"`  // ISO 4217
	Country      Region        `json:"country,omitempty"`   // ISO 3166
	Languages    []string      `json:"languages,omitempty"` // BCP 47 tags, the default first
	Accent       string        `json:"accent,omitempty"`    // colour on light pages, "#c02f0c"
	AccentDark   string        `json:"accent_dark,omitempty"`
	Fonts        Fonts         `json:"fonts,omitempty"`
	HeaderLinks  []SiteLink    `json:"header_links,omitempty"`
	FooterLinks  []SiteLink    `json:"footer_links,omitempty"`
	Home         []HomeSection `json:"home,omitempty"` // the sections that are shown, in order
	HomeLayout   HomeLayout    `json:"home_layout,omitempty"`
	HomeText     string        `json:"home_text,omitempty"` // Markdown
	HomeQuote    string        `json:"home_quote,omitempty"`
	FeesNote     string        `json:"fees_note,omitempty"`
	ShippingNote string        `json:"shipping_note,omitempty"`
	Theme        string        `json:"theme,omitempty"` // name of a theme
	Logo         string        `json:"logo,omitempty"`  // name of a picture
	Favicon      string        `json:"favicon,omitempty"`
}

// SiteLink is a link of the header or the footer: to a path of the site, an https: or a
// mailto: URL.
type SiteLink struct {
	Label  string `json:"label"`
	Href   string `json:"href"`
	Hidden bool   `json:"hidden,omitempty"` // kept for later
}

// ShownLinks returns the links that aren't hidden.
func ShownLinks(links []SiteLink) []SiteLink {
	return slices.DeleteFunc(slices.Clone(links), func(l SiteLink) bool { return l.Hidden })
}

// SitePurpose says which halves of the site there are.
type SitePurpose string

// The purposes. The default is PortfolioAndShop.
const (
	PortfolioAndShop SitePurpose = "portfolio_and_shop"
	ShopOnly         SitePurpose = "shop"
	PortfolioOnly    SitePurpose = "portfolio"
)

// SitePurposes lists the purposes, the default first.
var SitePurposes = []SitePurpose{PortfolioAndShop, ShopOnly, PortfolioOnly}

// HasShop reports whether the site has listings and prices.
func (p SitePurpose) HasShop() bool { return p != PortfolioOnly }

// HasPortfolio reports whether the site has a portfolio.
func (p SitePurpose) HasPortfolio() bool { return p != ShopOnly }

// Fonts are the typefaces of pages.
type Fonts string

// The fonts. The default is EditorialFonts.
const (
	EditorialFonts Fonts = "editorial" // a serif for headings, a sans for text
	SansFonts      Fonts = "sans"      // the sans for both
	SystemFonts    Fonts = "system"    // those of the device, without a download
)

// AllFonts lists the fonts, the default first.
var AllFonts = []Fonts{EditorialFonts, SansFonts, SystemFonts}

// HomeSection is a section of the home page.
type HomeSection string

// The sections of the home page.
const (
	HomeHero       HomeSection = "hero"
	HomeCategories HomeSection = "categories"
	HomeDeals      HomeSection = "deals"
	HomeMovers     HomeSection = "movers"
	HomeNewest     HomeSection = "newest"
	HomeViewed     HomeSection = "viewed"
	HomeProjects   HomeSection = "projects"
	HomePhotos     HomeSection = "photographs" // the newest
	HomeJournal    HomeSection = "journal"
	HomeText       HomeSection = "text"
	HomeQuote      HomeSection = "quote"
)

// HomeSections lists the sections of the home page, and DefaultHome those of a new site.
var (
	DefaultHome  = []HomeSection{HomeHero, HomeCategories, HomeDeals, HomeMovers, HomeNewest, HomeViewed}
	HomeSections = append(slices.Clone(DefaultHome), HomeProjects, HomePhotos, HomeJournal, HomeText, HomeQuote)
)

// HomeLayout is how the home page of a portfolio begins.
type HomeLayout string

// The layouts. The default is StreamLayout.
const (
	StreamLayout HomeLayout = "stream" // the newest photographs in rows
	FullLayout   HomeLayout = "full"   // one photograph over the window
	TilesLayout  HomeLayout = "tiles"  // the covers of projects
	StripLayout  HomeLayout = "strip"  // the newest photographs side by side
)

// HomeLayouts lists the layouts, the default first.
var HomeLayouts = []HomeLayout{StreamLayout, FullLayout, TilesLayout, StripLayout}

// Limits of the settings, in characters unless they say otherwise.
const (
	MaxSiteName  = 60
	MaxTagline   = 120
	MaxSiteText  = 300
	MaxSiteNote  = 1000
	MaxSiteLinks = 8 // of the header, and of the footer
	MaxLinkLabel = 30
	MaxLinkHref  = 300
)

// Or returns the settings with the values of defaults where s has none.
func (s SiteSettings) Or(defaults SiteSettings) SiteSettings {
	fields, others := reflect.ValueOf(&s).Elem(), reflect.ValueOf(defaults)
	for i := range fields.NumField() {
		if f := fields.Field(i); f.IsZero() || f.Kind() == reflect.Slice && f.Len() == 0 {
			f.Set(others.Field(i))
		}
	}
	return s
}

// Changed returns the names of the fields that differ, as in JSON.
func (s *SiteSettings) Changed(from *SiteSettings) (names []string) {
	now, before := reflect.ValueOf(*s), reflect.ValueOf(*from)
	for i := range now.NumField() {
		if !reflect.DeepEqual(now.Field(i).Interface(), before.Field(i).Interface()) {
			name, _, _ := strings.Cut(now.Type().Field(i).Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	return names
}

// Check normalises the settings and returns an Invalid error that lists all invalid
// fields. languages and themes are those the site has.
func (s *SiteSettings) Check(languages []string, themes []*Theme) error {
	var c SiteCheck
	light, dark := LightGround, DarkGround
	if theme := FindTheme(themes, s.Theme); theme != nil {
		light, dark = theme.Light.Ground(), theme.Dark.Ground()
	} else {
		c.Require(s.Theme == "", "theme", "There's no theme %q.", s.Theme)
	}
	c.Line("name", &s.Name, MaxSiteName)
	c.Line("tagline", &s.Tagline, MaxTagline)
	c.Line("owner", &s.Owner, MaxSiteName)
	c.Line("address", &s.Address, MaxSiteText)
	c.text("fees_note", &s.FeesNote)
	c.text("shipping_note", &s.ShippingNote)
	c.text("home_text", &s.HomeText)
	c.text("home_quote", &s.HomeQuote)
	c.Require(s.HomeLayout == "" || slices.Contains(HomeLayouts, s.HomeLayout), "home_layout", "Choose stream, full, tiles or strip.")
	if s.Email != "" {
		email, ok := ParseEmail(s.Email)
		c.Require(ok, "email", "Enter an email address such as hello@shop.example.")
		s.Email = email
	}
	c.Require(s.Purpose == "" || slices.Contains(SitePurposes, s.Purpose), "purpose", "Choose %s, shop or portfolio.", problem.Codes{"portfolio_and_shop"})
	c.Require(s.Fonts == "" || slices.Contains(AllFonts, s.Fonts), "fonts", "Choose editorial, sans or system.")
	if s.Currency != "" {
		currency, err := ParseCurrency(s.Currency)
		c.Require(err == nil, "currency", "Use an ISO 4217 code such as EUR or USD.")
		s.Currency = currency.Code
	}
	s.Country = Region(strings.ToUpper(string(s.Country)))
	c.Require(s.Country == "" || s.Country.Valid() && s.Country.Country() == s.Country, "country", "Use an ISO 3166 code of a country, such as DE.")
	for i, tag := range s.Languages {
		c.Require(slices.Contains(languages, tag) && !slices.Contains(s.Languages[:i], tag), "languages", "Use each of these at most once: %s.", strings.Join(languages, ", "))
	}
	c.accent("accent", &s.Accent, light)
	c.accent("accent_dark", &s.AccentDark, dark)
	c.links("header_links", s.HeaderLinks)
	c.links("footer_links", s.FooterLinks)
	for i, section := range s.Home {
		c.Require(slices.Contains(HomeSections, section), "home_sections", "%q isn't a section of the home page.", section)
		c.Require(!slices.Contains(s.Home[:i], section), "home_sections", "Each section can be on the home page once.")
	}
	return InvalidFields(c.Fields)
}

// SiteCheck collects the invalid fields of settings.
type SiteCheck struct{ Fields []problem.FieldError }

// Require refuses a field, once, unless ok.
func (c *SiteCheck) Require(ok bool, field string, format problem.Format, args ...any) {
	if !ok && !slices.ContainsFunc(c.Fields, func(f problem.FieldError) bool { return f.Field == field }) {
		c.Fields = append(c.Fields, problem.FieldError{Field: field, Code: "invalid_value", Message: problem.Textf(format, args...)})
	}
}

// Line checks a text of one line.
func (c *SiteCheck) Line(field string, text *string, limit int) {
	*text = strings.Join(strings.Fields(*text), " ")
	c.Require(Storable(*text) && utf8.RuneCountInString(*text) <= limit, field, "Use at most %d characters.", limit)
}

// text checks a text of several lines.
func (c *SiteCheck) text(field string, text *string) {
	*text = strings.TrimSpace(strings.ReplaceAll(*text, "\r\n", "\n"))
	c.Require(Storable(*text) && utf8.RuneCountInString(*text) <= MaxSiteNote, field, "Use at most %d characters.", MaxSiteNote)
}

// accent checks a colour against the grounds that it is read on.
func (c *SiteCheck) accent(field string, color *string, ground Ground) {
	if *color = strings.ToLower(strings.TrimSpace(*color)); *color == "" {
		return
	}
	parsed, ok := ParseColor(*color)
	if !ok {
		c.Require(false, field, "Enter a colour as # and six digits, such as #c02f0c.")
		return
	}
	*color = parsed.String()
	if near := ground.Readable(parsed); near != parsed {
		c.Require(false, field, "%s is hard to read on a page: its contrast is %.1f:1 and must be at least 4.5:1. Try %s.", parsed, ground.Contrast(parsed), near)
	}
}

// links checks the links of the header or the footer.
func (c *SiteCheck) links(field string, links []SiteLink) {
	c.Require(len(links) <= MaxSiteLinks, field, "Use at most %d links.", MaxSiteLinks)
	for i := range links {
		l := &links[i]
		l.Label, l.Href = strings.Join(strings.Fields(l.Label), " "), strings.TrimSpace(l.Href)
		c.Require(l.Label != "" && Storable(l.Label) && utf8.RuneCountInString(l.Label) <= MaxLinkLabel, field,
			"Give each link a label of at most %d characters: Prints | /journal/prints.", MaxLinkLabel)
		c.Require(isLinkTarget(l.Href), field, "%q isn't a path such as /about, or an https: or mailto: address.", l.Href)
	}
}

// isLinkTarget reports whether a link of the owner may lead to href.
func isLinkTarget(href string) bool {
	if !Storable(href) || len(href) > MaxLinkHref || strings.ContainsFunc(href, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return false
	}
	local := strings.HasPrefix(href, "/") && !strings.HasPrefix(href, "//")
	return local || len(href) > len("https://") && strings.HasPrefix(href, "https://") || strings.HasPrefix(href, "mailto:") && strings.Contains(href, "@")
}

// ParseSiteSettings parses a stored document.
func ParseSiteSettings(document string) (*SiteSettings, error) {
	var s SiteSettings
	if err := json.Unmarshal([]byte(document), &s); err != nil {
		return nil, fmt.Errorf("read site settings: %w", err)
	}
	return &s, nil
}

// SiteProgress tells which steps of setting up a site the owner has done.
type SiteProgress struct {
	Listed   bool // somebody with an account has published a listing
	MailAt   Time // when a mail server last took an email, 0 for never
	BackupAt Time // when a backup was last made, 0 for never
	Sales    int  // of the gear that has most of them, within the time of a price
}

// Upkeep tells what was recorded about the backups and files of a site. Figures are 0 if there
// are none yet.
type Upkeep struct {
	BackupAt     Time  // when a complete backup was last made
	BackupBytes  int64 // its size
	CheckedAt    Time  // when a backup was last read again and found to be complete
	CheckedBytes int64 // its size
	Photos       int   // photographs in the files of the site
}
