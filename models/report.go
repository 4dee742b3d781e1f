package models

// ReportReasons are why a listing may be reported, by code.
var ReportReasons = []string{"counterfeit", "stolen", "misleading", "prohibited", "spam", "offensive", "other"}

// Report is a member's word that something is wrong with a listing.
type Report struct {
	ID         string // UUIDv7
	ListingID  string
	ReporterID string
	Reason     string // one of ReportReasons
	Text       string // plain text, at most 2,000 characters
	At         Time
	ClosedAt   Time // 0 while it waits
}
