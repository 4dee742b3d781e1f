package search

import (
	"fmt"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

// Doc describes a listing to be indexed.
type Doc struct {
	ID         string // UUID
	Gear       string // slug; an unknown slug is indexed as gear outside the catalogue
	Category   models.Category
	Condition  models.Condition
	Functional models.Functional
	Region     models.Region // an invalid code is replaced by its country, or by none
	Seller     string        // handle
	Title      string
	Price      models.Cents // 0 to models.MaxAmount
	Currency   string       // of the price and the postage; "" for that of the site
	Published  models.Time
	Postage    models.Postage // of the listing, or else the default of its seller
	Demo       bool
	Rare       RareValues
	Defects    []models.Defect // unknown ones are ignored
	// Typical is the typical price of the gear for the condition and functional state in the
	// currency of the site, the zero value for none. It is a property of these, not of the
	// listing: the value of the document added last applies to all. It is ignored for gear
	// outside the catalogue.
	Typical prices.Typical
	Card    []byte // returned in Result.Cards; the index owns it, and it must not be modified
}

// validate returns an error if the index cannot hold a document.
func (d *Doc) validate() error {
	switch {
	case uuid.Validate(d.ID) != nil:
		return fmt.Errorf("search: listing %q: the id is not a UUID", d.ID)
	case !d.Condition.Valid():
		return fmt.Errorf("search: listing %s: unknown condition %q", d.ID, d.Condition)
	case d.Price < 0 || d.Price > models.MaxAmount:
		return fmt.Errorf("search: listing %s: price %d is out of range", d.ID, d.Price)
	case d.Published < 0 || d.Published >= 1<<48:
		return fmt.Errorf("search: listing %s: published at %d is out of range", d.ID, d.Published)
	}
	return nil
}

// entry is a validated document with its values resolved, ready for state.put.
type entry struct {
	id        ID
	gear      int
	item      itemNumber
	values    values
	seller    string
	currency  string
	price     int32
	typical   typicalPrice
	rare      RareValues
	defects   defectSet
	published int64
	postage   models.Postage
	terms     []string // of the title, without those of the gear; used by put
	card      []byte   // its text
}
