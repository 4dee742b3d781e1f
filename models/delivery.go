package models

import (
	"net/url"
	"strings"
)

// DeliveryKind is the channel of a delivery.
type DeliveryKind string

// The kinds of deliveries.
const (
	Mail    DeliveryKind = "mail"
	Webhook DeliveryKind = "webhook"
)

// Delivery is an outgoing email or webhook call.
type Delivery struct {
	ID        string // UUIDv7; the same for every attempt
	Kind      DeliveryKind
	Recipient string       // email address or webhook URL
	MemberID  string       // member it is for; Queue sets the Recipient of an email to their address
	SearchID  string       // saved search it is an alert of, or ""
	Event     AccountEvent `db:"-"` // of a webhook of the member's account, or ""
	Subject   string       // of an email
	Body      string
	HTML      string // of an email, "" for one that is text alone
	Secret    string // signing key of a webhook; unsubscribe URL of an email, or ""
	ReplyTo   string // address that replies to an email go to, "" for the sender
	Error     string // why the last attempt failed, "" before the first
	Dropped   int    // number of older deliveries of the search that were dropped from a full queue
	Attempts  int
	NextAt    Time
	FailedAt  Time // when an email was given up on, 0 while it is queued
	CreatedAt Time
}

// Host returns the host name of a webhook, or "" for an email.
func (d *Delivery) Host() string {
	u, err := url.Parse(d.Recipient)
	if d.Kind != Webhook || err != nil {
		return ""
	}
	return strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
}

// MailCounts are the numbers of emails that are not sent.
type MailCounts struct {
	Waiting  int // not tried yet
	Retrying int // failed, and to be tried again
	Failed   int // given up on
}

// Activity counts what happened in the last day, 7 and 30 days.
type Activity struct {
	Day, Week, Month int
}

// Queue describes the pending deliveries of a channel.
type Queue struct {
	Kind     DeliveryKind
	Waiting  int  // all deliveries in the queue
	Retried  int  // those of which an attempt failed
	OldestAt Time // when the oldest was queued, 0 for an empty queue
}
