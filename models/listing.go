package models

// Status is the state of a listing.
type Status string

// The states of a listing. Only active listings are searchable. Drafts and
// removed listings are not public.
const (
	StatusDraft    Status = "draft"
	StatusActive   Status = "active"
	StatusReserved Status = "reserved"
	StatusSold     Status = "sold"
	StatusEnded    Status = "ended"
	StatusExpired  Status = "expired"
	StatusRemoved  Status = "removed"
)

// Public reports whether listings in this state are visible to everyone.
func (s Status) Public() bool { return s != StatusDraft && s != StatusRemoved && s != "" }

// Listing is an item offered by a member.
type Listing struct {
	ID         string // UUIDv7
	ExternalID string // the importer's id, unique per seller; optional
	SellerID   string
	Gear       string // catalogue slug "canon/eos-r6", or "" if not in the catalogue
	Category   Category
	Title      string // plain text, at most 200 characters
	Text       string // description in plain text, at most 10,000 characters
	Item
	Price    Cents  // asking price
	Currency string // ISO 4217, of the prices and the postage; "" for that of the site
	Region   Region
	Postage  Postage // "" for the seller's default
	BuyNow   BuyNow
	Status   Status
	Demo     bool

	CreatedAt   Time
	PublishedAt Time // first publication; sort key of "newest"
	UpdatedAt   Time
	ClosedAt    Time   // sold, ended or expired; 0 while open
	SoldPrice   Cents  // 0 unless sold
	ExpiresAt   Time   // 0 for never
	EndReason   string // one of EndReasons, or ""
	Version     int64  // incremented by every change, from 1

	VerifiedAt Time // when an operator confirmed by a photo that the seller has the item; 0 if none has

	EarlierPrice Cents // lowest previous asking price; 0 if it never changed

	RemovedFrom Status `json:"-"` // what operators return a removed listing to
	Photos      []Photo
}

// Photo is a photo of a listing. Its files are /photos/{key}-{width}.jpg.
type Photo struct {
	Key           string `db:"key"`
	Alt           string `db:"alt"`
	Width, Height int    // of the original, pixels
	Bytes         int64  // size of its files in all widths
}

// PhotoWidths lists the widths, in pixels, in which photos are served.
var PhotoWidths = []int{320, 640, 1280}
