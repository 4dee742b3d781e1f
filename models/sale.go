package models

// Sale is a completed sale. Trends are computed from sales, not from asking
// prices.
type Sale struct {
	ID         string // UUIDv7
	ExternalID string // the importer's id, unique; optional
	Gear       string // catalogue slug
	Condition  Condition
	Price      Cents
	SoldAt     Time
	Region     Region
	ListingID  string // "" for imported sales
	Demo       bool
}
