package listing

import (
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/listing"
)

// sampleListing returns a function that makes an example listing of the caller in a status.
func (s Deps) sampleListing(status models.Status) func() *views.Listing {
	return func() *views.Listing {
		gear := s.Catalog.Gear("canon/eos-r6")
		at := models.Time(1794214800000) // 2026-11-09T09:00:00Z
		l := &models.Listing{
			ID: sample.ListingID, Gear: "canon/eos-r6", Category: "mirrorless", Title: "Canon EOS R6, boxed, 18,000 exposures", Item: models.Item{Condition: models.ConditionExcellent, Functional: models.FullyWorking, Included: []string{"battery", "charger", "box"}, ItemDetails: models.ItemDetails{Shutter: 18204}},
			Text:  "Bought new in 2021 and used at weekends. There is a faint mark on the baseplate; the sensor is clean.",
			Price: 124900, Region: "DE", Status: status,
			CreatedAt: at, UpdatedAt: at + 3600_000, Version: 2,
		}
		if status != models.StatusDraft {
			l.PublishedAt = at + 3600_000
		}
		switch status {
		case models.StatusActive:
			l.ExpiresAt = l.PublishedAt.Add(models.ListingLifetime)
		case models.StatusSold:
			l.ClosedAt, l.SoldPrice = at+7200_000, 118000
		case models.StatusEnded:
			l.ClosedAt, l.EndReason = at+7200_000, "kept"
		}
		member := &models.Member{Handle: "anna-keller", Name: "Anna Keller", Region: "DE", JoinedAt: at}
		return views.NewListing(s.Site, views.ListingParts{Listing: l, Gear: gear, Seller: member, Own: true})
	}
}
