package importer

import (
	"encoding/csv"
	"io"
	"slices"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// WriteListings writes a seller's listings as a CSV file that Importer.Listings
// can read without changing anything. It adds the status and omits the serial
// number. Gear that is not in the catalogue is written as "none". Text that a
// spreadsheet would evaluate as a formula gets an apostrophe, which imports remove.
func WriteListings(w io.Writer, catalog *catalog.Catalog, currency models.Currency, seller string, listings func(yield func(*models.Listing) error) error) error {
	out := csv.NewWriter(w)
	if err := out.Write(append(append([]string{}, listingColumnNames...), exportColumns...)); err != nil {
		return err
	}
	err := listings(func(l *models.Listing) error {
		gear, brand, model := noGear, "", ""
		if g := catalog.Gear(l.Gear); g != nil {
			gear, brand, model = g.Slug(), g.Brand, g.Model
		}
		id := l.ExternalID
		if id == "" {
			id = l.ID
		}
		own := currency.Or(l.Currency)
		return out.Write(slices.Concat([]string{models.CellOf(id), seller, models.CellOf(l.Title), gear, brand, model, string(l.Category)}, itemCells(&l.Item, true),
			[]string{own.Decimal(l.Price), own.Code, string(l.Region), l.Postage.Text(own), models.CellOf(l.Text)}, itemCells(&l.Item, false),
			[]string{l.PublishedAt.RFC3339(), string(l.Status)}))
	})
	out.Flush()
	if err != nil {
		return err
	}
	return out.Error()
}
