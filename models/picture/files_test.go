//go:build !race

package picture_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"

	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// flatPNG returns a PNG with a bit depth and a colour type in which every sample is 0
// and every row has the slowest filter. It is a thousandth as large as its pixels.
func flatPNG(width, height int, depth, colour byte, interlaced bool) []byte {
	channels := map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
	type pass struct{ w, h int }
	passes := []pass{{width, height}}
	if interlaced {
		passes = nil
		for _, p := range [][4]int{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}} {
			passes = append(passes, pass{(width - p[0] + p[2] - 1) / p[2], (height - p[1] + p[3] - 1) / p[3]})
		}
	}
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	for _, p := range passes {
		row := make([]byte, 1+(p.w*channels*int(depth)+7)/8)
		row[0] = 4 // Paeth
		for range p.h {
			_, _ = w.Write(row) // to memory
		}
	}
	_ = w.Close()
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(width)), uint32(height))
	method := byte(0)
	if interlaced {
		method = 1
	}
	b := append([]byte("\x89PNG\r\n\x1a\n"), picturetest.Chunk("IHDR", append(header, depth, colour, 0, 0, method))...)
	if colour == 3 {
		b = append(b, picturetest.Chunk("PLTE", []byte{1, 2, 3, 4, 5, 6})...)
	}
	return append(append(b, picturetest.Chunk("IDAT", packed.Bytes())...), picturetest.Chunk("IEND", nil)...)
}

// progressiveJPEG returns a JPEG with one component and a number of scans that refine
// all coefficients. All of them are 0, so that a scan takes a few bytes.
func progressiveJPEG(width, height uint16, scans int) []byte {
	segment := func(marker byte, content ...byte) []byte {
		b := binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(content)+2))
		return append(b, content...)
	}
	table := func(class, symbol byte) []byte { // of one code, 0
		return append(append([]byte{class << 4, 1}, make([]byte, 15)...), symbol)
	}
	size := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16([]byte{8}, height), width)
	const longestRun = 0xe0 // of blocks without coefficients: 2¹⁴ and 14 more bits
	b := append([]byte{0xff, 0xd8}, segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)...)
	b = append(b, segment(0xc2, append(size, 1, 1, 0x11, 0)...)...)
	b = append(append(b, segment(0xc4, table(0, 0)...)...), segment(0xc4, table(1, longestRun)...)...)
	blocks := (int(width) + 7) / 8 * ((int(height) + 7) / 8)
	b = append(b, segment(0xda, 1, 1, 0, 0, 0, 1)...)
	b = append(b, make([]byte, (blocks+7)/8)...)
	runs := (blocks + 1<<15 - 2) / (1<<15 - 1)
	for i := range scans {
		approximation := byte(1) // the first scan of all but the lowest bit
		if i > 0 {
			approximation = 0x10 // refines it by the lowest bit
		}
		b = append(b, segment(0xda, 1, 1, 0, 1, 63, approximation)...)
		bits := append(bytes.Repeat([]byte("011111111111111"), runs), "1111111"...)
		for ; len(bits) >= 8; bits = bits[8:] {
			octet := byte(0)
			for _, bit := range bits[:8] {
				octet = octet<<1 | bit&1
			}
			if b = append(b, octet); octet == 0xff {
				b = append(b, 0)
			}
		}
	}
	return append(b, 0xff, 0xd9)
}
