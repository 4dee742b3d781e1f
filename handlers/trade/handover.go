package trade

import (
	"context"
	"fmt"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/trade"
)

// handoverOps holds the operations on the hand-over of a sold item.
type handoverOps struct{ offerOps }

// moveHandover takes a step of a hand-over for the caller and returns the page of the
// offer, without the buyer's address.
func (s handoverOps) moveHandover(ctx context.Context, id string, m models.HandoverMove) (*views.Offer, error) {
	m.By = caller.ID(ctx)
	o, err := s.Trades.MoveHandover(ctx, strings.ToLower(id), m)
	if err != nil {
		return nil, err
	}
	return s.offerPage(ctx, o)
}

// handoverStep completes an operation that takes a step of a hand-over.
func handoverStep[In any](op web.Op[In, *views.Offer], step models.HandoverStep) web.Operation {
	op.Errors = append([]string{"not_your_turn", "wrong_status"}, op.Errors...)
	return offerWrite(op, string(step), views.HandoverPath(step))
}

type proposeHandoverInput struct {
	offerInput
	Method  models.HandoverMethod `json:"method" jsonschema:"pickup or shipping" example:"shipping"`
	Place   string                `json:"place,omitempty" jsonschema:"pickup: where, plain text; required" maxlength:"300" example:"Main station, below the clock"`
	MeetAt  string                `json:"meet_at,omitempty" jsonschema:"pickup: day and local time at the place, such as 2026-11-28T17:30; required" maxlength:"16"`
	Address string                `json:"address,omitempty" jsonschema:"shipping, as the buyer: postal address, plain text; only the seller sees it, once both agree" maxlength:"500" example:"Jane Doe, 1 High Street, 10115 Berlin, Germany"`
}

func (s handoverOps) proposeHandover() web.Operation {
	return handoverStep(web.Op[proposeHandoverInput, *views.Offer]{
		Done:    "Suggestion sent.",
		Title:   "Propose pick-up or shipping",
		Summary: "Proposes how the item of an accepted offer gets to the buyer.",
		Description: "Suggests collection (place and time) or postage, as buyer or seller of an accepted offer. A buyer who suggests postage gives their address: only the seller sees it, once both have agreed, and it is deleted 60 days after the end. " +
			"A new proposal replaces the one before, agreed or not. The other side answers with agree_handover or with a proposal of their own.",
		Errors: []string{"blocked", "handover_changed"},
		Sample: s.sampleOffer(models.OfferAccepted),
		Do: func(ctx context.Context, in *proposeHandoverInput) (*views.Offer, error) {
			return s.moveHandover(ctx, in.ID, models.HandoverMove{Step: models.ProposeHandover, Method: in.Method, Place: in.Place, MeetAt: in.MeetAt, Address: in.Address})
		},
	}, models.ProposeHandover)
}

type agreeHandoverInput struct {
	offerInput
	Proposal int    `json:"proposal" jsonschema:"number of the proposal you agree to: handover.proposal of get_offer" min:"1" example:"1"`
	Address  string `json:"address,omitempty" jsonschema:"shipping, as the buyer: postal address, plain text; only the seller sees it" maxlength:"500" example:"Jane Doe, 1 High Street, 10115 Berlin, Germany"`
}

func (s handoverOps) agreeHandover() web.Operation {
	return handoverStep(web.Op[agreeHandoverInput, *views.Offer]{
		Done: "Delivery arranged.", Destructive: true,
		Title:   "Agree on the hand-over",
		Summary: "Agrees to the collection or postage suggested by the other party.",
		Description: "Agrees to the other party's last suggestion. A buyer who agrees to postage gives their address, unless they already have. " +
			"The seller then sends the item or hands it over, and calls complete_offer.",
		Errors: []string{"blocked", "handover_changed"},
		Sample: s.sampleOffer(models.OfferAccepted),
		Do: func(ctx context.Context, in *agreeHandoverInput) (*views.Offer, error) {
			return s.moveHandover(ctx, in.ID, models.HandoverMove{Step: models.AgreeHandover, Proposal: in.Proposal, Address: in.Address})
		},
	}, models.AgreeHandover)
}

type setPaymentInput struct {
	offerInput
	Payment string `json:"payment" jsonschema:"how you want to be paid, plain text; only the buyer sees it" maxlength:"500" example:"Bank transfer, or cash on collection."`
	Link    string `json:"payment_link,omitempty" jsonschema:"your own payment page, https only" maxlength:"500"`
}

func (s handoverOps) setPayment() web.Operation {
	return handoverStep(web.Op[setPaymentInput, *views.Offer]{
		Done:    "Payment details added. The buyer can see them.",
		Title:   "Add payment details",
		Summary: "Adds the seller's note on payment to an accepted offer.",
		Description: "Sets or replaces the note on payment of an accepted offer, as its seller: bank transfer, cash, or a link to the seller's own payment page. The site doesn't handle payments. " +
			"Only the buyer sees it, and it is deleted 60 days after the end.",
		Errors: []string{"blocked"},
		Sample: s.sampleOffer(models.OfferAccepted),
		Do: func(ctx context.Context, in *setPaymentInput) (*views.Offer, error) {
			return s.moveHandover(ctx, in.ID, models.HandoverMove{Step: models.SetPayment, Payment: in.Payment, Link: in.Link})
		},
	}, models.SetPayment)
}

// shipmentInput is what a seller says about a parcel.
type shipmentInput struct {
	Carrier     string `json:"carrier,omitempty" jsonschema:"carrier of an item that is sent" maxlength:"60" example:"DHL"`
	Tracking    string `json:"tracking,omitempty" jsonschema:"tracking number" maxlength:"60" example:"00340434161094042557"`
	TrackingURL string `json:"tracking_url,omitempty" jsonschema:"where the carrier tracks it, https only" maxlength:"500"`
}

func (in *shipmentInput) shipment() models.Shipment {
	return models.Shipment{Carrier: in.Carrier, Tracking: in.Tracking, TrackingURL: in.TrackingURL}
}

type setTrackingInput struct {
	offerInput
	shipmentInput
}

func (s handoverOps) setTracking() web.Operation {
	return handoverStep(web.Op[setTrackingInput, *views.Offer]{
		Done:        "Tracking updated.",
		Title:       "Change the tracking",
		Summary:     "Replaces carrier, tracking number and link of an item that was sent.",
		Description: "Replaces what complete_offer said about a parcel, as the seller, until the buyer has received it. The buyer is notified.",
		Sample:      s.sampleOffer(models.OfferCompleted),
		Do: func(ctx context.Context, in *setTrackingInput) (*views.Offer, error) {
			return s.moveHandover(ctx, in.ID, models.HandoverMove{Step: models.SetTracking, Shipment: in.shipment()})
		},
	}, models.SetTracking)
}

func (s handoverOps) receiveItem() web.Operation {
	return handoverStep(web.Op[offerInput, *views.Offer]{
		Done:        "Thanks. You have 7 days to check it.",
		Title:       "Say that it has arrived",
		Summary:     "Says as the buyer that an item that was sent has arrived.",
		Description: "Records the arrival of an item that was sent. The buyer then has 7 days to confirm the sale (confirm_offer) or to report a problem (dispute_offer); without an answer it counts as confirmed.",
		Sample:      s.sampleOffer(models.OfferCompleted),
		Do: func(ctx context.Context, in *offerInput) (*views.Offer, error) {
			return s.moveHandover(ctx, in.ID, models.HandoverMove{Step: models.ReceiveItem})
		},
	}, models.ReceiveItem)
}

type evidenceInput struct {
	offerInput
	Text   string       `json:"text" jsonschema:"what the operator should know, plain text; the other party reads it too" maxlength:"2000" example:"The meter worked when I packed it: see the third photo of the listing."`
	Photos []web.Upload `json:"photo,omitempty" jsonschema:"up to four photos, JPEG, PNG, WebP, HEIC or AVIF"`
}

func (s handoverOps) addEvidence() web.Operation {
	return offerWrite(web.Op[evidenceInput, *views.Offer]{
		Done:  "Details added.",
		Title: "Add to a reported problem", Summary: "Adds a statement to a disputed sale, with photos, for the operator who decides.",
		Description: fmt.Sprintf("Adds what one side has to say about a reported problem, until an operator has decided. Each side can add %d statements, each with up to %d photos: send multipart/form-data with one photo part per file, or JSON with photo as a list of base64 strings. ", models.MaxEvidence, models.MaxEvidencePhotos) +
			"Metadata is removed from the photos, and only the two members and the operators can open them. The other side is notified.",
		Errors: []string{"invalid_parameter", "wrong_status", "too_much_evidence", "unavailable"},
		Sample: s.sampleOffer(models.OfferDisputed),
		Do:     s.doAddEvidence,
	}, "add_evidence", "evidence")
}

func (s handoverOps) doAddEvidence(ctx context.Context, in *evidenceInput) (*views.Offer, error) {
	id, by := strings.ToLower(in.ID), caller.ID(ctx)
	if len(in.Photos) > 0 {
		if err := s.Trades.MayAddEvidence(ctx, id, by); err != nil {
			return nil, err
		}
	}
	if len(in.Photos) > models.MaxEvidencePhotos {
		return nil, web.InvalidField("photo", problem.Textf("Add at most %d photos at a time.", models.MaxEvidencePhotos), problem.Textf("Send fewer photos."))
	}
	var o *models.Offer
	_, err := s.Uploads.Store(ctx, in.Photos, func(ctx context.Context, photos []models.Photo, _ []*picture.Rendered) (err error) {
		o, err = s.Trades.AddEvidence(ctx, id, by, in.Text, photos...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.offerPage(ctx, o)
}
