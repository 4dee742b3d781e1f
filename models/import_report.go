package models

import "encoding/json"

// ImportReport counts the results of an import.
type ImportReport struct {
	Rows       int // after the header
	Inserted   int
	Updated    int // known listings that have changed
	Unchanged  int // known, without changes
	Rejected   int
	Skipped    int            // of a shop: not on sale there, or only another picture
	Unresolved int            // listings whose gear is not in the catalogue
	Sellers    []string       // handles of new sellers
	Reasons    map[string]int // number of rejected rows by code
	Photos     int            // that were added to listings
	PhotosLeft int            // that rows name, and were not added
	NoPhotos   []RejectedRow  // why, of the first MaxRejectedRows
}

// ImportSource is what an imported file is, as its header says.
type ImportSource string

// MaxRejectedRows is the maximum number of rejected rows that are reported
// individually. The others are only counted.
const MaxRejectedRows = 100

// Import is an import that an operator started.
type Import struct {
	ID         string
	Name       string // of the file, as given by the browser
	Source     ImportSource
	Status     ImportStatus
	Bytes      int64 // of the file
	BytesRead  int64
	Options    ImportOptions
	Report     ImportReport
	Rejected   []RejectedRow // the first MaxRejectedRows
	Error      string        // why the file can't be read, "" if it can
	StartedAt  Time
	BeatAt     Time // when the server that runs it last reported
	FinishedAt Time // 0 while it runs
}

// ImportStatus is the status of an import.
type ImportStatus string

// The statuses of imports. The database stores ImportPrepared as cancelled, which it is to
// releases that don't know it.
const (
	ImportPrepared  ImportStatus = "prepared" // its columns are still to be matched
	ImportRunning   ImportStatus = "running"
	ImportDone      ImportStatus = "done"
	ImportCancelled ImportStatus = "cancelled"
	ImportFailed    ImportStatus = "failed"
)

// ImportOptions say what the rows that don't name a value have.
type ImportOptions struct {
	Seller    string // handle
	Condition Condition
	Region    Region
	Prepared  bool     `json:",omitempty"` // not started yet
	Header    []string `json:",omitempty"` // of the file
	Columns   []string `json:",omitempty"` // what its columns are, by our names, "" for one that is left out
}

// The sources of imports.
const (
	ListingsFile    ImportSource = "listings" // the columns of docs/reference/csv-columns.md
	SalesFile       ImportSource = "sales"    // the columns of docs/reference/csv-columns.md
	EBayFile        ImportSource = "ebay"
	ShopifyFile     ImportSource = "shopify"
	WooCommerceFile ImportSource = "woocommerce"
)

// RejectedRow is a row that was not imported, or a photograph of it that was not added.
type RejectedRow struct {
	Line         int
	Name         string `json:",omitempty"` // of the photograph
	Reason, Hint string
}

// Document returns what is stored as JSON.
func (im *Import) Document() (string, error) {
	document, err := json.Marshal(ImportDocument{im.Options, im.Report, im.Rejected})
	return string(document), err
}

// ImportDocument is what a row of imports has as JSON.
type ImportDocument struct {
	Options  ImportOptions
	Report   ImportReport
	Rejected []RejectedRow
}
