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
// between spaces comes to, because most of them come again and again. Terms have
// numbers, in the order in which they were first read.
type titleReader struct {
	lookup *models.Lookup
	chunks map[string]*titleChunk
	number map[string]uint32 // by term
	terms  []string          // by number
}

type titleChunk struct {
	terms  []titleTerm
	said   models.GearSet // that says all of them already, nil for none
	empty  bool           // there is no word in it
	open   bool           // what it means depends on the next chunk
	digits bool           // the same if that says millimetres
	mm     bool           // it does
}

type titleTerm struct {
	number uint32
	said   []uint16 // gear that says it already, ascending
}

const chunkLimit = 1 << 16

func newTitleReader(l *models.Lookup) *titleReader {
	return &titleReader{lookup: l, chunks: map[string]*titleChunk{}, number: map[string]uint32{}}
}

// foreign appends the terms of a title that its gear has not, each once.
func (r *titleReader) foreign(to []uint32, gear int, title string) []uint32 {
	from := len(to)
	open, digits := false, false
	for chunk := range strings.FieldsSeq(title) {
		c := r.chunk(chunk)
		if c.empty {
			continue
		}
		if open || digits && c.mm {
			return once(r.foreignTerms(to[:from], gear, title), from)
		}
		open, digits = c.open, c.digits
		if c.said != nil && c.said.Has(gear) {
			continue
		}
		for _, term := range c.terms {
			if _, said := slices.BinarySearch(term.said, uint16(gear)); !said {
				to = append(to, term.number)
			}
		}
	}
	return once(to, from)
}

// once drops what comes again in a list from a place on.
func once(list []uint32, from int) []uint32 {
	slices.Sort(list[from:])
	return list[:from+len(slices.Compact(list[from:]))]
}

// foreignTerms is for a title whose chunks do not stand each for itself.
func (r *titleReader) foreignTerms(to []uint32, gear int, title string) []uint32 {
	for _, term := range foreignTerms(r.lookup, gear, title) {
		to = append(to, r.numberOf(term))
	}
	return to
}

func (r *titleReader) numberOf(term string) uint32 {
	n, ok := r.number[term]
	if !ok {
		n, term = uint32(len(r.terms)), strings.Clone(term) // not the whole title with it
		r.number[term] = n
		r.terms = append(r.terms, term)
	}
	return n
}

func (r *titleReader) chunk(chunk string) *titleChunk {
	c := r.chunks[chunk]
	if c == nil {
		if len(r.chunks) >= chunkLimit {
			clear(r.chunks)
		}
		c = r.read(chunk)
		r.chunks[strings.Clone(chunk)] = c
	}
	return c
}

func (r *titleReader) read(chunk string) *titleChunk {
	c := new(titleChunk)
	for _, term := range TitleTerms(chunk) {
		if !models.Filler(term) {
			c.terms = append(c.terms, titleTerm{r.numberOf(term), r.lookup.Said(term)})
		}
	}
	c.said = r.sayAll(c.terms)
	words := models.Words(chunk)
	if c.empty = len(words) == 0; !c.empty {
		last := words[len(words)-1]
		c.open = slices.Contains([]string{"mark", "mk", "alpha", "f"}, last)
		c.digits = last[0] >= '0' && last[0] <= '9'
		c.mm = strings.HasPrefix(words[0], "mm")
	}
	return c
}

// sayAll is the gear that says all of some terms, nil for none.
func (r *titleReader) sayAll(terms []titleTerm) models.GearSet {
	var all models.GearSet
	for i, term := range terms {
		if len(term.said) == 0 {
			return nil
		}
		said := r.lookup.NewSet()
		for _, gear := range term.said {
			said.Add(int(gear))
		}
		if i > 0 {
			said.And(all)
		}
		all = said
	}
	return all
}
