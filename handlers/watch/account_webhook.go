package watch

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	accountviews "github.com/secondlight/secondlight/views/account"
	"github.com/secondlight/secondlight/views/ui"
)

// accountWebhookPath is the path of the webhook of an account in the API.
const accountWebhookPath = "/api/me/webhook"

// deliveriesShown is the maximum number of deliveries on the page of a webhook.
const deliveriesShown = 50

// accountWebhook completes an operation on the webhook of the caller's account, which is mounted
// at path below it.
func accountWebhook[In any](s savedSearchOps, op web.Op[In, *accountviews.AccountWebhook], path string, do func(context.Context, *In) error) web.Operation {
	op.Path, op.Page, op.Access, op.Tag, op.NoTool, op.Sample = accountWebhookPath+path, ui.AccountWebhookPath+path, web.Members, "Account", true, s.sampleAccountWebhook
	op.Scope, op.Form = string(models.WatchWrite), ui.AccountWebhookPath
	if op.Method == "" {
		op.Scope = string(models.AccountRead)
	}
	op.Do = func(ctx context.Context, in *In) (*accountviews.AccountWebhook, error) {
		if err := do(ctx, in); err != nil {
			return nil, err
		}
		webhook, err := s.Watches.AccountWebhook(ctx, caller.ID(ctx))
		if err != nil {
			return nil, err
		}
		log, err := s.Watches.WebhookLog(ctx, caller.ID(ctx), deliveriesShown)
		if err != nil {
			return nil, err
		}
		return accountviews.NewAccountWebhook(s.Site, webhook, log), nil
	}
	return op.Operation()
}

func (s savedSearchOps) getAccountWebhook() web.Operation {
	return accountWebhook(s, web.Op[struct{}, *accountviews.AccountWebhook]{
		Name: "get_webhook", Title: "Webhook of your account", Summary: "Returns the webhook of your account, and what it was sent.",
		Description: "Returns the address, the events, the secret that signs them, and the deliveries of the last 14 days with their status.",
	}, "", func(context.Context, *struct{}) error { return nil })
}

type accountWebhookInput struct {
	Webhook string                `json:"webhook,omitempty" jsonschema:"public URL that gets the events; empty to remove it" example:"https://example.org/hook"`
	Events  []models.AccountEvent `json:"webhook_events,omitempty" jsonschema:"what it is sent; default: everything" example:"offer.made"`
	Rotate  bool                  `json:"rotate_secret,omitempty" jsonschema:"replace the secret"`
}

func (s savedSearchOps) setAccountWebhook() web.Operation {
	return accountWebhook(s, web.Op[accountWebhookInput, *accountviews.AccountWebhook]{
		Name: "set_webhook", Method: http.MethodPost, Done: "Changes saved.", Title: "Set the webhook of your account", Summary: "Sets or removes the webhook of your account.",
		Description: "Posts events of your account to a server of yours, signed as Standard Webhooks: offers made and accepted, items sent, sales completed and confirmed, messages, and price drops of listings you watch.",
		Errors:      []string{"invalid_parameter"},
	}, "", func(ctx context.Context, in *accountWebhookInput) error {
		if err := s.checkWebhook(ctx, in.Webhook); err != nil {
			return err
		}
		w := &models.AccountWebhook{MemberID: caller.ID(ctx), URL: in.Webhook, Events: in.Events}
		if len(w.Events) == 0 {
			w.Events = append(w.Events, models.AccountEvents...)
		}
		return s.Watches.SetAccountWebhook(ctx, w, in.Rotate)
	})
}

func (s savedSearchOps) testAccountWebhook() web.Operation {
	return accountWebhook(s, web.Op[struct{}, *accountviews.AccountWebhook]{
		Name: "test_webhook", Method: http.MethodPost, Done: "Test sent to your webhook.", Title: "Test the webhook of your account", Summary: "Sends a signed test to the webhook of your account.",
		Description: fmt.Sprintf("Sends the event test. At most %d tests per hour.", store.MaxWebhookTests),
		Errors:      []string{"invalid_parameter", "too_many_tests"},
	}, "/test", func(ctx context.Context, _ *struct{}) error {
		webhook, err := s.Watches.AccountWebhook(ctx, caller.ID(ctx))
		if err != nil {
			return err
		}
		if webhook == nil {
			return web.InvalidField("webhook", problem.Textf("Your account has no webhook."), problem.Programf("Set one first with POST %s.", accountWebhookPath))
		}
		return s.Watches.TestAccountWebhook(ctx, caller.ID(ctx))
	})
}

type redeliverInput struct {
	ID string `json:"id" in:"path" jsonschema:"id of the delivery, from get_webhook" example:"019aa7d2-7c00-7000-8000-000000000001"`
}

func (s savedSearchOps) redeliverWebhook() web.Operation {
	return accountWebhook(s, web.Op[redeliverInput, *accountviews.AccountWebhook]{
		Name: "redeliver_webhook", Method: http.MethodPost, Done: "Queued again.", Title: "Send a webhook again", Summary: "Sends an event of your account to its webhook again.",
		Description: "Queues a delivery of the last 14 days again, whether it arrived or not, under the same webhook-id.",
		Errors:      []string{"delivery_not_found"},
	}, "/deliveries/{id}", func(ctx context.Context, in *redeliverInput) error {
		return s.Watches.RedeliverWebhook(ctx, caller.ID(ctx), strings.ToLower(in.ID))
	})
}

// sampleAccountWebhook returns an example webhook.
func (s savedSearchOps) sampleAccountWebhook() *accountviews.AccountWebhook {
	return accountviews.NewAccountWebhook(s.Site, &models.AccountWebhook{URL: "https://example.org/hook", Secret: "whsec_QW4gZXhhbXBsZSBvZiBhIHNlY3JldDogMzIgYnl0ZXM=", Events: models.AccountEvents[:2]},
		[]models.WebhookEntry{{ID: "019aa7d2-7c00-7000-8000-000000000001", Event: models.OfferMadeEvent, Attempts: 1, CreatedAt: sample.Day, SentAt: sample.Day}})
}
