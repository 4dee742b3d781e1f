package views

import (
	"context"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// The scripts of static have no texts: they show those that a page has in data attributes
// of the element they work on. A script replaces % by a value.

// scriptTexts returns the texts of the scripts of every page, which are attributes of body.
// Suggestions are data, in English: the page has the names of categories in other languages.
func scriptTexts(ctx context.Context) templ.Attributes {
	texts := templ.Attributes{
		"data-offline":     t(ctx, "You're offline. This page is as you last saw it, %s.", "%"),
		"data-suggestions": t(ctx, "Suggestions"),
		"data-recent":      t(ctx, "Recent searches"),
		"data-forget":      t(ctx, "Clear recent searches"),
		"data-forgotten":   t(ctx, "Recent searches cleared."),
		"data-keys":        t(ctx, "Use the arrow keys to choose."),
		"data-brand":       languages.Of(ctx).TextIn("in a suggestion", "brand"),
		"data-category":    languages.Of(ctx).TextIn("in a suggestion", "category"),
		"data-for-sale":    languages.Of(ctx).TextIn("in a suggestion", "%s for sale", "%"),
		"data-unviewed":    t(ctx, "Recently viewed listings cleared."),
		"data-blank":       t(ctx, "No photograph"),
		"data-compare":     t(ctx, "Compare"),
		"data-clear":       t(ctx, "Clear"),
		"data-one":         t(ctx, "1 selected. Choose another to compare."),
		"data-selected":    t(ctx, "%s selected", "%"),
		"data-full":        t(ctx, "You can compare up to %d listings. Clear one first.", MaxComparedListings),
	}
	if languages.Of(ctx) != languages.English {
		for _, c := range models.Categories {
			texts["data-category-"+string(c)] = t(ctx, c.Label())
		}
	}
	return texts
}

// galleryTexts returns the texts of listing.js.
func galleryTexts(ctx context.Context) templ.Attributes {
	return templ.Attributes{
		"data-previous": t(ctx, "Previous photo"),
		"data-next":     t(ctx, "Next photo"),
		"data-large":    t(ctx, "Photographs in full size"),
		"data-zoom":     t(ctx, "Zoom: %s", "%"),
		"data-close":    t(ctx, "Close"),
	}
}

// sellTexts returns the texts of sell.js.
func sellTexts(ctx context.Context) templ.Attributes {
	return templ.Attributes{
		"data-saving":    t(ctx, "Saving…"),
		"data-done":      t(ctx, "Draft saved. Only you can see it."),
		"data-marked":    t(ctx, "Draft saved, except for what is marked."),
		"data-unsaved":   t(ctx, "Not saved. %s", "%"),
		"data-later":     t(ctx, "Not saved yet. We'll try again in a moment."),
		"data-offline":   t(ctx, "Not saved yet. Check your connection and try again."),
		"data-uploading": t(ctx, "Uploading %s", "%"),
		"data-added":     t(ctx, "%s is added.", "%"),
		"data-failed":    t(ctx, "%s could not be uploaded.", "%"),
		"data-again":     t(ctx, "Try again"),
		"data-deleted":   t(ctx, "The photo is deleted."),
		"data-ordered":   t(ctx, "The photos are in order."),
	}
}

// passkeyTexts returns the texts of passkeys.js. It shows the messages of errors, which
// are English, only to readers of English.
func passkeyTexts(ctx context.Context) templ.Attributes {
	texts := templ.Attributes{
		"data-impossible": t(ctx, "This browser doesn't support passkeys."),
		"data-cancelled":  t(ctx, "Nothing has changed: the request was cancelled or took too long."),
	}
	if languages.Of(ctx) != languages.English {
		texts["data-failed"] = t(ctx, "That didn't work. Check what you entered and try again.")
	}
	return texts
}
