package models

// Notice is an event that a member is notified of by email: an action of
// another member on an offer, listing or conversation of theirs, or an expiry.
type Notice struct {
	Kind      NoticeKind
	To        string // id of the recipient
	By        string // name of the member who acted, or ""
	ID        string // of the offer, the listing or the conversation
	Title     string // of the listing
	Amount    Cents  // of an offer
	ExpiresAt Time   // of an open offer; of a completed one, when silence confirms it
}

// NoticeKind is the kind of event.
type NoticeKind string

// The kinds of notices.
const (
	NoticeOfferMade       NoticeKind = "offer_made"
	NoticeOfferCountered  NoticeKind = "offer_countered"
	NoticeOfferAccepted   NoticeKind = "offer_accepted"
	NoticeOfferDeclined   NoticeKind = "offer_declined"
	NoticeOfferWithdrawn  NoticeKind = "offer_withdrawn"
	NoticeOfferCompleted  NoticeKind = "offer_completed" // sent to the buyer, who can confirm or dispute the sale
	NoticeOfferClosed     NoticeKind = "offer_closed"    // declined because the listing is no longer available
	NoticeOfferExpired    NoticeKind = "offer_expired"   // sent to the member who made the last proposal
	NoticeSaleConfirmed   NoticeKind = "sale_confirmed"  // by the buyer
	NoticeSaleDisputed    NoticeKind = "sale_disputed"   // by the buyer
	NoticeSaleUnopposed   NoticeKind = "sale_unopposed"  // confirmed by silence, sent to both sides
	NoticeSaleUpheld      NoticeKind = "sale_upheld"     // a dispute that an operator has rejected, sent to both sides
	NoticeSaleVoided      NoticeKind = "sale_voided"     // by an operator, sent to both sides
	NoticeListingExpired  NoticeKind = "listing_expired"
	NoticeMessageReceived NoticeKind = "message_written"
)

// NoticeRenderer renders a notice as an email. It runs within a transaction
// that may be repeated, so it must have no side effects.
type NoticeRenderer func(*Notice) (subject, body string)
