package models

// Agreement is what the two sides of an accepted offer agreed on: the listing
// as it was when the offer was accepted, and the price. The sale is recorded
// from it.
type Agreement struct {
	OfferID  string
	AgreedAt Time
	Amount   Cents   // agreed price
	Listing  Listing // its content, without the serial number, and its photos
}
