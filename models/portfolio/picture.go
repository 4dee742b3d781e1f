package portfolio

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
)

// Sizes are the lengths a photograph's long side is served in, pixels. A smaller
// photograph has those that are shorter, and its own.
var Sizes = []int{480, 960, 1440, 2160}

// quality of the JPEGs that are served, of 100.
const quality = 82

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
	src, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, nil, refuse(exportAgain, "It cannot be decoded: %v.", err)
	}
	width, height := upright(src.Bounds().Dx(), src.Bounds().Dy(), orientation)
	img := shrink(src)
	src = nil // a large picture is let go before the next one is made
	img = turn(img, orientation)
	sizes := sizesOf(width, height)
	made := make([]rendition, len(sizes))
	for i := len(sizes) - 1; i >= 0; i-- {
		img = scale(img, width, height, sizes[i])
		var buf bytes.Buffer
		if err := jpeg.Encode(&buf, img, &jpeg.Options{Quality: quality}); err != nil {
			return nil, nil, fmt.Errorf("encode: %w", err)
		}
		made[i] = rendition{sizes[i], buf.Bytes()}
	}
	placeholder, err := blur(img)
	return made, placeholder, err
}

// shrink copies a picture on white paper, with every k by k pixels averaged
// into one, k being the greatest that leaves enough for the largest size. It
// reads the source in strips, so that no second picture of its size is made.
func shrink(src image.Image) *image.RGBA {
	b := src.Bounds()
	k := max(1, max(b.Dx(), b.Dy())/Sizes[len(Sizes)-1])
	w, h := max(1, b.Dx()/k), max(1, b.Dy()/k)
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	strip := image.NewRGBA(image.Rect(0, 0, w*k, k))
	for y := range h {
		draw.Draw(strip, strip.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
		draw.Draw(strip, strip.Bounds(), src, image.Pt(b.Min.X, b.Min.Y+y*k), draw.Over)
		average(dst.Pix[y*dst.Stride:], strip, w, k)
	}
	return dst
}

// average writes the mean of each k by k square of a strip.
func average(row []uint8, strip *image.RGBA, w, k int) {
	n := k * k
	for x := range w {
		var sum [4]int
		for dy := range k {
			at := dy*strip.Stride + 4*k*x
			for dx := range k {
				for c := range sum {
					sum[c] += int(strip.Pix[at+4*dx+c])
				}
			}
		}
		for c := range sum {
			row[4*x+c] = uint8((sum[c] + n/2) / n)
		}
	}
}

// scale makes one of the sizes of a photograph of width by height pixels out of
// a larger one.
func scale(src *image.RGBA, width, height, size int) *image.RGBA {
	b := src.Bounds()
	w, h := fit(width, height, size)
	if w == b.Dx() && h == b.Dy() {
		return src
	}
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.CatmullRom.Scale(dst, dst.Bounds(), src, b, draw.Src, nil)
	return dst
}

// turn makes a picture upright; orientation is EXIF's, 1 to 8.
func turn(src *image.RGBA, orientation int) *image.RGBA {
	if orientation < 2 || orientation > 8 {
		return src
	}
	b := src.Bounds()
	w, h := upright(b.Dx(), b.Dy(), orientation)
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			sx, sy := source(x, y, w, h, orientation)
			copy(dst.Pix[y*dst.Stride+4*x:][:4], src.Pix[sy*src.Stride+4*sx:][:4])
		}
	}
	return dst
}

// upright is the size a picture has when it is turned.
func upright(width, height, orientation int) (w, h int) {
	if orientation >= 5 && orientation <= 8 {
		return height, width
	}
	return width, height
}

// source is where the pixel at x, y of the upright picture stands in the file;
// w and h are those of the upright picture.
func source(x, y, w, h, orientation int) (sx, sy int) {
	switch orientation {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return y, w - 1 - x
	case 7:
		return h - 1 - y, w - 1 - x
	case 8:
		return h - 1 - y, x
	}
	return x, y
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

// refusal is the Refused in an error, nil when it is of another kind.
func refusal(err error) *Refused {
	var r *Refused
	errors.As(err, &r)
	return r
}
