package models

// Notice is what a member is to hear of by mail: what somebody else did to an
// offer, a listing or a conversation of theirs, or time.
type Notice struct {
	Kind      NoticeKind
	To        string // id of the member
	By        string // name of the member who did it, "" for nobody they need to know
	ID        string // of the offer, the listing or the conversation
	Title     string // of the listing
	Amount    Cents  // of an offer
	ExpiresAt Time   // of an offer that waits for an answer
}

// NoticeKind is what a notice tells of.
type NoticeKind string

// The kinds of notice.
const (
	OfferWasMade      NoticeKind = "offer_made"
	OfferWasCountered NoticeKind = "offer_countered"
	OfferWasAccepted  NoticeKind = "offer_accepted"
	OfferWasDeclined  NoticeKind = "offer_declined"
	OfferWasWithdrawn NoticeKind = "offer_withdrawn"
	OfferWasCompleted NoticeKind = "offer_completed"
	OfferWasClosed    NoticeKind = "offer_closed"  // declined with the rest, because the listing is gone
	OfferHasExpired   NoticeKind = "offer_expired" // told to whoever named the last price
	ListingHasExpired NoticeKind = "listing_expired"
	MessageWasWritten NoticeKind = "message_written"
)

// Letters writes a notice as a mail. It is called within a transaction, which
// may run again: it must not write elsewhere.
type Letters func(*Notice) (subject, body string)
