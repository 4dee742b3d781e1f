package trade

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// NewHandover returns the hand-over of an offer, nil if there is none.
func newHandover(o *models.Offer, h *models.Handover, memberID string) *Handover {
	if h == nil {
		return nil
	}
	p := &Handover{Status: h.Status, Method: h.Method, Place: h.Place, MeetAt: h.MeetAt, Proposal: h.Proposal, Payment: h.Payment, PaymentLink: h.PaymentLink,
		Carrier: h.Carrier, Tracking: h.Tracking, TrackingURL: h.TrackingURL, SentAt: h.SentAt.RFC3339(), ReceivedAt: h.ReceivedAt.RFC3339(), Steps: ui.List(h.Steps(o, memberID)), shipped: h.Shipped()}
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
		return ui.T(ctx, "Collection")
	case models.Shipping:
		return ui.T(ctx, "Postage")
	}
	return ""
}

// meetIn formats the time of a pick-up in the reader's language: "Sat 28 Nov 2026,
// 17:30".
func meetIn(ctx context.Context, at string) string {
	l := languages.Of(ctx)
	return ui.Parsed(func(at time.Time) string { return l.LocalMoment(l.Weekday(at), at) }, models.MeetLayout, at, at)
}

// facts returns the facts of the hand-over for display, without links. quote marks what
// members wrote: AsWritten or untrusted.
func (h *Handover) facts(ctx context.Context, quote func(string) string) []ui.Fact {
	rows := []ui.Fact{
		{Name: "Delivery", Value: h.methodText(ctx)},
		{Name: "Where", Value: quote(h.Place)},
		{Name: "When", Value: meetIn(ctx, h.MeetAt)},
		{Name: "Payment", Value: quote(h.Payment)},
		{Name: "Courier", Value: quote(h.Carrier)},
		{Name: "Tracking number", Value: quote(h.Tracking)},
	}
	if h.SentAt != "" {
		sent := ui.MomentIn(ctx, h.SentAt)
		if !h.shipped {
			return append(rows, ui.Fact{Name: "Collected", Value: sent})
		}
		rows = append(rows, ui.Fact{Name: "Sent", Value: sent}, ui.Fact{Name: "Received", Value: ui.MomentIn(ctx, h.ReceivedAt)})
	}
	return rows
}

// handoverSentence describes what is next after an offer is accepted, "" if the state of
// the offer says it all. other is the name or the handle of the other member.
func (p *Offer) handoverSentence(ctx context.Context, other string) string {
	switch h := p.Handover; {
	case h == nil:
		return ""
	case p.Status == models.OfferAccepted:
		return ui.T(ctx, "Offer accepted: %s.", ui.MoneyIn(ctx, p.Amount)) + " " + p.nextSentence(ctx, other)
	case p.Status == models.OfferCompleted && h.Status == models.HandoverSent && p.Role == "buyer":
		return ui.T(ctx, "%s sent it on %s. Tell us when it arrives and you'll have 7 days to check it. If we don't hear from you by %s, we'll treat the sale as confirmed.", other, ui.MomentIn(ctx, h.SentAt), ui.DeadlineIn(ctx, p.ExpiresAt))
	case p.Status == models.OfferCompleted && h.Status == models.HandoverSent:
		return ui.T(ctx, "You sent it on %s. %s has until %s to confirm or report a problem.", ui.MomentIn(ctx, h.SentAt), other, ui.DeadlineIn(ctx, p.ExpiresAt))
	}
	return ""
}

// nextSentence describes the next step of the hand-over of an accepted offer.
func (p *Offer) nextSentence(ctx context.Context, other string) string {
	h, buyer, due := p.Handover, p.Role == "buyer", ui.DeadlineIn(ctx, p.Handover.DueAt)
	mine, pickup := h.ProposedBy == p.Role, h.Method == models.Pickup
	switch {
	case h.Status == models.HandoverOpen:
		return ui.T(ctx, "Next, agree collection or postage by %s.", due)
	case h.Status == models.HandoverProposed && mine && pickup:
		return ui.T(ctx, "You've suggested collection. %s has until %s to reply.", other, due)
	case h.Status == models.HandoverProposed && mine:
		return ui.T(ctx, "You've suggested postage. %s has until %s to reply.", other, due)
	case h.Status == models.HandoverProposed && pickup:
		return ui.T(ctx, "%s suggests collection. Agree, or suggest something else, by %s.", other, due)
	case h.Status == models.HandoverProposed:
		return ui.T(ctx, "%s suggests postage. Agree, or suggest something else, by %s.", other, due)
	case pickup && h.MeetAt == "":
		return ui.T(ctx, arrangeByMessage, other)
	case pickup && buyer:
		return ui.T(ctx, "You'll collect it on %s.", meetIn(ctx, h.MeetAt))
	case pickup:
		return ui.T(ctx, "%s will collect it on %s. Mark it as sold once they have it.", other, meetIn(ctx, h.MeetAt))
	case buyer:
		return ui.T(ctx, "%s will send it by %s.", other, due)
	}
	return ui.T(ctx, "Send it by %s, then mark it as sent.", due)
}

// paymentNote says that the site takes no money.
func (p *Offer) paymentNote(ctx context.Context) string {
	return ui.T(ctx, "%s doesn't handle payments. Arrange payment between yourselves.", p.site.Name())
}

// sendTo returns the address that the item is sent to, "" if there is none or it is not for the
// viewer.
func (p *Offer) sendTo() string {
	if p.Handover != nil {
		return p.Handover.Address
	}
	return p.Address
}

// proposesElsewhere reports whether the viewer can propose a delivery, but not on the card of
// the next step.
func (p *Offer) proposesElsewhere() bool {
	return p.Handover.can(models.ProposeHandover) && p.task() != arrangeTask
}

// agreeText describes the effect of agreeing to the proposed hand-over.
func (p *Offer) agreeText(ctx context.Context) string {
	if p.Handover.Method == models.Pickup {
		return ui.T(ctx, "Agree to meet on %s", meetIn(ctx, p.Handover.MeetAt))
	}
	if p.Role == "buyer" {
		return ui.T(ctx, "Agree to postage.") + " " + ui.T(ctx, addressHelp)
	}
	return ui.T(ctx, "Agree to postage. You'll then see where to send it.")
}

// addressHelp says who sees an address, and how long.
var addressHelp = languages.Mark("Only the seller will see your address. We delete it 60 days after the sale ends.")

// handoverMeaning describes the effect of a step of the hand-over.
func (p *Offer) handoverMeaning(ctx context.Context, step models.HandoverStep) string {
	switch step {
	case models.ProposeHandover:
		return ui.T(ctx, "Suggest collection (with a place and time) or postage.")
	case models.AgreeHandover:
		return p.agreeText(ctx)
	case models.SetPayment:
		return ui.T(ctx, "Add payment details.")
	case models.SetTracking:
		return ui.T(ctx, "Update the courier or tracking number.")
	}
	return ui.T(ctx, "Received it? Tell the seller. You then have 7 days to check it.")
}

// handoverPath returns the path that a step's form is posted to.
func (p *Offer) handoverPath(step models.HandoverStep) string {
	return ui.OfferPath(p.ID) + "/" + handoverPaths[step]
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
	} else {
		p.Address = address
	}
}

// writeHandover writes the hand-over of an offer.
func writeHandover(m *ui.Markdown, p *Offer) {
	h := p.Handover
	m.Section("Delivery")
	for _, s := range p.stages(m.Context) {
		mark := " "
		if s.State == "done" {
			mark = "x"
		}
		m.Raw("- [", mark, "] ", s.Label, "\n")
	}
	m.FactRows(append(h.facts(m.Context, ui.Untrusted), ui.Fact{Name: "Payment link", Value: ui.Untrusted(h.PaymentLink)}, ui.Fact{Name: "Tracking link", Value: ui.Untrusted(h.TrackingURL)}))
	if h.Address != "" {
		m.Raw("\n", ui.T(m.Context, "Address"), ":\n\n")
		m.Quote(h.Address)
	}
	if p.Status == models.OfferAccepted {
		m.Paragraph(p.paymentNote(m.Context))
	}
}

// NewEvidence returns the evidence of a dispute, and its photos.
func NewEvidence(site *ui.Site, all []models.Evidence) (list []Evidence, photos []EvidencePhoto) {
	for _, e := range all {
		said := Evidence{By: "seller", Text: e.Text, At: e.At.RFC3339(), before: len(photos)}
		if e.ByBuyer {
			said.By = "buyer"
		}
		for _, p := range e.Photos {
			photo := ui.PhotoOf(site, &p)
			said.photos = append(said.photos, photo)
			photos = append(photos, EvidencePhoto{By: said.By, At: said.At, Src: photo.Src})
		}
		list = append(list, said)
	}
	return list, photos
}

// photo returns a photo of the evidence, described in the reader's language.
func (e *Evidence) photo(ctx context.Context, i int) *ui.Photo {
	photo, n := e.photos[i], e.before+i+1
	if e.By == "buyer" {
		photo.Alt = ui.T(ctx, "Buyer’s photo %d of the problem", n)
	} else {
		photo.Alt = ui.T(ctx, "Seller’s photo %d of the problem", n)
	}
	return &photo
}

// byText says who gave the evidence, and when.
func (e *Evidence) byText(ctx context.Context) string {
	if e.By == "buyer" {
		return ui.T(ctx, "Buyer on %s", ui.MomentIn(ctx, e.At))
	}
	return ui.T(ctx, "Seller on %s", ui.MomentIn(ctx, e.At))
}

// WriteEvidence writes what was said about a dispute.
func WriteEvidence(m *ui.Markdown, all []Evidence) {
	for i := range all {
		m.Raw("\n", all[i].byText(m.Context), ":\n\n")
		m.Quote(all[i].Text)
		for n := range all[i].photos {
			photo := all[i].photo(m.Context, n)
			m.Raw("- ![", ui.MarkdownText(photo.Alt), "](", photo.Src, ")\n")
		}
	}
}

// evidencePhotosHelp says how many photos a statement can have, and who sees them.
func evidencePhotosHelp(ctx context.Context) string {
	return ui.T(ctx, "Up to %d JPEG, PNG, WebP, HEIC or AVIF files. Only you two and our team can see them. We remove location data and serial numbers.", models.MaxEvidencePhotos)
}

// HandoverText describes a hand-over to operators, without the details that are private to both sides:
// "shipping, handed over 21 Nov 2026, 09:00 UTC, not received".
func HandoverText(ctx context.Context, h *models.Handover) string {
	var parts []string
	switch h.Method {
	case models.Pickup:
		parts = append(parts, ui.T(ctx, "collection"))
	case models.Shipping:
		parts = append(parts, ui.T(ctx, "postage"))
	default:
		parts = append(parts, ui.T(ctx, "arranged elsewhere"))
	}
	if h.SentAt != 0 {
		parts = append(parts, ui.T(ctx, "handed over %s", ui.MomentIn(ctx, h.SentAt.RFC3339())))
	}
	switch {
	case h.ReceivedAt != 0 && h.Shipped():
		parts = append(parts, ui.T(ctx, "received %s", ui.MomentIn(ctx, h.ReceivedAt.RFC3339())))
	case h.Shipped():
		parts = append(parts, ui.T(ctx, "not received"))
	}
	return strings.Join(parts, ", ")
}
