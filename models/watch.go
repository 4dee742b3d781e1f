package models

// MaxWatches is the maximum number of listings on a watchlist.
const MaxWatches = 500

// Watch is a listing on a member's watchlist.
type Watch struct {
	ListingID string
	Price     Cents // when it was added
	CreatedAt Time
}

// PriceDrop is a reduced price of a watched listing.
type PriceDrop struct {
	MemberID  string
	ListingID string
	From, To  Cents
	Language  string // of the member, a BCP 47 tag; "" for none
}

// Watchers counts those who watch a listing, for its seller, who does not learn who they
// are.
type Watchers struct {
	Count    int
	New      int    // since the last message to watchers
	LastText string // of that message
	LastAt   Time   // 0 if there was none
}
