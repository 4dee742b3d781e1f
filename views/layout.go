package views

import "strings"

// siteLinks are the rooms of the site, in the order every page names them.
var siteLinks = []Link{
	{searchPath + "?category=camera", "Cameras"},
	{searchPath + "?category=lens", "Lenses"},
	{"/gear", "Price guide"},
	{"/portfolio", "Portfolio"},
	{"/journal", "Journal"},
	{"/about", "About"},
}

// leadsTo reports whether path is in the room the link leads to.
func (l Link) leadsTo(path string) bool {
	rest, ok := strings.CutPrefix(path, l.Href)
	return ok && (rest == "" || rest[0] == '/' || rest[0] == '&')
}

// title is the page's title with the site's name, unless it says it already.
func (h Head) title(site *Site) string {
	if h.Path == "/" {
		return h.Title
	}
	return h.Title + " | " + site.Name
}

// keywordOf is what the search box shows: the keyword of the search on the page.
func keywordOf(page Page) string {
	if p, ok := page.(*Listings); ok {
		return p.Query.Keyword
	}
	return ""
}
