package account

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// AccountWebhook is the page of the webhook of a member's account.
type AccountWebhook struct {
	Webhook    string                `json:"webhook,omitempty" jsonschema:"URL that gets the events of your account; absent for none"`
	Events     []models.AccountEvent `json:"webhook_events" jsonschema:"what it is sent"`
	Secret     string                `json:"webhook_secret,omitempty" jsonschema:"signs the webhooks, as Standard Webhooks"`
	Deliveries []WebhookDelivery     `json:"deliveries" jsonschema:"of the last 14 days, newest first" maxItems:"50"`
	Links      []ui.Link             `json:"links"`
	site       *ui.Site
}

// WebhookDelivery is a webhook that was sent, or is to be sent.
type WebhookDelivery struct {
	ID        string `json:"id" jsonschema:"webhook-id"`
	Event     string `json:"event" jsonschema:"one of webhook_events, or test"`
	Status    string `json:"status" enum:"queued,delivered,failed"`
	Attempts  int    `json:"attempts" min:"0" jsonschema:"how often it was sent"`
	CreatedAt string `json:"created_at"`
	Error     string `json:"error,omitempty" jsonschema:"why the last attempt failed"`
}

// NewAccountWebhook returns the page of a webhook, which is nil if there is none.
func NewAccountWebhook(site *ui.Site, w *models.AccountWebhook, log []models.WebhookEntry) *AccountWebhook {
	p := &AccountWebhook{Events: []models.AccountEvent{}, Deliveries: []WebhookDelivery{}, site: site,
		Links: []ui.Link{{Href: ui.AdvancedPath, Label: "Advanced"}, {Href: "/developers", Label: "API reference"}}}
	if w != nil {
		p.Webhook, p.Events, p.Secret = w.URL, w.Events, w.Secret
	}
	for i := range log {
		e := &log[i]
		status := "queued"
		switch {
		case e.SentAt > 0:
			status = "delivered"
		case e.FailedAt > 0:
			status = "failed"
		}
		p.Deliveries = append(p.Deliveries, WebhookDelivery{e.ID, string(e.Event), status, e.Attempts, e.CreatedAt.RFC3339(), e.Error})
	}
	return p
}

// deliveryStatus names the states of a delivery.
var deliveryStatus = map[string]string{"queued": languages.Mark("Waiting"), "delivered": languages.Mark("Delivered"), "failed": languages.Mark("Failed")}

// text describes the delivery.
func (d *WebhookDelivery) text(ctx context.Context) string {
	return ui.Commas(d.Event, ui.T(ctx, deliveryStatus[d.Status]), ui.TN(ctx, d.Attempts, "%s attempt", "%s attempts"), d.CreatedAt)
}

// eventLabels name the events of accounts.
var eventLabels = map[models.AccountEvent]string{
	models.OfferMadeEvent: languages.Mark("You get an offer, or someone buys"), models.OfferAcceptedEvent: languages.Mark("An offer is accepted"), models.ItemSentEvent: languages.Mark("An item you bought is sent"),
	models.OfferCompletedEvent: languages.Mark("An item is handed over"), models.MessageReceivedEvent: languages.Mark("You get a message"), models.SaleConfirmedEvent: languages.Mark("A sale is confirmed"),
	models.PriceDroppedEvent: languages.Mark("A listing you watch gets cheaper"),
}

// EventText says when an event is sent.
func EventText(event models.AccountEvent) string { return eventLabels[event] }

// eventChoices returns the choices of events, with those of the webhook chosen.
func (p *AccountWebhook) eventChoices() (choices []ui.Choice) {
	for _, event := range models.AccountEvents {
		choices = append(choices, ui.Choice{Value: string(event), Label: eventLabels[event], Chosen: p.Webhook == "" || slices.Contains(p.Events, event)})
	}
	return choices
}

// Head implements Page.
func (p *AccountWebhook) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Account webhook"), Description: ui.T(ctx, "Send what happens in your account to your own server."), Path: ui.AccountWebhookPath, NoIndex: true, Crumbs: ui.AdvancedCrumbs}
}

// Resource implements web.ResourcePage.
func (p *AccountWebhook) Resource() string { return "/api/me/webhook" }

// Markdown implements Page.
func (p *AccountWebhook) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Account webhook"), "").In(ctx)
	m.Paragraph(ui.T(ctx, "Send what happens in your account to your own server."))
	if p.Webhook != "" {
		var events []string
		for _, event := range p.Events {
			events = append(events, string(event))
		}
		m.Raw("\n", ui.T(ctx, "Address"), ": ", ui.MarkdownText(ui.Untrusted(p.Webhook)), ": ", strings.Join(events, ", "), "\n")
		m.Paragraph(ui.T(ctx, "The webhook's secret") + ": `" + p.Secret + "`")
	}
	for i := range p.Deliveries {
		m.Raw("- ", ui.MarkdownText(p.Deliveries[i].text(ctx)), "\n")
	}
	m.Links(p.Links)
	return m.Done(w)
}

// EventMessage is the body of a webhook of an account.
type EventMessage struct {
	Event   models.AccountEvent `json:"event" jsonschema:"what happened" enum:"offer.made,offer.accepted,item.sent,offer.completed,message.received,sale.confirmed,price.dropped,test"`
	Site    string              `json:"site" jsonschema:"base URL of the site, which paths are of" format:"uri"`
	Subject string              `json:"id,omitempty" jsonschema:"of the offer, the conversation or the listing; absent in a test"`
	Href    string              `json:"href,omitempty"`
	Page    string              `json:"page,omitempty"`
	Title   string              `json:"title,omitempty" jsonschema:"title of the listing"`
	Amount  *models.Money       `json:"amount,omitempty" jsonschema:"price"`
	By      string              `json:"by,omitempty" jsonschema:"name of who did it"`
}

// AccountEventBody returns a function that renders events of accounts as bodies of webhooks.
func AccountEventBody(site *ui.Site) models.WebhookRenderer {
	return func(event models.AccountEvent, n *models.Notice) string {
		body := EventMessage{Event: event, Site: site.BaseURL, Subject: n.ID, Title: n.Title, By: n.By}
		if n.Amount > 0 {
			amount := site.In(n.Currency).Money(n.Amount)
			body.Amount = &amount
		}
		ref := ui.Ref{Href: "/api/offers/" + n.ID, Page: "/account/offers/" + n.ID}
		switch event {
		case models.MessageReceivedEvent:
			ref = ui.Ref{Href: "/api/conversations/" + n.ID, Page: "/account/messages/" + n.ID}
		case models.PriceDroppedEvent:
			ref = ui.ListingRef(n.ID)
		}
		if n.ID != "" {
			body.Href, body.Page = ref.Href, ref.Page
		}
		return string(ui.AppendAny(nil, body))
	}
}
