package views

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models"
)

// Handover is how the item of an accepted offer gets to the buyer, from the point of
// view of one of the two members.
type Handover struct {
	Status      models.HandoverStatus `json:"status" jsonschema:"open: propose pick-up or shipping; proposed: the other member can agree; agreed: the seller sends it or hands it over with complete_offer; sent: the buyer says when it arrives; received"`
	Method      models.HandoverMethod `json:"method,omitempty" jsonschema:"absent until one is proposed"`
	Place       string                `json:"place,omitempty" jsonschema:"where the buyer picks it up" untrusted:"true"`
	MeetAt      string                `json:"meet_at,omitempty" jsonschema:"local time at the place, such as 2026-11-28T17:30"`
	ProposedBy  string                `json:"proposed_by,omitempty" enum:"buyer,seller" jsonschema:"who made the last proposal"`
	Proposal    int                   `json:"proposal,omitempty" jsonschema:"number of the last proposal, which agree_handover needs" min:"1"`
	Address     string                `json:"address,omitempty" jsonschema:"the buyer's address, in GET only: for the buyer, and for the seller once shipping is agreed; deleted 60 days after the end" untrusted:"true"`
	Payment     string                `json:"payment,omitempty" jsonschema:"how the seller wants to be paid; the site takes no money" untrusted:"true"`
	PaymentLink string                `json:"payment_link,omitempty" jsonschema:"the seller's own payment page" untrusted:"true"`
	Carrier     string                `json:"carrier,omitempty" untrusted:"true"`
	Tracking    string                `json:"tracking,omitempty" jsonschema:"tracking number" untrusted:"true"`
	TrackingURL string                `json:"tracking_url,omitempty" jsonschema:"where the carrier tracks it" untrusted:"true"`
	SentAt      string                `json:"handed_over_at,omitempty" jsonschema:"when the seller sent it or handed it over"`
	ReceivedAt  string                `json:"received_at,omitempty" jsonschema:"when the buyer had it"`
	DueAt       string                `json:"due_at,omitempty" jsonschema:"when the next step is due; absent when the trade has ended"`
	Steps       []models.HandoverStep `json:"steps" jsonschema:"operations you can call now"`
	shipped     bool                  // the two sides have agreed on shipping
}

// newHandover returns the hand-over of an offer, nil if there is none.
func newHandover(o *models.Offer, h *models.Handover, memberID string) *Handover {
	if h == nil {
		return nil
	}
	p := &Handover{Status: h.Status, Method: h.Method, Place: h.Place, MeetAt: h.MeetAt, Proposal: h.Proposal, Payment: h.Payment, PaymentLink: h.PaymentLink,
		Carrier: h.Carrier, Tracking: h.Tracking, TrackingURL: h.TrackingURL, SentAt: h.SentAt.RFC3339(), ReceivedAt: h.ReceivedAt.RFC3339(), Steps: list(h.Steps(o, memberID)), shipped: h.Shipped()}
	if h.Proposal > 0 {
		p.ProposedBy = "seller"
		if h.ByBuyer {
			p.ProposedBy = "buyer"
		}
	}
	if o.Status == models.OfferAccepted || o.Status == models.OfferCompleted {
		p.DueAt = h.DueAt.RFC3339()
	}
	return p
}

// byShipping reports whether there is a hand-over, and it is by agreed shipping.
func (h *Handover) byShipping() bool { return h != nil && h.shipped }

// can reports whether the viewer can take a step of the hand-over now.
func (h *Handover) can(step models.HandoverStep) bool {
	return h != nil && slices.Contains(h.Steps, step)
}

// methodText names the method of the hand-over.
func (h *Handover) methodText() string {
	switch h.Method {
	case models.Pickup:
		return "Pick-up"
	case models.Shipping:
		return "Shipping"
	}
	return ""
}

// meetText formats the time of a pick-up: "Sat 28 Nov 2026, 17:30".
func meetText(at string) string {
	t, err := time.Parse(models.MeetLayout, at)
	if err != nil {
		return at
	}
	return t.Format("Mon 2 Jan 2006, 15:04")
}

// facts returns the facts of the hand-over for display, without links. quote marks what
// members wrote: asWritten or untrusted.
func (h *Handover) facts(quote func(string) string) []fact {
	rows := []fact{
		{"Method", h.methodText(), ""},
		{"Where", quote(h.Place), ""},
		{"When", meetText(h.MeetAt), ""},
		{"Payment", quote(h.Payment), ""},
		{"Carrier", quote(h.Carrier), ""},
		{"Tracking number", quote(h.Tracking), ""},
	}
	if h.SentAt != "" {
		name := "Handed over"
		if h.shipped {
			name = "Sent"
		}
		rows = append(rows, fact{name, momentText(h.SentAt), ""})
		if h.shipped {
			rows = append(rows, fact{"Received", momentText(h.ReceivedAt), ""})
		}
	}
	return rows
}

// stage is a stage of a trade.
type stage struct {
	Label string
	State string // done, current or ""
}

// stages returns the stages of an accepted trade, in order.
func (p *Offer) stages() []stage {
	if p.Handover == nil || p.Status == models.OfferVoided {
		return nil
	}
	handed := "Handed over"
	if p.Handover.Method == models.Shipping {
		handed = "Sent"
	}
	labels := []string{"Price agreed", "Hand-over agreed", handed, "Received", "Confirmed"}
	done := 1
	switch p.Handover.Status {
	case models.HandoverAgreed:
		done = 2
	case models.HandoverSent:
		done = 3
	case models.HandoverReceived:
		done = 4
	}
	if p.Status == models.OfferConfirmed {
		done = len(labels)
	}
	stages := make([]stage, len(labels))
	for i, label := range labels {
		stages[i].Label = label
		switch {
		case i < done:
			stages[i].State = "done"
		case i == done:
			stages[i].State = "current"
		}
	}
	return stages
}

// handoverSentence describes what is next after an offer is accepted, "" if the state of
// the offer says it all. other is the name or the handle of the other member.
func (p *Offer) handoverSentence(other string) string {
	h, buyer := p.Handover, p.Role == "buyer"
	if h == nil || p.Status != models.OfferAccepted && p.Status != models.OfferCompleted {
		return ""
	}
	accepted, due := "The offer is accepted at "+MoneyText(p.Amount)+". ", momentText(h.DueAt)
	proposal := map[models.HandoverMethod]string{models.Pickup: "pick-up", models.Shipping: "shipping"}[h.Method]
	switch {
	case p.Status == models.OfferCompleted && h.Status == models.HandoverSent && buyer:
		return other + " sent it on " + momentText(h.SentAt) + ". Tell us when it arrives: you then have 7 days to check it. If we don't hear from you by " + momentText(p.ExpiresAt) + ", the sale counts as confirmed."
	case p.Status == models.OfferCompleted && h.Status == models.HandoverSent:
		return "You sent it on " + momentText(h.SentAt) + ". " + other + " can confirm the sale or report a problem until " + momentText(p.ExpiresAt) + "."
	case p.Status == models.OfferCompleted:
		return ""
	case h.Status == models.HandoverOpen:
		return accepted + "Next, agree on pick-up or shipping by " + due + "."
	case h.Status == models.HandoverProposed && h.ProposedBy != p.Role:
		return accepted + other + " proposes " + proposal + ". Agree or propose something else by " + due + "."
	case h.Status == models.HandoverProposed:
		return accepted + "You've proposed " + proposal + ". " + other + " can agree or propose something else by " + due + "."
	case h.Method == models.Pickup && buyer:
		return accepted + "You'll pick it up on " + meetText(h.MeetAt) + "."
	case h.Method == models.Pickup:
		return accepted + other + " will pick it up on " + meetText(h.MeetAt) + ". Complete the sale once it's handed over."
	case buyer:
		return accepted + other + " will send it by " + due + "."
	}
	return accepted + "Send it by " + due + ", and mark it as sent."
}

// paymentNote says that the site takes no money.
func (p *Offer) paymentNote() string {
	return p.site.Name() + " doesn’t handle payments. Arrange payment directly with each other."
}

// agreeText describes the effect of agreeing to the proposed hand-over.
func (p *Offer) agreeText() string {
	if p.Handover.Method == models.Pickup {
		return "Agree to meet on " + meetText(p.Handover.MeetAt) + "."
	}
	if p.Role == "buyer" {
		return "Agree on shipping. " + addressHelp
	}
	return "Agree on shipping. You then see the address to send it to."
}

// addressHelp says who sees an address, and how long.
const addressHelp = "Only the seller will see your address, and we delete it 60 days after the trade has ended."

// handoverMeaning describes the effect of a step of the hand-over.
func (p *Offer) handoverMeaning(step models.HandoverStep) string {
	switch step {
	case models.ProposeHandover:
		return "Propose pick-up with a place and a time, or shipping."
	case models.AgreeHandover:
		return p.agreeText()
	case models.SetPayment:
		return "Say how you want to be paid."
	case models.SetTracking:
		return "Correct the carrier and the tracking number."
	}
	return "It has arrived? Say so: you then have 7 days to check it."
}

// handoverPath returns the path that a step's form is posted to.
func (p *Offer) handoverPath(step models.HandoverStep) string {
	return offerPath(p.ID) + "/" + handoverPaths[step]
}

// handoverPaths are the last parts of the paths of the steps.
var handoverPaths = map[models.HandoverStep]string{models.ProposeHandover: "handover", models.AgreeHandover: "handover/agree", models.SetPayment: "payment",
	models.SetTracking: "tracking", models.ReceiveItem: "receive"}

// HandoverPath returns the last part of the path of a step.
func HandoverPath(step models.HandoverStep) string { return handoverPaths[step] }

// ShowAddress adds the buyer's address. Only the page that is read shows it: responses
// to writes are stored for their idempotency keys.
func (p *Offer) ShowAddress(address string) {
	if p.Handover != nil {
		p.Handover.Address = address
	}
}

// handover writes the hand-over of an offer.
func (m *markdown) handover(p *Offer) {
	h := p.Handover
	m.section("Hand-over")
	for _, s := range p.stages() {
		mark := " "
		if s.State == "done" {
			mark = "x"
		}
		m.raw("- [", mark, "] ", s.Label, "\n")
	}
	m.factRows(append(h.facts(untrusted), fact{"Payment link", untrusted(h.PaymentLink), ""}, fact{"Tracking link", untrusted(h.TrackingURL), ""}))
	if h.Address != "" {
		m.raw("\nAddress:\n\n")
		m.quote(h.Address)
	}
	if p.Status == models.OfferAccepted {
		m.text(p.paymentNote())
	}
}

// Evidence is what one side of a disputed sale says about it.
type Evidence struct {
	By     string  `json:"by" enum:"buyer,seller"`
	Text   string  `json:"text" untrusted:"true"`
	At     string  `json:"at"`
	photos []Photo // in EvidencePhotos too
}

// EvidencePhoto is a photo of the evidence. It is beside the evidence in JSON, not within
// it, to keep that shallow.
type EvidencePhoto struct {
	By  string `json:"by" enum:"buyer,seller"`
	At  string `json:"at" jsonschema:"when the evidence was given that it belongs to"`
	Src string `json:"src" jsonschema:"URL that only the two members and the operators can open"`
}

// newEvidence returns the evidence of a dispute, and its photos.
func newEvidence(site *Site, all []models.Evidence) (list []Evidence, photos []EvidencePhoto) {
	for _, e := range all {
		said := Evidence{By: "seller", Text: e.Text, At: e.At.RFC3339()}
		if e.ByBuyer {
			said.By = "buyer"
		}
		for _, p := range e.Photos {
			p.Alt = capitalized(said.By) + "’s photo " + strconv.Itoa(len(photos)+1) + " of the problem"
			photo := photoOf(site, &p)
			said.photos = append(said.photos, photo)
			photos = append(photos, EvidencePhoto{By: said.By, At: said.At, Src: photo.Src})
		}
		list = append(list, said)
	}
	return list, photos
}

// evidence writes what was said about a dispute.
func (m *markdown) evidence(all []Evidence) {
	for i := range all {
		m.raw("\nThe ", all[i].By, " on ", momentText(all[i].At), ":\n\n")
		m.quote(all[i].Text)
		for _, photo := range all[i].photos {
			m.raw("- ![", mdText(photo.Alt), "](", photo.Src, ")\n")
		}
	}
}

// evidencePhotosHelp says how many photos a statement can have, and who sees them.
var evidencePhotosHelp = "Up to " + strconv.Itoa(models.MaxEvidencePhotos) + ", JPEG or PNG. Only the two of you and the operators can see them, and we remove location and serial numbers."

// handoverText describes a hand-over to operators, without what only the two sides see:
// "shipping, sent 21 Nov 2026, 09:00 UTC, not received".
func handoverText(h *models.Handover) string {
	parts := []string{cmp.Or(string(h.Method), "not arranged here")}
	if h.SentAt != 0 {
		parts = append(parts, "handed over "+momentText(h.SentAt.RFC3339()))
	}
	switch {
	case h.ReceivedAt != 0 && h.Shipped():
		parts = append(parts, "received "+momentText(h.ReceivedAt.RFC3339()))
	case h.Shipped():
		parts = append(parts, "not received")
	}
	return strings.Join(parts, ", ")
}
