package picture_test

import (
	"errors"
	"image"
	"image/color"
	"strings"
	"testing"

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
		"41 megapixels":               {picturetest.WithSize(photo, 7400, 5600), "too many pixels"},
		"a flat PNG":                  {picturetest.FlatPNG(7000, 5500, 8, rgba, false), "takes too long"},
		"a flat PNG of 16 bits":       {picturetest.FlatPNG(6000, 4000, 16, rgba, false), "takes too long"},
		"an interlaced PNG":           {picturetest.FlatPNG(6000, 5000, 8, rgb, interlaced), "takes too long"},
		"an interlaced palette":       {picturetest.FlatPNG(7000, 5700, 1, palette, interlaced), "takes too long"},
		"60 scans":                    {picturetest.ProgressiveJPEG(6000, 4000, 60), "takes too long"},
		"a long strip":                {picturetest.FlatPNG(2500, 12_000, 8, grey, false), "too many pixels for its width"},
		"a PNG of a screen":           {picturetest.FlatPNG(2560, 1440, 8, rgb, false), ""},
		"an interlaced PNG of 4 MP":   {picturetest.FlatPNG(2400, 1600, 8, rgba, interlaced), ""},
		"a progressive JPEG of 10 MP": {picturetest.ProgressiveJPEG(3900, 2600, 10), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := picture.NewStore(t.TempDir()).Render(t.Context(), "anna", "", c.data)
			reason := picture.Refusal(err)
			if c.want == "" && err != nil || c.want != "" && (reason == nil || !strings.Contains(reason.Reason, c.want) || reason.Hint == "") {
				t.Errorf("%d bytes: %v, want %q", len(c.data), err, c.want)
			}
		})
	}
}

// TestScale checks that scaling keeps the mean colour, and flat areas as they are.
func TestScale(t *testing.T) {
	src := picturetest.Image(60, 40)
	for _, size := range []image.Point{{60, 40}, {59, 39}, {37, 11}, {30, 20}, {7, 40}, {1, 1}} {
		dst := picture.Scale(src, size.X, size.Y)
		if dst.Rect.Max != size {
			t.Fatalf("%v is %v", size, dst.Rect)
		}
		for _, corner := range []image.Point{{0, 0}, {size.X - 1, 0}, {0, size.Y - 1}, {size.X - 1, size.Y - 1}} {
			want := src.RGBAAt(min(corner.X, 1)*59, min(corner.Y, 1)*39)
			if size.X > 1 && dst.RGBAAt(corner.X, corner.Y) != want {
				t.Errorf("%v at %v is %v, want %v", size, corner, dst.RGBAAt(corner.X, corner.Y), want)
			}
		}
	}
	if mean, want := picture.Scale(src, 1, 1).RGBAAt(0, 0), (color.RGBA{128, 128, 128, 255}); mean != want {
		t.Errorf("the mean is %v, want %v", mean, want)
	}
}

// TestProcessorQuota checks that a member cannot take more than the quota, and that
// others still can.
func TestProcessorQuota(t *testing.T) {
	s := picture.NewStore(t.TempDir())
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
