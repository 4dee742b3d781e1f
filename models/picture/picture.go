package picture

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	_ "image/png" // register the decoder
	"os"
	"path/filepath"

	"golang.org/x/image/draw"
)

// quality is the JPEG quality of served pictures, 1 to 100.
const quality = 82

// Decode decodes a file that has passed Check, rotates it upright by its EXIF
// orientation and flattens it onto white. To save memory it divides the size by the
// largest integer that leaves the long side at least long pixels.
func Decode(data []byte, orientation, long int) (*image.RGBA, error) {
	src, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, Refuse(ExportAgain, "The picture cannot be decoded: %v.", err)
	}
	img := shrink(src, long)
	src = nil // allow collection before turn allocates
	return turn(img, orientation), nil
}

// shrink copies src onto white, averaging every k by k pixels into one. k is the
// largest integer that leaves the long side at least long pixels. It reads src in
// strips, so that it never allocates a second picture of that size.
func shrink(src image.Image, long int) *image.RGBA {
	b := src.Bounds()
	k := max(1, max(b.Dx(), b.Dy())/long)
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

// average writes the mean of each k by k square of strip into row.
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

// Scale returns src scaled down to w by h pixels, or src itself if it has that size.
func Scale(src *image.RGBA, w, h int) *image.RGBA {
	b := src.Bounds()
	if w == b.Dx() && h == b.Dy() {
		return src
	}
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.CatmullRom.Scale(dst, dst.Bounds(), src, b, draw.Src, nil)
	return dst
}

// Encode returns img as a JPEG without metadata.
func Encode(img *image.RGBA) ([]byte, error) {
	var buf bytes.Buffer
	err := jpeg.Encode(&buf, img, &jpeg.Options{Quality: quality})
	return buf.Bytes(), err
}

// turn returns src upright, given its EXIF orientation.
func turn(src *image.RGBA, orientation int) *image.RGBA {
	if orientation < 2 || orientation > 8 {
		return src
	}
	b := src.Bounds()
	w, h := Upright(b.Dx(), b.Dy(), orientation)
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			sx, sy := source(x, y, w, h, orientation)
			copy(dst.Pix[y*dst.Stride+4*x:][:4], src.Pix[sy*src.Stride+4*sx:][:4])
		}
	}
	return dst
}

// Upright returns the size of a picture once it is upright, given its EXIF
// orientation.
func Upright(width, height, orientation int) (w, h int) {
	if orientation >= 5 && orientation <= 8 {
		return height, width
	}
	return width, height
}

// source returns the position in the file of the pixel at (x, y) of the upright
// picture, which is w by h pixels.
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

// TempPrefix begins the names of files that WriteFile has not finished.
const TempPrefix = ".unfinished-"

// WriteFile writes a file atomically, creating its folder if needed.
func WriteFile(name string, body []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), TempPrefix+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
