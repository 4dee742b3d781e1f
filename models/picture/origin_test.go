//go:build !race

package picture_test

import (
	"image"
	"image/color"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// scene returns a picture with structure that depends on a seed.
func scene(w, h, seed int) *image.RGBA {
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	var squares [12][12]uint8
	for y := range squares {
		for x := range squares[y] {
			squares[y][x] = uint8(random.IntN(256))
		}
	}
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := squares[y*12/h][x*12/w]
			img.SetRGBA(x, y, color.RGBA{c, c, 255 - c, 255})
		}
	}
	return img
}

// origin returns what a file says about where its picture comes from.
func origin(t *testing.T, name string, data []byte) picture.Origin {
	t.Helper()
	r, err := picture.NewStore(blob.Folder(t.TempDir())).Render(t.Context(), "somebody", name, data)
	if err != nil {
		t.Fatal(err)
	}
	return r.Origin
}

func TestOrigin(t *testing.T) {
	plain := picturetest.JPEG(t, 60, 40)
	exif := func(software string) []byte {
		ifd0, exif := picturetest.Tags(picturetest.Exposure)
		if software != "" {
			ifd0 = append(ifd0, picturetest.Tag{ID: 0x0131, Value: software})
		}
		return picturetest.With(plain, picturetest.EXIF(ifd0, exif, nil))
	}
	xmp := "http://ns.adobe.com/xap/1.0/\x00<x:xmpmeta>DigitalSourceType=http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia</x:xmpmeta>"
	for what, c := range map[string]struct {
		data      []byte
		software  string
		generated bool
		serial    string
	}{
		"nothing":           {plain, "", false, ""},
		"a camera":          {exif(""), "", false, "SERIAL-0123456789"},
		"a camera's own":    {exif("Firmware 1.2"), "", false, "SERIAL-0123456789"},
		"a raw developer":   {exif("Adobe Lightroom 7"), "", false, "SERIAL-0123456789"},
		"an editor":         {exif("Adobe Photoshop 25.1 (Windows)"), "Adobe Photoshop 25.1 (Windows)", false, "SERIAL-0123456789"},
		"a generator":       {exif("Midjourney v6"), "Midjourney v6", true, "SERIAL-0123456789"},
		"a mark in its XMP": {picturetest.With(plain, append([]byte{0xff, 0xe1, byte((len(xmp) + 2) >> 8), byte(len(xmp) + 2)}, xmp...)), "", true, ""},
	} {
		o := origin(t, "a.jpg", c.data)
		if o.Software != c.software || o.Generated != c.generated || o.CameraSN != c.serial || (o.LensSN != "") != (c.serial != "") {
			t.Errorf("%s: %+v", what, o)
		}
	}
}

// TestFingerprint compares pictures that were resized and compressed again.
func TestFingerprint(t *testing.T) {
	of := func(img image.Image) uint64 {
		data, err := picture.Encode(img)
		if err != nil {
			t.Fatal(err)
		}
		return origin(t, "a.jpg", data).Fingerprint
	}
	const near = 3
	original := scene(1600, 1200, 1)
	first := of(original)
	if first == 0 {
		t.Fatal("a picture with structure has no fingerprint")
	}
	for what, c := range map[string]struct {
		img  image.Image
		same bool
	}{
		"resized": {picture.Scale(sampled(t, original), 700, 525), true}, "small": {picture.Scale(sampled(t, original), 200, 150), true},
		"another": {scene(1600, 1200, 2), false}, "a third": {scene(1600, 1200, 13), false},
	} {
		if d := bits.OnesCount64(first ^ of(c.img)); (d <= near) != c.same {
			t.Errorf("%s differs in %d bits", what, d)
		}
	}
	if f := of(picturetest.Image(400, 300)); f != 0 {
		t.Errorf("a picture without structure has the fingerprint %x", f)
	}
	if origin(t, "b.png", picturetest.PNG(t, scene(300, 200, 3))).Fingerprint == 0 {
		t.Error("a PNG has no fingerprint")
	}
}
