package search

import (
	"iter"
	"math"
	"slices"

	"github.com/secondlight/secondlight/models"
)

// rareColumn describes a number that most listings don't have. It is stored as a list of
// the documents that have it, not as a column of all documents.
type rareColumn struct {
	value func(l *models.Listing) uint32    // 0 if it has none
	want  func(q *Query) (low, high uint32) // range of the values that q admits; 0, 0 if q does not restrict the column
}

// RareValues holds a listing's values of the rare columns, 0 for those it does not have.
type RareValues [len(rare)]uint32

// RareOf returns a listing's values of the rare columns.
func RareOf(l *models.Listing) (values RareValues) {
	for i := range rare {
		values[i] = rare[i].value(l)
	}
	return values
}

// clamp32 clamps n to the range of uint32.
func clamp32(n int) uint32 { return uint32(min(max(n, 0), math.MaxUint32)) }

// upTo returns the range from 1 to the value of a parameter, 0 for none.
func upTo(limit int) (low, high uint32) {
	if limit == 0 {
		return 0, 0
	}
	return 1, clamp32(limit)
}

// rareValue is a value of a rare column with its document. Removed documents stay in the
// list of a column until compact.
type rareValue uint64

func newRareValue(value, d uint32) rareValue { return rareValue(value)<<32 | rareValue(d) }

func (v rareValue) value() uint32 { return uint32(v >> 32) }
func (v rareValue) doc() uint32   { return uint32(v) }

// rareLists holds the values of each rare column.
type rareLists [len(rare)][]rareValue

// add adds the values of a document.
func (r *rareLists) add(d uint32, values *RareValues) {
	for i, value := range values {
		if value > 0 {
			r[i] = append(r[i], newRareValue(value, d))
		}
	}
}

// compact removes the values of removed documents, given the prices by document.
func (r *rareLists) compact(price []int32) {
	for i := range r {
		r[i] = slices.DeleteFunc(r[i], func(v rareValue) bool { return price[v.doc()] == removed })
	}
}

// with yields, in no order, the documents with a value of the i-th column from low to high:
// those among docs, or all if docs is nil. price has the prices by document.
func (r *rareLists) with(i int, low, high uint32, docs iter.Seq[uint32], price []int32) iter.Seq[uint32] {
	var among map[uint32]bool
	if docs != nil {
		among = map[uint32]bool{}
		for d := range docs {
			among[d] = true
		}
	}
	return func(yield func(uint32) bool) {
		for _, v := range r[i] {
			if value, d := v.value(), v.doc(); low <= value && value <= high && price[d] != removed && (docs == nil || among[d]) && !yield(d) {
				return
			}
		}
	}
}
