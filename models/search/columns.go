package search

import (
	"cmp"
	"slices"
)

// columns holds the fields of listings that are searched, by document number.
type columns struct {
	shape *shape
	cells *cells
	live  int // number of listings

	ids     []ID
	price   []int32  // in minor units; removed for removed documents
	late    []uint32 // published, Unix milliseconds: the upper 32 bits of 48
	early   []uint16 // published: the lower 16 bits
	kind    []kind
	postage []uint32 // its number
}

// kind holds the numbers of a listing's gear and cell.
type kind uint32

func (k kind) gear() uint16 { return uint16(k >> 16) }

func (k kind) cell() uint16 { return uint16(k) }

// published returns when a document was published, in Unix milliseconds.
func (s *columns) published(d uint32) int64 { return int64(s.late[d])<<16 | int64(s.early[d]) }

// compareNewest orders documents by newest first, then by descending id.
func (s *columns) compareNewest(a, b uint32) int {
	if by := cmp.Compare(s.published(b), s.published(a)); by != 0 {
		return by
	}
	return compareIDs(&s.ids[b], &s.ids[a])
}

// itemOf returns the number of a document's condition and functional state.
func (s *columns) itemOf(d uint32) itemNumber { return s.cells.item[s.kind[d].cell()] }

// priceFrom returns the index of the first document with a price of at least least.
// docs must be in ascending order of price.
func (s *columns) priceFrom(docs []uint32, least int32) int {
	low, high := 0, len(docs)
	for low < high {
		if mid := int(uint(low+high) >> 1); s.price[docs[mid]] < least {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// idsOf returns the ids of documents.
func (s *columns) idsOf(docs []uint32) []string {
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = s.ids[d].String()
	}
	return ids
}

// sortPrices returns all documents ordered by price, then by number.
func (s *columns) sortPrices() []uint32 {
	keys := make([]uint64, s.live)
	for d, price := range s.price {
		keys[d] = uint64(price)<<32 | uint64(d)
	}
	slices.Sort(keys)
	docs := make([]uint32, s.live)
	for i, key := range keys {
		docs[i] = uint32(key)
	}
	return docs
}
