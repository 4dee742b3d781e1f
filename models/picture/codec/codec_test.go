package codec_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"os"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/picture/codec"
)

// TestLimits checks that a file that takes too much memory or time, or nobody waits for, leaves a
// decoder for the next one.
func TestLimits(t *testing.T) {
	heic, err := os.ReadFile("../picturetest/testdata/quarters.heic")
	if err != nil {
		t.Fatal(err)
	}
	late, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	good := codec.Request{Format: codec.HEIC, Memory: 10 << 20, Pixels: 1e6, Data: heic}
	for name, c := range map[string]struct {
		ctx    context.Context
		change func(*codec.Request)
		want   error
	}{
		"memory":        {t.Context(), func(r *codec.Request) { r.Memory = -(15 << 20) }, codec.ErrDamaged},
		"pixels":        {t.Context(), func(r *codec.Request) { r.Pixels = 100 }, codec.ErrDamaged},
		"no file":       {t.Context(), func(r *codec.Request) { r.Data = nil }, codec.ErrDamaged},
		"another codec": {t.Context(), func(r *codec.Request) { r.Format = codec.AVIF }, codec.ErrDamaged},
		"late":          {late, func(*codec.Request) {}, context.DeadlineExceeded},
		"cancelled":     {cancelled, func(*codec.Request) {}, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			r := good
			c.change(&r)
			if _, err := codec.Decode(c.ctx, r); !errors.Is(err, c.want) {
				t.Errorf("the error is %v", err)
			}
			if img, err := codec.Decode(t.Context(), good); err != nil || img.Bounds().Dx() != 480 || img.Bounds().Dy() != 640 {
				t.Errorf("the next is %v, %v", img, err)
			}
		})
	}
}

func init() { codec.LowPriority = false }

// TestEncode checks that a picture that is encoded and decoded again is nearly the same, also if
// its sides are odd and its rows are part of a larger picture.
func TestEncode(t *testing.T) {
	whole := image.NewRGBA(image.Rect(0, 0, 400, 300))
	for y := range 300 {
		for x := range 400 {
			whole.SetRGBA(x, y, color.RGBA{uint8(x / 2), uint8(y), uint8((x + y) / 3), 255})
		}
	}
	for name, img := range map[string]*image.RGBA{"whole": whole, "part": whole.SubImage(image.Rect(7, 5, 298, 206)).(*image.RGBA), "pixel": whole.SubImage(image.Rect(1, 1, 2, 2)).(*image.RGBA)} {
		t.Run(name, func(t *testing.T) {
			file, err := codec.Encode(t.Context(), img, 60)
			if err != nil {
				t.Fatal(err)
			}
			got, err := codec.Decode(t.Context(), codec.Request{Format: codec.AVIF, Memory: 10 << 20, Pixels: 1e6, Data: file})
			if err != nil || got.Bounds().Size() != img.Rect.Size() {
				t.Fatal(got.Bounds(), err)
			}
			if psnr := psnr(img, got.(*image.RGBA)); psnr < 35 {
				t.Errorf("the PSNR is %.1f dB", psnr)
			}
		})
	}
	if _, err := codec.Encode(t.Context(), &image.RGBA{}, 60); !errors.Is(err, codec.ErrDamaged) {
		t.Errorf("the error of no picture is %v", err)
	}
	if _, err := codec.Encode(t.Context(), whole, 60); err != nil {
		t.Errorf("the next picture: %v", err)
	}
}

// psnr returns the peak signal-to-noise ratio of two pictures of the same size in dB.
func psnr(a, b *image.RGBA) float64 {
	var sum float64
	size := a.Rect.Size()
	for y := range size.Y {
		for x := range 4 * size.X {
			d := float64(a.Pix[y*a.Stride+x]) - float64(b.Pix[y*b.Stride+x])
			sum += d * d
		}
	}
	return 10 * math.Log10(255*255*float64(4*size.X*size.Y)/max(sum, 1))
}
