package models

// MaxWatches is how many listings a member may watch.
const MaxWatches = 500

// Watch is a listing a member keeps an eye on.
type Watch struct {
	ListingID string
	Price     Cents // when it was put on the list
	CreatedAt Time
}

// PriceDrop is a watched listing that became cheaper, to be told to a member.
type PriceDrop struct {
	MemberID  string
	ListingID string
	From, To  Cents
}
