package ui

import (
	"context"

	"github.com/secondlight/secondlight/models"
)

// Question returns what an MCP client asks a person before a call that commits them: the words
// of the button on the page, the title of the listing, and what the page says of it.
func Question(button, title, text string) string {
	question := button + ": " + Excerpt(title, 80)
	if text != "" {
		question += ". " + text
	}
	return question
}

// BuyText says what buying from a seller means.
func BuyText(ctx context.Context, how models.BuyNow, seller string) string {
	if how == models.BuyInstant {
		return T(ctx, "It's yours right away. You pay %s directly. We don't handle payments.", seller)
	}
	return T(ctx, "It's reserved for you right away, and %s has 48 hours to confirm. You pay them directly. We don't handle payments.", seller)
}
