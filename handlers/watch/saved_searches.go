package watch

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/query"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
	views "github.com/secondlight/secondlight/views/watch"
)

// savedSearchOps holds the operations on saved searches.
type savedSearchOps struct{ Deps }

func (s savedSearchOps) listSearches() web.Operation {
	return web.Op[struct{}, *views.SavedSearches]{
		Name:    "list_searches",
		Path:    "/api/searches",
		Page:    "/account/searches",
		Tag:     "Watching",
		Access:  web.Members,
		Scope:   string(models.AccountRead),
		Title:   "List saved searches",
		Summary: "Lists your saved searches.",
		Description: "Returns your saved searches, newest first, each with its filters, alert frequency and notification channels. " +
			"Use get_search for feed URLs and recent alerts, and save_search to save another search.",
		Sample: func() *views.SavedSearches {
			return views.NewSavedSearches(s.Site, []views.SearchCard{s.sampleSearch().SearchCard})
		},
		Do: func(ctx context.Context, _ *struct{}) (*views.SavedSearches, error) { return s.savedSearches(ctx) },
	}.Operation()
}

// savedSearches returns the page of the caller's saved searches.
func (s savedSearchOps) savedSearches(ctx context.Context) (*views.SavedSearches, error) {
	searches, err := s.Watches.Searches(ctx, caller.ID(ctx))
	if err != nil {
		return nil, err
	}
	cards := make([]views.SearchCard, len(searches))
	for i := range searches {
		cards[i] = s.Queries.Card(&searches[i])
	}
	return views.NewSavedSearches(s.Site, cards), nil
}

type newSearchInput struct {
	Query string `json:"query,omitempty" jsonschema:"query string of the search"`
}

func (s savedSearchOps) newSearch() web.Operation {
	return web.Op[newSearchInput, *views.SaveSearch]{
		Name:        "new_search",
		Page:        "/account/searches/new",
		Tag:         "Watching",
		Access:      web.SignedIn,
		Title:       "Save a search",
		Summary:     "Shows the form that saves a search.",
		Description: "Returns the form that saves a search, with its filters and alert settings.",
		Sample: func() *views.SaveSearch {
			return views.NewSaveSearch(s.Words, ui.Query{Filter: search.Filter{Keyword: "canon r6"}, Sort: "relevance"})
		},
		Do: func(_ context.Context, in *newSearchInput) (*views.SaveSearch, error) {
			q, err := s.Queries.Parse(in.Query)
			if err != nil {
				return nil, err
			}
			return views.NewSaveSearch(s.Words, query.Understood(q)), nil
		},
	}.Operation()
}

type saveSearchInput struct {
	Query string `json:"query,omitempty" jsonschema:"query string of the search, such as keyword=canon+r6&budget=-900; instead of separate parameters" example:"keyword=canon+r6&budget=-900"`
	query.FilterInput
	Name    string                `json:"name,omitempty" jsonschema:"name, at most 100 characters; default: derived from the search" example:"R6 under 900"`
	Every   models.Frequency      `json:"every,omitempty" jsonschema:"alert frequency: within seconds of publication, or a daily or weekly digest" enum:"instant,daily,weekly" default:"daily" example:"instant"`
	Email   *bool                 `json:"email,omitempty" jsonschema:"whether to send alerts by email; default: true" example:"true"`
	Webhook string                `json:"webhook,omitempty" jsonschema:"public URL that receives alerts as JSON, signed as Standard Webhooks" example:"https://example.org/hook"`
	Events  []models.WebhookEvent `json:"webhook_events,omitempty" jsonschema:"what the webhook is sent: new listings, or changes of the price trends of the gear that the search names, or both; default: listings.published" example:"trends.changed"`
}

func (s savedSearchOps) saveSearch() web.Operation {
	return web.Op[saveSearchInput, *views.SavedSearch]{
		Name:    "save_search",
		Method:  http.MethodPost,
		Path:    "/api/searches",
		Page:    "/account/searches",
		Form:    "/account/searches/new",
		Tag:     "Watching",
		Access:  web.Members,
		Scope:   string(models.WatchWrite),
		Creates: true,
		Done:    "Search saved.",
		Title:   "Save a search",
		Summary: "Saves a search and alerts you to new listings.",
		Description: "Set query, or the filters of search_listings. You are alerted once to each matching listing when it is first published: " +
			"by email, by a feed at a secret URL, and by webhook if you set one. A webhook can also be sent the changes of price trends: of one model (query=model=canon/eos-r6), a brand or all gear. Returns the feed URLs and the secret that signs webhooks. At most 100 searches.",
		Errors:   []string{"too_many_searches"},
		Exampled: []string{"query", "name", "every", "email", "webhook"},
		Sample:   s.sampleSearch,
		Do:       s.addSearch,
	}.Operation()
}

func (s savedSearchOps) addSearch(ctx context.Context, in *saveSearchInput) (*views.SavedSearch, error) {
	var q search.Query
	var err error
	hasFilter := !reflect.ValueOf(in.FilterInput).IsZero()
	switch {
	case in.Query != "" && hasFilter:
		return nil, query.InField("query", &problem.Error{Kind: problem.Invalid, Message: problem.Programf("query can't be combined with search parameters."), Hint: problem.Programf("Use query or the separate parameters, not both.")})
	case hasFilter:
		q, err = s.Queries.Read(&query.Input{FilterInput: in.FilterInput})
	default:
		q, err = s.Queries.Parse(in.Query)
	}
	if err != nil {
		return nil, err
	}
	if err := s.checkWebhook(ctx, in.Webhook); err != nil {
		return nil, err
	}
	shown := query.Understood(q)
	saved := &models.SavedSearch{MemberID: caller.ID(ctx), Name: cmp.Or(strings.TrimSpace(in.Name), clipped(s.Words.SearchTitle(languages.Of(ctx), shown), 100)), Query: ui.CanonicalQuery(shown),
		Every: in.Every, Email: in.Email == nil || *in.Email, Webhook: in.Webhook, WebhookEvents: in.Events}
	if _, err := s.Watches.AddSearch(ctx, saved); err != nil {
		return nil, err
	}
	return s.savedSearch(ctx, saved)
}

// clipped shortens a text to at most n characters.
func clipped(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}

// checkWebhook returns a field error if a webhook URL is not at a public address.
func (s savedSearchOps) checkWebhook(ctx context.Context, address string) error {
	if address == "" {
		return nil
	}
	if err := s.Guard.Check(ctx, address); err != nil {
		message := problem.TextOf(err)
		return &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter", Message: message, Hint: problem.Programf("Use a URL on the public internet, or leave it empty."),
			Fields: []problem.FieldError{{Field: "webhook", Code: "invalid_value", Message: message}}}
	}
	return nil
}

// alertsShown is the number of recent alerts on the page of a saved search.
const alertsShown = 24

// savedSearch returns the page of a saved search with its recent alerts.
func (s savedSearchOps) savedSearch(ctx context.Context, saved *models.SavedSearch) (*views.SavedSearch, error) {
	ids, err := s.Watches.Alerts(ctx, saved.ID, alertsShown)
	if err != nil {
		return nil, err
	}
	listings, err := s.Listings.ListingsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	cards, err := s.Cards.Of(ctx, listings)
	if err != nil {
		return nil, err
	}
	return views.NewSavedSearch(s.Site, s.Queries.Card(saved), saved, cards), nil
}

type savedSearchInput struct {
	ID string `json:"id" in:"path" jsonschema:"id of the saved search, from list_searches" example:"019aa7d2-7c00-7000-8000-00000000000c"`
}

func (s savedSearchOps) getSearch() web.Operation {
	return web.Op[savedSearchInput, *views.SavedSearch]{
		Name:        "get_search",
		Path:        "/api/searches/{id}",
		Page:        "/account/searches/{id}",
		Tag:         "Watching",
		Access:      web.Members,
		Scope:       string(models.AccountRead),
		Title:       "Get a saved search",
		Summary:     "Returns a saved search, its feeds and recent alerts.",
		Description: "Returns the filters and alert settings of a search, the secret URLs of its feeds, the secret that signs its webhooks, and the listings of recent alerts.",
		Errors:      []string{"search_not_found"},
		Sample:      s.sampleSearch,
		Do: func(ctx context.Context, in *savedSearchInput) (*views.SavedSearch, error) {
			saved, err := s.Watches.Search(ctx, strings.ToLower(in.ID), caller.ID(ctx))
			if err != nil {
				return nil, err
			}
			return s.savedSearch(ctx, saved)
		},
	}.Operation()
}

type editSearchInput struct {
	savedSearchInput
	IfMatch string                 `json:"if_match,omitempty" in:"If-Match" jsonschema:"ETag from GET; default: no check"`
	Query   *string                `json:"query,omitempty" jsonschema:"query string of the search" example:"keyword=canon+r6"`
	Name    *string                `json:"name,omitempty" jsonschema:"name of the search" example:"R6 under 900"`
	Every   *models.Frequency      `json:"every,omitempty" jsonschema:"alert frequency" enum:"instant,daily,weekly" example:"weekly"`
	Email   *bool                  `json:"email,omitempty" jsonschema:"whether to send alerts by email" example:"false"`
	Webhook *string                `json:"webhook,omitempty" jsonschema:"public URL that receives alerts; empty to remove it" example:"https://example.org/hook"`
	Events  *[]models.WebhookEvent `json:"webhook_events,omitempty" jsonschema:"what the webhook is sent" example:"trends.changed"`
}

func (s savedSearchOps) editSearch() web.Operation {
	return web.Op[editSearchInput, *views.SavedSearch]{
		Name:        "edit_search",
		Method:      http.MethodPatch,
		Path:        "/api/searches/{id}",
		Page:        "/account/searches/{id}",
		Tag:         "Watching",
		Access:      web.Members,
		Scope:       string(models.WatchWrite),
		Done:        "Changes saved.",
		Title:       "Edit a saved search",
		Summary:     "Updates the filters or alert settings of a saved search.",
		Description: "Omitted fields keep their value. You are not alerted again to listings you have already been alerted to.",
		Errors:      []string{"search_not_found", "search_changed"},
		Sample:      s.sampleSearch,
		Do: func(ctx context.Context, in *editSearchInput) (*views.SavedSearch, error) {
			if in.Webhook != nil {
				if err := s.checkWebhook(ctx, *in.Webhook); err != nil {
					return nil, err
				}
			}
			version := int64(0)
			if in.IfMatch != "" {
				version = web.ParseIfMatch(in.IfMatch)
			}
			saved, err := s.Watches.EditSearch(ctx, strings.ToLower(in.ID), caller.ID(ctx), version, func(saved *models.SavedSearch) error {
				if in.Query != nil {
					q, err := s.Queries.Parse(*in.Query)
					if err != nil {
						return err
					}
					saved.Query = ui.CanonicalQuery(query.Understood(q))
				}
				input.SetIf(&saved.Name, in.Name)
				input.SetIf(&saved.Every, in.Every)
				input.SetIf(&saved.Email, in.Email)
				input.SetIf(&saved.Webhook, in.Webhook)
				if in.Events != nil {
					saved.WebhookEvents = *in.Events
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			return s.savedSearch(ctx, saved)
		},
	}.Operation()
}

func (s savedSearchOps) deleteSearch() web.Operation {
	return web.Op[savedSearchInput, *views.SavedSearches]{
		Name:        "delete_search",
		Method:      http.MethodDelete,
		Path:        "/api/searches/{id}",
		Page:        "/account/searches/{id}/delete",
		Form:        "/account/searches",
		Tag:         "Watching",
		Access:      web.Members,
		Scope:       string(models.WatchWrite),
		Destructive: true,
		Done:        "Search deleted.",
		Title:       "Delete a saved search",
		Summary:     "Deletes a saved search, its feeds and its alerts.",
		Description: "Stops the alerts and disables the feed URLs. Returns the remaining searches.",
		Errors:      []string{"search_not_found"},
		Sample:      func() *views.SavedSearches { return views.NewSavedSearches(s.Site, nil) },
		Do: func(ctx context.Context, in *savedSearchInput) (*views.SavedSearches, error) {
			if err := s.Watches.DeleteSearch(ctx, strings.ToLower(in.ID), caller.ID(ctx)); err != nil {
				return nil, err
			}
			return s.savedSearches(ctx)
		},
	}.Operation()
}

func (s savedSearchOps) rotateSearch() web.Operation {
	return web.Op[savedSearchInput, *views.SavedSearch]{
		Name:        "rotate_search_secrets",
		Method:      http.MethodPost,
		Path:        "/api/searches/{id}/rotate",
		Page:        "/account/searches/{id}/rotate",
		Form:        "/account/searches/{id}",
		Tag:         "Watching",
		Access:      web.Members,
		Scope:       string(models.WatchWrite),
		Destructive: true,
		Done:        "The webhook secret and feed addresses have been replaced. The old ones no longer work.",
		Title:       "Rotate a search's secrets",
		Summary:     "Replaces the feed URLs and webhook secret of a saved search.",
		Description: "Use it if a feed URL or the secret has leaked. The old ones stop working immediately.",
		Errors:      []string{"search_not_found"},
		Sample:      s.sampleSearch,
		Do: func(ctx context.Context, in *savedSearchInput) (*views.SavedSearch, error) {
			saved, err := s.Watches.NewSecrets(ctx, strings.ToLower(in.ID), caller.ID(ctx))
			if err != nil {
				return nil, err
			}
			return s.savedSearch(ctx, saved)
		},
	}.Operation()
}

func (s savedSearchOps) testSearch() web.Operation {
	return web.Op[savedSearchInput, *views.SavedSearch]{
		Name:        "test_search_webhook",
		Method:      http.MethodPost,
		Path:        "/api/searches/{id}/test",
		Page:        "/account/searches/{id}/test",
		Form:        "/account/searches/{id}",
		Tag:         "Watching",
		Access:      web.Members,
		Scope:       string(models.WatchWrite),
		Done:        "Test sent to your webhook.",
		Title:       "Test a webhook",
		Summary:     "Sends a signed test to the webhook of a saved search.",
		Description: fmt.Sprintf("Sends the body of an alert with the event test and no listings. It is sent within seconds and retried with exponential backoff until it is accepted. At most %d tests per hour.", store.MaxWebhookTests),
		Errors:      []string{"search_not_found", "too_many_tests"},
		Sample:      s.sampleSearch,
		Do: func(ctx context.Context, in *savedSearchInput) (*views.SavedSearch, error) {
			saved, err := s.Watches.Search(ctx, strings.ToLower(in.ID), caller.ID(ctx))
			if err != nil {
				return nil, err
			}
			if saved.Webhook == "" {
				return nil, &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter", Message: problem.Textf("The search has no webhook."), Hint: problem.Programf("Set one first with PATCH /api/searches/%s.", saved.ID),
					Fields: []problem.FieldError{{Field: "webhook", Code: "missing_parameter", Message: problem.Textf("The search has no webhook.")}}}
			}
			page, err := s.savedSearch(ctx, saved)
			if err != nil {
				return nil, err
			}
			return page, s.Watches.TestWebhook(ctx, saved, page.AlertWebhook(nil, 0))
		},
	}.Operation()
}

// sampleSearch returns an example saved search.
func (s savedSearchOps) sampleSearch() *views.SavedSearch {
	saved := &models.SavedSearch{ID: "019aa7d2-7c00-7000-8000-00000000000c", Name: "R6 under 1200", Query: "keyword=canon+r6&budget=-1200", Every: models.Daily, Email: true,
		Webhook: "https://example.org/hook", WebhookEvents: []models.WebhookEvent{models.ListingsPublished}, WebhookSecret: "whsec_QW4gZXhhbXBsZSBvZiBhIHNlY3JldDogMzIgYnl0ZXM=", CreatedAt: sample.Day, NextRunAt: sample.Day + 24*60*60*1000}
	return views.NewSavedSearch(s.Site, s.Queries.Card(saved), saved, []ui.Card{s.Cards.Sample()})
}
