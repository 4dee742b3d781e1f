package models

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Step is a move in the life of a listing.
type Step string

// The steps. Sellers take the first six, time the next, operators the last two.
const (
	Publish Step = "publish"
	Reserve Step = "reserve"
	Sell    Step = "sell"
	End     Step = "end"
	Relist  Step = "relist"
	Discard Step = "discard"
	Expire  Step = "expire"
	Remove  Step = "remove"
	Restore Step = "restore"
)

// life is the state machine of listings, in this one place: what a step leads
// to, and from where. Restore leads back to where the listing was removed from.
var life = map[Step]struct {
	from []Status
	to   Status
}{
	Publish: {[]Status{StatusDraft}, StatusActive},
	Reserve: {[]Status{StatusActive}, StatusReserved},
	Sell:    {[]Status{StatusActive, StatusReserved}, StatusSold},
	End:     {[]Status{StatusActive, StatusReserved}, StatusEnded},
	Relist:  {[]Status{StatusReserved, StatusEnded, StatusExpired}, StatusActive},
	Discard: {[]Status{StatusDraft}, ""},
	Expire:  {[]Status{StatusActive}, StatusExpired},
	Remove:  {[]Status{StatusActive, StatusReserved, StatusSold, StatusEnded, StatusExpired}, StatusRemoved},
	Restore: {[]Status{StatusRemoved}, ""},
}

// Steps are what a seller may do from a status, the usual ones first.
func (s Status) Steps() []Step {
	var steps []Step
	for _, step := range []Step{Publish, Relist, Reserve, Sell, End, Discard} {
		if s.May(step) {
			steps = append(steps, step)
		}
	}
	return steps
}

// Open reports whether a listing in this status may still be edited.
func (s Status) Open() bool { return s.open() }

// May reports whether a step can be taken from a status.
func (s Status) May(step Step) bool { return slices.Contains(life[step].from, s) }

// ListingTime is how long a listing stays for sale before it expires.
const ListingTime = 60 * 24 * time.Hour

// EndReasons are why a seller may end a listing, by code.
var EndReasons = []string{"sold_elsewhere", "kept", "broken", "mistake", "other"}

// Bounds of a listing's texts, in characters, and of its lists.
const (
	MaxTitle    = 200
	MaxText     = 10_000
	MaxSerial   = 60
	MaxIncluded = 30
	MaxItem     = 80
	MaxPhotos   = 12
	MaxShutter  = 10_000_000
)

// Check tells everything that keeps a listing from being kept, as a draft, or
// with public set from being published.
func (l *Listing) Check(public bool) error {
	var fields []FieldError
	refuse := func(field, code, message string) { fields = append(fields, FieldError{field, code, message}) }
	text := func(field, value string, most int) {
		if !storable(value) || utf8.RuneCountInString(value) > most {
			refuse(field, "invalid_value", fmt.Sprintf("%s is text of at most %d characters.", field, most))
		}
	}
	text("title", l.Title, MaxTitle)
	text("description", l.Text, MaxText)
	text("serial", l.Serial, MaxSerial)
	if len(l.Included) > MaxIncluded {
		refuse("included", "invalid_value", fmt.Sprintf("included names at most %d things.", MaxIncluded))
	}
	for _, item := range l.Included {
		text("included", item, MaxItem)
	}
	if len(l.Photos) > MaxPhotos {
		refuse("photos", "invalid_value", fmt.Sprintf("A listing has at most %d photographs.", MaxPhotos))
	}
	for _, d := range l.Defects {
		if !d.Valid() {
			refuse("defects", "invalid_value", fmt.Sprintf("%q is no defect; there is %s.", d, joined(Defects)))
		}
	}
	if l.Condition != "" && !l.Condition.Valid() {
		refuse("condition", "invalid_value", fmt.Sprintf("%q is no condition; there is %s.", l.Condition, joined(Conditions)))
	}
	if l.Functional != "" && !l.Functional.Valid() {
		refuse("functional", "invalid_value", fmt.Sprintf("%q is none of fully_working, minor_fault, not_working, untested.", l.Functional))
	}
	if l.Category != "" && !l.Category.Valid() {
		refuse("category", "invalid_value", fmt.Sprintf("%q is no category; there is %s.", l.Category, joined(Categories)))
	}
	if l.Region != "" && !l.Region.Valid() {
		refuse("region", "invalid_value", fmt.Sprintf("%q is not an ISO 3166 code such as DE or US-CA.", l.Region))
	}
	if l.Price < 0 || l.Price > MaxAmount {
		refuse("price", "invalid_value", "The price is out of range.")
	}
	if l.Shutter < 0 || l.Shutter > MaxShutter {
		refuse("shutter_count", "invalid_value", "The shutter count is out of range.")
	}
	if public {
		for _, missing := range []struct {
			field string
			is    bool
		}{{"title", strings.TrimSpace(l.Title) == ""}, {"condition", l.Condition == ""}, {"price", l.Price == 0}, {"region", l.Region == ""}, {"category", l.Category == ""}} {
			if missing.is {
				refuse(missing.field, "missing_parameter", "A listing is published with its "+missing.field+".")
			}
		}
	}
	return invalidFields(fields)
}

func joined[T ~string](words []T) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = string(w)
	}
	return strings.Join(list, ", ")
}

// wrongStatus says why a step cannot be taken.
func wrongStatus(step Step, id string, status Status) *Error {
	e := &Error{Kind: Conflict, Code: "wrong_status",
		Message: fmt.Sprintf("The listing is %s, and to %s it must be %s.", status, step, orList(life[step].from)),
		Hint:    "Read it again with GET /api/listings/" + id + "."}
	if step == Publish && status == StatusActive {
		e.Hint = "It is for sale already; there is nothing left to do."
	}
	return e
}

func orList(statuses []Status) string {
	words := make([]string, len(statuses))
	for i, s := range statuses {
		words[i] = string(s)
	}
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return words[0]
}

// Arrow is a step from one status to another: one line of the state machine.
type Arrow struct {
	Step     Step
	From, To Status // To is "" where the listing is gone, or what it was before
}

// Arrows are the state machine, to be drawn.
func Arrows() []Arrow {
	var all []Arrow
	for step, move := range life {
		for _, from := range move.from {
			all = append(all, Arrow{step, from, move.to})
		}
	}
	return all
}
