package admin

import (
	"context"
	"net/http"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/admin"
)

const heldWordsPage = "/account/moderation/words"

func (s moderationOps) getHeldWords() web.Operation {
	return web.Op[struct{}, *views.HeldWords]{
		Name: "get_held_words", Path: "/api/held-words", Page: heldWordsPage,
		Access: web.Operators, Scope: string(models.Moderation), Tag: "Trust", Title: "Words that hold a listing",
		Summary:     "Returns the words and phrases that hold a listing for a decision.",
		Description: "Returns the words and phrases, and the version that edit_held_words needs. A listing with one of them in its title, description or included items isn't public until it is released with review_hold.",
		Sample:      s.sampleHeldWords,
		Do: func(ctx context.Context, _ *struct{}) (*views.HeldWords, error) {
			words, err := s.Listings.HeldWords(ctx)
			if err != nil {
				return nil, err
			}
			return views.NewHeldWords(s.Site, words), nil
		},
	}.Operation()
}

// heldWordsInput is the whole list of words.
type heldWordsInput struct {
	Version int64    `json:"version" jsonschema:"version of the list being changed" min:"0" example:"0"`
	Words   []string `json:"words" jsonschema:"all words and phrases, at most 500" sep:"lines" maxlength:"80" example:"Western Union"`
}

func (s moderationOps) editHeldWords() web.Operation {
	return web.Op[heldWordsInput, *views.HeldWords]{
		Name: "edit_held_words", Method: http.MethodPut, Path: "/api/held-words", Page: heldWordsPage,
		Access: web.Operators, Scope: string(models.Moderation), Tag: "Trust", Title: "Edit the words that hold a listing", Done: "List saved.",
		Summary: "Replaces the words and phrases that hold a listing for a decision.",
		Description: "Replaces the whole list. It applies to listings that are published, relisted or rewritten from now on. Whole words match, in any case and with or without accents. " +
			"If the list has changed since the version, nothing is written. The audit log has each change.",
		Errors: []string{"invalid_parameter", "held_words_changed"},
		Sample: s.sampleHeldWords,
		Do: func(ctx context.Context, in *heldWordsInput) (*views.HeldWords, error) {
			words := &models.HeldWords{Version: in.Version, Words: in.Words}
			if err := s.Listings.SetHeldWords(ctx, caller.ID(ctx), words); err != nil {
				return nil, err
			}
			return views.NewHeldWords(s.Site, words), nil
		},
	}.Operation()
}

// sampleHeldWords returns an example response.
func (s moderationOps) sampleHeldWords() *views.HeldWords {
	return views.NewHeldWords(s.Site, &models.HeldWords{Version: 3, Words: []string{"Western Union", "replica"}})
}
