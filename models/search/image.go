package search

import (
	"fmt"
	"slices"

	"github.com/klauspost/compress/s2"

	"github.com/secondlight/secondlight/models"
)

// image holds the parts of a state as they are in a snapshot. What is computed from them
// within a second a million listings is not in it: the cubes, margins, fronts and rankings.
type image struct {
	byPublished     []uint32 // the lists of all gear, one after the other
	byDeal          []uint32
	lengths         []int // by gear: of its lists
	typical         [][itemCount]typicalPrice
	byPrice         []uint32
	cells           []values
	postages        []models.Postage
	postageListings []int
	dict            []byte
	blocks          []array // of cards
}

// arrays returns the arrays in the order in which they are written.
func (m *image) arrays(s *state) []array {
	return append([]array{
		growing(&s.ids), growing(&s.price), growing(&s.late), growing(&s.early), growing(&s.kind), growing(&s.postage),
		growing(&s.sellers.next), growing(&s.cards.at),
		arrayOf(&s.table.slots), arrayOf(&m.byPublished), arrayOf(&m.byDeal), arrayOf(&m.byPrice),
	}, m.blocks...)
}

// parts returns pointers to the other parts in the order in which they are encoded.
func (m *image) parts(s *state) []any {
	return []any{
		&s.live, &s.table.used, &m.lengths, &m.typical, &m.cells, &s.sellers.numbers, &s.sellers.first, &s.rare, &s.flaws.lists,
		&m.postages, &m.postageListings, &s.postages.free, &s.titles.common, &s.titles.rare, s.titles.deleted, &s.free,
		&m.dict, &s.cards.free, &s.cards.used,
	}
}

// encode writes the state.
func (s *state) encode(to *encoder) error {
	m := newImage(s)
	if err := to.Encode(len(m.blocks)); err != nil {
		return err
	}
	for _, a := range m.arrays(s) {
		if err := to.array(a); err != nil {
			return err
		}
	}
	for _, part := range m.parts(s) {
		if err := to.Encode(part); err != nil {
			return err
		}
	}
	return nil
}

// newImage returns the image of a state.
func newImage(s *state) *image {
	m := &image{byPrice: slices.Concat(s.buckets...), dict: s.cards.dict.Bytes()}
	for i := range s.postings {
		list := &s.postings[i]
		m.byPublished, m.byDeal = append(m.byPublished, list.byPublished...), append(m.byDeal, list.byDeal...)
		m.lengths, m.typical = append(m.lengths, len(list.byDeal)), append(m.typical, list.typical)
	}
	for _, c := range s.cells.cells {
		var v values
		for i, number := range c {
			v[i] = s.cells.values[number].text
		}
		m.cells = append(m.cells, v)
	}
	for i := range s.postages.list {
		m.postages = append(m.postages, s.postages.list[i].Postage)
		m.postageListings = append(m.postageListings, s.postages.list[i].listings)
	}
	m.blocks = arraysOf(s.cards.blocks)
	return m
}

// arraysOf returns the bytes of blocks as arrays.
func arraysOf(blocks []*block) (arrays []array) {
	for _, b := range blocks {
		arrays = append(arrays, array{bytes: func() []byte { return b.bytes }, set: func(section []byte) { b.bytes = section }})
	}
	return arrays
}

// decode reads the listings of an empty state that encode has written for the same
// catalogue.
func (s *state) decode(from *decoder) error {
	m, blocks := &image{}, 0
	if err := from.Decode(&blocks); err != nil {
		return err
	}
	for range blocks {
		s.cards.blocks = append(s.cards.blocks, &block{})
	}
	m.blocks = arraysOf(s.cards.blocks)
	for _, a := range m.arrays(s) {
		if err := from.array(a); err != nil {
			return err
		}
	}
	s.mapped = from.mapped
	for _, part := range m.parts(s) {
		if err := from.Decode(part); err != nil {
			return err
		}
	}
	if len(m.lengths) != len(s.postings) {
		return fmt.Errorf("%d gear, want %d", len(m.lengths), len(s.postings))
	}
	m.restore(s)
	return nil
}

// restore fills the state with what is computed from the image.
func (m *image) restore(s *state) {
	if s.cards.dict = s2.NewDict(m.dict); s.cards.dict == nil {
		s.cards.dict = firstDict
	}
	for _, v := range m.cells {
		s.cells.cell(v)
	}
	for i, text := range m.postages {
		s.postages.list = append(s.postages.list, postage{text, text.Rates(), m.postageListings[i]})
		if m.postageListings[i] > 0 {
			s.postages.numbers[text] = uint32(i)
		}
	}
	for gear, n := range m.lengths {
		list := &s.postings[gear]
		list.byPublished, m.byPublished = m.byPublished[:n:n], m.byPublished[n:]
		list.byDeal, m.byDeal = m.byDeal[:n:n], m.byDeal[n:]
		list.typical = m.typical[gear]
		s.size[s.shape.groupOf[gear]] += int32(n)
		s.updateRankings(gear)
	}
	s.flaws.markAll()
	s.buckets = [][]uint32{m.byPrice}
	s.redivide()
	s.fillFront(&s.latest)
	s.fillFront(&s.deals)
}
