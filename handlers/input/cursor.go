package input

import (
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
)

// WriteCursor returns the cursor after a row of a list that is ordered by time and id.
func WriteCursor(at models.Time, id string) string { return web.WriteCursor(int64(at), id) }

// ReadCursor parses a cursor written by WriteCursor; "" is the start of the list.
func ReadCursor(cursor string) (at models.Time, id string, err error) {
	ms, id, err := web.ReadCursor(cursor)
	return models.Time(ms), id, err
}

// CutPage returns the first limit of rows and, if there are more, the cursor after them,
// otherwise "". The caller reads limit+1 rows. key returns the parts of a row's cursor.
func CutPage[Row any](rows []Row, limit int, key func(Row) (at models.Time, id string)) (page []Row, next string) {
	if len(rows) <= limit {
		return rows, ""
	}
	return rows[:limit], WriteCursor(key(rows[limit-1]))
}
