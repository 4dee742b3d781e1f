package search

import (
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/secondlight/secondlight/models"
)

// titles finds documents by the terms of their titles which their gear has not
// already: what catalogue and title both say is not kept twice.
type titles struct {
	docs map[string]*roaring.Bitmap
	dead *roaring.Bitmap // removed documents that docs may still name
}

func newTitles() titles {
	return titles{docs: map[string]*roaring.Bitmap{}, dead: roaring.New()}
}

func (t *titles) add(d uint32, terms []string) {
	for _, term := range terms {
		docs := t.docs[term]
		if docs == nil {
			docs = roaring.New()
			t.docs[strings.Clone(term)] = docs
		}
		docs.Add(d)
	}
}

// count is how many documents have a term in their title alone.
func (t *titles) count(term string) int {
	docs := t.docs[term]
	if docs == nil {
		return 0
	}
	return int(docs.GetCardinality() - docs.AndCardinality(t.dead))
}

// forget drops the dead documents everywhere and returns their numbers.
func (t *titles) forget() []uint32 {
	for term, docs := range t.docs {
		if docs.AndNot(t.dead); docs.IsEmpty() {
			delete(t.docs, term)
		}
	}
	numbers := t.dead.ToArray()
	t.dead.Clear()
	return numbers
}

// TitleTerms is what a title can be found by: its words, the number in "50mm"
// and "f1.8", and what a hyphen joins, written as one word ("X-T3" as "xt3").
func TitleTerms(title string) []string {
	terms := models.Words(title)
	for _, w := range terms {
		if n := models.BareNumber(w); n != "" {
			terms = append(terms, n)
		}
	}
	for _, chunk := range strings.Fields(title) {
		if strings.ContainsRune(chunk, '-') {
			if words := models.Words(chunk); len(words) > 1 {
				if joined := strings.Join(words, ""); len(joined) <= maxJoined {
					terms = append(terms, joined)
				}
			}
		}
	}
	return terms
}

const maxJoined = 20

// foreignTerms is the terms of a title that its gear has not.
func foreignTerms(l *models.Lookup, gear int, title string) []string {
	terms := TitleTerms(title)
	foreign := terms[:0]
	for _, term := range terms {
		if !models.Filler(term) && !l.Has(term, gear) {
			foreign = append(foreign, term)
		}
	}
	return foreign
}
