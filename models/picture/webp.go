package picture

import (
	"encoding/binary"
	"image"
	"time"

	_ "golang.org/x/image/webp" // register the decoder
)

// webpChunk is a chunk of a WebP file.
type webpChunk struct {
	kind string
	body []byte
}

// webpChunks returns the chunks of a WebP and the data after them. ok is false if the file is
// incomplete.
func webpChunks(data []byte) (chunks []webpChunk, rest []byte, ok bool) {
	const head = 12 // RIFF, the length of what follows, WEBP
	if len(data) < head {
		return nil, nil, false
	}
	end := 8 + int64(binary.LittleEndian.Uint32(data[4:]))
	if end < head || end > int64(len(data)) {
		return nil, nil, false
	}
	data, rest = data[head:end], data[end:]
	for len(data) > 0 {
		if len(data) < 8 {
			return nil, nil, false
		}
		length := int64(binary.LittleEndian.Uint32(data[4:]))
		if 8+length > int64(len(data)) || len(chunks) == maxChunks {
			return nil, nil, false
		}
		chunks = append(chunks, webpChunk{string(data[:4]), data[8 : 8+length]})
		data = data[min(int64(len(data)), 8+length+length%2):]
	}
	return chunks, rest, true
}

// maxChunks limits the chunks of a WebP: the picture, transparency and metadata.
const maxChunks = 32

// checkWebP walks the chunks of a WebP.
func checkWebP(data []byte) (c cost, err error) {
	errDamaged := Refuse(ExportAgain, damaged)
	chunks, rest, ok := webpChunks(data)
	if !ok {
		return cost{}, errDamaged
	}
	var canvas, size image.Point
	var alpha, lossless bool
	pictures := 0
	for _, chunk := range chunks {
		switch chunk.kind {
		case "VP8X":
			canvas = extendedSize(chunk.body)
		case "VP8 ":
			size = lossySize(chunk.body)
			pictures++
		case "VP8L":
			size, lossless = losslessSize(chunk.body), true
			pictures++
		case "ALPH":
			alpha = true
		case "ANIM", "ANMF":
			return cost{}, Refuse(ExportAgain, animated)
		default:
			if err := checkText(chunk.body); err != nil {
				return cost{}, err
			}
		}
	}
	if pictures != 1 || size.X <= 0 || size.Y <= 0 || canvas != (image.Point{}) && canvas != size {
		return cost{}, errDamaged
	}
	return webpCost(size, len(data)-len(rest), lossless, alpha), checkRest(rest)
}

// extendedSize returns the size in the header of an extended WebP.
func extendedSize(body []byte) (size image.Point) {
	if len(body) < 10 {
		return size
	}
	return image.Pt(1+int(binary.LittleEndian.Uint32(body[4:])&0xffffff), 1+int(binary.LittleEndian.Uint32(body[6:])>>8))
}

// lossySize returns the size of a VP8 key frame.
func lossySize(body []byte) (size image.Point) {
	if len(body) < 10 || body[0]&1 != 0 || string(body[3:6]) != "\x9d\x01\x2a" {
		return size
	}
	return image.Pt(int(binary.LittleEndian.Uint16(body[6:])&0x3fff), int(binary.LittleEndian.Uint16(body[8:])&0x3fff))
}

// losslessSize returns the size of a VP8L picture.
func losslessSize(body []byte) (size image.Point) {
	if len(body) < 5 || body[0] != 0x2f {
		return size
	}
	bits := binary.LittleEndian.Uint32(body[1:])
	return image.Pt(1+int(bits&0x3fff), 1+int(bits>>14&0x3fff))
}

// webpCost returns what decoding a WebP of a size and a number of bytes takes.
func webpCost(size image.Point, length int, lossless, alpha bool) cost {
	pixels := int64(size.X) * int64(size.Y)
	c := cost{pixels: pixels, memory: pixels * 3 / 2, photo: !alpha && !lossless}
	nanoseconds := pixels*perWebPPixel + int64(length)*perWebPByte
	switch {
	case lossless:
		c.memory = pixels * 8 // transforms make a copy
		nanoseconds = pixels * perAlphaPixel
	case alpha:
		c.memory += pixels * 5 // the transparency is decoded like a picture of its own
		nanoseconds += pixels * perAlphaPixel
	}
	c.time = time.Duration(nanoseconds)
	return c
}

// webpProfile returns the ICC profile of a WebP.
func webpProfile(data []byte) []byte {
	chunks, _, _ := webpChunks(data)
	for _, chunk := range chunks {
		if chunk.kind == "ICCP" && len(chunk.body) <= maxProfile {
			return chunk.body
		}
	}
	return nil
}

// widen converts a decoded WebP, whose luma is from 16 to 235 and whose chroma is from 16 to
// 240, to the full range of image.YCbCr. The decoder doesn't.
func widen(img image.Image) {
	var planes *image.YCbCr
	switch img := img.(type) {
	case *image.YCbCr:
		planes = img
	case *image.NYCbCrA:
		planes = &img.YCbCr
	default: // without loss, it is RGB
		return
	}
	var luma, chroma [256]uint8
	for v := range 256 {
		luma[v] = uint8(max(0, min(255, ((v-16)*255+109)/219)))
		chroma[v] = uint8(max(0, min(255, ((v-128)*255+128*224+112)/224)))
	}
	for i, v := range planes.Y {
		planes.Y[i] = luma[v]
	}
	for _, plane := range [][]uint8{planes.Cb, planes.Cr} {
		for i, v := range plane {
			plane[i] = chroma[v]
		}
	}
}
