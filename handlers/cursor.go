package handlers

import (
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// errCursor refuses a cursor that its list has not given out.
var errCursor = &models.Error{Kind: models.Invalid, Code: "invalid_cursor",
	Message: "The cursor was not made by this list.",
	Hint:    "Leave cursor out to begin again, and pass next_cursor on as it is.",
	Fields:  []models.FieldError{{Field: "cursor", Code: "invalid_cursor", Message: "is not a next_cursor of this list"}}}

// pageOf is a page of a list that does not change while the program runs; its
// cursor is the place the page begins at.
func pageOf[T any](list []T, cursor string, limit int) (page []T, next string, err error) {
	from := 0
	if cursor != "" {
		if from, err = strconv.Atoi(cursor); err != nil || from < 0 || from > len(list) {
			return nil, "", errCursor
		}
	}
	to := min(from+limit, len(list))
	if to < len(list) {
		next = strconv.Itoa(to)
	}
	return list[from:to], next, nil
}

// writeCursor is the place after a row in a list that goes by time, and by id
// where times are equal. readCursor reads it, and "" as the beginning.
func writeCursor(at models.Time, id string) string {
	return strconv.FormatInt(int64(at), 36) + "." + id
}

func readCursor(cursor string) (at models.Time, id string, err error) {
	if cursor == "" {
		return 0, "", nil
	}
	text, id, ok := strings.Cut(cursor, ".")
	ms, err := strconv.ParseInt(text, 36, 64)
	if !ok || err != nil || ms < 0 || ms == 0 && id == "" || !clean(id) {
		return 0, "", errCursor
	}
	return models.Time(ms), id, nil
}
