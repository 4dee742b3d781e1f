//go:build !race

package drawing

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"slices"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// earlierShapes is the number of variants in keys of earlier versions.
const earlierShapes = 4

// earlierKeys returns keys of earlier versions, one for every category, variant and view.
func earlierKeys() []string {
	var keys []string
	for _, c := range models.Categories {
		for _, view := range views[c.Family()] {
			for shape := range earlierShapes {
				d := Design{Category: c, Shape: Shape(shape), Wear: 2 * shape, Model: uint16(shape * 7919), Copy: uint16(shape * 104), View: view}
				if c.Family() == models.FamilyLens {
					focals := [earlierShapes][2]float64{{50, 50}, {24, 70}, {200, 600}, {8, 8}}
					d.From, d.To, d.Aperture = focals[shape][0], focals[shape][1], 1.2*float64(shape+1)
				}
				keys = append(keys, d.Key())
			}
		}
	}
	return keys
}

// everyShape returns a key for every shape of cameras in two colours, and for lenses in each.
func everyShape() []string {
	var keys []string
	add := func(d Design) {
		n := len(keys)
		d.Wear, d.Model, d.Copy, d.View = n%7, uint16(n*7919), uint16(n*104), views[d.Category.Family()][0]
		keys = append(keys, d.Key())
	}
	for _, c := range models.Categories {
		switch c.Family() {
		case models.FamilyCamera:
			for shape := range Shape(shapes) {
				if shape < earlierShapes || figures[c][shape] != nil {
					add(Design{Category: c, Shape: shape, Colour: blackFinish})
					add(Design{Category: c, Shape: shape, Colour: colours[len(keys)%len(colours)]})
				}
			}
		case models.FamilyLens:
			for i, colour := range colours {
				add(Design{Category: c, Colour: colour, From: 24, To: float64(24 + 80*(i%4)), Aperture: 2.8})
			}
		}
	}
	return keys
}

func TestDraw(t *testing.T) {
	keys := slices.Concat(earlierKeys(), everyShape())
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
	keys := slices.Concat(earlierKeys(), everyShape())
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
