package models

// Sale is a completed sale. Trends are made of sales, never of asking prices.
type Sale struct {
	ID         string // UUIDv7
	ExternalID string // the importer's own id, "" for none; unique
	Gear       string // catalogue slug
	Condition  Condition
	Price      Cents
	SoldAt     Time
	Region     Region
	ListingID  string // the listing it came from; "" for imported sales
	Demo       bool
}
