// Package baseline decodes and encodes baseline JPEGs, those of most cameras and editors,
// faster than image/jpeg: it decodes them at a fraction of their size, without computing
// the pixels between, and both works on Y'CbCr only.
package baseline

import (
	"encoding/binary"
	"errors"
	"image"
	"slices"
)

// ErrUnsupported says that a JPEG is of a kind that Decode leaves to image/jpeg.
var ErrUnsupported = errors.New("baseline: unsupported JPEG")

// component is a colour component of a picture.
type component struct {
	id        byte
	h, v      int // sampling factors
	selector  byte
	quantizer *[64]int32
	dc, ac    *lookup
	predicted int32 // DC coefficient of the block before
	plane     []uint8
	stride    int
}

// decoder decodes one JPEG.
type decoder struct {
	bits          bits
	scale, side   int // divisor of the size; pixels that a block of 8 becomes
	width, height int
	components    []component
	quantizers    [4]*[64]int32
	tables        [2][2]*lookup // DC and AC
	interval      int           // of restarts, in units; 0 for none
	rgb, jfif     bool
	keep          [64]uint8 // where a coefficient is kept in a block, by its place in the file
}

// Decode decodes a JPEG at its size divided by scale, which is 2, 4 or 8. It returns
// ErrUnsupported if the JPEG is not baseline, not made of one scan, or neither grey nor
// Y'CbCr with 4:4:4, 4:2:2, 4:4:0 or 4:2:0 sampling. It decodes no file that image/jpeg refuses,
// and refuses files with anything unusual that image/jpeg tolerates.
func Decode(data []byte, scale int) (*image.YCbCr, error) {
	d := &decoder{scale: scale, side: 8 / scale}
	for i, natural := range zigzag {
		d.keep[i] = dropped
		if row, column := natural/8, natural%8; int(row) < d.side && int(column) < d.side {
			d.keep[i] = row*4 + column
		}
	}
	if len(data) < 2 || data[0] != 0xff || data[1] != markerSOI {
		return nil, errDamaged
	}
	for at := 2; ; {
		if at+4 > len(data) || data[at] != 0xff {
			return nil, errDamaged
		}
		marker := data[at+1]
		if marker == 0xff {
			at++
			continue
		}
		length := int(binary.BigEndian.Uint16(data[at+2:]))
		if length < 2 || at+2+length > len(data) {
			return nil, errDamaged
		}
		segment := data[at+4 : at+2+length]
		at += 2 + length
		if marker == markerSOS {
			d.bits.data = data[at:]
			return d.scan(segment)
		}
		if err := d.segment(marker, segment); err != nil {
			return nil, err
		}
	}
}

// segment reads a segment before the scan.
func (d *decoder) segment(marker byte, segment []byte) error {
	switch {
	case marker == markerSOF0:
		return d.frame(segment)
	case marker == markerDHT:
		return d.huffman(segment)
	case marker == markerDQT:
		return d.quantization(segment)
	case marker == markerDRI:
		if len(segment) != 2 {
			return errDamaged
		}
		d.interval = int(binary.BigEndian.Uint16(segment))
	case marker == markerAPP0:
		d.jfif = d.jfif || len(segment) >= 5 && string(segment[:5]) == "JFIF\x00"
	case marker == markerAPPE:
		d.rgb = d.rgb || len(segment) >= 12 && string(segment[:5]) == "Adobe" && segment[11] == 0
	case marker != markerCOM && (marker < markerAPP0 || marker > markerAPPF):
		return ErrUnsupported
	}
	return nil
}

// frame reads the frame header and allocates the planes.
func (d *decoder) frame(header []byte) error {
	if len(header) < 6 || len(header) != 6+3*int(header[5]) || d.components != nil {
		return errDamaged
	}
	d.height, d.width = int(binary.BigEndian.Uint16(header[1:])), int(binary.BigEndian.Uint16(header[3:]))
	if header[0] != 8 || d.width == 0 || d.height == 0 || header[5] != 1 && header[5] != 3 {
		return ErrUnsupported
	}
	for i := range int(header[5]) {
		c := component{id: header[6+3*i], h: int(header[7+3*i] >> 4), v: int(header[7+3*i] & 15)}
		c.selector = header[8+3*i]
		if c.selector > 3 || !isFactor(c.h) || !isFactor(c.v) || slices.ContainsFunc(d.components, func(other component) bool { return other.id == c.id }) {
			return ErrUnsupported
		}
		d.components = append(d.components, c)
	}
	if len(d.components) == 1 {
		d.components[0].h, d.components[0].v = 1, 1 // a scan of one component is not interleaved
	} else if _, ok := d.ratio(); !ok {
		return ErrUnsupported
	}
	across, down := d.units()
	for i := range d.components {
		c := &d.components[i]
		c.stride = across * c.h * d.side
		c.plane = make([]uint8, c.stride*down*c.v*d.side)
	}
	return nil
}

// isFactor reports whether a sampling factor is one that image/jpeg decodes.
func isFactor(n int) bool { return n == 1 || n == 2 || n == 4 }

// ratio returns the chroma sampling, and whether it is supported.
func (d *decoder) ratio() (image.YCbCrSubsampleRatio, bool) {
	luma, blue, red := d.components[0], d.components[1], d.components[2]
	rgb := d.rgb || !d.jfif && luma.id == 'R' && blue.id == 'G' && red.id == 'B'
	if rgb || blue.h != 1 || blue.v != 1 || red.h != 1 || red.v != 1 {
		return 0, false
	}
	switch [2]int{luma.h, luma.v} {
	case [2]int{1, 1}:
		return image.YCbCrSubsampleRatio444, true
	case [2]int{2, 1}:
		return image.YCbCrSubsampleRatio422, true
	case [2]int{1, 2}:
		return image.YCbCrSubsampleRatio440, true
	case [2]int{2, 2}:
		return image.YCbCrSubsampleRatio420, true
	}
	return 0, false
}

// units returns the numbers of units of the scan: of blocks, one or more of each component.
func (d *decoder) units() (across, down int) {
	width, height := 8*d.components[0].h, 8*d.components[0].v
	return (d.width + width - 1) / width, (d.height + height - 1) / height
}

// quantization reads quantization tables.
func (d *decoder) quantization(segment []byte) error {
	for len(segment) > 0 {
		precision, selector := segment[0]>>4, segment[0]&15
		size := 64 * (1 + int(precision))
		if precision > 1 || selector > 3 || len(segment) < 1+size {
			return errDamaged
		}
		table := new([64]int32)
		for i := range table {
			if table[i] = int32(segment[1+i]); precision == 1 {
				table[i] = int32(binary.BigEndian.Uint16(segment[1+2*i:]))
			}
		}
		d.quantizers[selector], segment = table, segment[1+size:]
	}
	return nil
}

// huffman reads Huffman tables.
func (d *decoder) huffman(segment []byte) error {
	for len(segment) > 0 {
		if len(segment) < 17 || segment[0]>>4 > 1 || segment[0]&15 > 1 {
			return errDamaged
		}
		class, selector, size := segment[0]>>4, segment[0]&15, 0
		for _, n := range segment[1:17] {
			size += int(n)
		}
		if size == 0 || size > 256 || len(segment) < 17+size {
			return errDamaged
		}
		table, err := newLookup([16]byte(segment[1:17]), segment[17:17+size], class == 1)
		if err != nil {
			return err
		}
		d.tables[class][selector], segment = table, segment[17+size:]
	}
	return nil
}

// scan reads the header of the scan and decodes the picture.
func (d *decoder) scan(header []byte) (*image.YCbCr, error) {
	n := len(d.components)
	if n == 0 || len(header) != 4+2*n || int(header[0]) != n {
		return nil, ErrUnsupported
	}
	for i := range d.components {
		c := &d.components[i]
		dc, ac := header[2+2*i]>>4, header[2+2*i]&15
		if header[1+2*i] != c.id || dc > 1 || ac > 1 || d.tables[0][dc] == nil || d.tables[1][ac] == nil || d.quantizers[c.selector] == nil {
			return nil, ErrUnsupported
		}
		c.dc, c.ac, c.quantizer = d.tables[0][dc], d.tables[1][ac], d.quantizers[c.selector]
	}
	across, down := d.units()
	left, restarts := d.interval, 0
	for y := range down {
		for x := range across {
			if d.interval > 0 && left == 0 {
				if err := d.restart(restarts); err != nil {
					return nil, err
				}
				left = d.interval
				restarts++
			}
			left--
			if err := d.unit(x, y); err != nil {
				return nil, err
			}
		}
		if d.bits.overrun() {
			return nil, errDamaged
		}
	}
	if !d.bits.ends(markerEOI) {
		return nil, ErrUnsupported
	}
	return d.picture(), nil
}

// unit decodes a unit of the scan.
func (d *decoder) unit(x, y int) error {
	for i := range d.components {
		c := &d.components[i]
		for v := range c.v {
			for h := range c.h {
				at := ((y*c.v+v)*c.stride + x*c.h + h) * d.side
				if err := d.block(c, c.plane[at:]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// restart skips the restart marker after a number of others.
func (d *decoder) restart(others int) error {
	if !d.bits.skipRestart(others) {
		return errDamaged
	}
	for i := range d.components {
		d.components[i].predicted = 0
	}
	return nil
}

// picture returns the decoded picture.
func (d *decoder) picture() *image.YCbCr {
	luma := d.components[0]
	size := image.Rect(0, 0, max(1, d.width/d.scale), max(1, d.height/d.scale))
	if len(d.components) == 1 {
		img := image.NewYCbCr(size, image.YCbCrSubsampleRatio420)
		img.Y, img.YStride = luma.plane, luma.stride
		for i := range img.Cb {
			img.Cb[i], img.Cr[i] = 128, 128
		}
		return img
	}
	ratio, _ := d.ratio() // checked with the frame
	return &image.YCbCr{
		Y: luma.plane, Cb: d.components[1].plane, Cr: d.components[2].plane,
		YStride: luma.stride, CStride: d.components[1].stride, SubsampleRatio: ratio, Rect: size,
	}
}

// block decodes a block to side by side pixels at the start of out.
func (d *decoder) block(c *component, out []uint8) error {
	b := &d.bits
	var coefficients [dropped + 1]int32
	difference, _, ok := b.next(c.dc)
	if !ok {
		return errDamaged
	}
	c.predicted += difference
	coefficients[0] = c.predicted * c.quantizer[0]
	keep, quantizer := &d.keep, c.quantizer
	for k := uint(1); k < 64; k++ {
		value, run, ok := b.next(c.ac)
		if !ok {
			return errDamaged
		}
		if run == endOfBlock {
			break
		}
		if k += run; k > 63 {
			return errDamaged
		}
		coefficients[keep[k]] = value * quantizer[k]
	}
	switch d.side {
	case 4:
		inverse4(&coefficients, out, c.stride)
	case 2:
		inverse2(&coefficients, out, c.stride)
	default:
		out[0] = pixel(coefficients[0], 3)
	}
	return nil
}
