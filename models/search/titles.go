package search

import (
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// titles maps terms to the documents whose titles have them. Terms that a document's
// gear implies are not stored.
type titles struct {
	common  map[string]*roaring.Bitmap
	rare    map[string][]uint32 // terms of at most rareDocs documents, for which a bitmap takes several times the memory
	deleted *roaring.Bitmap     // removed documents that common and rare may still contain
}

const rareDocs = 32

// newTitles returns empty titles.
func newTitles() titles {
	return titles{common: map[string]*roaring.Bitmap{}, rare: map[string][]uint32{}, deleted: roaring.New()}
}

// add adds a document with the terms of its title.
func (t *titles) add(d uint32, terms []string) {
	for _, term := range terms {
		if docs := t.common[term]; docs != nil {
			docs.Add(d)
			continue
		}
		docs := t.rare[term]
		if len(docs) > 0 && docs[len(docs)-1] == d {
			continue // the title has the term twice
		}
		t.set(strings.Clone(term), append(docs, d))
	}
}

// set sets the documents of a term that is not common.
func (t *titles) set(term string, docs []uint32) {
	if len(docs) <= rareDocs {
		t.rare[term] = slices.Clone(docs)
		return
	}
	delete(t.rare, term)
	t.common[term] = roaring.BitmapOf(docs...).Clone() // without spare capacity
}

// docs returns the documents of a term, nil for none. The bitmap must not be modified.
func (t *titles) docs(term string) *roaring.Bitmap {
	if docs := t.rare[term]; docs != nil {
		return roaring.BitmapOf(docs...)
	}
	return t.common[term]
}

// count returns the number of documents that have a term in their title only.
func (t *titles) count(term string) int {
	n := 0
	for _, d := range t.rare[term] {
		if !t.deleted.Contains(d) {
			n++
		}
	}
	if docs := t.common[term]; docs != nil {
		n += int(docs.GetCardinality() - docs.AndCardinality(t.deleted))
	}
	return n
}

// removeDeleted removes the deleted documents from all terms and returns their
// numbers.
func (t *titles) removeDeleted() []uint32 {
	for term, docs := range t.common {
		if docs.AndNot(t.deleted); docs.IsEmpty() {
			delete(t.common, term)
		}
	}
	for term, docs := range t.rare {
		if t.rare[term] = slices.DeleteFunc(docs, t.deleted.Contains); len(t.rare[term]) == 0 {
			delete(t.rare, term)
		}
	}
	numbers := t.deleted.ToArray()
	t.deleted.Clear()
	return numbers
}

// TitleTerms returns the terms under which a title is indexed: its words, the number
// of words such as "50mm" and "f1.8", and hyphenated words joined ("X-T3" as "xt3").
// It may contain duplicates.
func TitleTerms(title string) []string {
	terms := models.Words(title)
	for _, w := range terms {
		if n := catalog.BareNumber(w); n != "" {
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

// maxJoined is the maximum length of a joined term, in bytes.
const maxJoined = 20

// foreignTerms returns the terms of a title that its gear does not imply.
func foreignTerms(l *catalog.Lookup, gear int, title string) []string {
	terms := TitleTerms(title)
	foreign := terms[:0]
	for _, term := range terms {
		if _, implied := slices.BinarySearch(l.Implied(term), uint16(gear)); !implied && !catalog.IsStopWord(term) {
			foreign = append(foreign, term)
		}
	}
	return foreign
}

// titleReader is like foreignTerms for many titles. It caches the terms of each chunk
// between spaces, because most chunks recur. Terms are numbered in the order in which
// they are first read.
type titleReader struct {
	lookup *catalog.Lookup
	chunks map[string]*titleChunk
	number map[string]uint32 // by term
	terms  []string          // by number
}

// titleChunk holds the terms of a part of a title without spaces.
type titleChunk struct {
	terms   []titleTerm
	implied catalog.GearSet // gear that implies all terms, nil for none
	empty   bool            // it has no words
	open    bool            // its terms depend on the next chunk
	digits  bool            // it ends in a number, so its terms depend on the next chunk if that has mm set
	mm      bool            // it begins with "mm"
}

// titleTerm is a term of a chunk.
type titleTerm struct {
	number  uint32
	implied []uint16 // gear that implies it, ascending
}

// chunkLimit is the maximum number of cached chunks.
const chunkLimit = 1 << 16

// newTitleReader returns a reader for titles of a catalogue's gear.
func newTitleReader(l *catalog.Lookup) *titleReader {
	return &titleReader{lookup: l, chunks: map[string]*titleChunk{}, number: map[string]uint32{}}
}

// foreign appends the terms of a title that its gear does not imply, without
// duplicates.
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
		if c.implied != nil && c.implied.Has(gear) {
			continue
		}
		for _, term := range c.terms {
			if _, implied := slices.BinarySearch(term.implied, uint16(gear)); !implied {
				to = append(to, term.number)
			}
		}
	}
	return once(to, from)
}

// once sorts list[from:] and removes its duplicates.
func once(list []uint32, from int) []uint32 {
	slices.Sort(list[from:])
	return list[:from+len(slices.Compact(list[from:]))]
}

// foreignTerms is like foreign for a title whose chunks depend on one another. It may
// append duplicates.
func (r *titleReader) foreignTerms(to []uint32, gear int, title string) []uint32 {
	for _, term := range foreignTerms(r.lookup, gear, title) {
		to = append(to, r.numberOf(term))
	}
	return to
}

// numberOf returns the number of a term, and adds it if it is new.
func (r *titleReader) numberOf(term string) uint32 {
	n, ok := r.number[term]
	if !ok {
		n, term = uint32(len(r.terms)), strings.Clone(term) // does not keep the whole title in memory
		r.number[term] = n
		r.terms = append(r.terms, term)
	}
	return n
}

// chunk returns a chunk, from the cache if it is there.
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

// read computes the terms of a chunk.
func (r *titleReader) read(chunk string) *titleChunk {
	c := new(titleChunk)
	for _, term := range TitleTerms(chunk) {
		if !catalog.IsStopWord(term) {
			c.terms = append(c.terms, titleTerm{r.numberOf(term), r.lookup.Implied(term)})
		}
	}
	c.implied = r.implyAll(c.terms)
	words := models.Words(chunk)
	if c.empty = len(words) == 0; !c.empty {
		last := words[len(words)-1]
		c.open = slices.Contains([]string{"mark", "mk", "alpha", "f"}, last)
		c.digits = last[0] >= '0' && last[0] <= '9'
		c.mm = strings.HasPrefix(words[0], "mm")
	}
	return c
}

// implyAll returns the gear that implies all terms, nil for none.
func (r *titleReader) implyAll(terms []titleTerm) catalog.GearSet {
	var all catalog.GearSet
	for i, term := range terms {
		if len(term.implied) == 0 {
			return nil
		}
		implied := r.lookup.NewSet()
		for _, gear := range term.implied {
			implied.Add(int(gear))
		}
		if i > 0 {
			implied.And(all)
		}
		all = implied
	}
	return all
}
