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

// files returns small files of every kind that is supported.
func files(tb testing.TB) [][]byte {
	tb.Helper()
	grey := image.NewGray(image.Rect(0, 0, 40, 30))
	copy(grey.Pix, photo(40, 30, image.YCbCrSubsampleRatio420).Y)
	all := [][]byte{encode(tb, grey, 80), encode(tb, photo(40, 30, image.YCbCrSubsampleRatio420), 80)}
	for _, ratio := range []image.YCbCrSubsampleRatio{image.YCbCrSubsampleRatio420, image.YCbCrSubsampleRatio444} {
		file, err := baseline.Encode(photo(64, 48, ratio), 80)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, file)
	}
	return all
}

// compare decodes a file, which may be damaged. If Decode decodes it, image/jpeg must, to the
// same means of blocks.
func compare(t *testing.T, data []byte) {
	config, err := jpeg.DecodeConfig(bytes.NewReader(data))
	if err != nil || config.Width*config.Height > 1e6 {
		return
	}
	var full image.Image
	for _, scale := range []int{2, 4, 8} {
		img, err := baseline.Decode(data, scale)
		if err != nil {
			continue // image/jpeg decides
		}
		img.YCbCrAt(img.Rect.Max.X-1, img.Rect.Max.Y-1) // panics if a plane is too short
		if full == nil {
			if full, err = jpeg.Decode(bytes.NewReader(data)); err != nil {
				t.Fatalf("decoded at 1/%d a file that image/jpeg refuses: %v", scale, err)
			}
		}
		plane, stride := lumaOf(full)
		for y := 0; y+8 <= config.Height; y += 8 {
			for x := 0; x+8 <= config.Width; x += 8 {
				got, clipped := mean(img.Y[y/scale*img.YStride+x/scale:], img.YStride, 8/scale)
				want, cut := mean(plane[y*stride+x:], stride, 8)
				if !clipped && !cut && math.Abs(got-want) > 1.5 {
					t.Fatalf("at 1/%d the block at %d, %d has the mean %.1f, want %.1f", scale, x, y, got, want)
				}
			}
		}
	}
}

// lumaOf returns the luma of a picture.
func lumaOf(img image.Image) (plane []uint8, stride int) {
	if grey, ok := img.(*image.Gray); ok {
		return grey.Pix, grey.Stride
	}
	ycbcr := img.(*image.YCbCr)
	return ycbcr.Y, ycbcr.YStride
}

// mean returns the mean of a square, and whether a value in it may have been clipped.
func mean(plane []uint8, stride, side int) (mean float64, clipped bool) {
	for y := range side {
		for _, v := range plane[y*stride:][:side] {
			mean += float64(v)
			clipped = clipped || v == 0 || v == 255
		}
	}
	return mean / float64(side*side), clipped
}

// TestDecodeDamaged compares damaged files with what image/jpeg makes of them.
func TestDecodeDamaged(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for _, file := range files(t) {
		compare(t, file)
		for range 5000 {
			damaged := bytes.Clone(file)
			for range 1 + random.IntN(3) {
				switch at := random.IntN(len(damaged)); random.IntN(4) {
				case 0:
					damaged[at] ^= 1 << random.IntN(8)
				case 1:
					damaged[at] = byte(random.Uint32())
				case 2:
					damaged = append(damaged[:at], damaged[at+1:]...)
				default:
					damaged = damaged[:max(at, len(damaged)-random.IntN(8))]
				}
			}
			compare(t, damaged)
		}
	}
}

// FuzzDecode compares damaged files with what image/jpeg makes of them.
func FuzzDecode(f *testing.F) {
	for _, file := range files(f) {
		f.Add(file)
	}
	f.Fuzz(compare)
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
