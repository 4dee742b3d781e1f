package search

import (
	"slices"
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

// foreignTerms is the terms of a title that its gear does not say already.
func foreignTerms(l *models.Lookup, gear int, title string) []string {
	terms := TitleTerms(title)
	foreign := terms[:0]
	for _, term := range terms {
		if _, said := slices.BinarySearch(l.Said(term), uint16(gear)); !said && !models.Filler(term) {
			foreign = append(foreign, term)
		}
	}
	return foreign
}

// titleReader is foreignTerms for many titles: it remembers what each chunk
// between spaces comes to, because most of them come again and again.
type titleReader struct {
	lookup *models.Lookup
	chunks map[string]titleChunk
	terms  []string
}

type titleChunk struct {
	terms    []titleTerm
	empty    bool // there is no word in it
	open     bool // what it means depends on the next chunk
	number   bool // the same if that says millimetres
	millimet bool
}

type titleTerm struct {
	text string
	gear []uint16 // that says it already, ascending
}

const chunkLimit = 1 << 16

// foreign is the terms of a title that its gear has not, valid until the next call.
func (r *titleReader) foreign(gear int, title string) []string {
	r.terms = r.terms[:0]
	open, number := false, false
	for chunk := range strings.FieldsSeq(title) {
		c, ok := r.chunks[chunk]
		if !ok {
			c = r.read(chunk)
		}
		if c.empty {
			continue
		}
		if open || number && c.millimet {
			return foreignTerms(r.lookup, gear, title)
		}
		open, number = c.open, c.number
		for i := range c.terms {
			if _, said := slices.BinarySearch(c.terms[i].gear, uint16(gear)); !said {
				r.terms = append(r.terms, c.terms[i].text)
			}
		}
	}
	return r.terms
}

func (r *titleReader) read(chunk string) titleChunk {
	if len(r.chunks) >= chunkLimit || r.chunks == nil {
		r.chunks = map[string]titleChunk{}
	}
	var c titleChunk
	for _, term := range TitleTerms(chunk) {
		if !models.Filler(term) {
			c.terms = append(c.terms, titleTerm{strings.Clone(term), r.lookup.Said(term)})
		}
	}
	words := models.Words(chunk)
	if c.empty = len(words) == 0; !c.empty {
		last := words[len(words)-1]
		c.open = slices.Contains([]string{"mark", "mk", "alpha", "f"}, last)
		c.number = last[0] >= '0' && last[0] <= '9'
		c.millimet = strings.HasPrefix(words[0], "mm")
	}
	r.chunks[strings.Clone(chunk)] = c
	return c
}
