package models

// Status is where a listing is in its life.
type Status string

// Every status of a listing. Only active listings are searched; reserved, sold,
// ended and expired ones stay as pages that say so; drafts and removed ones are not public.
const (
	StatusDraft    Status = "draft"
	StatusActive   Status = "active"
	StatusReserved Status = "reserved"
	StatusSold     Status = "sold"
	StatusEnded    Status = "ended"
	StatusExpired  Status = "expired"
	StatusRemoved  Status = "removed"
)

// Public reports whether anybody may read a listing in this status.
func (s Status) Public() bool { return s != StatusDraft && s != StatusRemoved && s != "" }

// Listing is one item for sale by one member.
type Listing struct {
	ID         string // UUIDv7
	ExternalID string // the importer's own id, "" for none; unique per seller
	SellerID   string
	Gear       string // catalogue slug "canon/eos-r6"; "" when it is not in the catalogue
	Category   Category
	Title      string // plain text, at most 200 characters
	Text       string // description in plain text, at most 10,000 characters
	Condition  Condition
	Functional Functional
	Defects    []Defect
	Included   []string // what comes with it: "battery", "box"
	Shutter    int      // shutter actuations; 0 when unknown or not a camera
	Serial     string   // private: never leaves the server
	Price      Cents    // asking price
	Region     Region
	Status     Status
	Demo       bool

	CreatedAt   Time
	PublishedAt Time // first publication; "newest" sorts by it
	UpdatedAt   Time
	ClosedAt    Time   // sold, ended or expired; 0 while it is for sale
	SoldPrice   Cents  // 0 unless sold
	ExpiresAt   Time   // 0 for never
	EndReason   string // why its seller ended it, one of EndReasons or ""
	Version     int64  // counts changes, from 1 on

	removedFrom Status
	Photos      []Photo
}

// Photo is one picture of a listing. Key names its bytes: /photos/{key}-{width}.jpg.
type Photo struct {
	Key           string `db:"key"`
	Alt           string `db:"alt"`
	Width, Height int    // of the original, pixels
}

// PhotoWidths are the sizes every listing photograph is served in, pixels wide.
var PhotoWidths = []int{320, 640, 1280}
