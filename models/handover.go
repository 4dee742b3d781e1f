package models

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models/problem"
)

// Handover is how the item of an accepted offer gets from the seller to the buyer.
// The buyer's address is not part of it: see Store.HandoverAddress.
type Handover struct {
	OfferID  string
	Status   HandoverStatus
	Method   HandoverMethod // "" until one is proposed
	Place    string         // of a pick-up
	MeetAt   string         // of a pick-up: local time at the place, in MeetLayout
	ByBuyer  bool           // the buyer made the last proposal
	Proposal int            // number of the last proposal, from 1
	Payment  string         // how the seller wants to be paid, plain text
	PaymentWays
	Carrier     string
	Tracking    string // tracking number
	TrackingURL string // https, or ""
	SentAt      Time   // when the seller sent it, or handed it over
	ReceivedAt  Time   // when the buyer received it
	UpdatedAt   Time
	DueAt       Time // when the next step is due
	RemindAt    Time // when those who are to take it are reminded; 0 for never
	Revision    int64
	Erased      bool // place, payment and tracking are deleted
}

// HandoverStatus is the state of a hand-over.
type HandoverStatus string

// The states of a hand-over. Open and proposed ones belong to an accepted offer, as
// do agreed ones until the seller completes it; sent and received ones to a
// completed offer and what follows.
const (
	HandoverOpen     HandoverStatus = "open"
	HandoverProposed HandoverStatus = "proposed"
	HandoverAgreed   HandoverStatus = "agreed"
	HandoverSent     HandoverStatus = "sent"
	HandoverReceived HandoverStatus = "received"
)

// HandoverStatuses lists all states of a hand-over.
var HandoverStatuses = []HandoverStatus{HandoverOpen, HandoverProposed, HandoverAgreed, HandoverSent, HandoverReceived}

// HandoverMethod is pick-up or shipping.
type HandoverMethod string

// The methods of a hand-over.
const (
	Pickup   HandoverMethod = "pickup"
	Shipping HandoverMethod = "shipping"
)

// HandoverStep is a step of a hand-over, named as its operation.
type HandoverStep string

// The steps of a hand-over. Completing the offer is one too: it sends the item, or
// hands it over.
const (
	ProposeHandover HandoverStep = "propose_handover"
	AgreeHandover   HandoverStep = "agree_handover"
	SetPayment      HandoverStep = "set_payment"
	SetTracking     HandoverStep = "set_tracking"
	ReceiveItem     HandoverStep = "receive_item"
)

// HandoverSteps lists all steps of a hand-over, those that lead on first.
var HandoverSteps = []HandoverStep{AgreeHandover, ReceiveItem, ProposeHandover, SetPayment, SetTracking}

// handoverTransitions is the state machine of hand-overs: the status of the offer in
// which a step is possible, who may take it, and where it leads from each status.
var handoverTransitions = map[HandoverStep]struct {
	offer OfferStatus
	who   []Party
	to    map[HandoverStatus]HandoverStatus
}{
	ProposeHandover: {OfferAccepted, []Party{Buyer, seller},
		map[HandoverStatus]HandoverStatus{HandoverOpen: HandoverProposed, HandoverProposed: HandoverProposed, HandoverAgreed: HandoverProposed}},
	AgreeHandover: {OfferAccepted, []Party{Buyer, seller}, map[HandoverStatus]HandoverStatus{HandoverProposed: HandoverAgreed}},
	SetPayment: {OfferAccepted, []Party{seller},
		map[HandoverStatus]HandoverStatus{HandoverOpen: HandoverOpen, HandoverProposed: HandoverProposed, HandoverAgreed: HandoverAgreed}},
	SetTracking: {OfferCompleted, []Party{seller}, map[HandoverStatus]HandoverStatus{HandoverSent: HandoverSent}},
	ReceiveItem: {OfferCompleted, []Party{Buyer}, map[HandoverStatus]HandoverStatus{HandoverSent: HandoverReceived}},
}

// Limits of a hand-over.
const (
	MaxPlace       = 300 // characters
	MaxAddress     = 500 // characters
	MaxPayment     = 500 // characters
	MaxCarrier     = 60  // characters
	MaxTracking    = 60  // characters
	MaxLink        = 500 // characters
	MeetLayout     = "2006-01-02T15:04"
	maxMeetAhead   = 90 * 24 * time.Hour
	ArrangePeriod  = 3 * 24 * time.Hour  // to propose a hand-over, and to agree to one
	SendPeriod     = 5 * 24 * time.Hour  // to send an item
	ShippingPeriod = 21 * 24 * time.Hour // until silence confirms the sale of an item that was sent
	ErasePeriod    = 60 * 24 * time.Hour // until the address is deleted, after the end of the trade
)

const (
	dayBefore     = 24 * time.Hour // of the reminder of a hand-over
	twoDaysBefore = 48 * time.Hour // of the reminder to confirm a sale
)

// HandoverMove is a step of a hand-over with its parameters.
type HandoverMove struct {
	Step     HandoverStep
	By       string // id of the member who takes the step
	Method   HandoverMethod
	Place    string
	MeetAt   string
	Address  string // of the buyer, who gives it to propose shipping or to agree to it
	Proposal int    // AgreeHandover: number of the proposal that the member has read
	Payment  string
	Link     string // SetPayment
	Shipment        // SetTracking
}

// Shipment is what the seller says about a parcel. All fields are optional.
type Shipment struct {
	Carrier     string
	Tracking    string
	TrackingURL string
}

// NewHandover returns the hand-over of an offer that has just been accepted. It is agreed
// already if the buyer asked for a method.
func NewHandover(o *Offer, ways PaymentWays, now Time) *Handover {
	h := &Handover{OfferID: o.ID, Status: HandoverOpen, PaymentWays: ways, UpdatedAt: now, Revision: 1}
	if o.Method == "" {
		h.due(now.Add(ArrangePeriod), dayBefore)
		return h
	}
	h.Status, h.Method, h.ByBuyer, h.Proposal = HandoverAgreed, o.Method, true, 1
	h.due(now.Add(SendPeriod), dayBefore)
	return h
}

// due sets when the next step is due, and its reminder a period before.
func (h *Handover) due(at Time, reminder time.Duration) {
	h.DueAt, h.RemindAt = at, at.Add(-reminder)
}

// Shipped reports whether the two sides have agreed on shipping.
func (h *Handover) Shipped() bool {
	return h.Method == Shipping && h.Status != HandoverOpen && h.Status != HandoverProposed
}

// proposer returns the side that made the last proposal.
func (h *Handover) proposer() Party {
	if h.ByBuyer {
		return Buyer
	}
	return seller
}

// Steps returns the steps a member may take now.
func (h *Handover) Steps(o *Offer, memberID string) []HandoverStep {
	var steps []HandoverStep
	for _, step := range HandoverSteps {
		if _, err := h.Next(step, o, o.PartyOf(memberID)); err == nil {
			steps = append(steps, step)
		}
	}
	return steps
}

// Next returns the status after a step, or an error if the party can't take it.
func (h *Handover) Next(step HandoverStep, o *Offer, who Party) (HandoverStatus, error) {
	rule := handoverTransitions[step]
	to, ok := rule.to[h.Status]
	switch {
	case o.Status != rule.offer || !ok:
		return "", &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("Delivery is %s and the offer is %s. You can't do this now.", h.Status, o.Status),
			Hint: problem.Programf("Get its current state with GET /api/offers/%s.", o.ID)}
	case !slices.Contains(rule.who, who), step == AgreeHandover && who == h.proposer():
		return "", &problem.Error{Kind: problem.Forbidden, Code: "not_your_turn", Message: problem.Textf("Only the other member can do this."),
			Hint: problem.Programf("handover.steps of GET /api/offers/%s lists what you can do.", o.ID)}
	}
	return to, nil
}

// DespiteBlock reports whether a member can take the step towards somebody who has
// blocked them.
func (step HandoverStep) DespiteBlock() bool { return step == ReceiveItem || step == SetTracking }

// Check returns an error if the parameters of the step are invalid.
func (m *HandoverMove) Check(now Time) error {
	var f FieldChecks
	switch m.Step {
	case ProposeHandover:
		switch m.Method {
		case Pickup:
			f.Text("place", m.Place, MaxPlace, true)
			f.meeting("meet_at", m.MeetAt, now)
		case Shipping:
			f.Text("address", m.Address, MaxAddress, false)
		default:
			f.Refuse("method", "The method must be pickup or shipping.")
		}
	case AgreeHandover:
		f.Text("address", m.Address, MaxAddress, false)
	case SetPayment:
		f.Text("payment", m.Payment, MaxPayment, true)
		f.link("payment_link", m.Link)
	case SetTracking:
		f.shipment(m.Shipment)
	}
	return InvalidFields(f)
}

// Check returns an error if the shipment is invalid.
func (s Shipment) Check() error {
	var f FieldChecks
	f.shipment(s)
	return InvalidFields(f)
}

// FieldChecks collects the errors of fields.
type FieldChecks []problem.FieldError

func (f *FieldChecks) Refuse(field string, format problem.Format, args ...any) {
	*f = append(*f, problem.FieldError{Field: field, Code: "invalid_value", Message: problem.Textf(format, args...)})
}

// Text checks a text of at most n characters.
func (f *FieldChecks) Text(field, text string, n int, required bool) {
	switch {
	case required && strings.TrimSpace(text) == "":
		f.Refuse(field, "This is required.")
	case !Storable(text) || utf8.RuneCountInString(text) > n:
		f.Refuse(field, "The text must have at most %d characters.", n)
	}
}

// atMost checks a text of at most n characters, and names the field.
func (f *FieldChecks) atMost(field, text string, n int) {
	if !Storable(text) || utf8.RuneCountInString(text) > n {
		f.Refuse(field, "%s must be text of at most %d characters.", problem.Field(field), n)
	}
}

// meeting checks the time of a meeting, which is that of the place: it may seem to be
// up to 14 hours ago.
func (f *FieldChecks) meeting(field, text string, now Time) {
	at, err := time.Parse(MeetLayout, text)
	switch {
	case err != nil:
		f.Refuse(field, "Enter the date and local time, such as 2026-11-28T17:30.")
	case at.Before(now.Std().Add(-14*time.Hour)) || at.After(now.Std().Add(maxMeetAhead)):
		f.Refuse(field, "The time must be within the next 90 days.")
	}
}

func (f *FieldChecks) shipment(s Shipment) {
	f.Text("carrier", s.Carrier, MaxCarrier, false)
	f.Text("tracking", s.Tracking, MaxTracking, false)
	f.link("tracking_url", s.TrackingURL)
}

// link checks an address that the other member may open.
func (f *FieldChecks) link(field, text string) {
	if text != "" && !safeLink(text) {
		f.Refuse(field, "The link must begin with https:// and name a host, such as https://www.example.com/track/123.")
	}
}

// Take changes the hand-over by a step. address reports whether the buyer's address is
// known.
func (h *Handover) Take(m *HandoverMove, who Party, address bool, now Time) error {
	switch m.Step {
	case ProposeHandover:
		if m.Method == Shipping && who == Buyer && !address {
			return AddressMissing()
		}
		h.Method, h.Place, h.MeetAt, h.ByBuyer, h.Proposal = m.Method, "", "", who == Buyer, h.Proposal+1
		if m.Method == Pickup {
			h.Place, h.MeetAt = strings.TrimSpace(m.Place), m.MeetAt
		}
		h.due(now.Add(ArrangePeriod), dayBefore)
	case AgreeHandover:
		if m.Proposal != h.Proposal {
			return &problem.Error{Kind: problem.Conflict, Code: "handover_changed", Message: problem.Textf("The delivery details have changed since you fetched them."),
				Hint: problem.Programf("Read the new proposal, and send its number: handover.proposal of GET /api/offers/%s.", h.OfferID)}
		}
		if h.Method == Shipping && !address {
			if who == seller {
				return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("The buyer's address is missing."), Hint: problem.Textf("Ask the buyer to suggest postage again.")}
			}
			return AddressMissing()
		}
		if h.Method == Pickup {
			meet, _ := time.Parse(MeetLayout, h.MeetAt) // checked when it was proposed
			h.due(TimeOf(meet).Add(dayBefore), 2*dayBefore)
		} else {
			h.due(now.Add(SendPeriod), dayBefore)
		}
	case SetPayment:
		h.Payment, h.PaymentLink = strings.TrimSpace(m.Payment), m.Link
	case SetTracking:
		h.Carrier, h.Tracking, h.TrackingURL = strings.TrimSpace(m.Carrier), strings.TrimSpace(m.Tracking), m.TrackingURL
	case ReceiveItem:
		h.ReceivedAt = now
		h.due(now.Add(ConfirmationPeriod), twoDaysBefore)
	}
	if h.RemindAt <= now { // a meeting within a day
		h.RemindAt = 0
	}
	return nil
}

// AddressMissing returns the error of postage without an address.
func AddressMissing() error {
	return InvalidField("address", "missing_value", "Enter the address for the seller to send it to.")
}

// Complete records that the seller sent the item or handed it over. What was proposed
// and not agreed on is dropped.
func (h *Handover) Complete(s Shipment, now, confirmAt Time) {
	switch {
	case h.Shipped():
		h.Status, h.Carrier, h.Tracking, h.TrackingURL = HandoverSent, strings.TrimSpace(s.Carrier), strings.TrimSpace(s.Tracking), s.TrackingURL
	case h.Status != HandoverAgreed:
		h.Method, h.Place, h.MeetAt = "", "", ""
		fallthrough
	default:
		h.Status, h.ReceivedAt = HandoverReceived, now
	}
	h.SentAt = now
	h.due(confirmAt, twoDaysBefore)
}

// Notice returns the kind of notice the other side gets after the step.
func (step HandoverStep) Notice() NoticeKind {
	switch step {
	case ProposeHandover:
		return NoticeHandoverProposed
	case AgreeHandover:
		return NoticeHandoverAgreed
	case SetPayment:
		return NoticePaymentSet
	case SetTracking:
		return NoticeTrackingSet
	}
	return NoticeItemReceived
}

// Awaited returns who is to take the next step of a trade, and their reminder.
func (h *Handover) Awaited(o *Offer) (members []string, reminder NoticeKind) {
	switch {
	case o.Status == OfferCompleted:
		return []string{o.BuyerID}, NoticeConfirmReminder
	case o.Status != OfferAccepted:
		return nil, ""
	case h.Status == HandoverOpen:
		return []string{o.BuyerID, o.SellerID}, NoticeArrangeReminder
	case h.Status == HandoverProposed && h.ByBuyer:
		return []string{o.SellerID}, NoticeAgreeReminder
	case h.Status == HandoverProposed:
		return []string{o.BuyerID}, NoticeAgreeReminder
	case h.Method == Pickup && h.MeetAt != "":
		return []string{o.BuyerID, o.SellerID}, NoticePickupReminder
	case h.Method == Pickup:
		return []string{o.BuyerID, o.SellerID}, NoticeSendReminder
	}
	return []string{o.SellerID}, NoticeSendReminder
}

// CheckEvidence returns an error if the offer is not disputed.
func (o *Offer) CheckEvidence() error {
	if o.Status == OfferDisputed {
		return nil
	}
	return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("The offer is %s. You can only add evidence to a sale with a reported problem.", o.Status),
		Hint: problem.Programf("Get its current state with GET /api/offers/%s.", o.ID)}
}

// Evidence is what one side of a disputed sale says about it. Both sides and the
// operators read it.
type Evidence struct {
	OfferID string
	ByBuyer bool
	Text    string // plain text, at most MaxDispute characters
	At      Time
	Photos  []Photo // at most MaxEvidencePhotos, without descriptions
}

// Limits of evidence.
const (
	MaxEvidence       = 5 // statements of each side
	MaxEvidencePhotos = 4 // photos of a statement
)
