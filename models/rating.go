package models

// Rating is a review of one side of a completed offer by the other.
type Rating struct {
	OfferID string
	RaterID string
	RatedID string
	Stars   int    // 1 to 5
	Text    string // plain text, at most 1,000 characters
	At      Time
}

// RatingSummary summarises the ratings of a member.
type RatingSummary struct {
	Ratings int // number of ratings
	Stars   int // sum of all stars
}

// Average returns the mean number of stars in tenths, 45 for 4.5, or 0 without
// ratings.
func (s RatingSummary) Average() int {
	if s.Ratings == 0 {
		return 0
	}
	return (s.Stars*10 + s.Ratings/2) / s.Ratings
}
