package models

import (
	"fmt"
	"math"
	"time"
)

// Day is a day of the calendar such as "2026-11-21", "" if unknown. Days are ordered as
// their texts are. It is stored and encoded as text.
type Day string

// DayAt returns the day of a time in UTC, "" for the zero time.
func DayAt(t time.Time) Day {
	if t.IsZero() {
		return ""
	}
	return Day(t.UTC().Format(time.DateOnly))
}

// ParseDay parses a day of the calendar such as "2026-11-21".
func ParseDay(text string) (Day, error) {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return "", fmt.Errorf("%q is not a day such as 2026-11-21", text)
	}
	return Day(text), nil
}

// Start returns the beginning of the day in UTC, and false if it is no day of the calendar.
func (d Day) Start() (time.Time, bool) {
	t, err := time.Parse(time.DateOnly, string(d))
	return t, err == nil
}

// Between reports whether it is a day of the calendar from 1 January of a year to today,
// wherever on earth that is.
func (d Day) Between(year int, now Time) bool {
	start, ok := d.Start()
	return ok && start.Year() >= year && !start.After(now.Std().Add(14*time.Hour))
}

// DayNumber returns the days from 1 January 1970 UTC to that of a time.
func DayNumber(t time.Time) int { return int(math.Floor(float64(t.Unix()) / 86400)) }

// DayOf returns the day with a number.
func DayOf(number int) Day { return DayAt(time.Unix(int64(number)*86400, 0)) }
