package baseline_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"testing"

	"github.com/secondlight/secondlight/models/picture/baseline"
)

// TestEncode compares files with those of image/jpeg: they are as large and as good.
func TestEncode(t *testing.T) {
	for _, ratio := range []image.YCbCrSubsampleRatio{image.YCbCrSubsampleRatio420, image.YCbCrSubsampleRatio444} {
		for _, size := range []image.Point{{640, 480}, {333, 217}, {17, 9}, {1, 1}} {
			for _, quality := range []int{20, 82, 100} {
				img := photo(size.X, size.Y, ratio)
				got, err := baseline.Encode(img, quality)
				if err != nil {
					t.Fatal(err)
				}
				want := encode(t, subsampled(img), quality)
				decoded, err := jpeg.Decode(bytes.NewReader(got))
				if err != nil {
					t.Fatalf("%v %v at %d: %v", ratio, size, quality, err)
				}
				reference, err := jpeg.Decode(bytes.NewReader(want))
				if err != nil {
					t.Fatal(err)
				}
				mine, theirs := psnr(decoded.(*image.YCbCr), img, 1), psnr(reference.(*image.YCbCr), img, 1)
				if mine < min(theirs-0.1, 55) || ratio == image.YCbCrSubsampleRatio420 && len(got) > len(want)*101/100+16 {
					t.Errorf("%v %v at %d: %d bytes, %.2f dB; image/jpeg: %d, %.2f", ratio, size, quality, len(got), mine, len(want), theirs)
				}
				if decoded.Bounds() != img.Rect || decoded.(*image.YCbCr).SubsampleRatio != ratio {
					t.Errorf("%v %v is %v %v", ratio, img.Rect, decoded.(*image.YCbCr).SubsampleRatio, decoded.Bounds())
				}
				t.Logf("%v %v at %d: %d bytes, %.2f dB; image/jpeg: %d, %.2f", ratio, size, quality, len(got), mine, len(want), theirs)
			}
		}
	}
}

// subsampled returns a picture with the 4:2:0 sampling that image/jpeg writes.
func subsampled(img *image.YCbCr) *image.YCbCr {
	if img.SubsampleRatio == image.YCbCrSubsampleRatio420 {
		return img
	}
	half := image.NewYCbCr(img.Rect, image.YCbCrSubsampleRatio420)
	copy(half.Y, img.Y)
	return half
}
