package models

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/secondlight/secondlight/models/problem"
)

// StolenStatus is the state of a report of a stolen serial number.
type StolenStatus string

// The states of a report of a stolen serial number.
const (
	StolenOpen     StolenStatus = "open"
	StolenAccepted StolenStatus = "accepted" // listings with the serial number are held
	StolenRejected StolenStatus = "rejected"
)

// StolenStatuses lists all states of a report of a stolen serial number.
var StolenStatuses = []StolenStatus{StolenOpen, StolenAccepted, StolenRejected}

// StolenReport is a member's report that an item was stolen, with proof. Only its
// reporter and the operators read it.
type StolenReport struct {
	ID         string // UUIDv7
	ReporterID string // "" once the account is deleted
	Status     StolenStatus
	Gear       string // catalogue slug, or "" if it is not in the catalogue
	Name       string // of the item, beginning with its brand
	Serial     string
	StolenOn   Day
	Place      string
	Police     string // the number of the police report
	Photo      string // key of the photo of a document
	At         Time
	DecidedAt  Time
	Erased     bool // everything but the hash of the serial number is deleted
}

// Limits of reports of stolen serial numbers.
const (
	MaxPolice           = 100 // characters of the number of the police report
	MaxStolenReports    = 5   // of a member within StolenReportsPeriod
	StolenReportsPeriod = 30 * 24 * time.Hour
)

// Check normalises the report and returns an Invalid error listing all invalid fields.
func (r *StolenReport) Check(now Time) error {
	for _, text := range []*string{&r.Name, &r.Serial, &r.Place, &r.Police} {
		*text = strings.Join(strings.Fields(*text), " ")
	}
	var f FieldChecks
	f.Text("gear", r.Name, MaxTitle, true)
	f.Text("serial", r.Serial, MaxSerial, true)
	if r.Serial != "" && NormalSerial(r.Serial) == "" {
		f.Refuse("serial", "We can't use this serial number: it's too short or too simple.")
	}
	f.Text("place", r.Place, MaxPlace, true)
	f.Text("police", r.Police, MaxPolice, true)
	if !r.StolenOn.Between(1950, now) {
		f.Refuse("stolen_on", "Enter the date, such as 2026-11-14.")
	}
	return InvalidFields(f)
}

func StolenNotFound(id string) error {
	return &problem.Error{Kind: problem.NotFound, Code: "stolen_report_not_found", Message: problem.Programf("There is no report of a stolen serial number with the id %q.", id),
		Hint: problem.Programf("List the reports that wait with GET /api/checks.")}
}

// NormalSerial returns a serial number in upper case without spaces, dashes and other
// punctuation, so that every way to write it is the same. It returns "" for what
// identifies nothing, such as "n/a" or "0000".
func NormalSerial(serial string) string {
	serial = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, serial)
	digits, distinct := 0, map[rune]bool{}
	for _, r := range serial {
		if distinct[r] = true; unicode.IsDigit(r) {
			digits++
		}
	}
	if len(serial) < 5 || digits < 3 || len(distinct) < 3 || strings.HasPrefix("1234567890", serial) {
		return ""
	}
	return serial
}

// BrandOf returns the brand under which a serial number is compared: that of the gear,
// or the first word of the name of an item that is not in the catalogue.
func BrandOf(gear, name string) string {
	if brand, _, ok := strings.Cut(gear, "/"); ok {
		return brand
	}
	first, _, _ := strings.Cut(strings.TrimSpace(name), " ")
	return Slug(first)
}

// SameTexts reports whether an edit leaves what is written about the item as it is.
func SameTexts(old, l *Listing) bool {
	return old.Title == l.Title && old.Text == l.Text && slices.Equal(old.Texts(), l.Texts())
}

// SameItem reports whether an edit leaves it the same item: the same gear, or the same
// title if it is not in the catalogue, and the same serial number.
func SameItem(old, l *Listing) bool {
	return old.Gear == l.Gear && (l.Gear != "" || old.Title == l.Title) && NormalSerial(old.Serial) == NormalSerial(l.Serial)
}
