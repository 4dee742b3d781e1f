package search

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/secondlight/secondlight/models/problem"
)

// A cursor encodes the position of the last listing of a page in the order of its
// search, so that the next page starts after it even if listings were added or removed
// since. It ends with a hash of the position and the search's restrictions, the seal.
// It is not encrypted.
//
//	version 1 | tier 1 | price 4 | typical 4 | published 8 | id 16 | currency 0 or 3 | seal 8
//
// It has the currency of the listing unless that is the currency of the site.
const (
	cursorVersion = 1
	cursorBody    = 34
	cursorSeal    = 8
	currencyCode  = 3
)

// position is the position of a listing in an order.
type position struct {
	tier      uint8 // of Relevance: 0 gear named in full, 1 gear, 2 text; of Total: 1 if it is not shipped
	price     int32
	typical   int32 // of Deal: 0 for none; of Total: the postage
	published int64
	id        ID
	currency  string // of price and typical, or of the price in Deal; "" for that of the site
}

// cursor returns the cursor of a position.
func (q *Query) cursor(p position, m *match) string {
	b := make([]byte, cursorBody, cursorBody+currencyCode+cursorSeal)
	b[0], b[1] = cursorVersion, p.tier
	binary.BigEndian.PutUint32(b[2:], uint32(p.price))
	binary.BigEndian.PutUint32(b[6:], uint32(p.typical))
	binary.BigEndian.PutUint64(b[10:], uint64(p.published))
	copy(b[18:], p.id[:])
	b = append(b, p.currency...)
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint64(b, q.seal(b, m)))
}

// ParseCursor returns the position encoded in q.Cursor, or nil if it is empty. The
// error is a *problem.Error of kind Invalid.
func (q *Query) parseCursor(m *match) (*position, error) {
	if q.Cursor == "" {
		return nil, nil
	}
	var buffer [cursorBody + currencyCode + cursorSeal]byte
	if base64.RawURLEncoding.DecodedLen(len(q.Cursor)) > len(buffer) {
		return nil, errCursor()
	}
	n, err := base64.RawURLEncoding.Strict().Decode(buffer[:], []byte(q.Cursor))
	body := n - cursorSeal
	if err != nil || body != cursorBody && body != cursorBody+currencyCode {
		return nil, errCursor()
	}
	b := buffer[:body]
	if b[0] != cursorVersion || binary.BigEndian.Uint64(buffer[body:]) != q.seal(b, m) {
		return nil, errCursor()
	}
	return &position{
		tier: b[1], price: int32(binary.BigEndian.Uint32(b[2:])), typical: int32(binary.BigEndian.Uint32(b[6:])),
		published: int64(binary.BigEndian.Uint64(b[10:])), id: ID(b[18:cursorBody]), currency: string(b[cursorBody:]),
	}, nil
}

// errCursor returns the error for an invalid cursor.
func errCursor() error {
	return &problem.Error{Kind: problem.Invalid, Code: "invalid_cursor",
		Message: problem.Programf("The cursor does not belong to this search."),
		Hint:    problem.Programf("Leave the cursor out to begin again, and pass next_cursor on as it is, with the same restrictions and sort."),
		Fields:  []problem.FieldError{{Field: "cursor", Code: "invalid_cursor", Message: problem.Programf("was not made by this search")}}}
}

// seal hashes a cursor's body with everything that determines which listings are found
// and in what order. It omits parameters without a value, so that cursors outlive the
// addition of a parameter.
func (q *Query) seal(body []byte, m *match) uint64 {
	h := newDigest
	for _, b := range body {
		h = h.byte(b)
	}
	for _, word := range m.words {
		h = h.text(word)
	}
	h = h.text("").text(string(q.Sort))
	for i := range Params {
		p := &Params[i]
		if p.Len(q) == 0 {
			continue
		}
		if f, ok := p.field.(sealed); ok {
			h = f.seal(q, h.text(p.Name))
		}
	}
	return uint64(h)
}
