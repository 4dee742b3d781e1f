package models

// ReportReasons lists the reasons for reporting a listing.
var ReportReasons = []string{"counterfeit", "stolen", "misleading", "prohibited", "spam", "offensive", "other"}

// Report is a member's complaint about a listing.
type Report struct {
	ID         string // UUIDv7
	ListingID  string
	ReporterID string
	Reason     string // one of ReportReasons
	Text       string // plain text, at most 2,000 characters
	At         Time
	ClosedAt   Time // 0 while open
}
