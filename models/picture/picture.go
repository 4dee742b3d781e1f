package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	_ "image/png" // register the decoder
	"io"

	"golang.org/x/image/draw"

	"github.com/secondlight/secondlight/models/durable"
)

// quality is the JPEG quality of served pictures, 1 to 100.
const quality = 82

// Decode decodes a file that has passed Check, rotates it upright by its EXIF
// orientation, flattens it onto white and converts the colours of its profile to sRGB.
// To save memory it divides the size by the largest integer that leaves the long side at
// least long pixels.
func Decode(data []byte, orientation, long int) (*image.RGBA, error) {
	src, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, Refuse(ExportAgain, "The picture cannot be decoded: %v.", err)
	}
	img := shrink(src, long)
	src = nil // allow collection before turn allocates
	if p := profileOf(data); p != nil {
		p.convert(img)
	}
	return turn(img, orientation), nil
}

// shrink copies src onto white, averaging every k by k pixels into one. k is the
// largest integer that leaves the long side at least long pixels. It reads src in
// strips, so that it never allocates a second picture of that size.
func shrink(src image.Image, long int) *image.RGBA {
	b := src.Bounds()
	k := max(1, max(b.Dx(), b.Dy())/long)
	w, h := max(1, b.Dx()/k), max(1, b.Dy()/k)
	if src, ok := src.(*image.YCbCr); ok && k > 1 {
		return shrinkYCbCr(src, w, h, k)
	}
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	strip := image.NewRGBA(image.Rect(0, 0, w*k, k))
	for y := range h {
		draw.Draw(strip, strip.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
		draw.Draw(strip, strip.Bounds(), src, image.Pt(b.Min.X, b.Min.Y+y*k), draw.Over)
		average(dst.Pix[y*dst.Stride:], strip, w, k)
	}
	return dst
}

// shrinkYCbCr is shrink for the pictures in most JPEGs. It averages before it converts
// the colours, which is several times faster.
func shrinkYCbCr(src *image.YCbCr, w, h, k int) *image.RGBA {
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			area := image.Rect(x*k, y*k, x*k+k, y*k+k).Add(src.Rect.Min)
			last := area.Max.Sub(image.Pt(1, 1))
			luma := meanOf(src.Y, src.YStride, src.YOffset(area.Min.X, area.Min.Y), src.YOffset(last.X, last.Y))
			from, to := src.COffset(area.Min.X, area.Min.Y), src.COffset(last.X, last.Y)
			r, g, b := color.YCbCrToRGB(luma, meanOf(src.Cb, src.CStride, from, to), meanOf(src.Cr, src.CStride, from, to))
			dst.SetRGBA(x, y, color.RGBA{r, g, b, 255})
		}
	}
	return dst
}

// meanOf returns the mean of the samples in the rectangle whose first and last sample
// are at the offsets from and to.
func meanOf(plane []uint8, stride, from, to int) uint8 {
	width, rows := (to-from)%stride+1, (to-from)/stride+1
	sum := 0
	for y := range rows {
		for _, sample := range plane[from+y*stride:][:width] {
			sum += int(sample)
		}
	}
	n := width * rows
	return uint8((sum + n/2) / n)
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

// Scale returns src scaled down to w by h pixels, or src itself if it has that size. A
// pixel is the mean of the area that it covers in src.
func Scale(src *image.RGBA, w, h int) *image.RGBA {
	b := src.Bounds()
	if w == b.Dx() && h == b.Dy() {
		return src
	}
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	row, sum := make([]uint64, 4*w), make([]uint64, 4*w)
	area := 1 / float64(b.Dx()*b.Dy())
	y := 0
	for from := range b.Dy() {
		scaleRow(row, src.Pix[from*src.Stride:], b.Dx(), w)
		for ; y < h; y++ {
			weight := uint64(overlap(from, y, b.Dy(), h))
			for i, v := range row {
				sum[i] += v * weight
			}
			if (y+1)*b.Dy() > (from+1)*h {
				break // the next row of src has a part in this one
			}
			for i, v := range sum {
				dst.Pix[y*dst.Stride+i] = uint8(float64(v)*area + 0.5)
			}
			clear(sum)
		}
	}
	return dst
}

// scaleRow writes to row the sums of the width pixels of src that each of w pixels covers.
// A pixel that is covered in whole counts w times.
func scaleRow(row []uint64, src []uint8, width, w int) {
	clear(row)
	x := 0
	for from := range width {
		for ; x < w; x++ {
			weight := uint64(overlap(from, x, width, w))
			sum, pixel := row[4*x:4*x+4], src[4*from:4*from+4]
			for c, v := range pixel {
				sum[c] += uint64(v) * weight
			}
			if (x+1)*width > (from+1)*w {
				break
			}
		}
	}
}

// overlap returns how much of pixel from, of n, pixel to covers, of m in the same
// length: at most m.
func overlap(from, to, n, m int) int { return min((from+1)*m, (to+1)*n) - max(from*m, to*n) }

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

// WriteFile writes a file with durable.WriteFile.
func WriteFile(name string, body []byte) error {
	return durable.WriteFile(name, func(w io.Writer) error {
		_, err := w.Write(body)
		return err
	})
}
