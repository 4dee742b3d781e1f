package search

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/secondlight/secondlight/models"
)

// A cursor is the place of the last listing of a page in the order of its
// search, so that the next page begins behind it whatever was added or removed
// meanwhile. It is sealed with a hash of the place and the search's
// restrictions; it is not a secret.
//
//	version 1 | tier 1 | price 4 | typical 4 | published 8 | id 16 | seal 8
const (
	cursorVersion = 1
	cursorBody    = 34
	cursorSize    = cursorBody + 8
)

// place is where a listing stands in an order.
type place struct {
	tier      uint8 // relevance: 0 named in full, 1 gear, 2 text
	price     int32
	typical   int32 // 0 for none
	published int64
	id        ID
}

func (q *Query) cursor(p place, m *match) string {
	var b [cursorSize]byte
	b[0], b[1] = cursorVersion, p.tier
	binary.BigEndian.PutUint32(b[2:], uint32(p.price))
	binary.BigEndian.PutUint32(b[6:], uint32(p.typical))
	binary.BigEndian.PutUint64(b[10:], uint64(p.published))
	copy(b[18:], p.id[:])
	binary.BigEndian.PutUint64(b[cursorBody:], q.seal(b[:cursorBody], m))
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// place reads Cursor back; nil for the first page.
func (q *Query) place(m *match) (*place, error) {
	if q.Cursor == "" {
		return nil, nil
	}
	var b [cursorSize]byte
	if base64.RawURLEncoding.DecodedLen(len(q.Cursor)) != cursorSize {
		return nil, errCursor()
	}
	n, err := base64.RawURLEncoding.Strict().Decode(b[:], []byte(q.Cursor))
	if err != nil || n != cursorSize || b[0] != cursorVersion ||
		binary.BigEndian.Uint64(b[cursorBody:]) != q.seal(b[:cursorBody], m) {
		return nil, errCursor()
	}
	return &place{
		tier: b[1], price: int32(binary.BigEndian.Uint32(b[2:])), typical: int32(binary.BigEndian.Uint32(b[6:])),
		published: int64(binary.BigEndian.Uint64(b[10:])), id: ID(b[18:cursorBody]),
	}, nil
}

func errCursor() error {
	return &models.Error{Kind: models.Invalid, Code: "invalid_cursor",
		Message: "The cursor does not belong to this search.",
		Hint:    "Leave the cursor out to begin again, and pass next_cursor on as it is, with the same restrictions and sort.",
		Fields:  []models.FieldError{{Field: "cursor", Code: "invalid_cursor", Message: "was not made by this search"}}}
}

// seal hashes a cursor's body with everything that decides which listings are
// found and in what order. The limit does not: it may change from page to page.
func (q *Query) seal(body []byte, m *match) uint64 {
	h := newDigest
	for _, b := range body {
		h = h.byte(b)
	}
	for _, word := range m.words {
		h = h.text(word)
	}
	h = h.text("")
	for i := range Params {
		h = Params[i].seal(q, h)
	}
	return uint64(h)
}

// digest is a hash in the making (FNV-1a). hash/fnv would have every text copied
// into bytes, on each page.
type digest uint64

const newDigest digest = 14695981039346656037

func (h digest) byte(b byte) digest { return (h ^ digest(b)) * 1099511628211 }

// text adds a text and its end.
func (h digest) text(s string) digest {
	for i := range len(s) {
		h = h.byte(s[i])
	}
	return h.byte(0)
}

func (h digest) number(n uint64) digest {
	for range 8 {
		h, n = h.byte(byte(n)), n>>8
	}
	return h
}

// amount adds an amount, or that there is none.
func (h digest) amount(a *models.Amount) digest {
	if a == nil {
		return h.byte(1)
	}
	return h.byte(2).number(uint64(a.Cents))
}
