package models

import (
	"strings"

	"github.com/secondlight/secondlight/models/problem"
)

// KitItem is a piece of gear that a member owns. Only the member sees it, unless it is
// Public.
type KitItem struct {
	ID        string // UUIDv7
	MemberID  string
	Gear      string // catalogue slug, or "" if it is not in the catalogue
	Name      string
	Condition Condition // "" if unknown
	BoughtOn  Day       // "" if unknown
	Paid      Cents     `db:"paid_price"` // 0 if unknown
	Serial    string    // readable by the member alone; compared with nothing
	Insured   bool
	Note      string
	Public    bool  // on the kit page of the site; of operators
	Alert     bool  // whether the member gets an email when the value moves
	Told      Cents `db:"told_price"` // value that the member was last told; 0 for none
	CreatedAt Time
	UpdatedAt Time
	Version   int64 // 1 or more, increased with every change
}

// Limits of a kit.
const (
	MaxKitItems = 200  // per member
	MaxKitNote  = 1000 // characters
)

// KitAlertPercent is the change in percent, since the value that a member was last told,
// from which the member gets an email.
const KitAlertPercent = 5

// BoughtMonth returns the month of the purchase, and false if it is unknown.
func (i *KitItem) BoughtMonth() (MonthKey, bool) {
	day, ok := i.BoughtOn.Start()
	return MonthOf(TimeOf(day)), ok
}

// Moved reports whether the value of the item is at least KitAlertPercent away from what
// the member was last told.
func (i *KitItem) Moved(value Cents) bool {
	change := value - i.Told
	return i.Told > 0 && max(change, -change)*100 >= i.Told*KitAlertPercent
}

// Check normalises the item and returns an Invalid error that lists all invalid fields.
func (i *KitItem) Check(now Time) error {
	for _, text := range []*string{&i.Name, &i.Serial} {
		*text = strings.Join(strings.Fields(*text), " ")
	}
	i.Note = strings.TrimSpace(i.Note)
	var f FieldChecks
	f.Text("name", i.Name, MaxTitle, true)
	f.Text("serial", i.Serial, MaxSerial, false)
	f.Text("note", i.Note, MaxKitNote, false)
	if i.Condition != "" && !i.Condition.Valid() {
		f.Refuse("condition", "%q isn't one of %s.", i.Condition, Joined(Conditions))
	}
	if i.Paid < 0 || i.Paid > MaxAmount {
		f.Refuse("paid", "The price is too high.")
	}
	if i.BoughtOn != "" && !i.BoughtOn.Between(1900, now) {
		f.Refuse("bought_on", "Enter a date that isn't in the future, such as 2024-05-17.")
	}
	return InvalidFields(f)
}

// KitChange is a new value of an item that its member has to be told.
type KitChange struct {
	Item  KitItem // before the change
	Value Cents
}

func KitItemNotFound(id string) error {
	return &problem.Error{Kind: problem.NotFound, Code: "kit_item_not_found", Message: problem.Programf("Your kit has no item with the id %q.", id),
		Hint: problem.Programf("List your kit with GET /api/me/kit.")}
}

var ErrKitItemChanged = &problem.Error{Kind: problem.Changed, Code: "kit_item_changed", Message: problem.Textf("The item has changed since you opened it."),
	Hint: problem.Programf("Get it again, and send your change with its new version in If-Match.")}
