package listing

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/listing"
	"github.com/secondlight/secondlight/views/ui"
)

type listingBatchInput struct {
	IDs []string `json:"id" jsonschema:"UUIDs of up to 100 listings" required:"true" example:"019aa7d2-7c00-7000-8000-000000000000"`
}

func (s listingOps) getListings() web.Operation {
	return web.Op[listingBatchInput, *views.ListingBatch]{
		Name:    "get_listings",
		Path:    "/api/listings",
		Tag:     "Listings",
		NoTool:  true,
		Title:   "Get listings by id",
		Summary: "Returns up to 100 listings at once.",
		Description: "Returns the listings with the given ids in the order in which they were asked for, with everything their sellers have entered, and names the ids that are missing: " +
			"those that don't exist or aren't public. Repeat the parameter, or separate ids with commas. An id that is repeated is returned once.",
		Errors:  []string{"invalid_parameter", "missing_parameter"},
		Example: s.Cards.NewestExample("id", func(c *ui.Card) string { return c.ID }),
		Do:      s.readListings,
	}.Operation()
}

// readListings returns the public listings, and those of the caller, with the given ids.
func (s listingOps) readListings(ctx context.Context, in *listingBatchInput) (*views.ListingBatch, error) {
	ids := make([]string, len(in.IDs))
	for i, id := range in.IDs {
		ids[i] = strings.ToLower(id)
	}
	byID, err := s.Listings.AllListingsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	var found []*models.Listing
	var missing []string
	for i, id := range ids {
		l := byID[id]
		if l == nil || !l.Status.Public() && l.SellerID != caller.ID(ctx) {
			missing = append(missing, in.IDs[i])
			continue
		}
		found = append(found, l)
		delete(byID, id) // given twice, in different case
	}
	cards, err := s.Cards.Of(ctx, found)
	if err != nil {
		return nil, err
	}
	sales, err := s.Trades.SalesByListing(ctx, ids)
	if err != nil {
		return nil, err
	}
	records := make([]views.ListingRecord, len(found))
	for i, l := range found {
		records[i] = views.NewListingRecord(s.Site, cards[i], l, sales[l.ID])
	}
	return views.NewListingBatch(s.Site, records, missing), nil
}
