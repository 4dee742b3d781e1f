package models

import "time"

// Time is a time in Unix milliseconds, UTC; 0 means never. It is stored as
// BIGINT.
type Time int64

// TimeOf converts t, truncating it to milliseconds.
func TimeOf(t time.Time) Time {
	if t.IsZero() {
		return 0
	}
	return Time(t.UnixMilli())
}

// Std returns the time in UTC, or the zero time for 0.
func (t Time) Std() time.Time {
	if t == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(t)).UTC()
}

// Add returns the time d later, truncated to milliseconds, or earlier if d is negative.
func (t Time) Add(d time.Duration) Time { return t + Time(d.Milliseconds()) }

// RFC3339 formats the time in seconds, "2026-11-21T09:00:00Z", or "" for 0.
func (t Time) RFC3339() string {
	if t == 0 {
		return ""
	}
	return t.Std().Format(time.RFC3339)
}

// Clock returns the current time. Tests provide their own.
type Clock func() time.Time

// MonthKey identifies a month as year × 12 + month − 1, so that months can be
// compared and subtracted.
type MonthKey int32

// MonthOf returns the month of a time in UTC.
func MonthOf(t Time) MonthKey {
	y, m, _ := t.Std().Date()
	return MonthKey(y*12 + int(m) - 1)
}

// String formats the month as in ISO 8601: "2026-11".
func (k MonthKey) String() string { return k.first().Format("2006-01") }

// Start returns the first instant of the month.
func (k MonthKey) Start() Time { return TimeOf(k.first()) }

func (k MonthKey) first() time.Time {
	return time.Date(int(k)/12, time.Month(int(k)%12+1), 1, 0, 0, 0, 0, time.UTC)
}

// The spans that changes compare.
const (
	DayMillis Time = 24 * 60 * 60 * 1000
	Days30         = 30 * DayMillis
	Days90         = 90 * DayMillis
)
