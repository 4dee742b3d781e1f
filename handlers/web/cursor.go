package web

import (
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models/problem"
)

// ErrCursor is the error for a cursor that does not belong to the list.
var ErrCursor = &problem.Error{Kind: problem.Invalid, Code: "invalid_cursor",
	Message: problem.Programf("The cursor isn't valid for this list."),
	Hint:    problem.Programf("Remove cursor to start from the first page, and copy next_cursor without changes."),
	Fields:  []problem.FieldError{{Field: "cursor", Code: "invalid_cursor", Message: problem.Programf("is not a next_cursor of this list")}}}

// PageOf returns up to limit elements of a list, starting at a cursor, and the
// cursor of the next page, "" on the last. The cursor is an index into the list, so
// the list must not change while the program runs.
func PageOf[T any](list []T, cursor string, limit int) (page []T, next string, err error) {
	from := 0
	if cursor != "" {
		if from, err = strconv.Atoi(cursor); err != nil || from < 0 || from > len(list) {
			return nil, "", ErrCursor
		}
	}
	to := min(from+limit, len(list))
	if to < len(list) {
		next = strconv.Itoa(to)
	}
	return list[from:to], next, nil
}

// WriteCursor returns the cursor after a row in a list sorted by time and id. The
// time is in Unix milliseconds.
func WriteCursor(at int64, id string) string {
	return strconv.FormatInt(at, 36) + "." + id
}

// ReadCursor parses a cursor of WriteCursor. It returns zero values for "", the
// start of the list, and ErrCursor for an invalid cursor.
func ReadCursor(cursor string) (at int64, id string, err error) {
	if cursor == "" {
		return 0, "", nil
	}
	text, id, ok := strings.Cut(cursor, ".")
	ms, err := strconv.ParseInt(text, 36, 64)
	if !ok || err != nil || ms < 0 || ms == 0 && id == "" || !bind.ValidText(id) {
		return 0, "", ErrCursor
	}
	return ms, id, nil
}
