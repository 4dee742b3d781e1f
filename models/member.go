package models

// Member is somebody with an account; seen from a listing, the seller.
type Member struct {
	ID       string // UUIDv7
	Handle   string // in addresses: lower case letters, digits and hyphens
	Name     string // display name
	Region   Region
	Bio      string // plain text, at most 2,000 characters
	JoinedAt Time
	Demo     bool // made by the demonstration data
}
