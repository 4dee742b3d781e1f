package models

import (
	"slices"
	"time"

	"github.com/secondlight/secondlight/models/problem"
)

// Offer is a negotiation between a buyer and the seller of a listing.
type Offer struct {
	ID        string // UUIDv7
	ListingID string
	BuyerID   string
	SellerID  string
	Status    OfferStatus
	Bought    bool           // at the asking price, which reserves the listing at once
	Amount    Cents          // of the last proposal
	Currency  string         // of the listing; "" for that of the site
	Method    HandoverMethod // that the buyer asks for, "" for none
	Postage   Cents          // of that method, or UnknownPostage
	Proposals int            `db:"rounds"` // number of proposals, by both sides
	CreatedAt Time
	UpdatedAt Time
	ExpiresAt Time // of an offer that awaits a reply; of a completed one, when silence confirms it
}

// UnknownPostage is the postage of an offer whose seller hasn't said what it costs.
const UnknownPostage Cents = -1

// DeliveryRequest is how a buyer wants to get an item.
type DeliveryRequest struct {
	Method  HandoverMethod // "" for none
	Address string         // for Shipping; "" for that of the buyer's settings
	Save    bool           // stores the address in the buyer's settings
}

// Check returns an error if the delivery is invalid.
func (d *DeliveryRequest) Check() error {
	var f FieldChecks
	if d.Method != "" && d.Method != Pickup && d.Method != Shipping {
		f.Refuse("delivery", "The delivery must be pickup or shipping.")
	}
	f.Text("address", d.Address, MaxAddress, false)
	return InvalidFields(f)
}

// BuyNow says whether buyers can buy a listing at its price.
type BuyNow string

// The values of BuyNow. "" is off, except for a new listing of the site's own shop.
const (
	BuyOff     BuyNow = "off"
	BuyConfirm BuyNow = "confirm" // the seller confirms each purchase within OfferLifetime
	BuyInstant BuyNow = "instant"
)

// BuyNows lists all values of BuyNow.
var BuyNows = []BuyNow{BuyOff, BuyConfirm, BuyInstant}

// Allowed reports whether the listing can be bought.
func (b BuyNow) Allowed() bool { return b == BuyConfirm || b == BuyInstant }

// OfferStatus is the state of an offer.
type OfferStatus string

// The states of an offer. A pending offer awaits the seller's reply, a
// countered one the buyer's. A completed offer is a sale that the buyer has not
// confirmed yet; silence until ExpiresAt confirms it. A disputed one awaits an
// operator, who confirms or voids it.
const (
	OfferPending   OfferStatus = "pending"
	OfferCountered OfferStatus = "countered"
	OfferAccepted  OfferStatus = "accepted"
	OfferDeclined  OfferStatus = "declined"
	OfferWithdrawn OfferStatus = "withdrawn"
	OfferExpired   OfferStatus = "expired"
	OfferCompleted OfferStatus = "completed"
	OfferConfirmed OfferStatus = "confirmed"
	OfferDisputed  OfferStatus = "disputed"
	OfferVoided    OfferStatus = "voided"
)

// Proposal is a price proposed within an offer.
type Proposal struct {
	ByBuyer bool
	Amount  Cents
	Message string // plain text, at most 1,000 characters
	At      Time
}

// Limits of offers.
const (
	OfferLifetime   = 48 * time.Hour // time to reply to a proposal
	MaxProposals    = 8              // per offer, by both sides
	MaxOfferMessage = 1000           // characters
	MaxDispute      = 2000           // characters
	MaxOpenOffers   = 50             // per buyer
)

// OfferStep is a transition between states of an offer.
type OfferStep string

// The steps of an offer.
const (
	Counter  OfferStep = "counter"
	Accept   OfferStep = "accept"
	Decline  OfferStep = "decline"
	Withdraw OfferStep = "withdraw"
	Complete OfferStep = "complete" // the seller: the item has been handed over
	Confirm  OfferStep = "confirm"  // the buyer: it arrived as agreed
	Dispute  OfferStep = "dispute"  // the buyer: it did not
)

// Party is one side of an offer.
type Party string

const (
	Buyer  Party = "buyer"
	seller Party = "seller"
)

// offerTransitions is the state machine of offers: who may take a step from a
// status, and the resulting status. Pending and countered offers expire without
// a step, completed ones become confirmed, and operators confirm or void sales. The price
// of a purchase is not negotiated.
var offerTransitions = map[OfferStep]map[OfferStatus]struct {
	who []Party
	to  OfferStatus
}{
	Counter: {
		OfferPending:   {[]Party{seller}, OfferCountered},
		OfferCountered: {[]Party{Buyer}, OfferPending},
	},
	Accept: {
		OfferPending:   {[]Party{seller}, OfferAccepted},
		OfferCountered: {[]Party{Buyer}, OfferAccepted},
	},
	Decline: {
		OfferPending:   {[]Party{seller}, OfferDeclined},
		OfferCountered: {[]Party{Buyer}, OfferDeclined},
	},
	Withdraw: {
		OfferPending:   {[]Party{Buyer}, OfferWithdrawn},
		OfferCountered: {[]Party{Buyer, seller}, OfferWithdrawn},
		OfferAccepted:  {[]Party{Buyer, seller}, OfferWithdrawn},
	},
	Complete: {
		OfferAccepted: {[]Party{seller}, OfferCompleted},
	},
	Confirm: {
		OfferCompleted: {[]Party{Buyer}, OfferConfirmed},
		OfferDisputed:  {[]Party{Buyer}, OfferConfirmed},
	},
	Dispute: {
		OfferCompleted: {[]Party{Buyer}, OfferDisputed},
	},
}

// PartyOf returns the side a member is on, or "".
func (o *Offer) PartyOf(memberID string) Party {
	switch memberID {
	case o.BuyerID:
		return Buyer
	case o.SellerID:
		return seller
	}
	return ""
}

// Steps returns the steps a member may take now.
func (o *Offer) Steps(memberID string) []OfferStep {
	var steps []OfferStep
	for _, step := range OfferSteps {
		if _, err := o.Next(step, o.PartyOf(memberID)); err == nil && (step != Counter || o.ProposalsLeft() > 0) {
			steps = append(steps, step)
		}
	}
	return steps
}

// ProposalsLeft returns the number of further proposals allowed.
func (o *Offer) ProposalsLeft() int { return max(MaxProposals-o.Proposals, 0) }

// Other returns the id of the other member.
func (o *Offer) Other(memberID string) string {
	if memberID == o.BuyerID {
		return o.SellerID
	}
	return o.BuyerID
}

// LastProposer returns the id of the member who made the last proposal. The
// buyer makes the first, then both take turns.
func (o *Offer) LastProposer() string {
	if o.Proposals%2 == 1 {
		return o.BuyerID
	}
	return o.SellerID
}

// AwaitsReply reports whether the last proposal is unanswered.
func (o *Offer) AwaitsReply() bool { return o.Status == OfferPending || o.Status == OfferCountered }

// Reserves reports whether the listing is reserved for the buyer.
func (o *Offer) Reserves() bool {
	return o.Status == OfferAccepted || o.Status == OfferPending && o.Bought
}

// Open reports whether the offer may still lead to a sale.
func (o *Offer) Open() bool { return o.AwaitsReply() || o.Status == OfferAccepted }

// Sold reports whether the item has been sold: the sale may still be disputed,
// but it is not void.
func (o *Offer) Sold() bool {
	return o.Status == OfferCompleted || o.Status == OfferDisputed || o.Status == OfferConfirmed
}

// OfferStatuses lists all states of an offer.
var OfferStatuses = []OfferStatus{OfferPending, OfferCountered, OfferAccepted, OfferDeclined, OfferWithdrawn, OfferExpired,
	OfferCompleted, OfferConfirmed, OfferDisputed, OfferVoided}

// Notice returns the kind of notice the other side gets after the step.
func (step OfferStep) Notice() NoticeKind {
	switch step {
	case Counter:
		return NoticeOfferCountered
	case Accept:
		return NoticeOfferAccepted
	case Decline:
		return NoticeOfferDeclined
	case Withdraw:
		return NoticeOfferWithdrawn
	case Confirm:
		return NoticeSaleConfirmed
	case Dispute:
		return NoticeSaleDisputed
	}
	return NoticeOfferCompleted
}

// OfferSteps lists all steps of an offer, those that lead on first.
var OfferSteps = []OfferStep{Accept, Counter, Complete, Confirm, Dispute, Decline, Withdraw}

// DespiteBlock reports whether a member can take the step on an offer of
// somebody who has blocked them: they can leave a negotiation, and a buyer can
// say whether the item arrived.
func (step OfferStep) DespiteBlock() bool {
	return step == Decline || step == Withdraw || step == Confirm || step == Dispute
}

// Next returns the status after a step, or an error if the party can't take it.
func (o *Offer) Next(step OfferStep, who Party) (OfferStatus, error) {
	move, ok := offerTransitions[step][o.Status]
	switch {
	case !ok, step == Counter && o.Bought:
		return "", &problem.Error{Kind: problem.Conflict, Code: "wrong_status",
			Message: problem.Textf("The offer is %s. You can't %s it.", o.Status, step),
			Hint:    problem.Programf("Get its current state with GET /api/offers.")}
	case !slices.Contains(move.who, who):
		return "", o.notYourTurn(step)
	}
	return move.to, nil
}

// notYourTurn returns the error for a step that only the other side may take.
func (o *Offer) notYourTurn(step OfferStep) error {
	e := &problem.Error{Kind: problem.Forbidden, Code: "not_your_turn",
		Message: problem.Textf("The offer is %s. It's the other member's turn to reply.", o.Status),
		Hint:    problem.Textf("Wait for their reply, or withdraw your offer.")}
	switch step {
	case Complete:
		e.Message, e.Hint = problem.Textf("Only the seller can complete a sale."), problem.Textf("Ask the seller to mark it as sold once you have the item. You can then confirm that it's as described.")
	case Confirm, Dispute:
		e.Message, e.Hint = problem.Textf("Only the buyer can confirm or dispute a sale."), problem.Programf("Without a word from the buyer, the sale is confirmed at expires_at.")
	}
	return e
}

// CheckTime returns an error if the time for a step is over.
func (o *Offer) CheckTime(step OfferStep, now Time) error {
	switch {
	case o.ExpiresAt > now:
		return nil
	case o.AwaitsReply():
		return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("The offer has expired."), Hint: problem.Programf("Make a new offer with POST /api/listings/%s/offers.", o.ListingID)}
	case o.Status == OfferCompleted && step == Dispute:
		return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("It's too late to report a problem: the sale has been confirmed."),
			Hint: problem.Textf("Write to the seller, or report the listing.")}
	}
	return nil
}

// Agreement is what the two sides of an accepted offer agreed on: the listing
// as it was when the offer was accepted, and the price. The sale is recorded
// from it.
type Agreement struct {
	OfferID  string
	AgreedAt Time
	Amount   Cents   // agreed price
	Listing  Listing // its content, without the serial number, and its photos
}
