package trade

import (
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Samples returns an offer in each status, as its buyer and as its seller see it, for the page of
// components.
func Samples(site *ui.Site) (all []*Offer) {
	now := models.TimeOf(site.Now())
	for _, status := range models.OfferStatuses {
		for _, member := range []string{"buyer", "seller"} {
			o := &models.Offer{ID: "sample", ListingID: "sample", BuyerID: "buyer", SellerID: "seller", Status: status, Amount: 90000,
				Currency: site.Currency().Code, Postage: models.UnknownPostage, CreatedAt: now, UpdatedAt: now, ExpiresAt: models.TimeOf(site.Now().Add(48 * time.Hour))}
			all = append(all, NewOffer(site, &OfferParts{Offer: o, Member: member, Other: &models.Member{Handle: "jane", Name: "Jane Doe"}}))
		}
	}
	return all
}
