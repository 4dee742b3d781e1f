package search

import (
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
	// Typical is the typical price of the gear for the condition and functional state in the
	// currency of the site, the zero value for none. It is a property of these, not of the
	// listing: the value of the document added last applies to all. It is ignored for gear
	// outside the catalogue.
	Typical prices.Typical
	Card    []byte // returned in Result.Cards; the index owns it, and it must not be modified
}

// newDoc returns the document of a listing, without its typical price and card.
func newDoc(l *models.Listing, by seller) Doc {
	return Doc{
		ID: l.ID, Gear: l.Gear, Category: l.Category, Condition: l.Condition, Functional: l.Functional, Region: l.Region, Seller: by.handle,
		Title: l.Title, Price: l.Price, Currency: l.Currency, Published: l.PublishedAt, Demo: l.Demo, Postage: l.PostageOr(by.postage), Rare: RareOf(l),
	}
}

// dimensions lists the properties that vary among listings of the same gear.
var dimensions = [...]dimension{
	enumeration(models.Conditions,
		func(d *Doc) models.Condition { return d.Condition },
		func(q *Query) []models.Condition { return q.Conditions },
		func(f *Facets) *[]Count { return &f.Condition }),
	regions,
	enumeration(models.Functionals,
		func(d *Doc) models.Functional { return d.Functional },
		func(q *Query) []models.Functional { return q.Functional },
		func(f *Facets) *[]Count { return &f.Functional }),
	demonstration,
}
