package handlers

import (
	"context"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/handlers/web"
	textviews "github.com/secondlight/secondlight/views/text"
)

// pageOps holds the operations of the text pages.
type pageOps struct{ textDeps }

// getAbout returns the operation that shows the about page.
func (s pageOps) getAbout() web.Operation {
	return web.Op[struct{}, *textviews.About]{
		Name:        "get_about",
		Page:        aboutPage,
		Tag:         "Site",
		Title:       "About the site",
		Summary:     "What the site is, who runs it and where its data comes from.",
		Description: "Returns what the site is for, how its prices are calculated, who runs it, and the sources of its data and photos.",
		Text:        true,
		Do: func(context.Context, *struct{}) (*textviews.About, error) {
			return textviews.NewAbout(s.Site, s.Pages.BySlug("about")), nil
		},
	}.Operation()
}

const aboutPage = "/about"

// textPages returns the operations that show the other pages about the site.
func (s pageOps) textPages() []web.Operation {
	var all []web.Operation
	for _, slug := range content.PageSlugs {
		if "/"+slug != aboutPage {
			all = append(all, s.getTextPage(content.EmbeddedPage(slug)))
		}
	}
	return all
}

// getTextPage returns the operation that shows a page about the site.
func (s pageOps) getTextPage(t *content.Text) web.Operation {
	return web.Op[struct{}, *textviews.TextPage]{
		Name:        "get_" + t.Slug,
		Page:        "/" + t.Slug,
		Tag:         "Site",
		Title:       t.Title,
		Summary:     t.Description,
		Description: "Returns the page as the site's owner wrote it.",
		Text:        true,
		Do: func(context.Context, *struct{}) (*textviews.TextPage, error) {
			return textviews.NewTextPage(s.Site, s.Pages.BySlug(t.Slug)), nil
		},
	}.Operation()
}
