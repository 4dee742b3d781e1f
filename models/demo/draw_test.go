//go:build !race

package demo

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// aKeyOf returns a key for every category, variant and view.
func aKeyOf() []string {
	var keys []string
	for _, c := range models.Categories {
		for _, view := range views[c.Family()] {
			for shape := range shapes {
				d := design{category: c, shape: shape, wear: 2 * shape, model: uint16(shape * 7919), copy: uint16(shape * 104), view: view}
				if c.Family() == models.FamilyLens {
					focals := [shapes][2]float64{{50, 50}, {24, 70}, {200, 600}, {8, 8}}
					d.from, d.to, d.aperture = focals[shape][0], focals[shape][1], 1.2*float64(shape+1)
				}
				keys = append(keys, d.key())
			}
		}
	}
	return keys
}

func TestDraw(t *testing.T) {
	keys := aKeyOf()
	if testing.Short() {
		keys = keys[:20]
	}
	most := map[int]int{320: 14_500, 640: 40_000}
	for i, key := range keys {
		t.Run(key, func(t *testing.T) {
			for width, limit := range most {
				if width == 640 && i%4 != 0 {
					continue // the small ones show what there is
				}
				b, err := Draw(key, width)
				if err != nil {
					t.Fatal(err)
				}
				if len(b) > limit {
					t.Errorf("%d bytes at %d pixels, want at most %d", len(b), width, limit)
				}
				img, err := jpeg.Decode(bytes.NewReader(b))
				if err != nil || img.Bounds() != image.Rect(0, 0, width, width*3/4) {
					t.Fatalf("%v, %v", img.Bounds(), err)
				}
				if width == 320 && contrast(img) < 70 {
					t.Errorf("contrast %d: there is hardly anything in the picture", contrast(img))
				}
			}
		})
	}
}

// contrast returns the difference between the lightest and the darkest pixel near the
// centre, 0 to 255.
func contrast(img image.Image) int {
	low, high := 255, 0
	b := img.Bounds()
	for y := b.Dy() / 4; y < b.Dy()*3/4; y += 2 {
		for x := b.Dx() / 4; x < b.Dx()*3/4; x += 2 {
			r, g, bl, _ := img.At(x, y).RGBA()
			v := int(r+g+bl) / 3 >> 8
			low, high = min(low, v), max(high, v)
		}
	}
	return high - low
}

func TestDrawIsAFunctionOfTheKey(t *testing.T) {
	const key = "demo-film-slr-0-4-a1b2c3d4-front"
	a, err := Draw(key, 320)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := Draw(key, 320)
	if !bytes.Equal(a, b) {
		t.Error("two drawings of one key differ")
	}
	if other, _ := Draw("demo-film-slr-0-4-a1b2c3d5-front", 320); bytes.Equal(a, other) {
		t.Error("another copy looks the same")
	}
}

func TestDrawRefuses(t *testing.T) {
	if _, err := Draw("demo-film-slr-0-4-a1b2c3d4-side", 320); err == nil {
		t.Error("drew a view there is not")
	}
	if _, err := Draw("demo-film-slr-0-4-a1b2c3d4-front", 400); err == nil {
		t.Error("drew a width there is not")
	}
}

// BenchmarkDraw draws a photograph, as its first request does.
func BenchmarkDraw(b *testing.B) {
	keys := aKeyOf()
	for _, width := range models.PhotoWidths {
		b.Run(fmt.Sprint(width), func(b *testing.B) {
			for i := range b.N {
				if _, err := Draw(keys[i*7%len(keys)], width); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
