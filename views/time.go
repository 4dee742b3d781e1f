package views

import (
	"time"

	"github.com/secondlight/secondlight/models"
)

// DayText formats the day of an RFC 3339 instant or ISO day: "14 Nov 2026". It
// returns other strings unchanged.
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

// MonthText formats an ISO month: "Nov 2026" for "2026-11". It returns other strings
// unchanged.
func MonthText(s string) string {
	t, err := time.Parse("2006-01", s)
	if err != nil {
		return s
	}
	return t.Format("Jan 2006")
}

// day returns the ISO day of an instant in UTC, "" for the zero time.
func day(t models.Time) string {
	if t == 0 {
		return ""
	}
	return t.Std().Format(time.DateOnly)
}

// momentText formats an RFC 3339 instant to the minute: "14 Nov 2026, 09:00 UTC". It
// returns other strings unchanged.
func momentText(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return s
	}
	return t.UTC().Format("2 Jan 2006, 15:04 UTC")
}
