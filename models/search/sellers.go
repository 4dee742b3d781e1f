package search

// sellers links the documents of each seller.
type sellers struct {
	numbers map[string]uint32 // by handle
	first   []uint32          // by number: the first document, none if there is none
	next    []uint32          // by document: the next of the same seller, none for the last
}

const none = 1<<32 - 1 // no document

func newSellers() sellers { return sellers{numbers: map[string]uint32{}} }

// number returns the number of a seller, and adds the seller if it is new.
func (s *sellers) number(handle string) uint32 {
	n, ok := s.numbers[handle]
	if !ok {
		n = uint32(len(s.first))
		s.numbers[handle] = n
		s.first = append(s.first, none)
	}
	return n
}

// add adds a document of a seller.
func (s *sellers) add(d uint32, handle string) { s.link(d, s.number(handle)) }

// link adds a document to the list of a seller.
func (s *sellers) link(d, seller uint32) {
	s.next[d] = s.first[seller]
	s.first[seller] = d
}

// linkAll links the documents of every seller. next must hold the sellers' numbers.
func (s *sellers) linkAll() {
	for d, seller := range s.next {
		s.link(uint32(d), seller)
	}
}

// compact removes the removed documents, given the prices by document.
func (s *sellers) compact(price []int32) {
	for n := range s.first {
		for at := &s.first[n]; *at != none; {
			if price[*at] == removed {
				*at = s.next[*at]
			} else {
				at = &s.next[*at]
			}
		}
	}
}

// docs returns a seller's documents, in no particular order, given the prices by document.
func (s *sellers) docs(handle string, price []int32) (docs []uint32) {
	n, ok := s.numbers[handle]
	if !ok {
		return nil
	}
	for d := s.first[n]; d != none; d = s.next[d] {
		if price[d] != removed {
			docs = append(docs, d)
		}
	}
	return docs
}
