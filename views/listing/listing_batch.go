package listing

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// ListingBatch is the page of listings that were asked for by id.
type ListingBatch struct {
	Listings []ListingRecord `json:"listings" jsonschema:"in the order in which they were asked for"`
	Missing  []string        `json:"missing" jsonschema:"the ids of those that don't exist or aren't public, such as drafts of others and removed listings"`
	site     *ui.Site
}

// ListingRecord is a listing with everything that its seller has entered.
type ListingRecord struct {
	ui.Card
	Description string `json:"description" untrusted:"true"`
	ui.Item[models.Defect]
	Photos    []ui.Photo    `json:"photos"`
	UpdatedAt string        `json:"updated_at"`
	ClosedAt  string        `json:"closed_at,omitempty" jsonschema:"when it was sold, ended or expired"`
	SoldPrice *models.Money `json:"sold_price,omitempty"`
	Version   int64         `json:"version"`
}

// NewListingRecord returns the record of a listing. sale is its last sale, nil for none.
func NewListingRecord(site *ui.Site, card ui.Card, l *models.Listing, sale *models.Sale) ListingRecord {
	r := ListingRecord{
		Card: card, Description: l.Text, Item: ui.NewItem(&l.Item, ui.CodeOfDefect), Photos: ui.NewPhotos(site, l),
		UpdatedAt: l.UpdatedAt.RFC3339(), ClosedAt: l.ClosedAt.RFC3339(), Version: l.Version,
	}
	if sale == nil || sale.Eligible() {
		r.SoldPrice = ui.MoneyOf(site.In(l.Currency), l.SoldPrice)
	}
	return r
}

// NewListingBatch returns the page of listings by id.
func NewListingBatch(site *ui.Site, listings []ListingRecord, missing []string) *ListingBatch {
	return &ListingBatch{Listings: ui.List(listings), Missing: ui.List(missing), site: site}
}

// Head implements Page.
func (p *ListingBatch) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Listings"), Description: ui.T(ctx, "Listings by their ids."), Path: "/api/listings", NoIndex: true}
}

// cards returns the cards of the listings.
func (p *ListingBatch) cards() []ui.Card {
	return ui.Each(p.Listings, func(r *ListingRecord) ui.Card { return r.Card })
}

// Markdown implements Page.
func (p *ListingBatch) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Listings"), "").In(ctx)
	if len(p.Listings) > 0 {
		m.Raw("\n")
		m.CardTable(p.cards())
	}
	if len(p.Missing) > 0 {
		m.Section("Missing")
		for _, id := range p.Missing {
			m.Raw("- ", ui.MarkdownText(id), "\n")
		}
	}
	return m.Done(w)
}
