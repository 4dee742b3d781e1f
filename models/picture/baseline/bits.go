package baseline

import (
	"encoding/binary"
	"errors"
)

// lookahead is the number of bits by which lookup finds a code at once.
const lookahead = 10

// endOfBlock is the run of the code for the end of a block.
const endOfBlock = 64

// lookup is a Huffman table. Most codes are found together with the bits after them that
// give the value of a coefficient.
type lookup struct {
	// entries holds by the next bits: the length of the code, more (if bits of the value
	// follow) in bit 7; the run of zeros from bit 8; and from bit 16 the value, or the
	// number of bits that follow. 0 stands for a longer code.
	entries [1 << lookahead]int32
	// Longer codes, by length: the first code above all of the length, aligned to 16
	// bits, and what to add to a code for its index in symbols.
	above   [17]uint32
	offset  [17]int32
	symbols []byte
	ac      bool
}

const more = 0x80

// newLookup returns the table with a number of codes of each length and their symbols.
func newLookup(counts [16]byte, symbols []byte, ac bool) (*lookup, error) {
	t := &lookup{symbols: symbols, ac: ac}
	code, index := uint32(0), 0
	for length := 1; length <= 16; length++ {
		t.offset[length] = int32(index) - int32(code)
		for range counts[length-1] {
			run, size := t.split(symbols[index])
			if size > 15 || code >= 1<<length || ac && size == 0 && run != endOfBlock && run != 15 {
				return nil, errDamaged
			}
			if length <= lookahead {
				t.fill(code, length, run, size)
			}
			code++
			index++
		}
		t.above[length] = code << (16 - length)
		code <<= 1
	}
	return t, nil
}

// split returns the run of zeros that a symbol stands for, and how many bits of the value
// follow.
func (t *lookup) split(symbol byte) (run, size int32) {
	switch {
	case !t.ac:
		return 0, int32(symbol)
	case symbol == 0:
		return endOfBlock, 0
	}
	return int32(symbol >> 4), int32(symbol & 15)
}

// fill sets the entries of a code.
func (t *lookup) fill(code uint32, length int, run, size int32) {
	rest := lookahead - length
	for after := range uint32(1) << rest {
		entry := run<<8 | int32(length)
		switch {
		case int(size) > rest:
			entry |= size<<16 | more
		case size > 0:
			entry += extend(after>>(rest-int(size)), size)<<16 | size
		}
		t.entries[code<<rest|after] = entry
	}
}

// extend returns the signed value that size bits encode.
func extend(bits uint32, size int32) int32 {
	if v := int32(bits); v>>(size-1) != 0 {
		return v
	}
	return int32(bits) - 1<<size + 1
}

// bits reads the bits of a scan.
type bits struct {
	data   []byte
	at     int
	buffer uint64 // the next bits from the highest one on
	n      int    // valid bits in buffer
	zeros  int    // bits that were added after the end
}

// next reads a code and the value after it, the run of zeros before which is returned, too.
func (b *bits) next(t *lookup) (value int32, run uint, ok bool) {
	if b.n < 32 {
		b.fill()
	}
	entry := t.entries[b.buffer>>(64-lookahead)]
	if entry&more == 0 && entry != 0 {
		b.buffer <<= uint(entry & 31)
		b.n -= int(entry & 31)
		return entry >> 16, uint(entry>>8) & 0xff, true
	}
	return b.long(t, entry)
}

// long is next for codes and values that the entries don't hold.
func (b *bits) long(t *lookup, entry int32) (value int32, run uint, ok bool) {
	length, zeros, size := int(entry&31), entry>>8&0xff, entry>>16
	if entry == 0 {
		code := uint32(b.buffer >> 48)
		for length = lookahead + 1; length <= 16 && code >= t.above[length]; length++ {
		}
		if length > 16 {
			return 0, 0, false
		}
		zeros, size = t.split(t.symbols[int32(code>>(16-length))+t.offset[length]])
	}
	b.buffer <<= uint(length)
	if size > 0 {
		value = extend(uint32(b.buffer>>(64-uint(size))), size)
		b.buffer <<= uint(size)
	}
	b.n -= length + int(size)
	return value, uint(zeros), true
}

// fill fills the buffer with at least 56 bits, zeros after the end of the data.
func (b *bits) fill() {
	if b.at+8 <= len(b.data) {
		const low, high = 0x0101010101010101, 0x8080808080808080
		word := binary.BigEndian.Uint64(b.data[b.at:])
		if inverse := ^word; (inverse-low)&word&high == 0 { // no byte is 0xff
			b.buffer |= word >> uint(b.n)
			taken := (64 - b.n) >> 3
			b.at += taken
			b.n += taken << 3
			return
		}
	}
	for ; b.n <= 56; b.n += 8 {
		switch {
		case b.at < len(b.data) && b.data[b.at] != 0xff:
			b.buffer |= uint64(b.data[b.at]) << (56 - uint(b.n))
			b.at++
		case b.at+1 < len(b.data) && b.data[b.at+1] == 0: // a stuffed 0xff
			b.buffer |= 0xff << (56 - uint(b.n))
			b.at += 2
		default:
			b.zeros += 8
		}
	}
}

// overrun reports whether more bits were read than there are.
func (b *bits) overrun() bool { return b.n < b.zeros }

// ends reports whether all bytes before a marker, which is next, were read, and no more.
func (b *bits) ends(marker byte) bool {
	left := b.n - b.zeros
	return left >= 0 && left < 8 && b.at+2 <= len(b.data) && b.data[b.at] == 0xff && b.data[b.at+1] == marker
}

// skipRestart goes on after the restart marker that is next, after a number of others.
func (b *bits) skipRestart(others int) bool {
	if !b.ends(markerRST0 + byte(others&7)) {
		return false
	}
	b.at += 2
	b.buffer, b.n, b.zeros = 0, 0, 0
	return true
}

var errDamaged = errors.New("baseline: damaged JPEG")
