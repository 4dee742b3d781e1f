package ui

import (
	"context"
	"sync"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// The scripts of static have no texts: they show those that a page has in data attributes
// of the element they work on. A script replaces % by a value.

// scriptTexts returns the texts of the scripts of every page, which are attributes of body.
// They are collected once, because every page has them.
func scriptTexts(ctx context.Context) templ.OrderedAttributes {
	return allScriptTexts()[languages.Of(ctx)]
}

var allScriptTexts = sync.OnceValue(func() map[*languages.Language]templ.OrderedAttributes {
	all := map[*languages.Language]templ.OrderedAttributes{}
	for _, l := range languages.All {
		all[l] = newScriptTexts(l.NewContext(context.Background())).Items()
	}
	return all
})

// newScriptTexts collects scriptTexts. Suggestions are data, in English: the page has the names
// of categories in other languages.
func newScriptTexts(ctx context.Context) templ.Attributes {
	texts := templ.Attributes{
		"data-offline":     T(ctx, "You're offline. This page is as you last saw it, %s.", "%"),
		"data-suggestions": T(ctx, "Suggestions"),
		"data-recent":      T(ctx, "Recent searches"),
		"data-forget":      T(ctx, "Clear recent searches"),
		"data-forgotten":   T(ctx, "Recent searches cleared."),
		"data-keys":        T(ctx, "Use the arrow keys to choose."),
		"data-brand":       languages.Of(ctx).TextIn("in a suggestion", "brand"),
		"data-category":    languages.Of(ctx).TextIn("in a suggestion", "category"),
		"data-for-sale":    languages.Of(ctx).TextIn("in a suggestion", "%s for sale", "%"),
		"data-unviewed":    T(ctx, "Recently viewed cleared."),
		"data-blank":       T(ctx, "No photo"),
		"data-compare":     T(ctx, "Compare"),
		"data-clear":       T(ctx, "Clear"),
		"data-one":         T(ctx, "1 selected. Pick another to compare."),
		"data-selected":    T(ctx, "%s selected", "%"),
		"data-full":        T(ctx, "You can compare up to %d listings. Clear one first.", MaxComparedListings),
	}
	if languages.Of(ctx) != languages.English {
		for _, c := range models.Categories {
			texts["data-category-"+string(c)] = T(ctx, c.Label())
		}
	}
	return texts
}

// GalleryTexts returns the texts of listing.js.
func GalleryTexts(ctx context.Context) templ.Attributes {
	return templ.Attributes{
		"data-previous": T(ctx, "Previous photo"),
		"data-next":     T(ctx, "Next photo"),
	}
}

// viewerTexts returns the texts of viewer.js.
func viewerTexts(ctx context.Context) templ.Attributes {
	return templ.Attributes{
		"data-previous":  T(ctx, "Previous photo"),
		"data-next":      T(ctx, "Next photo"),
		"data-large":     T(ctx, "Full-size photographs"),
		"data-slideshow": T(ctx, "Slideshow"),
		"data-zoom":      T(ctx, "Actual size"),
		"data-info":      T(ctx, "Information"),
		"data-surround":  T(ctx, "Black, grey or white surround"),
		"data-full":      T(ctx, "Full screen"),
		"data-close":     T(ctx, "Close"),
	}
}

// SellTexts returns the texts of sell.js.
func SellTexts(ctx context.Context) templ.Attributes {
	return templ.Attributes{
		"data-saving":    T(ctx, "Saving…"),
		"data-done":      T(ctx, "Draft saved. Only you can see it."),
		"data-marked":    T(ctx, "Draft saved, except the fields marked below."),
		"data-unsaved":   T(ctx, "Not saved. %s", "%"),
		"data-later":     T(ctx, "Not saved yet. Trying again…"),
		"data-offline":   T(ctx, "Not saved yet. Check your connection and try again."),
		"data-uploading": T(ctx, "Uploading %s", "%"),
		"data-added":     T(ctx, "%s uploaded.", "%"),
		"data-failed":    T(ctx, "%s could not be uploaded.", "%"),
		"data-again":     T(ctx, "Try again"),
		"data-deleted":   T(ctx, "Photo deleted."),
		"data-ordered":   T(ctx, "Photo order saved."),
	}
}

// PasskeyTexts returns the texts of passkeys.js. It shows the messages of errors, which
// are English, only to readers of English.
func PasskeyTexts(ctx context.Context) templ.Attributes {
	texts := templ.Attributes{
		"data-impossible": T(ctx, "This browser doesn't support passkeys."),
		"data-cancelled":  T(ctx, "Nothing was saved: the request was cancelled or timed out."),
	}
	if languages.Of(ctx) != languages.English {
		texts["data-failed"] = T(ctx, "Something went wrong. Check what you entered and try again.")
	}
	return texts
}
