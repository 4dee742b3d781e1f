//go:build !race

package demo

import (
	"bytes"
	"cmp"
	"image"
	"image/jpeg"
	"math"
	"slices"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// TestNeighboursLookDifferent walks the lists that show cards side by side: the newest listings,
// those of a category, and those of the models with most of them, by price.
func TestNeighboursLookDifferent(t *testing.T) {
	const (
		alike = 9.0 // difference of two pictures that nobody would tell apart at a glance
		pages = 2 * 24
	)
	for name, list := range shownLists() {
		var before []float64
		for i, l := range list[:min(len(list), pages)] {
			after := thumbnail(t, l.Photos[0].Key)
			if d := difference(before, after); d < alike {
				t.Errorf("%s: pictures %d and %d, %s and %s, differ by %.1f", name, i, i+1, list[i-1].Photos[0].Key, l.Photos[0].Key, d)
			}
			before = after
		}
	}
}

// shownLists returns lists of listings as pages show them.
func shownLists() map[string][]models.Listing {
	lists := map[string][]models.Listing{}
	for _, l := range data().Listings {
		if l.Status != models.StatusActive || len(l.Photos) == 0 {
			continue
		}
		for _, name := range []string{"newest", string(l.Category), l.Gear} {
			lists[name] = append(lists[name], l)
		}
	}
	for name, list := range lists {
		switch {
		case name == "newest" || models.Category(name).Family() != "":
			slices.Reverse(list)
		case len(list) < 14:
			delete(lists, name)
		default:
			slices.SortFunc(list, func(a, b models.Listing) int { return cmp.Compare(a.Price, b.Price) })
		}
	}
	return lists
}

// thumbnail returns the mean colours of the fields of a picture, 8 by 6.
func thumbnail(t *testing.T, key string) []float64 {
	b, err := Draw(key, 320)
	if err != nil {
		t.Fatal(err)
	}
	img, err := jpeg.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	const field = 40
	var means []float64
	for y := 0; y < img.Bounds().Dy(); y += field {
		for x := 0; x < img.Bounds().Dx(); x += field {
			means = append(means, mean(img, image.Rect(x, y, x+field, y+field))...)
		}
	}
	return means
}

// mean returns the mean red, green and blue of a part of a picture, 0 to 255.
func mean(img image.Image, part image.Rectangle) []float64 {
	sum, n := make([]float64, 3), 0.0
	for y := part.Min.Y; y < part.Max.Y; y += 4 {
		for x := part.Min.X; x < part.Max.X; x += 4 {
			r, g, b, _ := img.At(x, y).RGBA()
			for i, v := range []uint32{r, g, b} {
				sum[i] += float64(v >> 8)
			}
			n++
		}
	}
	for i := range sum {
		sum[i] /= n
	}
	return sum
}

// difference returns the mean difference of the fields of two thumbnails, or infinity without a first.
func difference(a, b []float64) float64 {
	if a == nil {
		return math.Inf(1)
	}
	var sum float64
	for i := range a {
		sum += math.Abs(a[i] - b[i])
	}
	return sum / float64(len(a))
}
