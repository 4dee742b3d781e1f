package baseline

import (
	"encoding/binary"
	"image"
	mathbits "math/bits"
)

// Encode returns img as a baseline JPEG without metadata, of a quality from 1 to 100. Its
// chroma sampling is that of img, which must be 4:4:4 or 4:2:0.
func Encode(img *image.YCbCr, quality int) ([]byte, error) {
	size := img.Rect.Size()
	if size.X < 1 || size.Y < 1 || size.X >= 1<<16 || size.Y >= 1<<16 {
		return nil, ErrUnsupported
	}
	factor := 1
	switch img.SubsampleRatio {
	case image.YCbCrSubsampleRatio420:
		factor = 2
	case image.YCbCrSubsampleRatio444:
	default:
		return nil, ErrUnsupported
	}
	e := &encoder{out: make([]byte, 0, size.X*size.Y/6+1024)}
	quantizers := [2][64]byte{quantizer(&quantizers[0], quality), quantizer(&quantizers[1], quality)}
	e.headers(size, byte(factor), &quantizers)
	luma, chroma := divisors(&quantizers[0]), divisors(&quantizers[1])
	at, chromaAt := img.YOffset(img.Rect.Min.X, img.Rect.Min.Y), img.COffset(img.Rect.Min.X, img.Rect.Min.Y)
	small := image.Pt((size.X+factor-1)/factor, (size.Y+factor-1)/factor)
	y := channel{plane: img.Y[at:], stride: img.YStride, size: size, divisors: luma, tables: &codes[0]}
	cb := channel{plane: img.Cb[chromaAt:], stride: img.CStride, size: small, divisors: chroma, tables: &codes[1]}
	cr := channel{plane: img.Cr[chromaAt:], stride: img.CStride, size: small, divisors: chroma, tables: &codes[1]}
	for top := 0; top < small.Y; top += 8 {
		for left := 0; left < small.X; left += 8 {
			for v := range factor {
				for h := range factor {
					e.block(&y, left*factor+8*h, top*factor+8*v)
				}
			}
			e.block(&cb, left, top)
			e.block(&cr, left, top)
		}
	}
	e.end()
	return e.out, nil
}

// encoder writes one JPEG.
type encoder struct {
	out    []byte
	buffer uint64 // bits that are not in out yet, the last one lowest
	n      uint   // of them
}

// channel is a plane that is encoded.
type channel struct {
	plane     []uint8
	stride    int
	size      image.Point
	divisors  *[64]float32 // reciprocals of the steps, by place in the block
	tables    *[2]codeTable
	predicted int32 // DC coefficient of the block before
}

// segment writes a segment.
func (e *encoder) segment(marker byte, content ...byte) {
	e.out = append(binary.BigEndian.AppendUint16(append(e.out, 0xff, marker), uint16(2+len(content))), content...)
}

// headers writes everything before the scan.
func (e *encoder) headers(size image.Point, factor byte, quantizers *[2][64]byte) {
	e.out = append(e.out, 0xff, markerSOI)
	for i, table := range quantizers {
		content := []byte{byte(i)}
		for _, natural := range zigzag {
			content = append(content, table[natural])
		}
		e.segment(markerDQT, content...)
	}
	e.segment(markerSOF0, 8, byte(size.Y>>8), byte(size.Y), byte(size.X>>8), byte(size.X), 3, 1, factor<<4|factor, 0, 2, 0x11, 1, 3, 0x11, 1)
	for i := range specifications {
		for class, s := range specifications[i] {
			e.segment(markerDHT, append(append([]byte{byte(class<<4 | i)}, s.counts[:]...), s.symbols...)...)
		}
	}
	e.segment(markerSOS, 3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0)
}

// end writes the last bits and the end of the picture.
func (e *encoder) end() {
	e.emit(0x7f, 7) // pads with ones
	for ; e.n >= 8; e.n -= 8 {
		e.octet(byte(e.buffer >> (e.n - 8)))
	}
	e.out = append(e.out, 0xff, 0xd9)
}

// octet writes 8 bits of the scan.
func (e *encoder) octet(b byte) {
	if e.out = append(e.out, b); b == 0xff {
		e.out = append(e.out, 0)
	}
}

// emit writes the lowest n of bits, at most 32; the others are 0.
func (e *encoder) emit(bits uint32, n uint) {
	e.buffer, e.n = e.buffer<<n|uint64(bits), e.n+n
	if e.n < 32 {
		return
	}
	e.n -= 32
	word := uint32(e.buffer >> e.n)
	if inverse := ^word; (inverse-0x01010101)&word&0x80808080 == 0 { // no byte is 0xff
		e.out = binary.BigEndian.AppendUint32(e.out, word)
		return
	}
	for shift := 24; shift >= 0; shift -= 8 {
		e.octet(byte(word >> shift))
	}
}

// value writes the code of a run of zeros and of the size of a value, and the value.
func (e *encoder) value(table *codeTable, run, value int32) {
	bits := uint32(value + value>>31)
	size := uint(mathbits.Len32(uint32((value ^ value>>31) - value>>31)))
	code := table[uint8(run<<4)|uint8(size&15)]
	e.emit(code>>8<<size|bits&(1<<size-1), uint(code&0xff)+size)
}

// block writes the block whose first pixel is at left and top.
func (e *encoder) block(c *channel, left, top int) {
	var pixels, transformed [64]float32
	c.load(&pixels, left, top)
	transform(&pixels, &transformed)
	transform(&transformed, &pixels)
	var coefficients [64]int32
	var set uint64 // of those that are not 0, by place in the file
	for i, natural := range zigzag {
		const positive = 1 << 15 // makes the conversion round to the nearest
		v := int32(pixels[natural&63]*c.divisors[natural&63]+(positive+0.5)) - positive
		coefficients[i] = v
		if v != 0 {
			set |= 1 << i
		}
	}
	dc, ac := &c.tables[0], &c.tables[1]
	e.value(dc, 0, coefficients[0]-c.predicted)
	c.predicted = coefficients[0]
	last := 0
	for set &^= 1; set != 0; set &= set - 1 {
		i := mathbits.TrailingZeros64(set)
		run := i - last - 1
		for ; run > 15; run -= 16 {
			e.emit(ac[0xf0]>>8, uint(ac[0xf0]&0xff))
		}
		e.value(ac, int32(run), coefficients[i&63])
		last = i
	}
	if last < 63 {
		e.emit(ac[0]>>8, uint(ac[0]&0xff))
	}
}

// load reads a block. The last row and column are repeated beyond the edge.
func (c *channel) load(block *[64]float32, left, top int) {
	inside := left+8 <= c.size.X && top+8 <= c.size.Y
	for y := range 8 {
		if inside {
			row := c.plane[(top+y)*c.stride+left:][:8]
			for x, v := range row {
				block[8*y+x] = float32(int32(v) - 128)
			}
			continue
		}
		row := c.plane[min(top+y, c.size.Y-1)*c.stride:]
		for x := range 8 {
			block[8*y+x] = float32(int32(row[min(left+x, c.size.X-1)]) - 128)
		}
	}
}

// transform writes the cosine transform of each row of in to a column of out, by the method
// of Arai, Agui and Nakajima, which leaves each coefficient multiplied by a factor of its own.
func transform(in, out *[64]float32) {
	for i := range 8 {
		row := in[8*i : 8*i+8 : 8*i+8]
		sum0, difference0 := row[0]+row[7], row[0]-row[7]
		sum1, difference1 := row[1]+row[6], row[1]-row[6]
		sum2, difference2 := row[2]+row[5], row[2]-row[5]
		sum3, difference3 := row[3]+row[4], row[3]-row[4]

		even0, even3 := sum0+sum3, sum0-sum3
		even1, even2 := sum1+sum2, sum1-sum2
		turned := (even2 + even3) * 0.707106781
		out[i], out[32+i] = even0+even1, even0-even1
		out[16+i], out[48+i] = even3+turned, even3-turned

		odd0, odd1, odd2 := difference3+difference2, difference2+difference1, difference1+difference0
		z5 := (odd0 - odd2) * 0.382683433
		z2, z4 := odd0*0.541196100+z5, odd2*1.306562965+z5
		z3 := odd1 * 0.707106781
		z11, z13 := difference0+z3, difference0-z3
		out[40+i], out[24+i] = z13+z2, z13-z2
		out[8+i], out[56+i] = z11+z4, z11-z4
	}
}

// factors are what transform multiplies the coefficients of a row by.
var factors = [8]float32{1, 1.387039845, 1.306562965, 1.175875602, 1, 0.785694958, 0.541196100, 0.275899379}

// divisors returns what to multiply the coefficients of a block by.
func divisors(quantizer *[64]byte) *[64]float32 {
	d := new([64]float32)
	for i, step := range quantizer {
		d[i] = 1 / (8 * float32(step) * factors[i/8] * factors[i%8])
	}
	return d
}

// quantizer returns the steps of a quality: those of the standard, scaled as libjpeg does.
func quantizer(standard *[64]byte, quality int) (table [64]byte) {
	scale := 200 - 2*quality
	if quality < 50 {
		scale = 5000 / max(1, quality)
	}
	for i, step := range standard {
		table[i] = byte(max(1, min(255, (int(step)*scale+50)/100)))
	}
	return table
}
