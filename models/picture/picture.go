package picture

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	_ "image/jpeg" // register the decoder
	_ "image/png"  // register the decoder
	"io"
	"log/slog"

	"golang.org/x/image/draw"

	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/picture/baseline"
	"github.com/secondlight/secondlight/models/picture/codec"
)

// Size returns the size of the picture in a file once it is upright, given its EXIF
// orientation.
func Size(data []byte, orientation int) (width, height int, err error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return 0, 0, Refuse(ExportAgain, "We couldn't read the photo: %v.", err)
	}
	width, height = Upright(config.Width, config.Height, orientation)
	return width, height, nil
}

// Decode decodes a file that has passed Check, scales it down to width by height pixels,
// rotates it upright by its EXIF orientation, flattens it onto white and converts the
// colours of its profile to sRGB. Its chroma sampling is 4:2:0.
func Decode(data []byte, orientation, width, height int) (*image.YCbCr, error) {
	w, h := Upright(width, height, orientation) // as in the file
	src, err := decode(data, w, h)
	if errors.Is(err, codec.ErrUnavailable) {
		slog.Error("start the decoder of HEIC and AVIF", "err", err)
		return nil, Refuse(ExportAgain, "This site can't read HEIC and AVIF files.")
	}
	if err != nil {
		return nil, Refuse(ExportAgain, "We couldn't read the photo: %v.", err)
	}
	img, ok := src.(*image.YCbCr)
	if !ok {
		img = subsample(shrink(src, max(w, h)))
	}
	img = Scale(img, w, h)
	if p := profileOf(data); p != nil {
		colours := image.NewRGBA(img.Rect)
		draw.Draw(colours, colours.Rect, img, image.Point{}, draw.Src)
		p.convert(colours)
		img = subsample(colours)
	}
	return turn(img, orientation), nil
}

// decode decodes a file to at least w by h pixels: most JPEGs to less than twice that.
func decode(data []byte, w, h int) (image.Image, error) {
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	for _, scale := range []int{8, 4, 2} {
		if format == "jpeg" && config.Width/scale >= w && config.Height/scale >= h {
			if img, err := baseline.Decode(data, scale); err == nil {
				return img, nil
			}
			break // image/jpeg decodes it, or says what is wrong
		}
	}
	return DecodeAll(data)
}

// DecodeAll decodes a file that has passed Check as it is, without scaling or rotating it.
func DecodeAll(data []byte) (image.Image, error) {
	img, format, err := image.Decode(bytes.NewReader(data))
	if format == "webp" {
		widen(img)
	}
	return img, err
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

// subsample returns an opaque picture with 4:2:0 chroma sampling.
func subsample(src *image.RGBA) *image.YCbCr {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	dst := image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio420)
	for y := 0; y < h; y += 2 {
		for x := 0; x < w; x += 2 {
			var red, green, blue, n int
			for dy := range min(2, h-y) {
				pixels := src.Pix[(y+dy)*src.Stride+4*x:]
				for dx := range min(2, w-x) {
					r, g, b := pixels[4*dx], pixels[4*dx+1], pixels[4*dx+2]
					dst.Y[(y+dy)*dst.YStride+x+dx], _, _ = color.RGBToYCbCr(r, g, b)
					red, green, blue, n = red+int(r), green+int(g), blue+int(b), n+1
				}
			}
			at := dst.COffset(x, y)
			_, dst.Cb[at], dst.Cr[at] = color.RGBToYCbCr(uint8((red+n/2)/n), uint8((green+n/2)/n), uint8((blue+n/2)/n))
		}
	}
	return dst
}

// turn returns src upright, given its EXIF orientation.
func turn(src *image.YCbCr, orientation int) *image.YCbCr {
	if orientation < 2 || orientation > 8 {
		return src
	}
	w, h := Upright(src.Rect.Dx(), src.Rect.Dy(), orientation)
	dst := image.NewYCbCr(image.Rect(0, 0, w, h), src.SubsampleRatio)
	from := planesOf(src)
	for i, to := range planesOf(dst) {
		for y := range to.height {
			for x := range to.width {
				sx, sy := source(x, y, to.width, to.height, orientation)
				to.pix[y*to.stride+x] = from[i].pix[sy*from[i].stride+sx]
			}
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
