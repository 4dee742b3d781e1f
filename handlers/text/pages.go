package text

import (
	"context"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/web"
	views "github.com/secondlight/secondlight/views/text"
)

// pageOps holds the operations of the text pages.
type pageOps struct{ Deps }

// getAbout returns the operation that shows the about page.
func (s pageOps) getAbout() web.Operation {
	return web.Op[struct{}, *views.About]{
		Name:        "get_about",
		Page:        AboutPage,
		Tag:         "Site",
		Title:       "About the site",
		Summary:     "What the site is, who runs it and where its data comes from.",
		Description: "Returns what the site is for, how its prices are calculated, who runs it, and the sources of its data and photos.",
		Text:        true,
		Do: func(context.Context, *struct{}) (*views.About, error) {
			return views.NewAbout(s.Site, s.Pages.BySlug("about")), nil
		},
	}.Operation()
}

const AboutPage = "/about"

// textPages returns the operations that show the other pages about the site.
func (s pageOps) textPages() []web.Operation {
	var all []web.Operation
	for _, slug := range content.PageSlugs {
		if "/"+slug != AboutPage {
			all = append(all, s.getTextPage(content.EmbeddedPage(slug)))
		}
	}
	return all
}

// getTextPage returns the operation that shows a page about the site.
func (s pageOps) getTextPage(t *content.Text) web.Operation {
	return web.Op[struct{}, *views.TextPage]{
		Name:        "get_" + t.Slug,
		Page:        "/" + t.Slug,
		Tag:         "Site",
		Title:       t.Title,
		Summary:     t.Description,
		Description: "Returns the page as the site's owner wrote it.",
		Text:        true,
		Do: func(context.Context, *struct{}) (*views.TextPage, error) {
			return views.NewTextPage(s.Site, s.Pages.BySlug(t.Slug)), nil
		},
	}.Operation()
}
