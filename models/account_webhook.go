package models

import (
	"net/url"
	"slices"

	"github.com/secondlight/secondlight/models/problem"
)

// AccountEvent is what the webhook of an account is notified of.
type AccountEvent string

// The events of accounts.
const (
	OfferMadeEvent       AccountEvent = "offer.made" // an offer or a purchase
	OfferAcceptedEvent   AccountEvent = "offer.accepted"
	ItemSentEvent        AccountEvent = "item.sent"       // by post, by its seller
	OfferCompletedEvent  AccountEvent = "offer.completed" // by its seller, or the buyer has the item
	MessageReceivedEvent AccountEvent = "message.received"
	SaleConfirmedEvent   AccountEvent = "sale.confirmed"
	PriceDroppedEvent    AccountEvent = "price.dropped" // of a watched listing
	WebhookTestEvent     AccountEvent = "test"
)

// AccountEvents lists all events of accounts.
var AccountEvents = []AccountEvent{OfferMadeEvent, OfferAcceptedEvent, ItemSentEvent, OfferCompletedEvent, MessageReceivedEvent, SaleConfirmedEvent, PriceDroppedEvent}

// AccountWebhook is the webhook of a member's account.
type AccountWebhook struct {
	MemberID  string
	URL       string
	Secret    string
	Events    TextList[AccountEvent] // that it is sent, in alphabetical order
	CreatedAt Time
}

// WebhookEntry is an event that the webhook of an account was sent, or is to be sent.
type WebhookEntry struct {
	ID        string // of the delivery
	MemberID  string
	Event     AccountEvent
	Body      string
	Attempts  int
	CreatedAt Time
	SentAt    Time   // 0 until it was received
	FailedAt  Time   // when it was given up on, or 0
	Error     string // why the last attempt failed, "" for none
}

// Check normalises the webhook and returns an Invalid error that lists all invalid fields.
// Callers must check that URL is not a private address.
func (w *AccountWebhook) Check() error {
	var fields []problem.FieldError
	refuse := func(field string, format problem.Format, args ...any) {
		fields = append(fields, problem.FieldError{Field: field, Code: "invalid_value", Message: problem.Textf(format, args...)})
	}
	if !isWebhookURL(w.URL) {
		refuse("webhook", "Enter a URL such as https://example.org/hook.")
	}
	if len(w.Events) == 0 {
		refuse("webhook_events", "Choose at least one event.")
	}
	for _, event := range w.Events {
		if !slices.Contains(AccountEvents, event) {
			refuse("webhook_events", "%q isn't one of %s.", event, Joined(AccountEvents))
		}
	}
	slices.Sort(w.Events)
	w.Events = slices.Compact(w.Events)
	return InvalidFields(fields)
}

// isWebhookURL reports whether a text is the address of a webhook.
func isWebhookURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.User == nil && len(text) <= 500 && Storable(text)
}

// AccountEvent returns the event of the recipient's account that a notice is, "" if it is none.
func (n *Notice) AccountEvent() AccountEvent {
	switch n.Kind {
	case NoticeOfferMade, NoticeOfferBought:
		return OfferMadeEvent
	case NoticeOfferAccepted:
		return OfferAcceptedEvent
	case NoticeOfferCompleted:
		if n.Shipped {
			return ItemSentEvent
		}
		return OfferCompletedEvent
	case NoticeItemReceived:
		return OfferCompletedEvent
	case NoticeMessageReceived:
		return MessageReceivedEvent
	case NoticeSaleConfirmed, NoticeSaleUnopposed:
		return SaleConfirmedEvent
	}
	return ""
}

// WebhookRenderer renders an event of an account as the body of a webhook. It runs within a transaction that may be repeated, so it must have no side effects.
type WebhookRenderer func(event AccountEvent, n *Notice) (body string)
