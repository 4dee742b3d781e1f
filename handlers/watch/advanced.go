package watch

import (
	"context"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	accountviews "github.com/secondlight/secondlight/views/account"
	views "github.com/secondlight/secondlight/views/watch"
)

func (s savedSearchOps) showAdvanced() web.Operation {
	return web.Op[struct{}, *accountviews.Advanced]{
		Name: "show_advanced", Page: "/account/advanced", Access: web.SignedIn, Tag: "Account",
		Title: "Advanced", Summary: "Shows what programs that act for you use.", Description: "Returns the member's saved searches and links to their tokens, connected apps and bulk data.",
		Sample: func() *accountviews.Advanced {
			return accountviews.NewAdvanced(s.Site, []views.SearchCard{s.sampleSearch().SearchCard})
		},
		Do: func(ctx context.Context, _ *struct{}) (*accountviews.Advanced, error) {
			page, err := s.savedSearches(ctx)
			if err != nil {
				return nil, err
			}
			return accountviews.NewAdvanced(s.Site, page.Searches), nil
		},
	}.Operation()
}

func (s savedSearchOps) showSearchWebhook() web.Operation {
	return web.Op[savedSearchInput, *accountviews.SearchWebhook]{
		Name: "show_search_webhook", Page: "/account/advanced/webhooks/{id}", Access: web.Members, Scope: string(models.AccountRead), Tag: "Watching",
		Title: "Webhook of a saved search", Summary: "Shows the webhook of a saved search and its secret.", Description: "Returns the webhook of a saved search, what it is sent, and the secret that signs it.",
		Errors: []string{"search_not_found"},
		Sample: s.sampleWebhook,
		Do: func(ctx context.Context, in *savedSearchInput) (*accountviews.SearchWebhook, error) {
			saved, err := s.Watches.Search(ctx, strings.ToLower(in.ID), caller.ID(ctx))
			if err != nil {
				return nil, err
			}
			return accountviews.NewSearchWebhook(s.Site, saved), nil
		},
	}.Operation()
}

type searchWebhookInput struct {
	savedSearchInput
	Webhook string                `json:"webhook,omitempty" jsonschema:"public URL that receives alerts; empty to remove it" example:"https://example.org/hook"`
	Events  []models.WebhookEvent `json:"webhook_events,omitempty" jsonschema:"what the webhook is sent" example:"trends.changed"`
}

func (s savedSearchOps) setSearchWebhook() web.Operation {
	return web.Op[searchWebhookInput, *accountviews.SearchWebhook]{
		Name: "set_search_webhook", Method: http.MethodPost, Page: "/account/advanced/webhooks/{id}", Access: web.Members, Scope: string(models.WatchWrite), Tag: "Watching",
		Done:  "Changes saved.",
		Title: "Set the webhook of a saved search", Summary: "Sets or removes the webhook of a saved search.", Description: "Sets where the alerts of a saved search are posted, and what is sent.",
		Errors: []string{"search_not_found"},
		Sample: s.sampleWebhook,
		Do: func(ctx context.Context, in *searchWebhookInput) (*accountviews.SearchWebhook, error) {
			if err := s.checkWebhook(ctx, in.Webhook); err != nil {
				return nil, err
			}
			saved, err := s.Watches.EditSearch(ctx, strings.ToLower(in.ID), caller.ID(ctx), 0, func(saved *models.SavedSearch) error {
				saved.Webhook, saved.WebhookEvents = in.Webhook, in.Events
				return nil
			})
			if err != nil {
				return nil, err
			}
			return accountviews.NewSearchWebhook(s.Site, saved), nil
		},
	}.Operation()
}

// sampleWebhook returns an example webhook of a saved search.
func (s savedSearchOps) sampleWebhook() *accountviews.SearchWebhook {
	return accountviews.NewSearchWebhook(s.Site, &models.SavedSearch{ID: "019aa7d2-7c00-7000-8000-00000000000c", Name: "R6 under 1200", Webhook: "https://example.org/hook",
		WebhookEvents: []models.WebhookEvent{models.ListingsPublished}, WebhookSecret: "whsec_QW4gZXhhbXBsZSBvZiBhIHNlY3JldDogMzIgYnl0ZXM="})
}
