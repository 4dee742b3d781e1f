package models

import "strings"

// Notice is an event that a member is notified of by email: an action of
// another member on an offer, listing or conversation of theirs, or an expiry.
type Notice struct {
	Kind      NoticeKind
	To        string // id of the recipient
	Language  string // of the recipient, a BCP 47 tag; "" for none
	By        string // name of the member who acted, or ""
	ID        string // of the offer, the listing or the conversation
	Title     string // of the listing
	Photo     string // key of the first photo of the listing, "" for none that everyone can see
	Amount    Cents  // of an offer
	Currency  string // of the amount; "" for that of the site
	ExpiresAt Time   // of an open offer; of a completed one, when silence confirms it; when the next step of a hand-over is due
	Shipped   bool   // the item is sent by post, not collected
	Instant   bool   // NoticeOfferBought: the seller doesn't confirm it
	Text      string // why an operator decided so, or ""
}

// NoticeKind is the kind of event.
type NoticeKind string

// The kinds of notices.
const (
	NoticeOfferMade      NoticeKind = "offer_made"
	NoticeOfferBought    NoticeKind = "offer_bought" // at the asking price; agreed already if Instant
	NoticeOfferCountered NoticeKind = "offer_countered"
	NoticeOfferAccepted  NoticeKind = "offer_accepted"
	NoticeOfferDeclined  NoticeKind = "offer_declined"
	NoticeOfferWithdrawn NoticeKind = "offer_withdrawn"
	NoticeOfferCompleted NoticeKind = "offer_completed" // sent to the buyer, who can confirm or dispute the sale
	NoticeOfferClosed    NoticeKind = "offer_closed"    // declined because the listing is no longer available
	NoticeOfferExpired   NoticeKind = "offer_expired"   // sent to the member who made the last proposal
	NoticeSaleConfirmed  NoticeKind = "sale_confirmed"  // by the buyer
	NoticeSaleDisputed   NoticeKind = "sale_disputed"   // by the buyer
	NoticeSaleUnopposed  NoticeKind = "sale_unopposed"  // confirmed by silence, sent to both sides
	NoticeSaleUpheld     NoticeKind = "sale_upheld"     // a dispute that an operator has rejected, sent to both sides
	NoticeSaleVoided     NoticeKind = "sale_voided"     // by an operator, sent to both sides
	NoticeEvidenceAdded  NoticeKind = "evidence_added"  // to a dispute

	// Of a hand-over. The reminders are sent to those who are to take the next step.
	NoticeHandoverProposed NoticeKind = "handover_proposed"
	NoticeHandoverAgreed   NoticeKind = "handover_agreed"
	NoticePaymentSet       NoticeKind = "payment_set"
	NoticeTrackingSet      NoticeKind = "tracking_set"
	NoticeItemReceived     NoticeKind = "item_received"
	NoticeArrangeReminder  NoticeKind = "arrange_reminder"
	NoticeAgreeReminder    NoticeKind = "agree_reminder"
	NoticePickupReminder   NoticeKind = "pickup_reminder"
	NoticeSendReminder     NoticeKind = "send_reminder"
	NoticeConfirmReminder  NoticeKind = "confirm_reminder"

	NoticeListingExpired   NoticeKind = "listing_expired"
	NoticeMessageReceived  NoticeKind = "message_written"
	NoticeWatchersMessaged NoticeKind = "watchers_messaged" // sent to those who watch a listing

	// Of what operators check. ID is that of the listing, or of the report of a theft,
	// and Title names the stolen item.
	NoticeListingHeld        NoticeKind = "listing_held"
	NoticeListingReleased    NoticeKind = "listing_released"
	NoticeListingRefused     NoticeKind = "listing_refused"
	NoticePossessionVerified NoticeKind = "possession_verified"
	NoticePossessionRejected NoticeKind = "possession_rejected"
	NoticeStolenAccepted     NoticeKind = "stolen_accepted"
	NoticeStolenRejected     NoticeKind = "stolen_rejected"
)

// IsEvent reports whether the notice is a private event too. Reminders and decisions of
// operators are none, and those of listings and messages have events of their own.
func (kind NoticeKind) IsEvent() bool {
	switch kind {
	case NoticeListingExpired, NoticeMessageReceived, NoticeWatchersMessaged, NoticeListingHeld, NoticeListingReleased, NoticeListingRefused,
		NoticePossessionVerified, NoticePossessionRejected, NoticeStolenAccepted, NoticeStolenRejected:
		return false
	}
	return !strings.HasSuffix(string(kind), "_reminder")
}

// NoticeRenderer renders a notice as an email to its recipient. It runs within a
// transaction that may be repeated, so it must have no side effects.
type NoticeRenderer func(*Notice) Delivery
