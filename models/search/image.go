package search

import (
	"encoding/gob"
	"fmt"
	"slices"

	"github.com/klauspost/compress/s2"

	"github.com/secondlight/secondlight/models"
)

// image holds the parts of a state in types that gob encodes. What is computed from them
// within a second a million listings is not in it: the cubes, margins, fronts and rankings.
type image struct {
	ids             []byte
	byPublished     []uint32 // the lists of all gear, one after the other
	byDeal          []uint32
	lengths         []int // by gear: of its lists
	typical         [][itemCount]typicalPrice
	byPrice         []uint32
	cells           []values
	postages        []models.Postage
	postageListings []int
	dict            []byte
	blocks          int // of cards
}

// parts returns pointers to the parts in the order in which they are encoded. The blocks
// of cards follow.
func (m *image) parts(s *state) []any {
	return []any{
		&s.live, &m.ids, &s.price, &s.late, &s.early, &s.kind, &s.sellers.next, &s.postage, &s.table.slots, &s.table.used,
		&m.byPublished, &m.byDeal, &m.lengths, &m.typical, &m.byPrice, &m.cells, &s.sellers.numbers, &s.sellers.first, &s.rare, &s.flaws,
		&m.postages, &m.postageListings, &s.postages.free, &s.titles.common, &s.titles.rare, s.titles.deleted, &s.free,
		&m.dict, &s.cards.at, &s.cards.free, &s.cards.used, &m.blocks,
	}
}

// encode writes the state.
func (s *state) encode(to *gob.Encoder) error {
	m := newImage(s)
	for _, part := range m.parts(s) {
		if err := to.Encode(part); err != nil {
			return err
		}
	}
	for _, block := range s.cards.blocks {
		if err := to.Encode(block.bytes); err != nil {
			return err
		}
	}
	return nil
}

// newImage returns the image of a state.
func newImage(s *state) *image {
	m := &image{byPrice: slices.Concat(s.buckets...), dict: s.cards.dict.Bytes(), blocks: len(s.cards.blocks)}
	for i := range s.ids {
		m.ids = append(m.ids, s.ids[i][:]...)
	}
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
	return m
}

// decode reads the listings of an empty state that encode has written for the same
// catalogue.
func (s *state) decode(from *gob.Decoder) error {
	m := &image{}
	for _, part := range m.parts(s) {
		if err := from.Decode(part); err != nil {
			return err
		}
	}
	var bytes []byte
	for range m.blocks {
		if err := from.Decode(&bytes); err != nil {
			return err
		}
		block := newBlock(len(bytes))
		copy(block.bytes, bytes)
		s.cards.blocks = append(s.cards.blocks, block)
	}
	if len(m.lengths) != len(s.postings) {
		return fmt.Errorf("%d gear, want %d", len(m.lengths), len(s.postings))
	}
	m.restore(s)
	return nil
}

// restore fills the state with what is computed from the image.
func (m *image) restore(s *state) {
	s.ids = make([]ID, len(m.ids)/len(ID{}))
	for i := range s.ids {
		s.ids[i] = ID(m.ids[i*len(ID{}):])
	}
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
	s.buckets = [][]uint32{m.byPrice}
	s.redivide()
	s.fillFront(&s.latest)
	s.fillFront(&s.deals)
}
