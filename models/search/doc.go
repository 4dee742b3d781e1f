package search

import "github.com/secondlight/secondlight/models"

// Doc is a listing as it is searched.
type Doc struct {
	ID        string // UUID
	Gear      string // slug; a slug the catalogue does not have counts as outside it
	Category  models.Category
	Condition models.Condition
	Region    models.Region // a code that is not valid counts as its country, or as none
	Seller    string        // handle
	Title     string
	Price     models.Cents // 0 to models.MaxAmount
	Published models.Time
	// Typical is the sold median of the gear at the condition, 0 for none. It
	// belongs to the two, not to the listing: what the last document says holds
	// for all. It is ignored outside the catalogue.
	Typical models.Cents
	Card    []byte // returned in Result.Cards; it must not be changed any more
}

// newDoc returns a listing as a document, without its typical price and card.
func newDoc(l *models.Listing, seller string) Doc {
	return Doc{
		ID: l.ID, Gear: l.Gear, Category: l.Category, Condition: l.Condition, Region: l.Region, Seller: seller,
		Title: l.Title, Price: l.Price, Published: l.PublishedAt,
	}
}

// dimensions are the properties that vary among listings of the same gear. The
// first is the condition, which typical prices depend on.
var dimensions = [...]dimension{
	enumeration(models.Conditions,
		func(d *Doc) models.Condition { return d.Condition },
		func(q *Query) []models.Condition { return q.Conditions },
		func(f *Facets) *[]Count { return &f.Condition }),
	regions,
}
