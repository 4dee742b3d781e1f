package ui

import (
	"context"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models"
)

// Day returns the ISO day of an instant in UTC, "" for the zero time.
func Day(t models.Time) models.Day { return models.DayAt(t.Std()) }

// AgoOf returns how long ago an RFC 3339 instant was in the reader's language, within a
// sentence: "today", "3 days ago". It returns other strings unchanged.
func AgoOf(ctx context.Context, instant string, now time.Time) string {
	at, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		return instant
	}
	text := agoIn(ctx, at, now)
	return strings.ToLower(text[:1]) + text[1:]
}

// isNew reports whether a listing was published in the last 24 hours.
func isNew(at, now time.Time) bool { return now.Sub(at) < 24*time.Hour }
