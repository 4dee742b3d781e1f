//go:build !race

package picture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
	"github.com/secondlight/secondlight/models/problem"
)

// Colour types of PNG.
const (
	grey       = 0
	rgb        = 2
	palette    = 3
	rgba       = 6
	interlaced = true
)

// TestCostlyPicturesAreRefused checks that small files which take long or much memory to
// decode are refused before they are decoded, and that ordinary ones are not.
func TestCostlyPicturesAreRefused(t *testing.T) {
	photo := picturetest.JPEG(t, 60, 40)
	for name, c := range map[string]struct {
		data []byte
		want string // part of the reason, "" if the file is accepted
	}{
		"106 megapixels":              {picturetest.WithSize(photo, 12_100, 8800), "megapixels. The limit is"},
		"a flat PNG":                  {flatPNG(7000, 5500, 8, rgba, false), "takes too long"},
		"a flat PNG of 16 bits":       {flatPNG(6000, 4000, 16, rgba, false), "takes too long"},
		"an interlaced PNG":           {flatPNG(6000, 5000, 8, rgb, interlaced), "takes too long"},
		"an interlaced palette":       {flatPNG(7000, 5700, 1, palette, interlaced), "takes too long"},
		"a large lossless WebP":       {sizedWebP(t, 5000, 4000), "takes too long"},
		"a huge lossless WebP":        {sizedWebP(t, 12_000, 9000), "megapixels. The limit is"},
		"60 scans":                    {progressiveJPEG(6000, 4000, 60), "takes too long"},
		"a long strip":                {flatPNG(2500, 12_000, 8, grey, false), "too many pixels for its width"},
		"a PNG of a screen":           {flatPNG(2560, 1440, 8, rgb, false), ""},
		"an interlaced PNG of 4 MP":   {flatPNG(2400, 1600, 8, rgba, interlaced), ""},
		"a progressive JPEG of 10 MP": {progressiveJPEG(3900, 2600, 10), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := picture.NewStore(blob.Folder(t.TempDir())).Render(t.Context(), "anna", "", c.data)
			reason := picture.Refusal(err)
			if c.want == "" && err != nil || c.want != "" && (reason == nil || !strings.Contains(reason.Reason.String(), c.want) || reason.Hint == nil) {
				t.Errorf("%d bytes: %v, want %q", len(c.data), err, c.want)
			}
		})
	}
}

// sizedWebP returns a lossless WebP whose header declares another size.
func sizedWebP(t *testing.T, width, height uint32) []byte {
	data := bytes.Clone(picturetest.Sample(t, "transparent.webp"))
	const header = 21 // after those of the file and of the chunk, and the signature
	binary.LittleEndian.PutUint32(data[header:], width-1|(height-1)<<14)
	return data
}

// TestLargePhotographs checks that Render accepts photographs of cameras with 60 and 100
// megapixels.
func TestLargePhotographs(t *testing.T) {
	for _, size := range [][2]int{{9504, 6336}, {11_648, 8736}} {
		var data bytes.Buffer
		if err := jpeg.Encode(&data, image.NewYCbCr(image.Rect(0, 0, size[0], size[1]), image.YCbCrSubsampleRatio420), nil); err != nil {
			t.Fatal(err)
		}
		r, err := picture.NewStore(blob.Folder(t.TempDir())).Render(t.Context(), "anna", "a.jpg", data.Bytes())
		if err != nil || r.Width != size[0] || r.Height != size[1] {
			t.Errorf("%v: %v", size, err)
		}
	}
}

// sampled returns a picture as Decode returns it, at its quality.
func sampled(t *testing.T, img *image.RGBA) *image.YCbCr {
	t.Helper()
	photo, err := picture.Decode(picturetest.PNG(t, img), 1, img.Rect.Dx(), img.Rect.Dy())
	if err != nil {
		t.Fatal(err)
	}
	return photo
}

// TestScale checks that scaling keeps the mean colour, and flat areas as they are.
func TestScale(t *testing.T) {
	src := sampled(t, picturetest.Image(60, 40))
	for _, size := range []image.Point{{60, 40}, {59, 39}, {37, 11}, {30, 20}, {7, 40}, {1, 1}} {
		dst := picture.Scale(src, size.X, size.Y)
		if dst.Rect.Max != size {
			t.Fatalf("%v is %v", size, dst.Rect)
		}
		for _, corner := range []image.Point{{0, 0}, {size.X - 1, 0}, {0, size.Y - 1}, {size.X - 1, size.Y - 1}} {
			want := src.YCbCrAt(min(corner.X, 1)*59, min(corner.Y, 1)*39)
			if size.X > 1 && dst.YCbCrAt(corner.X, corner.Y) != want {
				t.Errorf("%v at %v is %v, want %v", size, corner, dst.YCbCrAt(corner.X, corner.Y), want)
			}
		}
	}
	r, g, b, _ := picture.Scale(src, 1, 1).At(0, 0).RGBA()
	for _, mean := range []uint32{r, g, b} {
		if mean>>8 < 126 || mean>>8 > 130 {
			t.Errorf("the mean is %d, %d, %d, want 128", r>>8, g>>8, b>>8)
		}
	}
}

// TestDecodeScaled compares photographs that are decoded at a fraction of their size with
// their means, at each orientation and in each kind of file.
func TestDecodeScaled(t *testing.T) {
	src := picturetest.Image(600, 400)
	for orientation := 1; orientation <= 8; orientation++ {
		w, h := picture.Upright(150, 100, orientation)
		small, err := picture.Decode(picturetest.PNG(t, src), orientation, w, h)
		if err != nil {
			t.Fatal(err)
		}
		got, err := picture.Decode(picturetest.JPEG(t, 600, 400), orientation, w, h)
		if err != nil {
			t.Fatal(err)
		}
		if got.Rect != small.Rect || got.Rect.Max != image.Pt(w, h) {
			t.Fatalf("orientation %d is %v, want %v", orientation, got.Rect, small.Rect)
		}
		for _, at := range []image.Point{{w / 4, h / 4}, {3 * w / 4, h / 4}, {w / 4, 3 * h / 4}, {3 * w / 4, 3 * h / 4}} {
			r, g, b, _ := got.At(at.X, at.Y).RGBA()
			wantR, wantG, wantB, _ := small.At(at.X, at.Y).RGBA()
			if r>>13 != wantR>>13 || g>>13 != wantG>>13 || b>>13 != wantB>>13 {
				t.Errorf("orientation %d at %v is %x %x %x, want %x %x %x", orientation, at, r, g, b, wantR, wantG, wantB)
			}
		}
	}
}

// TestProcessorQuota checks that a member cannot take more than the quota, and that
// others still can.
func TestProcessorQuota(t *testing.T) {
	s := picture.NewStore(blob.Folder(t.TempDir()))
	data := picturetest.JPEG(t, 40, 30)
	var limited *problem.Error
	n := 0
	for ; n < 1000; n++ {
		if _, err := s.Render(t.Context(), "anna", "a.jpg", data); errors.As(err, &limited) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if n < 100 || limited == nil || limited.Kind != problem.TooMany || limited.Wait < 1 {
		t.Errorf("after %d photographs: %v", n, limited)
	}
	if _, err := s.Render(t.Context(), "ben", "a.jpg", data); err != nil {
		t.Errorf("another member: %v", err)
	}
}
