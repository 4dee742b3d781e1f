package views

import (
	"strconv"
	"strings"
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

// agoText returns how long ago a time was, in whole days of UTC, so that it is right
// until the day ends, as cached pages are: "Today", "Yesterday", "3 days ago", "5 weeks ago".
func agoText(at, now time.Time) string {
	days := int(now.UTC().Truncate(24*time.Hour).Sub(at.UTC().Truncate(24*time.Hour)) / (24 * time.Hour))
	switch {
	case days <= 0:
		return "Today"
	case days == 1:
		return "Yesterday"
	case days < 14:
		return strconv.Itoa(days) + " days ago"
	case days < 61:
		return strconv.Itoa(days/7) + " weeks ago"
	case days < 365:
		return strconv.Itoa(days/30) + " months ago"
	}
	return countText(days/365, "year ago", "years ago")
}

// agoOf returns agoText of an RFC 3339 instant within a sentence: "today", "3 days ago".
// It returns other strings unchanged.
func agoOf(instant string, now time.Time) string {
	at, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		return instant
	}
	return strings.ToLower(agoText(at, now))
}

// isNew reports whether a listing was published in the last 24 hours.
func isNew(at, now time.Time) bool { return now.Sub(at) < 24*time.Hour }
