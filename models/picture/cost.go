package picture

import (
	"encoding/binary"
	"time"
)

// cost is what decoding a picture takes.
type cost struct {
	pixels int64
	memory int64         // bytes
	time   time.Duration // processor time, estimated
	photo  bool          // in a format of cameras and phones
	worker bool          // in a process of its own, one at a time
}

// Processor time in nanoseconds on one core of a current server, measured by
// BenchmarkCost and rounded up.
const (
	perSample      = 6   // of a JPEG: inverse transform and shrinking
	perJPEGByte    = 30  // Huffman decoding
	perCoefficient = 2.5 // of a progressive scan
	perRawByte     = 4   // of a PNG: inflating and filtering
	perPNGByte     = 10  // inflating data that hardly compresses
	perPNGPixel    = 10  // conversion and shrinking
	perInterlaced  = 12  // merging the passes
	perWebPPixel   = 25  // of a WebP: prediction, inverse transform and shrinking
	perWebPByte    = 110 // arithmetic decoding
	perAlphaPixel  = 60  // of a WebP with transparency, or without loss
	perHEICPixel   = 90  // of a HEIC, by compiled WebAssembly
	perHEICByte    = 500 // arithmetic decoding
	perAVIFPixel   = 200 // of an AVIF
)

// maxSide is the length of a side, in pixels, from which on a cost is above every
// limit.
const maxSide = 1 << 20

// frame is the frame of a JPEG.
type frame struct {
	progressive   bool
	width, height int64
	components    []component
	time          float64 // of the scans, in nanoseconds
}

// component is a component of a frame, such as the red-difference chroma.
type component struct {
	id      byte
	samples int64
}

// parseFrame parses the frame header of a JPEG.
func parseFrame(header []byte, progressive bool) (*frame, error) {
	errDamaged := Refuse(ExportAgain, damaged)
	if len(header) < 6 || len(header) < 6+3*int(header[5]) || header[5] == 0 {
		return nil, errDamaged
	}
	f := &frame{progressive: progressive, height: int64(binary.BigEndian.Uint16(header[1:])), width: int64(binary.BigEndian.Uint16(header[3:]))}
	if f.width == 0 || f.height == 0 {
		return nil, Refuse(ExportAgain, "The photo has no dimensions.")
	}
	var maxArea int64
	for i := range int(header[5]) {
		factors := header[6+3*i+1]
		area := int64(factors>>4) * int64(factors&15)
		f.components = append(f.components, component{id: header[6+3*i], samples: area})
		maxArea = max(maxArea, area)
	}
	if maxArea == 0 {
		return nil, errDamaged
	}
	for i := range f.components {
		f.components[i].samples = f.width * f.height * f.components[i].samples / maxArea
	}
	return f, nil
}

// addScan adds the time of a scan, given its header, and reports whether that is valid.
func (f *frame) addScan(header []byte) bool {
	if len(header) == 0 || len(header) < 4+2*int(header[0]) {
		return false
	}
	n := int(header[0])
	first, last := int(header[1+2*n]), int(header[2+2*n])
	for i := range n {
		for _, c := range f.components {
			switch {
			case c.id != header[1+2*i]:
			case f.progressive:
				f.time += float64(c.samples) / 64 * float64(max(last-first, 0)+1) * perCoefficient
			default:
				f.time += float64(c.samples) * perSample
			}
		}
	}
	return true
}

// cost returns what decoding a JPEG of a number of bytes takes: memory for the samples
// and, if it is progressive, for all coefficients.
func (f *frame) cost(size int) cost {
	var samples int64
	for _, c := range f.components {
		samples += c.samples
	}
	bytesEach, nanoseconds := int64(1), f.time+float64(size)*perJPEGByte
	if f.progressive {
		bytesEach += 4
		nanoseconds += float64(samples) * perSample
	}
	if len(f.components) == 4 {
		bytesEach++ // CMYK is inverted in a copy
		nanoseconds += float64(samples) * perSample
	}
	return cost{pixels: f.width * f.height, memory: max(samples*bytesEach, 1), time: time.Duration(nanoseconds), photo: !f.progressive && len(f.components) == 3}
}

// pngCost returns what decoding a PNG takes, given its header and its size in bytes.
func pngCost(header []byte, size int) cost {
	width, height := int64(binary.BigEndian.Uint32(header)), int64(binary.BigEndian.Uint32(header[4:]))
	depth, colour, interlaced := header[8], header[9], header[12] != 0
	const grey, palette = 0, 3
	each := int64(4)
	if colour == grey || colour == palette {
		each = 1
	}
	if depth == 16 {
		each *= 2
	}
	if width > maxSide || height > maxSide {
		return cost{pixels: 1 << 50, memory: 1 << 50, time: time.Hour}
	}
	pixels := width * height
	nanoseconds := pixels*(each*perRawByte+perPNGPixel) + int64(size)*perPNGByte
	if interlaced {
		each *= 2 // each pass is decoded into a picture of its own and then merged
		nanoseconds += pixels * perInterlaced
	}
	return cost{pixels: pixels, memory: pixels * each, time: time.Duration(nanoseconds)}
}
