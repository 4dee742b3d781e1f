package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// Sale is a sale as operators see it.
type Sale struct {
	SaleRecord
	Evidence       []Evidence      `json:"evidence,omitempty" jsonschema:"what both sides said about the problem, oldest first"`
	EvidencePhotos []EvidencePhoto `json:"evidence_photos,omitempty" jsonschema:"photos of the evidence, oldest first"`
	review         bool
	handover       *models.Handover
}

// SaleRecord is what the audit trail says of a sale.
type SaleRecord struct {
	ID       string       `json:"id" jsonschema:"UUID of the sale"`
	State    string       `json:"state" jsonschema:"disputed and held sales wait for an operator" enum:"declared,waiting,disputed,held,confirmed,voided"`
	Source   string       `json:"source" jsonschema:"who vouches for the sale" enum:"import,shop,members,declared"`
	Gear     string       `json:"gear,omitempty"`
	Title    string       `json:"title" jsonschema:"title of the listing, or the gear" untrusted:"true"`
	Grade    Named        `json:"grade" jsonschema:"condition"`
	Price    models.Money `json:"price"`
	SoldAt   string       `json:"sold_at" jsonschema:"when it was confirmed, or recorded"`
	Listing  *Topic       `json:"listing,omitempty"`
	Seller   *Person      `json:"sold_by,omitempty" jsonschema:"seller; absent for imported sales"`
	Buyer    *Person      `json:"bought_by,omitempty" jsonschema:"buyer; absent unless sold by an offer"`
	Newcomer bool         `json:"newcomer,omitempty" jsonschema:"true when seller or buyer had joined less than 30 days before"`
	Dispute  string       `json:"dispute,omitempty" jsonschema:"problem the buyer reported" maxlength:"2000" untrusted:"true"`
	Handover string       `json:"handover,omitempty" jsonschema:"how it changed hands: pickup or shipping, and when"`
}

// SaleParts holds what a sale is made of. All but Sale may be nil or "".
type SaleParts struct {
	Sale          *models.Sale
	Gear          *catalog.Gear
	Listing       *models.Listing
	Seller, Buyer *models.Member
	Dispute       string
	Evidence      []models.Evidence
	Handover      *models.Handover
}

// NewSale returns a sale for operators.
func NewSale(site *Site, parts SaleParts) Sale {
	s := parts.Sale
	p := Sale{SaleRecord: SaleRecord{ID: s.ID, State: saleState(s), Source: string(s.Source), Gear: s.Gear, Title: s.Gear, Grade: Named{string(s.Condition), s.Condition.Label()},
		Price: s.Amount(site.Currency()).Money(), SoldAt: s.SoldAt.RFC3339(), Newcomer: s.Newcomer, Dispute: parts.Dispute}}
	p.review = p.State == "held" || p.State == "disputed"
	if len(parts.Evidence) > 0 {
		p.Evidence, p.EvidencePhotos = newEvidence(site, parts.Evidence)
	}
	if h := parts.Handover; h != nil {
		p.Handover, p.handover = handoverText(context.Background(), h), h
	}
	if parts.Gear != nil {
		p.Title = parts.Gear.Name()
	}
	if parts.Listing != nil {
		topic := newTopic(site, parts.Listing)
		p.Listing, p.Title = &topic, parts.Listing.Title
	}
	if parts.Seller != nil {
		person := newPerson(site, parts.Seller)
		p.Seller = &person
	}
	if parts.Buyer != nil {
		person := newPerson(site, parts.Buyer)
		p.Buyer = &person
	}
	return p
}

// saleStateIn names a state of a sale in the reader's language.
func saleStateIn(ctx context.Context, state string) string {
	return languages.Of(ctx).TextIn("state of a sale", state)
}

// stateText describes the state of the sale to operators.
func (s *Sale) stateText(ctx context.Context) string {
	switch s.State {
	case "declared":
		return t(ctx, "Declared by the seller alone. It never counts.")
	case "waiting":
		return t(ctx, "Waiting for the buyer to confirm.")
	case "disputed":
		return t(ctx, "The buyer reported a problem.")
	case "held":
		return t(ctx, "The price is unusual. It doesn't count until you approve it.")
	case "voided":
		return t(ctx, "Voided. It doesn't count anywhere.")
	}
	return t(ctx, "Confirmed.")
}

// approveText returns the label of the button that approves the sale.
func (s *Sale) approveText(ctx context.Context) string {
	if s.State == "disputed" {
		return t(ctx, "Confirm the sale")
	}
	return t(ctx, "Approve the price")
}

// Sales is a list of sales for operators.
type Sales struct {
	Waiting    int    `json:"waiting" jsonschema:"number of sales that wait for an operator" min:"0"`
	Sales      []Sale `json:"sales" jsonschema:"oldest first"`
	NextCursor string `json:"next_cursor,omitempty"`
	Links      []Link `json:"links"`
	member     *models.Member
	site       *Site
}

// NewSales returns the sales that wait for an operator, or those of a member. waiting
// counts all that wait.
func NewSales(site *Site, sales []Sale, waiting int, member *models.Member, next Next) *Sales {
	p := &Sales{Waiting: waiting, Sales: list(sales), NextCursor: next.Cursor, member: member, site: site}
	if more := next.path(p.path()); more != "" {
		p.Links = append(p.Links, Link{more, "More sales"})
	}
	if member != nil {
		p.Links = append(p.Links, Link{salesPath, "Sales to review"})
	}
	p.Links = append(p.Links, Link{moderationPath, "Moderation"}, Link{auditPath, "Audit trail"})
	return p
}

func (p *Sales) path() string {
	if p.member == nil {
		return salesPath
	}
	return withParam(salesPath, "member", p.member.Handle)
}

func (p *Sales) heading(ctx context.Context) string {
	if p.member != nil {
		return t(ctx, "Sales of %s", p.member.Handle)
	}
	return t(ctx, "Sales to review")
}

func (p *Sales) lead(ctx context.Context) string {
	if p.Waiting == 0 {
		return t(ctx, "No sales to review.")
	}
	return tn(ctx, p.Waiting, "%s sale to review: the buyer reported a problem, or the price is unusual.", "%s sales to review: the buyer reported a problem, or the price is unusual.")
}

// Head implements Page.
func (p *Sales) Head(ctx context.Context) Head {
	return Head{Title: p.heading(ctx), Description: t(ctx, "Sales that wait for an operator."), Path: p.path(), NoIndex: true, Crumbs: []Link{accountCrumb, {moderationPath, "Moderation"}}}
}

// After implements web.PagedPage.
func (p *Sales) After() string { return p.NextCursor }

// Markdown implements Page.
func (p *Sales) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, p.heading(ctx), t(ctx, p.site.notice())).in(ctx)
	m.text(p.lead(ctx))
	for i := range p.Sales {
		s := &p.Sales[i]
		m.section(untrusted(s.Title))
		m.factRows(s.facts(ctx, untrusted))
		if s.Dispute != "" {
			m.raw("\n")
			m.quote(s.Dispute)
			writeEvidence(m, s.Evidence)
		}
	}
	m.links(p.Links)
	return m.done(w)
}

// facts returns the facts of the sale for display. quote marks what members wrote:
// asWritten or untrusted.
func (s *Sale) facts(ctx context.Context, quote func(string) string) []fact {
	rows := []fact{{"State", saleStateIn(ctx, s.State), ""}, {"Meaning", s.stateText(ctx), ""}, {"Price", moneyIn(ctx, s.Price), ""}, {"Condition", t(ctx, s.Grade.Label), ""}, {"Sold", momentIn(ctx, s.SoldAt), ""}, {"Source", languages.Of(ctx).TextIn("source of a sale", s.Source), ""}}
	if s.Gear != "" {
		rows = append(rows, fact{"Gear", s.Gear, gearPath(s.Gear)})
	}
	if s.Listing != nil {
		rows = append(rows, fact{"Listing", s.Listing.ID, s.Listing.Page})
		if s.Listing.Price != nil {
			rows = append(rows, fact{"Asking price", moneyIn(ctx, *s.Listing.Price), ""})
		}
	}
	if s.Seller != nil {
		rows = append(rows, fact{"Seller", quote(s.Seller.Name) + " (" + s.Seller.Handle + ")", sellerPath(s.Seller.Handle)})
	}
	if s.Buyer != nil {
		rows = append(rows, fact{"Buyer", quote(s.Buyer.Name) + " (" + s.Buyer.Handle + ")", sellerPath(s.Buyer.Handle)})
	}
	if s.handover != nil {
		rows = append(rows, fact{"Hand-over", handoverText(ctx, s.handover), ""})
	}
	if s.Newcomer {
		rows = append(rows, fact{"New account", t(ctx, "Seller or buyer had joined less than 30 days before."), ""})
	}
	return append(rows, fact{"Sale", s.ID, ""})
}
