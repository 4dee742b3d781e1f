package views

import (
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
)

// PaperColor and darkPaperColor are the background colours of pages in light and dark, as
// in tailwind.config.js.
const (
	PaperColor     = "#fbfaf7"
	darkPaperColor = "#15110f"
)

// siteLinks lists the sections of the site in the order of the navigation.
var siteLinks = []Link{
	{searchPath + "?category=camera", languages.Mark("Cameras")},
	{searchPath + "?category=lens", languages.Mark("Lenses")},
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
	return h.Title + " | " + site.Name
}

// results reports whether a page is that of a search.
func results(page Page) bool {
	_, ok := page.(*Listings)
	return ok
}

// keywordOf returns the keyword to show in the search box.
func keywordOf(page Page) string {
	if p, ok := page.(*Listings); ok {
		return p.Query.Keyword
	}
	return ""
}
