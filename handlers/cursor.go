package handlers

import (
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
)

// writeCursor returns the cursor after a row of a list that is ordered by time and id.
func writeCursor(at models.Time, id string) string { return web.WriteCursor(int64(at), id) }

// readCursor parses a cursor written by writeCursor; "" is the start of the list.
func readCursor(cursor string) (at models.Time, id string, err error) {
	ms, id, err := web.ReadCursor(cursor)
	return models.Time(ms), id, err
}

// cutPage returns the first limit of rows and, if there are more, the cursor after them,
// otherwise "". The caller reads limit+1 rows. key returns the parts of a row's cursor.
func cutPage[Row any](rows []Row, limit int, key func(Row) (at models.Time, id string)) (page []Row, next string) {
	if len(rows) <= limit {
		return rows, ""
	}
	return rows[:limit], writeCursor(key(rows[limit-1]))
}
