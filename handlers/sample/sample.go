// Package sample has what the examples of the API reference share.
package sample

import (
	"time"

	"github.com/secondlight/secondlight/models"
)

// Day is the date of examples.
var Day = models.TimeOf(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))

// Identity returns an example member.
func Identity() *models.Identity {
	return &models.Identity{
		Member: models.Member{ID: "01932f0a-7b1c-7000-8000-000000000001", Handle: "kleine-blende", Name: "Kleine Blende", Region: "DE-HH", Bio: "Leica and Rollei, serviced.",
			JoinedAt: 1_709_287_200_000},
		Account: models.Account{Email: "jane@example.org", Role: models.RoleMember}, Scopes: models.RoleMember.Scopes(),
	}
}

// Reported returns an example listing that is reported, its seller and the reporter.
func Reported() (l *models.Listing, seller, reporter *models.Member) {
	return &models.Listing{ID: "019aa7d2-7c00-7000-8000-000000000000", Title: "Leica M6 Classic 0.72", Price: 249900, Status: models.StatusActive},
		&models.Member{Handle: "kleine-blende", Name: "Kleine Blende"}, &models.Member{Handle: "ada-o", Name: "Ada Ortega"}
}

// ListingID is the id of the example listing.
const ListingID = "019aa7d2-7c00-7000-8000-000000000000"

// Listing returns the path parameters of the example listing.
func Listing() map[string]string { return map[string]string{"id": ListingID} }
