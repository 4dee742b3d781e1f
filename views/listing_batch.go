package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
)

// ListingBatch is the page of listings that were asked for by id.
type ListingBatch struct {
	Listings []ListingRecord `json:"listings" jsonschema:"in the order in which they were asked for"`
	Missing  []string        `json:"missing" jsonschema:"the ids of those that don't exist or aren't public, such as drafts of others and removed listings"`
	site     *Site
}

// ListingRecord is a listing with everything that its seller has entered.
type ListingRecord struct {
	Card
	Description string `json:"description" untrusted:"true"`
	Item[models.Defect]
	Photos    []Photo       `json:"photos"`
	UpdatedAt string        `json:"updated_at"`
	ClosedAt  string        `json:"closed_at,omitempty" jsonschema:"when it was sold, ended or expired"`
	SoldPrice *models.Money `json:"sold_price,omitempty"`
	Version   int64         `json:"version"`
}

// NewListingRecord returns the record of a listing. sale is its last sale, nil for none.
func NewListingRecord(site *Site, card Card, l *models.Listing, sale *models.Sale) ListingRecord {
	r := ListingRecord{
		Card: card, Description: l.Text, Item: newItem(&l.Item, codeOfDefect), Photos: make([]Photo, len(l.Photos)),
		UpdatedAt: l.UpdatedAt.RFC3339(), ClosedAt: l.ClosedAt.RFC3339(), Version: l.Version,
	}
	for i := range l.Photos {
		r.Photos[i] = newPhoto(site, l, i)
	}
	if sale == nil || sale.Eligible() {
		r.SoldPrice = moneyOf(site.in(l.Currency), l.SoldPrice)
	}
	return r
}

// NewListingBatch returns the page of listings by id.
func NewListingBatch(site *Site, listings []ListingRecord, missing []string) *ListingBatch {
	return &ListingBatch{Listings: list(listings), Missing: list(missing), site: site}
}

// Head implements Page.
func (p *ListingBatch) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Listings"), Description: t(ctx, "Listings by their ids."), Path: "/api/listings", NoIndex: true}
}

// cards returns the cards of the listings.
func (p *ListingBatch) cards() []Card {
	cards := make([]Card, len(p.Listings))
	for i := range p.Listings {
		cards[i] = p.Listings[i].Card
	}
	return cards
}

// Markdown implements Page.
func (p *ListingBatch) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Listings"), "").in(ctx)
	if len(p.Listings) > 0 {
		m.raw("\n")
		m.cardTable(p.cards())
	}
	if len(p.Missing) > 0 {
		m.section("Missing")
		for _, id := range p.Missing {
			m.raw("- ", mdText(id), "\n")
		}
	}
	return m.done(w)
}
