package models

// Rating is what one side of a completed offer says of the other.
type Rating struct {
	OfferID string
	RaterID string
	RatedID string
	Stars   int    // 1 to 5
	Text    string // plain text, at most 1,000 characters
	At      Time
}

// Standing is how a member is rated.
type Standing struct {
	Ratings int
	Stars   int // sum of all stars
}

// Average is the mean of the stars in tenths, 45 for 4.5; 0 without ratings.
func (s Standing) Average() int {
	if s.Ratings == 0 {
		return 0
	}
	return (s.Stars*10 + s.Ratings/2) / s.Ratings
}
