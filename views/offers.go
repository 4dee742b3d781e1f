package views

import (
	"io"
	"net/url"
	"strings"

	"github.com/secondlight/secondlight/models"
)

const offersPath = "/account/offers"

func offerPath(id string) string { return offersPath + "/" + id }

// OfferCard is an offer as lists show it, as one of its two sides sees it.
type OfferCard struct {
	ID        string             `json:"id"`
	URL       string             `json:"url"`
	Status    models.OfferStatus `json:"status" jsonschema:"pending waits for the seller, countered for the buyer"`
	Role      string             `json:"role" jsonschema:"your side of it" enum:"buyer,seller"`
	YourTurn  bool               `json:"your_turn" jsonschema:"true when you are to answer"`
	Amount    models.Money       `json:"amount" jsonschema:"the price named last, which accepting agrees to"`
	Listing   string             `json:"listing" jsonschema:"id of the listing"`
	Title     string             `json:"title" jsonschema:"the listing's"`
	Price     *models.Money      `json:"price,omitempty" jsonschema:"asking price; absent when the listing was taken off the site"`
	With      Person             `json:"with" jsonschema:"the other side"`
	CreatedAt string             `json:"created_at"`
	UpdatedAt string             `json:"updated_at"`
	ExpiresAt string             `json:"expires_at,omitempty" jsonschema:"when it ends without an answer; absent when nobody is to answer"`
}

// Offer is the page of one offer, as one of its two sides sees it.
type Offer struct {
	OfferCard
	ListingCard *Card              `json:"listing_card,omitempty" jsonschema:"the listing; absent when it was taken off the site"`
	Rounds      []OfferRound       `json:"rounds" jsonschema:"the prices named so far, the first one first"`
	RoundsLeft  int                `json:"rounds_left" jsonschema:"how many more prices the two of you may name" min:"0"`
	Steps       []models.OfferStep `json:"steps" jsonschema:"what you may do with it now"`
	MayRate     bool               `json:"may_rate" jsonschema:"true when the sale is completed and you have not rated the other side yet"`
	Links       []Link             `json:"links"`
	site        *Site
}

// OfferRound is one price that was named.
type OfferRound struct {
	By      string       `json:"by" jsonschema:"the side that named it" enum:"buyer,seller"`
	Amount  models.Money `json:"amount" jsonschema:"the price"`
	Message string       `json:"message,omitempty" jsonschema:"what was written with it"`
	At      string       `json:"at"`
}

// OfferParts are what the page of an offer is made of.
type OfferParts struct {
	Offer  *models.Offer
	Member string         // id of who reads it
	Other  *models.Member // on the other side
	// Listing is nil when it was taken off the site, Card is its card.
	Listing *models.Listing
	Card    *Card
	Rounds  []models.Round
	Rated   bool // by who reads it
	// Conversation of the two about the listing, by its id; "" for none.
	Conversation string
}

// NewOfferCard makes an offer as lists show it.
func NewOfferCard(site *Site, parts *OfferParts) OfferCard {
	o := parts.Offer
	c := OfferCard{
		ID: o.ID, URL: site.URL(offerPath(o.ID)), Status: o.Status, Role: "seller", Amount: site.Currency.Money(o.Amount),
		Listing: o.ListingID, Title: "A listing that was taken off the site",
		With:      newPerson(site, parts.Other),
		CreatedAt: o.CreatedAt.RFC3339(), UpdatedAt: o.UpdatedAt.RFC3339(),
	}
	if parts.Member == o.BuyerID {
		c.Role = "buyer"
	}
	c.YourTurn = o.Status == models.OfferPending && c.Role == "seller" || o.Status == models.OfferCountered && c.Role == "buyer"
	if o.Waits() {
		c.ExpiresAt = o.ExpiresAt.RFC3339()
	}
	if l := parts.Listing; l != nil {
		c.Title, c.Price = l.Title, site.money(l.Price)
	}
	return c
}

// NewOffer makes the page of an offer.
func NewOffer(site *Site, parts *OfferParts) *Offer {
	o := parts.Offer
	p := &Offer{OfferCard: NewOfferCard(site, parts), ListingCard: parts.Card, Rounds: make([]OfferRound, len(parts.Rounds)),
		Steps: []models.OfferStep{}, MayRate: o.Status == models.OfferCompleted && !parts.Rated, site: site}
	if o.Waits() {
		p.RoundsLeft = o.RoundsLeft()
	}
	for _, step := range o.Steps(parts.Member) {
		// Of a listing that is reserved for somebody else nothing can be accepted.
		if step != models.Accept || parts.Listing != nil && parts.Listing.Status == models.StatusActive {
			p.Steps = append(p.Steps, step)
		}
	}
	for i, r := range parts.Rounds {
		p.Rounds[i] = OfferRound{By: "seller", Amount: site.Currency.Money(r.Amount), Message: r.Message, At: r.At.RFC3339()}
		if r.ByBuyer {
			p.Rounds[i].By = "buyer"
		}
	}
	if parts.Listing != nil {
		p.Links = append(p.Links, Link{listingPath(o.ListingID), "The listing"})
		if parts.Listing.Gear != "" {
			p.Links = append(p.Links, Link{gearPath(parts.Listing.Gear), "What this gear sells for"})
		}
	}
	switch {
	case parts.Conversation != "":
		p.Links = append(p.Links, Link{"/account/messages/" + parts.Conversation, "Your messages with " + p.With.Name})
	case p.Role == "buyer" && parts.Listing != nil:
		p.Links = append(p.Links, Link{listingPath(o.ListingID) + "#write-message", "Write to " + p.With.Name})
	default:
		p.Links = append(p.Links, Link{"/account/messages", "Your messages"})
	}
	p.Links = append(p.Links, Link{sellerPath(p.With.Handle), p.With.Name}, Link{offersPath, "All your offers"})
	return p
}

// Resource is where the API has the offer.
func (p *Offer) Resource() string { return "/api/offers/" + p.ID }

// Head implements Page.
func (p *Offer) Head() Head {
	return Head{Title: p.heading(), Description: p.stateSentence(), Path: offerPath(p.ID), NoIndex: true,
		Crumbs: []Link{{"/account", "Account"}, {offersPath, "Offers"}}}
}

func (p *Offer) heading() string { return "Offer on " + p.Title }

// InstantText is an RFC 3339 instant for people who have to keep a time: "14 Nov 2026, 08:30 UTC".
func InstantText(s string) string {
	if len(s) < len("2026-11-14T08:30") {
		return s
	}
	return DayText(s) + ", " + s[11:16] + " UTC"
}

// stateSentence says where the offer is, and who is to answer.
func (p *OfferCard) stateSentence() string {
	amount := MoneyText(p.Amount)
	switch {
	case p.YourTurn:
		return "The offer is " + string(p.Status) + ": " + p.With.Name + " names " + amount + ", and you are to answer until " + InstantText(p.ExpiresAt) + "."
	case p.Status == models.OfferPending, p.Status == models.OfferCountered:
		return "The offer is " + string(p.Status) + ": you named " + amount + ", and " + p.With.Name + " is to answer until " + InstantText(p.ExpiresAt) + "."
	case p.Status == models.OfferAccepted:
		return "The offer is accepted at " + amount + ", and the listing is reserved. Agree on payment and delivery, then complete the sale."
	case p.Status == models.OfferCompleted:
		return "The sale is completed at " + amount + "."
	case p.Status == models.OfferExpired:
		return "The offer has expired: nobody answered in time. The last price was " + amount + "."
	}
	return "The offer was " + string(p.Status) + ". The last price was " + amount + "."
}

// sideText is the reader's side in words.
func (p *OfferCard) sideText() string { return "You are the " + p.Role + "; the other side is " }

// may reports whether the reader may take a step now.
func (p *Offer) may(step models.OfferStep) bool {
	for _, s := range p.Steps {
		if s == step {
			return true
		}
	}
	return false
}

// stepPath is where the page posts a step to.
func (p *Offer) stepPath(step models.OfferStep) string { return offerPath(p.ID) + "/" + string(step) }

// stepOperation is the name of a step's operation.
func stepOperation(step models.OfferStep) string { return string(step) + "_offer" }

// stepMeaning says what a step does before it is taken.
func (p *Offer) stepMeaning(step models.OfferStep) string {
	amount := MoneyText(p.Amount)
	switch step {
	case models.Accept:
		return "Accept " + amount + ": the listing is reserved, and nobody else can have it."
	case models.Counter:
		return "Counter: name another price; " + countText(p.RoundsLeft, "more price", "more prices") + " may be named."
	case models.Decline:
		return "Decline: the offer ends, and nothing brings it back."
	case models.Withdraw:
		if p.Status == models.OfferAccepted {
			return "Withdraw from the sale: the listing is for sale again, and nothing brings the offer back."
		}
		return "Withdraw: the offer ends, and nothing brings it back."
	}
	return "Complete the sale at " + amount + ": the listing is sold, and the price counts in the trend, without your names."
}

// stepLabel is what a step's button says.
func (p *Offer) stepLabel(step models.OfferStep) string {
	switch step {
	case models.Accept:
		return "Accept " + MoneyText(p.Amount)
	case models.Counter:
		return "Send the counter-offer"
	case models.Decline:
		return "Decline"
	case models.Withdraw:
		return "Withdraw"
	}
	return "Complete the sale at " + MoneyText(p.Amount)
}

// rateText says what a rating is.
func (p *Offer) rateText() string {
	return "Rate " + p.With.Name + ": once, with one to five stars and a few words, for everybody to read."
}

// roundText is who named a price: "You, as buyer, on 14 Nov 2026, 08:30 UTC".
func (p *Offer) roundText(r *OfferRound) string {
	who := p.With.Name
	if r.By == p.Role {
		who = "You"
	}
	return who + " (" + r.By + ") on " + InstantText(r.At)
}

// roundsText is how many prices may still be named.
func (p *Offer) roundsText() string {
	return "The two of you may name " + countText(p.RoundsLeft, "more price", "more prices") + "."
}

// facts are what the offer says about itself, row by row.
func (p *OfferCard) facts() []fact {
	rows := []fact{
		{"Status", string(p.Status), ""},
		{"Price named last", MoneyText(p.Amount), ""},
		{"Asking price", moneyOr(p.Price, ""), ""},
		{"Your side", p.Role, ""},
		{"Other side", p.With.Name + " (" + p.With.Handle + ")", sellerPath(p.With.Handle)},
		{"Made", InstantText(p.CreatedAt), ""},
		{"Last change", InstantText(p.UpdatedAt), ""},
	}
	if p.ExpiresAt != "" {
		rows = append(rows, fact{"Expires", InstantText(p.ExpiresAt), ""})
	}
	return append(rows, fact{"Offer", p.ID, ""})
}

// Markdown implements Page.
func (p *Offer) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, p.heading(), "")
	m.text(p.stateSentence())
	m.raw("\n")
	m.factRows(p.facts())
	m.row("Address", p.URL)
	if p.ListingCard != nil {
		m.cards("The listing", []Card{*p.ListingCard})
	} else {
		m.text(p.Title + ": " + p.Listing)
	}
	m.section("Prices named")
	for i := range p.Rounds {
		r := &p.Rounds[i]
		m.raw("\n**", MoneyText(r.Amount), "**, ", mdText(p.roundText(r)), "\n")
		if r.Message != "" {
			m.raw("\n")
			m.quote(r.Message)
		}
	}
	if p.ExpiresAt != "" {
		m.text(p.roundsText())
	}
	if len(p.Steps) > 0 || p.MayRate {
		m.section("What you may do")
		if p.MayRate {
			m.raw("- `POST ", p.Resource(), "/rating` ", mdText(p.rateText()), "\n")
		}
		for _, step := range p.Steps {
			m.raw("- `POST ", p.Resource(), "/", string(step), "` ", mdText(p.stepMeaning(step)), "\n")
		}
	}
	m.links(p.Links)
	return m.done(w)
}

// Offers are a member's offers, made and got.
type Offers struct {
	Offers     []OfferCard `json:"offers" jsonschema:"the last to change first"`
	NextCursor string      `json:"next_cursor,omitempty"`
	Links      []Link      `json:"links"`
	query      OfferQuery
	site       *Site
}

// OfferQuery is which offers are listed.
type OfferQuery struct {
	Role    string
	Status  models.OfferStatus
	Listing string
}

// path is the address of such a list.
func (q OfferQuery) path(base, cursor string) string {
	v := url.Values{}
	for name, value := range map[string]string{"role": q.Role, "status": string(q.Status), "listing": q.Listing, "cursor": cursor} {
		if value != "" {
			v.Set(name, value)
		}
	}
	if len(v) == 0 {
		return base
	}
	return base + "?" + v.Encode()
}

// NewOffers makes a page of offers, and the cursor to read on, "" for none.
func NewOffers(site *Site, query OfferQuery, offers []OfferCard, next string) *Offers {
	p := &Offers{Offers: list(offers), NextCursor: next, query: query, site: site}
	if next != "" {
		p.Links = append(p.Links, Link{query.path(offersPath, next), "Older offers"})
	}
	p.Links = append(p.Links, Link{searchPath, "Everything for sale"}, Link{"/account", "Account"})
	return p
}

// Next is where the list goes on, as a page or in the API.
func (p *Offers) Next(api bool) string {
	switch {
	case p.NextCursor == "":
		return ""
	case api:
		return p.query.path("/api/offers", p.NextCursor)
	}
	return p.query.path(offersPath, p.NextCursor)
}

// Head implements Page.
func (p *Offers) Head() Head {
	return Head{Title: "Your offers", Description: "The offers you made and got.", Path: p.query.path(offersPath, ""), NoIndex: true,
		Crumbs: []Link{{"/account", "Account"}}}
}

// tab is a choice among lists.
type tab struct {
	Link
	Chosen bool
}

// tabs are the lists of each side.
func (p *Offers) tabs() []tab {
	var tabs []tab
	for _, r := range []struct{ role, label string }{{"", "All"}, {"buyer", "Those you made"}, {"seller", "Those you got"}} {
		q := p.query
		q.Role = r.role
		tabs = append(tabs, tab{Link{q.path(offersPath, ""), r.label}, p.query.Role == r.role})
	}
	return tabs
}

// statuses are the lists of each status.
func (p *Offers) statuses() []Choice {
	choices := []Choice{{Value: "", Label: "Any status"}}
	for _, s := range models.OfferStatuses {
		choices = append(choices, Choice{Value: string(s), Label: strings.ToUpper(string(s[:1])) + string(s[1:])})
	}
	return choices
}

// Markdown implements Page.
func (p *Offers) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Your offers", "")
	if len(p.Offers) == 0 {
		m.text(p.empty())
	}
	for i := range p.Offers {
		o := &p.Offers[i]
		m.section(o.Title)
		m.raw(mdText(o.stateSentence()), "\n\n")
		m.factRows(o.facts())
		m.row("Page", m.link(Link{offerPath(o.ID), "The offer"}))
		m.row("Listing", m.link(Link{listingPath(o.Listing), o.Title}))
	}
	m.links(p.Links)
	return m.done(w)
}

func (p *Offers) empty() string {
	if p.query != (OfferQuery{}) {
		return "No offer is like that."
	}
	return "You have neither made nor got an offer yet. Make one on the page of a listing."
}

// typicalText is what the same sells for, to be read beside the field of an
// offer, "" where there are too few sales to say.
func (p *Listing) typicalText() string {
	switch {
	case p.Deal != nil:
		return "Typical in this condition: " + MoneyText(p.Deal.Typical) + " (" + countText(p.Deal.Sales, "sale", "sales") + " in 12 months)."
	case p.Trend != nil && p.Trend.Summary.Median != nil:
		return "Typical in any condition: " + MoneyText(*p.Trend.Summary.Median) + " (" + countText(p.Trend.Summary.SampleSize, "sale", "sales") + " in 12 months)."
	}
	return "Too few sales to say what is typical."
}

// stepClass is the look of a step's button: those that lead to a sale stand out.
func stepClass(step models.OfferStep) string {
	if step == models.Accept || step == models.Complete {
		return ""
	}
	return "quiet"
}
