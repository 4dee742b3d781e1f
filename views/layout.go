package views

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
