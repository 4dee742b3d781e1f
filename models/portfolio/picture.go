package portfolio

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"

	"golang.org/x/image/draw"

	"github.com/secondlight/secondlight/models/picture"
)

// Sizes are the lengths a photograph's long side is served in, pixels. A smaller
// photograph has those that are shorter, and its own.
var Sizes = []int{480, 960, 1440, 2160}

// rendition is one size of a photograph, as it is served.
type rendition struct {
	size int // of the long side, pixels
	jpeg []byte
}

// sizesOf are the sizes a photograph of so many pixels is served in.
func sizesOf(width, height int) []int {
	long := min(max(width, height), Sizes[len(Sizes)-1])
	var sizes []int
	for _, size := range Sizes {
		if size < long {
			sizes = append(sizes, size)
		}
	}
	return append(sizes, long)
}

// fit is how many pixels a photograph has in a size.
func fit(width, height, size int) (w, h int) {
	if width >= height {
		return size, max(1, (height*size+width/2)/width)
	}
	return max(1, (width*size+height/2)/height), size
}

// render makes every size of a photograph, upright, from a file that check has
// passed, and a placeholder. Pixels are all that is taken over: no metadata.
func render(data []byte, orientation int) ([]rendition, []byte, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, nil, picture.Refuse(picture.ExportAgain, "It cannot be decoded: %v.", err)
	}
	width, height := picture.Upright(config.Width, config.Height, orientation)
	img, err := picture.Decode(data, orientation, Sizes[len(Sizes)-1])
	if err != nil {
		return nil, nil, err
	}
	sizes := sizesOf(width, height)
	made := make([]rendition, len(sizes))
	for i := len(sizes) - 1; i >= 0; i-- {
		w, h := fit(width, height, sizes[i])
		img = picture.Scale(img, w, h)
		body, err := picture.Encode(img)
		if err != nil {
			return nil, nil, fmt.Errorf("encode: %w", err)
		}
		made[i] = rendition{sizes[i], body}
	}
	placeholder, err := blur(img)
	return made, placeholder, err
}

// blur is a picture of a few pixels that stands for a photograph until it is
// there, as PNG of about 110 bytes.
func blur(src *image.RGBA) ([]byte, error) {
	b := src.Bounds()
	w, h := fit(b.Dx(), b.Dy(), 4)
	tiny := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.BiLinear.Scale(tiny, tiny.Bounds(), src, b, draw.Src, nil)
	var buf bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&buf, tiny)
	return buf.Bytes(), err
}

// dataURI is a placeholder as pages carry it.
func dataURI(placeholder []byte) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(placeholder)
}
