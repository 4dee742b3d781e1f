package listing

import (
	"context"
	"io"
	"slices"
	"strconv"

	"github.com/secondlight/secondlight/models"
	priceviews "github.com/secondlight/secondlight/views/price"
	"github.com/secondlight/secondlight/views/ui"
)

// ListingOptions are the options of the result of a listing.
type ListingOptions struct {
	Include []string `json:"include,omitempty" enum:"similar,seller,specifications,photos" jsonschema:"similar listings, others by the seller, specifications, photos"`
}

// ListingResult is the result of reading a listing.
type ListingResult struct {
	ui.ListingBrief
	State     models.Status `json:"status"`
	URL       string        `json:"url"`
	SoldPrice ui.AmountText `json:"sold_price,omitempty"`
	ui.ItemBrief
	Postage     string                    `json:"postage,omitempty" jsonschema:"by region, with the total price; absent if the seller has not said"`
	Description string                    `json:"description,omitempty" jsonschema:"its first 400 characters" untrusted:"true"`
	PhotoCount  int                       `json:"photo_count"`
	Estimate    *priceviews.EstimateBrief `json:"estimate,omitempty" jsonschema:"what it is likely to sell for; absent if too little is known"`
	Sold        *priceviews.SoldBrief     `json:"sold,omitempty" jsonschema:"what this gear sold for in this condition, or in all if there are fewer than 5 sales"`
	Stars       *float64                  `json:"seller_stars,omitempty"`
	SellerSold  int                       `json:"seller_sold" jsonschema:"how many listings the seller sold"`
	PublishedAt string                    `json:"published_at,omitempty"`
	Version     int64                     `json:"version" jsonschema:"if_match of edit_listing"`
	Sale        *OwnSale                  `json:"sale,omitempty" jsonschema:"its last sale; only for its seller"`
	Next        []string                  `json:"next,omitempty" jsonschema:"tools to call next"`
	Specs       []ui.Spec                 `json:"specifications,omitempty"`
	Photos      []string                  `json:"photos,omitempty" jsonschema:"URLs"`
	Similar     []ui.ListingBrief         `json:"similar,omitempty"`
	FromSeller  []ui.ListingBrief         `json:"from_seller,omitempty"`
	page        *Listing
}

// sold returns what the gear of the listing sold for, nil if it is not in the catalogue.
func (p *Listing) sold() *priceviews.SoldBrief {
	if p.Trend == nil {
		return nil
	}
	s, of := priceviews.Sold{Stats: p.Trend.Summary, Window: p.Trend.Window}, models.Condition("")
	if p.Trend.Condition.Median != nil {
		s.Stats, of = p.Trend.Condition, p.Condition
	}
	s.Confidence = priceviews.Confidence(s.SampleSize)
	brief := s.Brief(of)
	return &brief
}

// Result returns what get_listing returns.
func (p *Listing) Result(o *ListingOptions) *ListingResult {
	r := &ListingResult{
		ListingBrief: p.Brief(), State: p.Status, URL: p.site.URL(p.Page), SoldPrice: ui.AmountTextOr(p.SoldPrice), ItemBrief: ui.NewItemBrief(&p.Item), Postage: p.Postage.Text(context.Background()),
		Description: ui.Excerpt(p.Description, ui.MaxResultText), PhotoCount: len(p.Photos), Estimate: p.Estimate.Brief(), Sold: p.sold(), Stars: p.SellerCard.Stars, SellerSold: p.SellerCard.Sold,
		PublishedAt: p.PublishedAt, Version: p.Edition, Sale: p.Sale, Next: p.nextTools(), page: p,
	}
	for _, part := range o.Include {
		switch part {
		case "similar":
			r.Similar = ui.Briefs(p.Similar)
		case "seller":
			r.FromSeller = ui.Briefs(p.FromSeller)
		case "specifications":
			r.Specs = p.Specs
		case "photos":
			r.Photos = ui.Each(p.Photos, func(photo *ui.Photo) string { return photo.Src })
		}
	}
	return r
}

// nextTools returns the tools that the viewer may call next.
func (p *Listing) nextTools() []string {
	if len(p.Steps) > 0 {
		return stepTools(p.Steps)
	}
	if p.Status != models.StatusActive {
		return nil
	}
	next := []string{"make_offer", "write_message", "watch_listing"}
	if p.Gear != "" {
		next = append(next, "get_trend")
	}
	return next
}

// Text implements web.ToolResult.
func (r *ListingResult) Text(w io.Writer) error {
	p := r.page
	m := ui.NewMarkdown(p.site, ui.Untrusted(p.Title), "")
	m.Raw(p.site.URL(p.Page), "\n")
	m.Demo(p.Demo)
	m.Raw("\n", ui.MoneyText(p.Price), ", ", ui.StatusWord(p.Status))
	if p.Deal != nil {
		m.Raw("; ", p.Deal.Text)
	} else if p.Estimate == nil && p.Trend != nil {
		m.Raw("; not enough sales in this condition to compare")
	}
	m.Raw(". ", p.Grade.Label, ", ", p.Functional.Label(), ". Defects: ", ui.Commas(ui.Labels(m.Context, p.Defects)))
	if len(p.Defects) == 0 {
		m.Raw("none disclosed")
	}
	m.Raw(". ", ui.RegionName(p.Region), ", seller ", p.Seller, " (", p.SellerCard.RatingText(m.Context), ").\n")
	if r.Postage != "" {
		m.Raw("Postage: ", ui.MarkdownText(r.Postage), ".\n")
	}
	m.Paragraph(p.StatusSentence())
	if r.Description != "" {
		m.Raw("\n")
		m.Quote(r.Description)
		if r.Description != p.Description {
			m.Raw("\nCut: detail=full has all of it.\n")
		}
	}
	if len(r.Similar) > 0 {
		m.Raw("\nSimilar:\n")
		m.Lines(p.Similar)
	}
	if len(r.FromSeller) > 0 {
		m.Raw("\nBy the same seller:\n")
		m.Lines(p.FromSeller)
	}
	m.ToolNames(r.Next)
	return m.Done(w)
}

// ListingChange is the result of creating or changing a listing.
type ListingChange struct {
	ID        string        `json:"id"`
	Status    models.Status `json:"status"`
	Version   int64         `json:"version" jsonschema:"if_match of edit_listing"`
	Title     string        `json:"title" untrusted:"true"`
	Gear      string        `json:"gear,omitempty"`
	Price     ui.AmountText `json:"price"`
	Deal      *int          `json:"deal,omitempty" jsonschema:"percent from what it sells for in this condition"`
	DealSales int           `json:"deal_sample_size,omitempty" jsonschema:"sales of this gear behind it"`
	URL       string        `json:"url"`
	ExpiresAt string        `json:"expires_at,omitempty"`
	EndReason string        `json:"end_reason,omitempty"`
	SoldPrice ui.AmountText `json:"sold_price,omitempty"`
	Photos    int           `json:"photo_count"`
	Sale      *OwnSale      `json:"sale,omitempty" jsonschema:"its last sale"`
	Next      []string      `json:"next" jsonschema:"tools to call next"`
	page      *Listing
}

// Change returns what the tools that change a listing return.
func (p *Listing) Change(*ui.NoOptions) *ListingChange {
	brief := p.Brief()
	r := &ListingChange{ID: p.ID, Status: p.Status, Version: p.Edition, Title: brief.Title, Gear: p.Gear, Price: brief.Price, Deal: brief.Deal, DealSales: brief.DealSales, URL: p.site.URL(p.Page),
		ExpiresAt: p.ExpiresAt, EndReason: p.EndReason, SoldPrice: ui.AmountTextOr(p.SoldPrice), Photos: len(p.Photos), Sale: p.Sale, Next: stepTools(p.Steps), page: p}
	if p.Status.Open() && len(p.Photos) == 0 {
		r.Next = slices.Insert(r.Next, 0, "add_photos")
	}
	return r
}

// Text implements web.ToolResult.
func (r *ListingChange) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, ui.Untrusted(r.page.Title), "")
	m.Raw("\nListing ", r.ID, " is ", ui.StatusWord(r.Status), " at ", ui.MoneyText(r.page.Price), ", version ", strconv.FormatInt(r.Version, 10), ".\n")
	m.Paragraph(r.page.StatusSentence())
	m.ToolNames(r.Next)
	return m.Done(w)
}

// MyListingBrief is a listing as its seller sees it in a list.
type MyListingBrief struct {
	ID        string        `json:"id"`
	Title     string        `json:"title" untrusted:"true"`
	Status    models.Status `json:"status"`
	Price     ui.AmountText `json:"price"`
	Version   int64         `json:"version" jsonschema:"if_match of edit_listing"`
	ExpiresAt string        `json:"expires_at,omitempty"`
	Attention []string      `json:"attention,omitempty" jsonschema:"what needs the seller's attention"`
	Next      []string      `json:"next,omitempty" jsonschema:"tools to call next"`
}

// MyListingsResult is the result of listing a member's own listings.
type MyListingsResult struct {
	Counts     []MyCount        `json:"counts" jsonschema:"number of listings by status"`
	Listings   []MyListingBrief `json:"listings"`
	NextCursor string           `json:"next_cursor,omitempty"`
	page       *MyListings
}

// MyCount is the number of a member's listings in a status.
type MyCount struct {
	Status models.Status `json:"status"`
	Count  int           `json:"count"`
}

// Result returns what the tools return that list a member's own listings.
func (p *MyListings) Result(*ui.NoOptions) *MyListingsResult {
	counts := ui.Each(p.Counts, func(c *StatusCount) MyCount { return MyCount{c.Status, c.Count} })
	return &MyListingsResult{counts, ui.Each(p.Listings, (*MyListing).brief), p.NextCursor, p}
}

func (c *MyListing) brief() MyListingBrief {
	return MyListingBrief{c.ID, ui.Excerpt(c.Title, 80), c.Status, ui.NewAmountText(c.Price), c.Version, c.ExpiresAt, c.Attention, stepTools(c.Steps)}
}

// Text implements web.ToolResult.
func (r *MyListingsResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, "Your listings", "")
	if len(r.Counts) == 0 {
		m.Paragraph("You have none yet. Next: create_listing.")
	}
	for i := range r.page.Listings {
		l := &r.page.Listings[i]
		m.Raw("- ", ui.Commas(ui.MarkdownText(ui.Untrusted(ui.Excerpt(l.Title, 60))), ui.MoneyText(l.Price), string(l.Status)), ": ", l.ID, "\n")
		for _, note := range l.Attention {
			m.Raw("  ", ui.MarkdownText(note), "\n")
		}
	}
	m.MoreWith(r.NextCursor)
	return m.Done(w)
}

// ListingPhotosResult is the result of reading or changing the photos of a listing.
type ListingPhotosResult struct {
	ID            string       `json:"id" jsonschema:"of the listing"`
	Version       int64        `json:"version" jsonschema:"version of the listing"`
	Photos        []PhotoBrief `json:"photos" jsonschema:"in display order"`
	Remaining     int          `json:"photos_remaining" jsonschema:"how many more photos the listing may have"`
	SuggestedGear string       `json:"suggested_gear,omitempty" jsonschema:"gear named by the metadata of a photo"`
	Next          []string     `json:"next" jsonschema:"tools to call next"`
	page          *ListingPhotos
}

// PhotoBrief is a photo of a listing.
type PhotoBrief struct {
	Key string `json:"key" jsonschema:"identifies the photo"`
	Alt string `json:"alt" untrusted:"true"`
}

// Result returns what the tools for the photos of a listing return.
func (p *ListingPhotos) Result(*ui.NoOptions) *ListingPhotosResult {
	r := &ListingPhotosResult{ID: p.ID, Version: p.Edition, Remaining: p.Remaining, SuggestedGear: p.SuggestedGear, Next: []string{}, page: p}
	r.Photos = ui.Each(p.Photos, func(photo *ListingPhoto) PhotoBrief { return PhotoBrief{photo.Key, photo.Alt} })
	if p.Status == models.StatusDraft {
		r.Next = append(r.Next, "publish_listing")
	}
	return r
}

// Text implements web.ToolResult.
func (r *ListingPhotosResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, "Photos of "+titled(context.Background(), ui.Untrusted(r.page.Title)), "")
	m.Raw("\n", ui.CountText(len(r.Photos), "photo", "photos"), ", room for ", ui.NumberText(r.Remaining), " more.\n")
	for _, p := range r.Photos {
		m.Raw("- ", p.Key, " ", ui.MarkdownText(ui.Untrusted(p.Alt)), "\n")
	}
	m.ToolNames(r.Next)
	return m.Done(w)
}
