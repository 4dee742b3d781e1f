package models

import "time"

// Time is an instant in Unix milliseconds, UTC; 0 means never. It is stored as
// BIGINT, which both engines read back as it was written.
type Time int64

// TimeOf cuts an instant to milliseconds.
func TimeOf(t time.Time) Time {
	if t.IsZero() {
		return 0
	}
	return Time(t.UnixMilli())
}

// Std is the instant in UTC; the zero time for 0.
func (t Time) Std() time.Time {
	if t == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(t)).UTC()
}

// RFC3339 writes the instant to the second: "2026-11-21T09:00:00Z"; "" for 0.
func (t Time) RFC3339() string {
	if t == 0 {
		return ""
	}
	return t.Std().Format(time.RFC3339)
}

// Clock tells the time; tests pass their own.
type Clock func() time.Time

// MonthKey is a month as one number, year × 12 + month − 1, so that months
// can be subtracted and compared.
type MonthKey int32

// MonthOf is the month an instant falls into, in UTC.
func MonthOf(t Time) MonthKey {
	y, m, _ := t.Std().Date()
	return MonthKey(y*12 + int(m) - 1)
}

// String writes the month as ISO 8601: "2026-11".
func (k MonthKey) String() string {
	return time.Date(int(k)/12, time.Month(int(k)%12+1), 1, 0, 0, 0, 0, time.UTC).Format("2006-01")
}
