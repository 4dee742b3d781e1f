package ui

import "strconv"

// Next says how a list continues: the cursor of its next page, "" on the last page, and
// the entries of a page if the request asked for another number than the default.
type Next struct {
	Cursor string
	Limit  int // 0 for the default
}

// NewNext returns how a list of limit entries a page continues.
func NewNext(cursor string, limit, byDefault int) Next {
	if limit == byDefault {
		limit = 0
	}
	return Next{cursor, limit}
}

// Path returns the path of the next page, given that of the first, or "" if there is
// none.
func (n Next) Path(first string) string {
	switch {
	case n.Cursor == "":
		return ""
	case n.Limit > 0:
		return WithParam(WithParam(first, "limit", strconv.Itoa(n.Limit)), "cursor", n.Cursor)
	}
	return WithCursor(first, n.Cursor)
}
