package views

import (
	"context"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// NewHandover returns the hand-over of an offer, nil if there is none.
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
func (h *Handover) methodText(ctx context.Context) string {
	switch h.Method {
	case models.Pickup:
		return t(ctx, "Pick-up")
	case models.Shipping:
		return t(ctx, "Shipping")
	}
	return ""
}

// meetIn formats the time of a pick-up in the reader's language: "Sat 28 Nov 2026,
// 17:30".
func meetIn(ctx context.Context, at string) string {
	return parsed(languages.Of(ctx).Appointment, models.MeetLayout, at, at)
}

// facts returns the facts of the hand-over for display, without links. quote marks what
// members wrote: asWritten or untrusted.
func (h *Handover) facts(ctx context.Context, quote func(string) string) []fact {
	rows := []fact{
		{"Hand-over", h.methodText(ctx), ""},
		{"Where", quote(h.Place), ""},
		{"When", meetIn(ctx, h.MeetAt), ""},
		{"Payment", quote(h.Payment), ""},
		{"Carrier", quote(h.Carrier), ""},
		{"Tracking number", quote(h.Tracking), ""},
	}
	if h.SentAt != "" {
		sent := momentIn(ctx, h.SentAt)
		if !h.shipped {
			return append(rows, fact{"Handed over", sent, ""})
		}
		rows = append(rows, fact{"Sent", sent, ""}, fact{"Received", momentIn(ctx, h.ReceivedAt), ""})
	}
	return rows
}

// stage is a stage of a trade.
type stage struct {
	Label string
	State string // done, current or ""
}

// stages returns the stages of an accepted trade, in order.
func (p *Offer) stages(ctx context.Context) []stage {
	if p.Handover == nil || p.Status == models.OfferVoided {
		return nil
	}
	handed := t(ctx, "Handed over")
	if p.Handover.Method == models.Shipping {
		handed = t(ctx, "Sent")
	}
	labels := []string{t(ctx, "Price agreed"), t(ctx, "Hand-over agreed"), handed, t(ctx, "Received"), t(ctx, "Confirmed")}
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
func (p *Offer) handoverSentence(ctx context.Context, other string) string {
	switch h := p.Handover; {
	case h == nil:
		return ""
	case p.Status == models.OfferAccepted:
		return t(ctx, "The offer is accepted at %s.", moneyIn(ctx, p.Amount)) + " " + p.nextSentence(ctx, other)
	case p.Status == models.OfferCompleted && h.Status == models.HandoverSent && p.Role == "buyer":
		return t(ctx, "%s sent it on %s. Tell us when it arrives: you then have 7 days to check it. If we don't hear from you by %s, the sale counts as confirmed.", other, momentIn(ctx, h.SentAt), momentIn(ctx, p.ExpiresAt))
	case p.Status == models.OfferCompleted && h.Status == models.HandoverSent:
		return t(ctx, "You sent it on %s. %s can confirm the sale or report a problem until %s.", momentIn(ctx, h.SentAt), other, momentIn(ctx, p.ExpiresAt))
	}
	return ""
}

// nextSentence describes the next step of the hand-over of an accepted offer.
func (p *Offer) nextSentence(ctx context.Context, other string) string {
	h, buyer, due := p.Handover, p.Role == "buyer", momentIn(ctx, p.Handover.DueAt)
	mine, pickup := h.ProposedBy == p.Role, h.Method == models.Pickup
	switch {
	case h.Status == models.HandoverOpen:
		return t(ctx, "Next, agree on pick-up or shipping by %s.", due)
	case h.Status == models.HandoverProposed && mine && pickup:
		return t(ctx, "You've proposed pick-up. %s can agree or propose something else by %s.", other, due)
	case h.Status == models.HandoverProposed && mine:
		return t(ctx, "You've proposed shipping. %s can agree or propose something else by %s.", other, due)
	case h.Status == models.HandoverProposed && pickup:
		return t(ctx, "%s proposes pick-up. Agree or propose something else by %s.", other, due)
	case h.Status == models.HandoverProposed:
		return t(ctx, "%s proposes shipping. Agree or propose something else by %s.", other, due)
	case pickup && buyer:
		return t(ctx, "You'll pick it up on %s.", meetIn(ctx, h.MeetAt))
	case pickup:
		return t(ctx, "%s will pick it up on %s. Complete the sale once it's handed over.", other, meetIn(ctx, h.MeetAt))
	case buyer:
		return t(ctx, "%s will send it by %s.", other, due)
	}
	return t(ctx, "Send it by %s, and mark it as sent.", due)
}

// paymentNote says that the site takes no money.
func (p *Offer) paymentNote(ctx context.Context) string {
	return t(ctx, "%s doesn’t handle payments. Arrange payment directly with each other.", p.site.Name())
}

// agreeText describes the effect of agreeing to the proposed hand-over.
func (p *Offer) agreeText(ctx context.Context) string {
	if p.Handover.Method == models.Pickup {
		return t(ctx, "Agree to meet on %s.", meetIn(ctx, p.Handover.MeetAt))
	}
	if p.Role == "buyer" {
		return t(ctx, "Agree on shipping.") + " " + t(ctx, addressHelp)
	}
	return t(ctx, "Agree on shipping. You then see the address to send it to.")
}

// addressHelp says who sees an address, and how long.
var addressHelp = languages.Mark("Only the seller will see your address, and we delete it 60 days after the trade has ended.")

// handoverMeaning describes the effect of a step of the hand-over.
func (p *Offer) handoverMeaning(ctx context.Context, step models.HandoverStep) string {
	switch step {
	case models.ProposeHandover:
		return t(ctx, "Propose pick-up with a place and a time, or shipping.")
	case models.AgreeHandover:
		return p.agreeText(ctx)
	case models.SetPayment:
		return t(ctx, "Say how you want to be paid.")
	case models.SetTracking:
		return t(ctx, "Correct the carrier and the tracking number.")
	}
	return t(ctx, "It has arrived? Say so: you then have 7 days to check it.")
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

// writeHandover writes the hand-over of an offer.
func writeHandover(m *markdown, p *Offer) {
	h := p.Handover
	m.section("Hand-over")
	for _, s := range p.stages(m.ctx) {
		mark := " "
		if s.State == "done" {
			mark = "x"
		}
		m.raw("- [", mark, "] ", s.Label, "\n")
	}
	m.factRows(append(h.facts(m.ctx, untrusted), fact{"Payment link", untrusted(h.PaymentLink), ""}, fact{"Tracking link", untrusted(h.TrackingURL), ""}))
	if h.Address != "" {
		m.raw("\n", t(m.ctx, "Address"), ":\n\n")
		m.quote(h.Address)
	}
	if p.Status == models.OfferAccepted {
		m.text(p.paymentNote(m.ctx))
	}
}

// newEvidence returns the evidence of a dispute, and its photos.
func newEvidence(site *Site, all []models.Evidence) (list []Evidence, photos []EvidencePhoto) {
	for _, e := range all {
		said := Evidence{By: "seller", Text: e.Text, At: e.At.RFC3339(), before: len(photos)}
		if e.ByBuyer {
			said.By = "buyer"
		}
		for _, p := range e.Photos {
			photo := photoOf(site, &p)
			said.photos = append(said.photos, photo)
			photos = append(photos, EvidencePhoto{By: said.By, At: said.At, Src: photo.Src})
		}
		list = append(list, said)
	}
	return list, photos
}

// photo returns a photo of the evidence, described in the reader's language.
func (e *Evidence) photo(ctx context.Context, i int) *Photo {
	photo, n := e.photos[i], e.before+i+1
	if e.By == "buyer" {
		photo.Alt = t(ctx, "Buyer’s photo %d of the problem", n)
	} else {
		photo.Alt = t(ctx, "Seller’s photo %d of the problem", n)
	}
	return &photo
}

// byText says who gave the evidence, and when.
func (e *Evidence) byText(ctx context.Context) string {
	if e.By == "buyer" {
		return t(ctx, "Buyer on %s", momentIn(ctx, e.At))
	}
	return t(ctx, "Seller on %s", momentIn(ctx, e.At))
}

// writeEvidence writes what was said about a dispute.
func writeEvidence(m *markdown, all []Evidence) {
	for i := range all {
		m.raw("\n", all[i].byText(m.ctx), ":\n\n")
		m.quote(all[i].Text)
		for n := range all[i].photos {
			photo := all[i].photo(m.ctx, n)
			m.raw("- ![", mdText(photo.Alt), "](", photo.Src, ")\n")
		}
	}
}

// evidencePhotosHelp says how many photos a statement can have, and who sees them.
func evidencePhotosHelp(ctx context.Context) string {
	return t(ctx, "Up to %d, JPEG or PNG. Only the two of you and the operators can see them, and we remove location and serial numbers.", models.MaxEvidencePhotos)
}

// handoverText describes a hand-over to operators, without what only the two sides see:
// "shipping, handed over 21 Nov 2026, 09:00 UTC, not received".
func handoverText(ctx context.Context, h *models.Handover) string {
	var parts []string
	switch h.Method {
	case models.Pickup:
		parts = append(parts, t(ctx, "pickup"))
	case models.Shipping:
		parts = append(parts, t(ctx, "shipping"))
	default:
		parts = append(parts, t(ctx, "not arranged here"))
	}
	if h.SentAt != 0 {
		parts = append(parts, t(ctx, "handed over %s", momentIn(ctx, h.SentAt.RFC3339())))
	}
	switch {
	case h.ReceivedAt != 0 && h.Shipped():
		parts = append(parts, t(ctx, "received %s", momentIn(ctx, h.ReceivedAt.RFC3339())))
	case h.Shipped():
		parts = append(parts, t(ctx, "not received"))
	}
	return strings.Join(parts, ", ")
}
