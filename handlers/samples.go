package handlers

import (
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// exampleID is the id of the example listing.
const exampleID = "019aa7d2-7c00-7000-8000-000000000000"

// exampleListing returns the path parameters of the example listing.
func exampleListing() map[string]string { return map[string]string{"id": exampleID} }

// sampleListing returns a function that makes an example listing of the caller in a status.
func (s listingDeps) sampleListing(status models.Status) func() *views.Listing {
	return func() *views.Listing {
		gear := s.Catalog.Gear("canon/eos-r6")
		at := models.Time(1794214800000) // 2026-11-09T09:00:00Z
		l := &models.Listing{
			ID: exampleID, Gear: "canon/eos-r6", Category: "mirrorless", Title: "Canon EOS R6, boxed, 18,000 exposures", Item: models.Item{Condition: models.ConditionExcellent, Functional: models.FullyWorking, Included: []string{"battery", "charger", "box"}, Shutter: 18204},
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

// sampleParts returns the parts of an example conversation.
func (s tradeDeps) sampleParts() views.ConversationParts {
	return views.ConversationParts{
		Conversation: &models.Conversation{ID: "019aa7d2-7c00-7000-8000-000000000001", ListingID: "019aa7d2-7c00-7000-8000-000000000000", BuyerID: "b", SellerID: "s",
			UpdatedAt: 1_795_251_600_000, Unread: 1, LastText: "It is, I had it checked in May."},
		With:  &models.Member{ID: "s", Handle: "kleine-blende", Name: "Kleine Blende"},
		About: &models.Listing{ID: "019aa7d2-7c00-7000-8000-000000000000", Title: "Leica M6 Classic 0.72", Price: 249900, Status: models.StatusActive},
	}
}

// sampleDay is the date of examples.
var sampleDay = models.TimeOf(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))

// sampleCard returns the card of an example listing.
func (s *cardMaker) sampleCard() views.Card {
	l := &models.Listing{ID: "019aa7d2-7c00-7000-8000-000000000000", Title: "Canon EOS R6, barely used", Gear: "canon/eos-r6", Category: "mirrorless", Item: models.Item{Condition: "excellent", Functional: "fully_working"},
		Price: 99900, Region: "DE", Status: models.StatusActive, PublishedAt: sampleDay}
	return views.NewCard(s.Site, l, s.Catalog.Gear(l.Gear), "kleine-blende", nil)
}

// sampleIdentity returns an example member.
func sampleIdentity() *models.Identity {
	return &models.Identity{
		Member: models.Member{ID: "01932f0a-7b1c-7000-8000-000000000001", Handle: "kleine-blende", Name: "Kleine Blende", Region: "DE-HH", Bio: "Leica and Rollei, serviced.",
			JoinedAt: 1_709_287_200_000},
		Account: models.Account{Email: "jane@example.org", Role: models.RoleMember}, Scopes: models.AllScopes,
	}
}
