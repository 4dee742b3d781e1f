package trade

import (
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Offer is the page of one offer, from the point of view of one of its two members.
type Offer struct {
	OfferCard
	Handover       *Handover          `json:"handover,omitempty" jsonschema:"how the item gets to the buyer; absent until the offer is accepted"`
	Pay            *PaymentWays       `json:"payment_ways,omitempty" jsonschema:"how the seller is paid; absent if they have not said, or until the listing is reserved"`
	Address        string             `json:"address,omitempty" jsonschema:"where the buyer wants it sent, in GET only, and only for them, while the offer is open" untrusted:"true"`
	Dispute        string             `json:"dispute,omitempty" jsonschema:"problem the buyer reported" untrusted:"true"`
	Evidence       []Evidence         `json:"evidence,omitempty" jsonschema:"what both sides said about the problem, oldest first"`
	EvidencePhotos []EvidencePhoto    `json:"evidence_photos,omitempty" jsonschema:"photos of the evidence, oldest first"`
	ListingCard    *ui.Card           `json:"listing_card,omitempty" jsonschema:"the listing; absent when it is no longer public"`
	Agreement      *Agreement         `json:"agreement,omitempty" jsonschema:"what was agreed on; absent until the offer is accepted"`
	Prices         []OfferPrice       `json:"rounds" jsonschema:"price history, oldest first"`
	CountersLeft   int                `json:"rounds_left" jsonschema:"number of counter-offers left" min:"0"`
	Steps          []models.OfferStep `json:"steps" jsonschema:"steps you can take now"`
	MayRate        bool               `json:"may_rate" jsonschema:"true when the sale is completed and you have not rated the other member yet; ratings are shown once it is confirmed"`
	Links          []ui.Link          `json:"links"`
	writes         bool               // the viewer can write first to the other side
	gear           string             // slug, "" if the listing has none or is no longer public
	ratedAt        string             // when the viewer rated the other side, "" if they have not
	conversation   string             // id of the members' conversation, "" for none
	site           *ui.Site
}

// OfferCard is an offer in a list, from the point of view of one of its two members.
type OfferCard struct {
	ID string `json:"id"`
	ui.Ref
	Status    models.OfferStatus    `json:"status" jsonschema:"pending: the seller's turn; countered: the buyer's; completed: the buyer has to confirm; disputed: an operator decides"`
	Role      string                `json:"role" jsonschema:"your role" enum:"buyer,seller"`
	YourTurn  bool                  `json:"your_turn" jsonschema:"true when it is your turn to answer"`
	Amount    models.Money          `json:"amount" jsonschema:"current price, which accepting agrees to"`
	Bought    bool                  `json:"bought,omitempty" jsonschema:"a purchase at the asking price: the listing is reserved, and the seller confirms it by accepting it"`
	Delivery  models.HandoverMethod `json:"delivery,omitempty" jsonschema:"what the buyer asks for; absent if it is to be arranged"`
	Postage   *models.Money         `json:"postage,omitempty" jsonschema:"of that delivery; absent if the seller has not said"`
	Total     *models.Money         `json:"total_price,omitempty" jsonschema:"price and postage"`
	Listing   string                `json:"listing" jsonschema:"id of the listing"`
	Title     string                `json:"title" jsonschema:"title of the listing" untrusted:"true"`
	Price     *models.Money         `json:"price,omitempty" jsonschema:"asking price; absent when the listing is no longer public"`
	With      ui.Person             `json:"with" jsonschema:"the other member"`
	CreatedAt string                `json:"created_at"`
	UpdatedAt string                `json:"updated_at"`
	ExpiresAt string                `json:"expires_at,omitempty" jsonschema:"when it expires without an answer, or when a completed sale counts as confirmed without one; absent when no answer is awaited"`
	public    bool                  // the listing still is
	thumbnail *ui.Photo             // of the listing, nil for none
	handover  models.Handover       // empty until the offer is accepted
	mayRate   bool                  // the viewer may rate the other side now
	now       time.Time
}

// OfferPrice is one entry of an offer's price history: the first offer or a
// counter-offer.
type OfferPrice struct {
	By      string       `json:"by" jsonschema:"who made this offer" enum:"buyer,seller"`
	Amount  models.Money `json:"amount" jsonschema:"the price"`
	Message string       `json:"message,omitempty" jsonschema:"message sent with it" untrusted:"true"`
	At      string       `json:"at"`
}

// Handover is how the item of an accepted offer gets to the buyer, from the point of
// view of one of the two members.
type Handover struct {
	Status      models.HandoverStatus `json:"status" jsonschema:"open: suggest pickup or shipping; proposed: the other party can agree; agreed: the seller sends or hands it over with complete_offer; sent: the buyer says when it arrives; received"`
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

// Evidence is what one side of a disputed sale says about it.
type Evidence struct {
	By     string     `json:"by" enum:"buyer,seller"`
	Text   string     `json:"text" untrusted:"true"`
	At     string     `json:"at"`
	photos []ui.Photo // in EvidencePhotos too
	before int        // number of photos with earlier evidence
}

// EvidencePhoto is a photo of the evidence. It is beside the evidence in JSON, not within
// it, to keep that shallow.
type EvidencePhoto struct {
	By  string `json:"by" enum:"buyer,seller"`
	At  string `json:"at" jsonschema:"when the evidence was given that it belongs to"`
	Src string `json:"src" jsonschema:"URL that only the two members and the operators can open"`
}

// may reports whether the viewer may take a step now.
func (p *Offer) may(step models.OfferStep) bool {
	for _, s := range p.Steps {
		if s == step {
			return true
		}
	}
	return false
}

// stepPath returns the path that a step's form is posted to.
func (p *Offer) stepPath(step models.OfferStep) string {
	return ui.OfferPath(p.ID) + "/" + string(step)
}

// stepOperation returns the name of a step's operation.
func stepOperation(step models.OfferStep) string { return string(step) + "_offer" }
