package admin

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	listingviews "github.com/secondlight/secondlight/views/listing"
	tradeviews "github.com/secondlight/secondlight/views/trade"
	"github.com/secondlight/secondlight/views/ui"
)

// Sale is a sale as operators see it.
type Sale struct {
	SaleRecord
	Evidence       []tradeviews.Evidence      `json:"evidence,omitempty" jsonschema:"what both sides said about the problem, oldest first"`
	EvidencePhotos []tradeviews.EvidencePhoto `json:"evidence_photos,omitempty" jsonschema:"photos of the evidence, oldest first"`
	review         bool
	handover       *models.Handover
}

// SaleRecord is what the audit trail says of a sale.
type SaleRecord struct {
	ID       string       `json:"id" jsonschema:"UUID of the sale"`
	State    string       `json:"state" jsonschema:"disputed and held sales need a review" enum:"declared,waiting,disputed,held,confirmed,voided"`
	Source   string       `json:"source" jsonschema:"who vouches for the sale" enum:"import,shop,members,declared"`
	Gear     string       `json:"gear,omitempty"`
	Title    string       `json:"title" jsonschema:"title of the listing, or the gear" untrusted:"true"`
	Grade    ui.Named     `json:"grade" jsonschema:"condition"`
	Price    models.Money `json:"price"`
	SoldAt   string       `json:"sold_at" jsonschema:"when it was confirmed, or recorded"`
	Listing  *ui.Topic    `json:"listing,omitempty"`
	Seller   *ui.Person   `json:"sold_by,omitempty" jsonschema:"seller; absent for imported sales"`
	Buyer    *ui.Person   `json:"bought_by,omitempty" jsonschema:"buyer; absent unless sold by an offer"`
	Newcomer bool         `json:"newcomer,omitempty" jsonschema:"true while neither the seller nor the buyer is established: such a sale moves no price"`
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
func NewSale(site *ui.Site, parts SaleParts) Sale {
	s := parts.Sale
	p := Sale{SaleRecord: SaleRecord{ID: s.ID, State: listingviews.SaleState(s), Source: string(s.Source), Gear: s.Gear, Title: s.Gear, Grade: ui.Named{Code: string(s.Condition), Label: s.Condition.Label()},
		Price: s.Amount(site.Currency()).Money(), SoldAt: s.SoldAt.RFC3339(), Newcomer: s.Newcomer, Dispute: parts.Dispute}}
	p.review = p.State == "held" || p.State == "disputed"
	if len(parts.Evidence) > 0 {
		p.Evidence, p.EvidencePhotos = tradeviews.NewEvidence(site, parts.Evidence)
	}
	if h := parts.Handover; h != nil {
		p.Handover, p.handover = tradeviews.HandoverText(context.Background(), h), h
	}
	if parts.Gear != nil {
		p.Title = parts.Gear.Name()
	}
	if parts.Listing != nil {
		topic := ui.NewTopic(site, parts.Listing)
		p.Listing, p.Title = &topic, parts.Listing.Title
	}
	if parts.Seller != nil {
		person := ui.NewPerson(site, parts.Seller)
		p.Seller = &person
	}
	if parts.Buyer != nil {
		person := ui.NewPerson(site, parts.Buyer)
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
		return ui.T(ctx, "Marked as sold by the seller. Never counts.")
	case "waiting":
		return ui.T(ctx, "Waiting for the buyer to confirm.")
	case "disputed":
		return ui.T(ctx, "The buyer reported a problem.")
	case "held":
		return ui.T(ctx, "The price is unusual. It doesn't count until you approve it.")
	case "voided":
		return ui.T(ctx, "Cancelled. Doesn't count.")
	}
	return ui.T(ctx, "Confirmed.")
}

// approveText returns the label of the button that approves the sale.
func (s *Sale) approveText(ctx context.Context) string {
	if s.State == "disputed" {
		return ui.T(ctx, "Confirm sale")
	}
	return ui.T(ctx, "Approve the price")
}

// Sales is a list of sales for operators.
type Sales struct {
	Waiting    int       `json:"waiting" jsonschema:"number of sales to review" min:"0"`
	Sales      []Sale    `json:"sales" jsonschema:"oldest first"`
	NextCursor string    `json:"next_cursor,omitempty"`
	Links      []ui.Link `json:"links"`
	member     *models.Member
	site       *ui.Site
}

// NewSales returns the sales that wait for an operator, or those of a member. waiting
// counts all that wait.
func NewSales(site *ui.Site, sales []Sale, waiting int, member *models.Member, next ui.Next) *Sales {
	p := &Sales{Waiting: waiting, Sales: ui.List(sales), NextCursor: next.Cursor, member: member, site: site}
	if more := next.Path(p.path()); more != "" {
		p.Links = append(p.Links, ui.Link{Href: more, Label: "More sales"})
	}
	if member != nil {
		p.Links = append(p.Links, ui.Link{Href: ui.SalesPath, Label: "Sales to review"})
	}
	p.Links = append(p.Links, ui.Link{Href: ui.ModerationPath, Label: "Moderation"}, ui.Link{Href: ui.AuditPath, Label: "Audit log"})
	return p
}

func (p *Sales) path() string {
	if p.member == nil {
		return ui.SalesPath
	}
	return ui.WithParam(ui.SalesPath, "member", p.member.Handle)
}

func (p *Sales) heading(ctx context.Context) string {
	if p.member != nil {
		return ui.T(ctx, "Sales of %s", p.member.Handle)
	}
	return ui.T(ctx, "Sales to review")
}

func (p *Sales) lead(ctx context.Context) string {
	if p.Waiting == 0 {
		return ui.T(ctx, "No sales to review.")
	}
	return ui.TN(ctx, p.Waiting, "%s sale to review: the buyer reported a problem, or the price is unusual.", "%s sales to review: the buyer reported a problem, or the price is unusual.")
}

// Head implements Page.
func (p *Sales) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: p.heading(ctx), Description: ui.T(ctx, "Sales to review."), Path: p.path(), NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb, {Href: ui.ModerationPath, Label: "Moderation"}}}
}

// After implements web.PagedPage.
func (p *Sales) After() string { return p.NextCursor }

// Markdown implements Page.
func (p *Sales) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.heading(ctx), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(p.lead(ctx))
	for i := range p.Sales {
		s := &p.Sales[i]
		m.Section(ui.Untrusted(s.Title))
		m.FactRows(s.facts(ctx, ui.Untrusted))
		if s.Dispute != "" {
			m.Raw("\n")
			m.Quote(s.Dispute)
			tradeviews.WriteEvidence(m, s.Evidence)
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}

// facts returns the facts of the sale for display. quote marks what members wrote:
// AsWritten or untrusted.
func (s *Sale) facts(ctx context.Context, quote func(string) string) []ui.Fact {
	rows := []ui.Fact{{Name: "State", Value: saleStateIn(ctx, s.State)}, {Name: "Meaning", Value: s.stateText(ctx)}, {Name: "Price", Value: ui.MoneyIn(ctx, s.Price)}, {Name: "Condition", Value: ui.T(ctx, s.Grade.Label)}, {Name: "Sold", Value: ui.MomentIn(ctx, s.SoldAt)}, {Name: "Source", Value: languages.Of(ctx).TextIn("source of a sale", s.Source)}}
	if s.Gear != "" {
		rows = append(rows, ui.Fact{Name: "Gear", Value: s.Gear, Href: ui.GearPath(s.Gear)})
	}
	if s.Listing != nil {
		rows = append(rows, ui.Fact{Name: "Listing", Value: s.Listing.ID, Href: s.Listing.Page})
		if s.Listing.Price != nil {
			rows = append(rows, ui.Fact{Name: "Asking price", Value: ui.MoneyIn(ctx, *s.Listing.Price)})
		}
	}
	if s.Seller != nil {
		rows = append(rows, ui.Fact{Name: "Seller", Value: quote(s.Seller.Name) + " (" + s.Seller.Handle + ")", Href: ui.SellerPath(s.Seller.Handle)})
	}
	if s.Buyer != nil {
		rows = append(rows, ui.Fact{Name: "Buyer", Value: quote(s.Buyer.Name) + " (" + s.Buyer.Handle + ")", Href: ui.SellerPath(s.Buyer.Handle)})
	}
	if s.handover != nil {
		rows = append(rows, ui.Fact{Name: "Delivery", Value: tradeviews.HandoverText(ctx, s.handover)})
	}
	if s.Newcomer {
		rows = append(rows, ui.Fact{Name: "New members", Value: ui.T(ctx, "Neither the seller nor the buyer is established, so this sale doesn't affect prices.")})
	}
	return append(rows, ui.Fact{Name: "Sale", Value: s.ID})
}
