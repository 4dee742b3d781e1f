package search

import "unsafe"

// card is the card of a document, with the number of its postage in place of the
// capacity that a slice has.
type card struct {
	data         *byte
	len, postage uint32
}

// newCard returns a card with the number of its postage.
func newCard(json []byte, postage uint32) card {
	return card{unsafe.SliceData(json), uint32(len(json)), postage}
}

// json returns the JSON of the card, nil for none.
func (c card) json() []byte { return unsafe.Slice(c.data, c.len) }
