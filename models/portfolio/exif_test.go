package portfolio

import (
	"bytes"
	"os"
	"testing"

	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

func testCatalog(t testing.TB) *catalog.Catalog {
	t.Helper()
	c, err := catalog.ReadCatalog(os.DirFS("../../content/catalog"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestReadEXIF(t *testing.T) {
	ifd0, exif := picturetest.Tags(picturetest.Exposure)
	photo := picturetest.With(picturetest.JPEG(t, 30, 20), picturetest.EXIF(ifd0, exif, picturetest.Munich))
	if got := picture.ReadEXIF(bytes.NewReader(photo), "a.jpg"); got != picturetest.Exposure {
		t.Errorf("read %+v, want %+v", got, picturetest.Exposure)
	}
	for name, data := range map[string][]byte{"none": picturetest.JPEG(t, 30, 20), "empty": nil, "cut off": photo[:60], "no picture": []byte("hello")} {
		if got := picture.ReadEXIF(bytes.NewReader(data), "a.jpg"); got.Orientation != 1 || got.Aperture != 0 {
			t.Errorf("%s: read %+v", name, got)
		}
	}
}

// TestGearOfEXIF resolves EXIF data of real cameras.
func TestGearOfEXIF(t *testing.T) {
	gears := testCatalog(t)
	slug := func(g *catalog.Gear) string {
		if g == nil {
			return ""
		}
		return g.Slug()
	}
	for _, c := range []struct{ maker, model, lensMake, lens, wantCamera, wantLens string }{
		{"Canon", "Canon EOS R6", "Canon", "RF35mm F1.8 Macro IS STM", "canon/eos-r6", "canon/rf-35mm-f1-8-macro-is-stm"},
		{"Canon", "Canon EOS 5D Mark IV", "", "EF50mm f/1.8 STM", "canon/eos-5d-mark-iv", "canon/ef-50mm-f1-8-stm"},
		{"NIKON CORPORATION", "NIKON Z 6_2", "NIKON", "NIKKOR Z 50mm f/1.8 S", "nikon/z-6ii", "nikon/nikkor-z-50mm-f1-8-s"},
		{"SONY", "ILCE-7M3", "", "FE 55mm F1.8 ZA", "sony/alpha-7-iii", "sony/fe-55mm-f1-8-za"},
		{"FUJIFILM", "X-T4", "FUJIFILM", "XF23mmF2 R WR", "fujifilm/x-t4", "fujifilm/xf-23mm-f2-r-wr"},
		{"FUJIFILM", "X100V", "", "", "fujifilm/x100v", ""},
		{"LEICA CAMERA AG", "LEICA Q2", "", "", "leica/q2", ""},
		{"Canon\x00\x00", "Canon EOS R6\x00", "", "RF24-105mm F4 L IS USM", "canon/eos-r6", "canon/rf-24-105mm-f4l-is-usm"},
		{"Apple", "iPhone 15 Pro", "Apple", "iPhone 15 Pro back triple camera 6.765mm f/1.78", "", ""},
		{"", "", "", "", "", ""},
		{"Canon", "RF35mm F1.8 Macro IS STM", "Canon", "Canon EOS R6", "", ""}, // the wrong way round
	} {
		x := picture.Exposure{Make: c.maker, Model: c.model, LensMake: c.lensMake, LensModel: c.lens}
		if got := slug(x.Camera(gears)); got != c.wantCamera {
			t.Errorf("%q %q is %q, want %q", c.maker, c.model, got, c.wantCamera)
		}
		if got := slug(x.Lens(gears)); got != c.wantLens {
			t.Errorf("lens %q is %q, want %q", c.lens, got, c.wantLens)
		}
	}
}
