package models

// Evidence is what one side of a disputed sale says about it. Both sides and the
// operators read it.
type Evidence struct {
	OfferID string
	ByBuyer bool
	Text    string // plain text, at most MaxDispute characters
	At      Time
	Photos  []Photo // at most MaxEvidencePhotos, without descriptions
}

// Limits of evidence.
const (
	MaxEvidence       = 5 // statements of each side
	MaxEvidencePhotos = 4 // photos of a statement
)
