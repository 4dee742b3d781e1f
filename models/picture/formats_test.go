package picture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"path/filepath"
	"testing"

	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

var limits = picture.Limits{File: 1 << 20, Pixels: 1e6, Memory: 10 << 20}

// TestFormats decodes the same picture in every format.
func TestFormats(t *testing.T) {
	flat := picturetest.Image(640, 480)
	for name, c := range map[string]struct {
		data  []byte
		taken bool // has EXIF data, with an orientation
	}{
		"a.jpg":  {data: picturetest.JPEG(t, 640, 480)},
		"a.png":  {data: picturetest.PNG(t, flat)},
		"a.webp": {picturetest.Sample(t, "quarters.webp"), true},
		"b.webp": {data: picturetest.Sample(t, "transparent.webp")},
		"c.webp": {data: picturetest.Sample(t, "transparent-lossy.webp")},
		"a.heic": {picturetest.Sample(t, "quarters.heic"), true},
		"a.HIF":  {picturetest.Sample(t, "quarters.heic"), true},
		"a.avif": {picturetest.Sample(t, "quarters.avif"), true},
		"b.avif": {data: picturetest.Sample(t, "deep.avif")}, // 10 bits, 4:4:4
	} {
		t.Run(name, func(t *testing.T) {
			if err := limits.Check(name, c.data); err != nil {
				t.Fatal(err)
			}
			x := picture.ReadEXIF(bytes.NewReader(c.data), name)
			want := picturetest.Exposure
			if filepath.Ext(name) != ".avif" && filepath.Ext(name) != ".webp" {
				want.Orientation = 1 // decoded upright
			}
			if c.taken && x != want {
				t.Errorf("EXIF is %+v", x)
			}
			width, height, err := picture.Size(c.data, x.Orientation)
			if err != nil || width*3 != height*4 && width*4 != height*3 {
				t.Errorf("size is %d × %d, %v", width, height, err)
			}
			img, err := picture.Decode(c.data, x.Orientation, width/4, height/4)
			if err != nil {
				t.Fatal(err)
			}
			colours := []color.RGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}}
			if c.taken { // turned to the right
				colours = []color.RGBA{colours[2], colours[0], colours[3], colours[1]}
			}
			compareQuarters(t, img, colours)
		})
	}
}

// compareQuarters compares the middle of each quarter of a picture with a colour.
func compareQuarters(t *testing.T, img image.Image, want []color.RGBA) {
	t.Helper()
	size := img.Bounds().Size()
	for i, c := range want {
		r, g, b, _ := img.At(size.X/4+i%2*size.X/2, size.Y/4+i/2*size.Y/2).RGBA()
		for j, v := range [][2]uint32{{r >> 8, uint32(c.R)}, {g >> 8, uint32(c.G)}, {b >> 8, uint32(c.B)}} {
			if diff := int(v[0]) - int(v[1]); diff < -6 || diff > 6 {
				t.Errorf("channel %d of quarter %d is %d, want %d", j, i, v[0], v[1])
			}
		}
	}
}

// TestTrailers checks that what phones and cameras append to a picture is ignored.
func TestTrailers(t *testing.T) {
	jpeg := picturetest.JPEG(t, 60, 40)
	for name, data := range map[string][]byte{"a.jpg": jpeg, "a.png": picturetest.PNG(t, picturetest.Image(60, 40)), "a.webp": picturetest.Sample(t, "quarters.webp"), "a.heic": picturetest.Sample(t, "quarters.heic"), "a.avif": picturetest.Sample(t, "quarters.avif")} {
		for what, trailer := range map[string][]byte{
			"zeros": make([]byte, 1000), "a motion photo": []byte("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"),
			"Samsung's": []byte("\x00\x00\x01\x0a\x0e\x00\x00\x00Image_UTC_Data1754900000000SEFHk\x00\x00\x00SEFT"), "previews": bytes.Repeat(jpeg, 11),
		} {
			whole := append(bytes.Clone(data), trailer...)
			if err := limits.Check(name, whole); err != nil {
				t.Errorf("%s with %s: %v", name, what, err)
			}
			if _, err := picture.Decode(whole, 1, 30, 20); err != nil {
				t.Errorf("%s with %s: %v", name, what, err)
			}
		}
	}
}

// TestDamagedWebP refuses files that declare something else than they have.
func TestDamagedWebP(t *testing.T) {
	good := picturetest.Sample(t, "transparent.webp") // RIFF, then one VP8L
	chunk := func(kind string, body []byte) []byte {
		return append(binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(body))), body...)
	}
	file := func(chunks ...[]byte) []byte {
		body := bytes.Join(chunks, nil)
		return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(4+len(body))), append([]byte("WEBP"), body...)...)
	}
	picturePart := good[12:]
	large := bytes.Clone(good)
	binary.LittleEndian.PutUint32(large[21:], 1<<28-1) // 16,384 × 16,384
	for name, data := range map[string][]byte{
		"cut off":        good[:len(good)-10],
		"large":          large,
		"no picture":     file(chunk("VP8X", make([]byte, 10))),
		"another canvas": file(chunk("VP8X", []byte{0, 0, 0, 0, 255, 255, 0, 255, 255, 0}), picturePart),
		"two pictures":   file(picturePart, picturePart),
		"animated":       file(chunk("VP8X", make([]byte, 10)), chunk("ANIM", make([]byte, 6))),
		"a script":       file(picturePart, chunk("XMP ", []byte("<script>alert(1)</script>"))),
		"a broken chunk": file(picturePart, []byte("EXIF\xff\xff\xff\xff")),
		"short chunks":   file(chunk("VP8X", nil), chunk("VP8 ", nil)),
		"a zip behind":   append(bytes.Clone(good), "PK\x03\x04"...),
	} {
		if err := limits.Check("a.webp", data); picture.Refusal(err) == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzCheck decodes whatever passes Check.
func FuzzCheck(f *testing.F) {
	for _, name := range []string{"quarters.webp", "transparent.webp", "transparent-lossy.webp", "quarters.heic", "quarters.avif", "deep.avif"} {
		f.Add(picturetest.Sample(f, name))
	}
	f.Add(picturetest.JPEG(f, 60, 40))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := limits.Check("", data); err != nil {
			if picture.Refusal(err) == nil {
				t.Fatal(err)
			}
			return
		}
		x := picture.ReadEXIF(bytes.NewReader(data), picture.Extension(data))
		if _, err := picture.Decode(data, x.Orientation, 16, 16); err != nil && !errors.As(err, new(*picture.Refused)) {
			t.Fatal(err)
		}
	})
}
