package models

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// WriteListings writes listings as the file that Importer.Listings reads, with
// their status: read again, it changes nothing. What the catalogue does not have
// says none in the column gear. The serial number stays out.
func WriteListings(w io.Writer, catalog *Catalog, currency Currency, seller string, listings func(yield func(*Listing) error) error) error {
	out := csv.NewWriter(w)
	if err := out.Write(append(append([]string{}, listingColumnNames...), exportColumns...)); err != nil {
		return err
	}
	err := listings(func(l *Listing) error {
		gear, brand, model := noGear, "", ""
		if g := catalog.Gear(l.Gear); g != nil {
			gear, brand, model = g.Slug(), g.Brand, g.Model
		}
		shutter := ""
		if l.Shutter > 0 {
			shutter = strconv.Itoa(l.Shutter)
		}
		id := l.ExternalID
		if id == "" {
			id = l.ID
		}
		return out.Write([]string{
			id, seller, l.Title, gear, brand, model, string(l.Category), string(l.Condition), string(l.Functional), currency.Decimal(l.Price),
			string(l.Region), l.Text, joinItems(l.Defects), joinItems(l.Included), shutter, l.PublishedAt.RFC3339(), string(l.Status),
		})
	})
	out.Flush()
	if err != nil {
		return err
	}
	return out.Error()
}

// joinItems writes a list into one field.
func joinItems[T ~string](items []T) string {
	words := make([]string, len(items))
	for i, item := range items {
		words[i] = strings.NewReplacer(";", ",", "|", "/").Replace(string(item))
	}
	return strings.Join(words, "; ")
}
