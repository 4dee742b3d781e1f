package models

import (
	"fmt"
	"slices"
	"time"
)

// Offer is a buyer's price proposal on a listing, and the answers to it.
type Offer struct {
	ID        string // UUIDv7
	ListingID string
	BuyerID   string
	SellerID  string
	Status    OfferStatus
	Amount    Cents // of the last round
	Rounds    int   // proposals so far, of both sides
	CreatedAt Time
	UpdatedAt Time
	ExpiresAt Time // when nobody answers
}

// OfferStatus is where an offer is in its life.
type OfferStatus string

// Every status of an offer. A pending one waits for the seller, a countered one for the buyer.
const (
	OfferPending   OfferStatus = "pending"
	OfferCountered OfferStatus = "countered"
	OfferAccepted  OfferStatus = "accepted"
	OfferDeclined  OfferStatus = "declined"
	OfferWithdrawn OfferStatus = "withdrawn"
	OfferExpired   OfferStatus = "expired"
	OfferCompleted OfferStatus = "completed"
)

// Round is one proposal within an offer.
type Round struct {
	ByBuyer bool
	Amount  Cents
	Message string // plain text, at most 1,000 characters
	At      Time
}

// Bounds of offers.
const (
	OfferTime       = 48 * time.Hour // to answer a proposal
	MaxRounds       = 8
	MaxOfferMessage = 1000
	MaxOpenOffers   = 50 // of one buyer
)

// OfferStep is a move in the life of an offer.
type OfferStep string

// The steps of an offer.
const (
	Counter  OfferStep = "counter"
	Accept   OfferStep = "accept"
	Decline  OfferStep = "decline"
	Withdraw OfferStep = "withdraw"
	Complete OfferStep = "complete"
)

// party is one side of an offer.
type party string

const (
	buyer  party = "buyer"
	seller party = "seller"
)

// offerLife is the state machine of offers, in this one place: who may take a
// step from a status, and where it leads. Expired is what time makes of a
// pending or countered one.
var offerLife = map[OfferStep]map[OfferStatus]struct {
	who []party
	to  OfferStatus
}{
	Counter: {
		OfferPending:   {[]party{seller}, OfferCountered},
		OfferCountered: {[]party{buyer}, OfferPending},
	},
	Accept: {
		OfferPending:   {[]party{seller}, OfferAccepted},
		OfferCountered: {[]party{buyer}, OfferAccepted},
	},
	Decline: {
		OfferPending:   {[]party{seller}, OfferDeclined},
		OfferCountered: {[]party{buyer}, OfferDeclined},
	},
	Withdraw: {
		OfferPending:   {[]party{buyer}, OfferWithdrawn},
		OfferCountered: {[]party{buyer, seller}, OfferWithdrawn},
		OfferAccepted:  {[]party{buyer, seller}, OfferWithdrawn},
	},
	Complete: {
		OfferAccepted: {[]party{buyer, seller}, OfferCompleted},
	},
}

// partyOf is the side a member is on, "" for neither.
func (o *Offer) partyOf(memberID string) party {
	switch memberID {
	case o.BuyerID:
		return buyer
	case o.SellerID:
		return seller
	}
	return ""
}

// Steps are what a member may do with an offer now.
func (o *Offer) Steps(memberID string) []OfferStep {
	var steps []OfferStep
	for _, step := range OfferSteps {
		if step == Counter && o.RoundsLeft() == 0 {
			continue
		}
		if slices.Contains(offerLife[step][o.Status].who, o.partyOf(memberID)) {
			steps = append(steps, step)
		}
	}
	return steps
}

// RoundsLeft is how many prices may still be named.
func (o *Offer) RoundsLeft() int { return max(MaxRounds-o.Rounds, 0) }

// Other is the id of the member on the other side.
func (o *Offer) Other(memberID string) string {
	if memberID == o.BuyerID {
		return o.SellerID
	}
	return o.BuyerID
}

// lastBidder is the id of the member who named the last price: the buyer names
// the first, and they take turns.
func (o *Offer) lastBidder() string {
	if o.Rounds%2 == 1 {
		return o.BuyerID
	}
	return o.SellerID
}

// Waits reports whether somebody is to answer.
func (o *Offer) Waits() bool { return o.Status == OfferPending || o.Status == OfferCountered }

// Open reports whether the offer may still come to a sale.
func (o *Offer) Open() bool { return o.Waits() || o.Status == OfferAccepted }

// OfferStatuses are every status of an offer.
var OfferStatuses = []OfferStatus{OfferPending, OfferCountered, OfferAccepted, OfferDeclined, OfferWithdrawn, OfferExpired, OfferCompleted}

// notice is what the other side hears of a step.
func (step OfferStep) notice() NoticeKind {
	switch step {
	case Counter:
		return OfferWasCountered
	case Accept:
		return OfferWasAccepted
	case Decline:
		return OfferWasDeclined
	case Withdraw:
		return OfferWasWithdrawn
	}
	return OfferWasCompleted
}

// OfferSteps are every step of an offer.
var OfferSteps = []OfferStep{Accept, Counter, Decline, Withdraw, Complete}

// next is the status a step leads to, or why it cannot be taken.
func (o *Offer) next(step OfferStep, who party) (OfferStatus, error) {
	move, ok := offerLife[step][o.Status]
	switch {
	case !ok:
		return "", &Error{Kind: Conflict, Code: "wrong_status",
			Message: fmt.Sprintf("The offer is %s; one cannot %s it any more.", o.Status, step),
			Hint:    "Read it again with GET /api/offers."}
	case !slices.Contains(move.who, who):
		return "", &Error{Kind: Forbidden, Code: "not_your_turn",
			Message: fmt.Sprintf("The offer is %s; the other side is to answer.", o.Status),
			Hint:    "Wait for their answer, or withdraw your proposal."}
	}
	return move.to, nil
}
