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

// Sizes lists the lengths of the long side, in pixels, that photographs are served
// in. A smaller photograph is served in the smaller sizes and in its own.
var Sizes = []int{480, 960, 1440, 2160}

// rendition is a photograph in one size.
type rendition struct {
	size int // of the long side, pixels
	jpeg []byte
}

// sizesOf returns the sizes in which a photograph of width by height pixels is
// served, ascending.
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

// fit returns the dimensions of a photograph whose long side is scaled to size.
func fit(width, height, size int) (w, h int) {
	if width >= height {
		return size, max(1, (height*size+width/2)/width)
	}
	return max(1, (width*size+height/2)/height), size
}

// render returns every size of a photograph, upright and without metadata, and a
// placeholder. The file must have passed picture.Limits.Check.
func render(data []byte, orientation int) ([]rendition, []byte, error) {
	width, height, err := picture.Size(data, orientation)
	if err != nil {
		return nil, nil, err
	}
	sizes := sizesOf(width, height)
	w, h := fit(width, height, sizes[len(sizes)-1])
	img, err := picture.Decode(data, orientation, w, h)
	if err != nil {
		return nil, nil, err
	}
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

// decode returns a photograph in one of its sizes. The file must have passed picture.Limits.Check.
func decode(data []byte, orientation, size int) (*image.YCbCr, error) {
	width, height, err := picture.Size(data, orientation)
	if err != nil {
		return nil, err
	}
	w, h := fit(width, height, size)
	img, err := picture.Decode(data, orientation, w, h)
	if err != nil {
		return nil, err
	}
	return picture.Scale(img, w, h), nil
}

// blur returns a PNG of a few pixels, about 110 bytes, which pages show while a
// photograph loads.
func blur(src *image.YCbCr) ([]byte, error) {
	b := src.Bounds()
	w, h := fit(b.Dx(), b.Dy(), 4)
	tiny := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.BiLinear.Scale(tiny, tiny.Bounds(), src, b, draw.Src, nil)
	var buf bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&buf, tiny)
	return buf.Bytes(), err
}

// dataURI returns a PNG as a data URI.
func dataURI(placeholder []byte) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(placeholder)
}
