package models

import (
	"strconv"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models/problem"
)

// ChangeKind is the kind of object that changed.
type ChangeKind string

// The kinds of changes. The first three are public if they have an event.
const (
	ListingChanged      ChangeKind = "listing"      // Subject is the id of a listing, which may be deleted
	GearChanged         ChangeKind = "gear"         // Subject is the slug of a gear whose trend changed
	MemberChanged       ChangeKind = "member"       // Subject is the id of a member
	OfferChanged        ChangeKind = "offer"        // Subject is the id of an offer
	ConversationChanged ChangeKind = "conversation" // Subject is the id of a conversation
	SiteChanged         ChangeKind = "site"         // the owner's settings
	CatalogChanged      ChangeKind = "catalog"      // Subject is the slug of a gear that the owner corrected
)

// Change identifies an object that was written. Readers with a copy of it must
// read it again.
type Change struct {
	Kind    ChangeKind
	Subject string
}

// ChangesOf returns what changed, each once.
func ChangesOf(entries []Entry) []Change {
	changes := make([]Change, 0, len(entries))
	seen := make(map[Change]bool, len(entries))
	for i := range entries {
		if c := entries[i].Change; !seen[c] {
			seen[c] = true
			changes = append(changes, c)
		}
	}
	return changes
}

// Event says what happened to an object.
type Event string

// The public events. Those of offers and sales are NoticeKinds.
const (
	ListingPublished    Event = "listing_published"
	ListingUpdated      Event = "listing_updated" // anything but the price
	ListingPriceChanged Event = "listing_price_changed"
	ListingReserved     Event = "listing_reserved"
	ListingRelisted     Event = "listing_relisted" // for sale again
	ListingSold         Event = "listing_sold"
	ListingEnded        Event = "listing_ended"
	ListingExpired      Event = "listing_expired"
	ListingRemoved      Event = "listing_removed"  // by an operator; it is no longer public
	ListingRestored     Event = "listing_restored" // to the status that it was removed from
	TrendChanged        Event = "trend_changed"
	SellerUpdated       Event = "seller_updated"
)

// MessageReceived is the event of a new message.
const MessageReceived Event = "message_received"

// PublicEvents lists the events that everybody may see.
var PublicEvents = []Event{ListingPublished, ListingUpdated, ListingPriceChanged, ListingReserved, ListingRelisted, ListingSold, ListingEnded, ListingExpired,
	ListingRemoved, ListingRestored, TrendChanged, SellerUpdated}

// eventOf returns the event of a step of a listing.
var eventOf = map[Step]Event{
	Publish: ListingPublished, Reserve: ListingReserved, Sell: ListingSold, End: ListingEnded, Relist: ListingRelisted,
	Expire: ListingExpired, Remove: ListingRemoved, Restore: ListingRestored, Void: ListingEnded,
}

// InsertedAs returns the event of a listing that is inserted in a status.
var InsertedAs = map[Status]Event{
	StatusActive: ListingPublished, StatusReserved: ListingReserved, StatusSold: ListingSold, StatusEnded: ListingEnded, StatusExpired: ListingExpired,
}

// Entry is a change in the change log.
type Entry struct {
	Position Position
	Change
	Event    Event  // "" if only the server's copies of the data depend on it
	MemberID string // the seller of a listing, or the recipient of a private event
	Version  int64  // of a listing
	At       Time
}

// Public reports whether everybody may see the change.
func (e *Entry) Public() bool {
	return e.Event != "" && (e.Kind == ListingChanged || e.Kind == GearChanged || e.Kind == MemberChanged)
}

// Position is a position in the change log of a database: that of a change.
type Position int64

// Cursor returns the cursor of the changes after a position in a change log.
func Cursor(log string, at Position) string { return log + "." + strconv.FormatInt(int64(at), 36) }

// ParseCursor returns the parts of a cursor, and whether it is one.
func ParseCursor(cursor string) (log string, at Position, ok bool) {
	log, text, ok := strings.Cut(cursor, ".")
	n, err := strconv.ParseInt(text, 36, 64)
	return log, Position(n), ok && err == nil && n >= 0 && log != ""
}

// ErrChangesExpired is the error for a cursor whose changes are no longer kept.
var ErrChangesExpired = &problem.Error{Kind: problem.Gone, Code: "changes_expired",
	Message: problem.Programf("The changes after this cursor are no longer available: they are kept for %d days.", int(ChangeRetention.Hours()/24)),
	Hint:    problem.Programf("Start again: take the current cursor from GET /api/changes?since=now, load everything, from the bulk files in /data/manifest.json for example, and then follow the changes after that cursor.")}

const (
	// ChangeRetention is how long changes are kept.
	ChangeRetention = 30 * 24 * time.Hour

	PruneInterval = time.Hour
	PruneRows     = 5000 // that are pruned in a transaction
	ChangesBatch  = 1000
	PrunedSetting = "changes_pruned" // the newest pruned position
	LogSetting    = "changes_log"    // identifies the change log, in cursors
)
