package views

import (
	"time"

	"github.com/secondlight/secondlight/models"
)

// DayText is an RFC 3339 instant or an ISO day for people: "14 Nov 2026";
// whatever else it is given, it gives back.
func DayText(s string) string {
	if len(s) < 10 {
		return s
	}
	t, err := time.Parse(time.DateOnly, s[:10])
	if err != nil {
		return s
	}
	return t.Format("2 Jan 2006")
}

// MonthText is an ISO month for people: "Nov 2026" for "2026-11".
func MonthText(s string) string {
	t, err := time.Parse("2006-01", s)
	if err != nil {
		return s
	}
	return t.Format("Jan 2006")
}

// day is the ISO day of an instant in UTC, "" for never.
func day(t models.Time) string {
	if t == 0 {
		return ""
	}
	return t.Std().Format(time.DateOnly)
}

// momentText is an RFC 3339 instant for people, to the minute: "14 Nov 2026, 09:00 UTC".
func momentText(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return s
	}
	return t.UTC().Format("2 Jan 2006, 15:04 UTC")
}
