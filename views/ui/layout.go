package ui

import (
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// The background colours of pages in the default theme, as in tailwind.config.js.
const (
	paperColor     = "#fbfaf7"
	darkPaperColor = "#15110f"
)

// PaperColors returns the background colours of light and of dark pages.
func (s *SiteSettings) PaperColors() (light, dark string) {
	if s.theme == nil || s.theme.Name == models.DefaultTheme {
		return paperColor, darkPaperColor
	}
	return s.theme.Light.Paper().String(), s.theme.Dark.Paper().String()
}

// siteLinks lists the sections of the site in the order of the navigation.
var siteLinks = []Link{
	{UsedPrefix + "cameras", languages.Mark("Cameras")},
	{UsedPrefix + "lenses", languages.Mark("Lenses")},
	{"/gear", languages.Mark("Price guide")},
	{"/portfolio", languages.Mark("Portfolio")},
	{"/journal", languages.Mark("Journal")},
	{"/about", languages.Mark("About")},
}

// leadsTo reports whether path is in the section that the link leads to.
func (l Link) leadsTo(path string) bool {
	rest, ok := strings.CutPrefix(path, l.Href)
	return ok && (rest == "" || rest[0] == '/' || rest[0] == '&')
}

// ViewerLinks returns the links of the header that depend on who is signed in, as
// Document renders them on pages outside the account. A nil viewer is anonymous.
func ViewerLinks(v *Viewer) templ.Component {
	if v == nil {
		v = &Viewer{}
	}
	return accountLinks(v, "")
}

// title returns the title element: the page's title followed by the site's name,
// except on the home page.
func (h Head) title(site *Site) string {
	if h.Path == "/" {
		return h.Title
	}
	return h.Title + " | " + site.Name()
}

// keyworded is implemented by the page of a search.
type keyworded interface{ Keyword() string }

// results reports whether a page is that of a search.
func results(page Page) bool {
	_, ok := page.(keyworded)
	return ok
}

// keywordOf returns the keyword to show in the search box.
func keywordOf(page Page) string {
	if p, ok := page.(keyworded); ok {
		return p.Keyword()
	}
	return ""
}

// headerLinks returns the links of the navigation: the owner's, or those of the sections
// that the site has.
func (s *Site) headerLinks() []Link {
	if own := models.ShownLinks(s.Settings().HeaderLinks); len(own) > 0 {
		return ownLinks(own)
	}
	return s.Existing(siteLinks)
}

// sections returns the links of the navigation and the one to sell.
func (s *Site) sections() []Link {
	links := s.headerLinks()
	if s.Purpose().HasShop() {
		links = append(links, Link{"/sell", languages.Mark("Sell")})
	}
	return links
}

// currentSections returns a "1" for each of the sections that a path is in, and a "0" for others.
func (s *Site) currentSections(path string) string {
	links := s.sections()
	current := make([]byte, len(links))
	for i, l := range links {
		current[i] = '0'
		if l.leadsTo(path) {
			current[i] = '1'
		}
	}
	return string(current)
}

// ownLinks returns the owner's links.
func ownLinks(links []models.SiteLink) []Link {
	all := make([]Link, len(links))
	for i, l := range links {
		all[i] = Link{l.Href, l.Label}
	}
	return all
}

// Existing returns the links that lead to pages the site has.
func (s *Site) Existing(links []Link) []Link {
	purpose := s.Purpose()
	return slices.DeleteFunc(slices.Clone(links), func(l Link) bool {
		return !purpose.HasPortfolio() && inSection(l.Href, portfolioSections) || !purpose.HasShop() && inSection(l.Href, shopSections)
	})
}

// The sections of the two halves of the site.
var (
	portfolioSections = []string{"/portfolio", "/kit"}
	shopSections      = []string{SearchPath, "/used", "/gear", "/prices", "/compare", "/sell", "/sellers", "/buying", "/shipping", "/safety", "/fees", "/guides", "/stolen"}
)

// inSection reports whether a path is in one of the sections.
func inSection(path string, sections []string) bool {
	return slices.ContainsFunc(sections, func(section string) bool {
		rest, ok := strings.CutPrefix(path, section)
		return ok && (rest == "" || strings.ContainsRune("/?&", rune(rest[0])))
	})
}

// fontFiles returns the font files that pages need at once.
func (s *SiteSettings) fontFiles() []string {
	switch s.Fonts {
	case models.SystemFonts:
		return nil
	case models.SansFonts:
		return []string{"fonts/text.woff2"}
	}
	return []string{"fonts/text.woff2", "fonts/heading.woff2"}
}
