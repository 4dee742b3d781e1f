package baseline_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/secondlight/secondlight/models/picture/baseline"
)

// photo returns a picture with smooth areas, edges, grain and colours.
func photo(w, h int, ratio image.YCbCrSubsampleRatio) *image.YCbCr {
	img := image.NewYCbCr(image.Rect(0, 0, w, h), ratio)
	random := rand.New(rand.NewPCG(1, 1))
	for y := range h {
		for x := range w {
			v := 128 + 60*math.Sin(float64(x)/40) + 30*math.Cos(float64(y)/25) + 6*random.Float64()
			if (x/61+y/47)%5 == 0 {
				v /= 2
			}
			img.Y[img.YOffset(x, y)] = uint8(v)
			img.Cb[img.COffset(x, y)] = uint8(128 + 50*math.Sin(float64(x+y)/60))
			img.Cr[img.COffset(x, y)] = uint8(128 + 50*math.Cos(float64(x-y)/70))
		}
	}
	return img
}

// encode returns img as image/jpeg encodes it.
func encode(tb testing.TB, img image.Image, quality int) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// TestDecode compares pictures with those that image/jpeg decodes, made smaller by means.
func TestDecode(t *testing.T) {
	for _, size := range []image.Point{{640, 480}, {333, 217}, {17, 9}, {8, 8}} {
		for _, scale := range []int{2, 4, 8} {
			data := encode(t, photo(size.X, size.Y, image.YCbCrSubsampleRatio420), 92)
			got, err := baseline.Decode(data, scale)
			if err != nil {
				t.Fatal(err)
			}
			if want := image.Pt(max(1, size.X/scale), max(1, size.Y/scale)); got.Rect.Max != want {
				t.Errorf("%v at 1/%d is %v", size, scale, got.Rect.Max)
			}
			full, err := jpeg.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if db := psnr(got, full.(*image.YCbCr), scale); db < 34 {
				t.Errorf("%v at 1/%d: %.1f dB", size, scale, db)
			} else {
				t.Logf("%v at 1/%d: %.1f dB", size, scale, db)
			}
		}
	}
}

// psnr returns the ratio of signal to noise of the luma of a picture, in dB, beside the means
// of squares of the original.
func psnr(img, original *image.YCbCr, scale int) float64 {
	var sum, n float64
	for y := range img.Rect.Max.Y {
		for x := range img.Rect.Max.X {
			mean := 0
			for dy := range scale {
				for dx := range scale {
					mean += int(original.Y[original.YOffset(x*scale+dx, y*scale+dy)])
				}
			}
			d := float64(img.Y[img.YOffset(x, y)]) - float64(mean)/float64(scale*scale)
			sum, n = sum+d*d, n+1
		}
	}
	return 10 * math.Log10(255*255/(sum/n))
}

// TestRestarts decodes a picture whose units are put together with restart markers between
// them, as cameras write them.
func TestRestarts(t *testing.T) {
	const units = 20
	whole := photo(16*units, 16, image.YCbCrSubsampleRatio420)
	var file []byte
	for i := range units {
		tile, err := baseline.Encode(whole.SubImage(image.Rect(16*i, 0, 16*i+16, 16)).(*image.YCbCr), 90)
		if err != nil {
			t.Fatal(err)
		}
		scan := bytes.Index(tile, []byte{0xff, 0xda}) + 2 + 12
		if i == 0 {
			head := bytes.Replace(tile[:scan], []byte{8, 0, 16, 0, 16}, []byte{8, 0, 16, 16 * units >> 8, 16 * units & 0xff}, 1)
			file = append(append(file, head[:2]...), 0xff, 0xdd, 0, 4, 0, 1)
			file = append(file, head[2:]...)
		} else {
			file = append(file, 0xff, 0xd0+byte(i-1)&7)
		}
		file = append(file, tile[scan:len(tile)-2]...)
	}
	file = append(file, 0xff, 0xd9)
	got, err := baseline.Decode(file, 2)
	if err != nil {
		t.Fatal(err)
	}
	full, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if db := psnr(got, full.(*image.YCbCr), 2); db < 34 {
		t.Errorf("%.1f dB", db)
	}
}

// TestDecodeGrey decodes a picture without colours.
func TestDecodeGrey(t *testing.T) {
	grey := image.NewGray(image.Rect(0, 0, 40, 30))
	for i := range grey.Pix {
		grey.Pix[i] = 77
	}
	got, err := baseline.Decode(encode(t, grey, 90), 4)
	if err != nil {
		t.Fatal(err)
	}
	if got.Rect.Max != image.Pt(10, 7) || got.YCbCrAt(9, 6) != (color.YCbCr{Y: 77, Cb: 128, Cr: 128}) {
		t.Errorf("%v %v", got.Rect, got.YCbCrAt(9, 6))
	}
}

// TestDecodeRefuses checks that damaged files are refused, and others left to image/jpeg.
func TestDecodeRefuses(t *testing.T) {
	whole := encode(t, photo(160, 120, image.YCbCrSubsampleRatio420), 90)
	larger := bytes.Replace(whole, []byte{8, 0, 120, 0, 160}, []byte{8, 2, 120, 2, 160}, 1)
	progressive := bytes.Replace(whole, []byte{0xff, 0xc0}, []byte{0xff, 0xc2}, 1)
	for name, c := range map[string]struct {
		data        []byte
		unsupported bool
	}{
		"empty":        {nil, false},
		"cut off":      {whole[:len(whole)/2], false},
		"without scan": {whole[:300], false},
		"larger":       {larger, false},
		"progressive":  {progressive, true},
	} {
		if _, err := baseline.Decode(c.data, 2); err == nil || errors.Is(err, baseline.ErrUnsupported) != c.unsupported {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzDecode decodes damaged files, which must not panic.
func FuzzDecode(f *testing.F) {
	for _, ratio := range []image.YCbCrSubsampleRatio{image.YCbCrSubsampleRatio420, image.YCbCrSubsampleRatio444} {
		file, err := baseline.Encode(photo(40, 30, ratio), 80)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		config, err := jpeg.DecodeConfig(bytes.NewReader(data))
		if err != nil || config.Width*config.Height > 1e6 {
			return
		}
		for _, scale := range []int{2, 4, 8} {
			img, err := baseline.Decode(data, scale)
			if err != nil {
				continue
			}
			img.YCbCrAt(img.Rect.Max.X-1, img.Rect.Max.Y-1) // panics if a plane is too short
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	data := encode(b, photo(3000, 2000, image.YCbCrSubsampleRatio420), 92)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := baseline.Decode(data, 2); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	img := photo(2160, 1440, image.YCbCrSubsampleRatio420)
	for b.Loop() {
		if _, err := baseline.Encode(img, 82); err != nil {
			b.Fatal(err)
		}
	}
}
