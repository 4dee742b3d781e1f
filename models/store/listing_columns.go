package store

import (
	"database/sql/driver"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// listingColumns lists the columns of the listings table with the fields they
// store. All statements that read or write whole listings are built from it: a
// new column needs a migration, a field of Listing, and a line here, or a row of
// ItemFields. Content that buyers rely on has the role agreed and is also a column of
// agreements.
var listingColumns = slices.Concat([]listingColumn{
	column("id", identity|indexed, func(l *models.Listing) *string { return &l.ID }),
	column("external_id", identity, func(l *models.Listing) *models.NullText { return (*models.NullText)(&l.ExternalID) }),
	column("seller_id", identity|indexed, func(l *models.Listing) *string { return &l.SellerID }),
	column("gear", content|agreed|indexed, func(l *models.Listing) *string { return &l.Gear }),
	column("category", content|agreed|indexed, func(l *models.Listing) *models.Category { return &l.Category }),
	column("title", content|agreed|indexed, func(l *models.Listing) *string { return &l.Title }),
	column("text", content|agreed, func(l *models.Listing) *string { return &l.Text }),
}, itemColumns(), []listingColumn{
	column("price", content|agreed|indexed, func(l *models.Listing) *models.Cents { return &l.Price }),
	column("currency", content|agreed|indexed, func(l *models.Listing) *string { return &l.Currency }),
	column("region", content|agreed|indexed, func(l *models.Listing) *models.Region { return &l.Region }),
	column("postage", content|agreed|indexed, func(l *models.Listing) *models.Postage { return &l.Postage }),
	column("buy_now", content, func(l *models.Listing) *models.BuyNow { return &l.BuyNow }),
	column("status", state, func(l *models.Listing) *models.Status { return &l.Status }),
	column("demo", identity|indexed, func(l *models.Listing) *bool { return &l.Demo }),
	column("created_at", identity, func(l *models.Listing) *models.Time { return &l.CreatedAt }),
	column("published_at", state|indexed, func(l *models.Listing) *models.Time { return &l.PublishedAt }),
	column("updated_at", state, func(l *models.Listing) *models.Time { return &l.UpdatedAt }),
	column("closed_at", state, func(l *models.Listing) *models.Time { return &l.ClosedAt }),
	column("expires_at", state, func(l *models.Listing) *models.Time { return &l.ExpiresAt }),
	column("sold_price", state, func(l *models.Listing) *models.Cents { return &l.SoldPrice }),
	column("end_reason", state, func(l *models.Listing) *string { return &l.EndReason }),
	column("removed_from", state, func(l *models.Listing) *models.Status { return &l.RemovedFrom }),
	column("verified_at", state|indexed, func(l *models.Listing) *models.Time { return &l.VerifiedAt }),
	column("version", version, func(l *models.Listing) *int64 { return &l.Version }),
})

// listingColumn is a column of the listings table.
type listingColumn struct {
	name  string
	role  columnRole
	field func(*models.Listing) any // pointer to the field
	copy  func(to, from *models.Listing)
}

// columnRole says which statements other than those for whole listings include
// a column.
type columnRole int

const (
	identity columnRole = 1 << iota // never updated
	content                         // updated by edits and imports
	agreed                          // copied to the agreements table when an offer is accepted
	state                           // updated by state transitions
	version                         // incremented by every update
	indexed                         // read by EachActiveListing
)

// column returns a listingColumn for the given field.
func column[T any](name string, role columnRole, field func(*models.Listing) *T) listingColumn {
	return listingColumn{
		name:  name,
		role:  role,
		field: func(l *models.Listing) any { return field(l) },
		copy:  func(to, from *models.Listing) { *field(to) = *field(from) },
	}
}

// columnsOf returns the columns with a role.
func columnsOf(role columnRole) (columns []listingColumn) {
	for _, c := range listingColumns {
		if c.role&role != 0 {
			columns = append(columns, c)
		}
	}
	return columns
}

var (
	contentColumns = columnsOf(content)
	agreedColumns  = columnsOf(agreed)
	stateColumns   = columnsOf(state)
	indexedColumns = columnsOf(indexed)

	// selectListing starts a query whose rows selectListings scans. The
	// listings table is aliased as l.
	selectListing = `SELECT (SELECT COALESCE(MIN(e.price), 0) FROM listing_prices e WHERE e.listing_id = l.id), ` + columnNames("l.", listingColumns) + ` FROM listings l `
	// listingsTable is the table and column list for tx.insert.
	listingsTable = `listings (` + columnNames("", listingColumns) + `)`
)

// columnNames returns the names of columns, each after prefix, separated by commas.
func columnNames(prefix string, columns []listingColumn) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = prefix + c.name
	}
	return strings.Join(names, ", ")
}

// fieldsOf appends pointers to the fields of l stored in columns, for use as
// arguments or scan destinations.
func fieldsOf(l *models.Listing, columns []listingColumn, fields []any) []any {
	for _, c := range columns {
		fields = append(fields, c.field(l))
	}
	return fields
}

// assignments returns "title = $3, text = $4, …" for an UPDATE; first is the
// number of the first parameter.
func assignments(columns []listingColumn, first int) string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = c.name + " = $" + strconv.Itoa(first+i)
	}
	return strings.Join(list, ", ")
}

// copyContent copies the fields that an edit may change, except the photos.
func copyContent(to, from *models.Listing) {
	for _, c := range contentColumns {
		c.copy(to, from)
	}
}

// sameStored reports whether the column has the same stored value in a and b.
func (c listingColumn) sameStored(a, b *models.Listing) bool {
	x, err1 := driver.DefaultParameterConverter.ConvertValue(c.field(a))
	y, err2 := driver.DefaultParameterConverter.ConvertValue(c.field(b))
	return err1 == nil && err2 == nil && x == y
}

// itemColumns returns the columns of the listings table that store an item.
func itemColumns() (columns []listingColumn) {
	for _, f := range models.ItemFields {
		role := content
		if f.Agreed {
			role |= agreed
		}
		if f.Filter != "" {
			role |= indexed
		}
		columns = append(columns, listingColumn{
			name: f.ColumnName(), role: role,
			field: func(l *models.Listing) any { return f.Access.Pointer(&l.Item) },
			copy:  func(to, from *models.Listing) { f.Copy(&to.Item, &from.Item) },
		})
	}
	return columns
}

// itemColumnNames returns the names of the columns that store fields, separated by commas.
func itemColumnNames(has func(*models.ItemField) bool) string {
	var names []string
	for _, f := range models.ItemFields {
		if has(f) {
			names = append(names, f.ColumnName())
		}
	}
	return strings.Join(names, ", ")
}

func everyField(*models.ItemField) bool { return true }

func agreedField(f *models.ItemField) bool { return f.Agreed }
