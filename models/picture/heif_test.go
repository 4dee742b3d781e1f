package picture_test

import (
	"bytes"
	"encoding/binary"
	"image/color"
	"slices"
	"testing"

	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// with returns a copy of a file with a change after the only place that has a text.
func with(t *testing.T, file []byte, text string, offset int, change ...byte) []byte {
	t.Helper()
	at := bytes.Index(file, []byte(text))
	if at < 0 {
		t.Fatalf("the file has no %q", text)
	}
	file = bytes.Clone(file)
	copy(file[at+offset:], change)
	return file
}

// TestDamagedHEIF refuses files that declare something else than they have, by their header.
func TestDamagedHEIF(t *testing.T) {
	heic, avif := picturetest.Sample(t, "quarters.heic"), picturetest.Sample(t, "quarters.avif")
	meta := func(size uint32) []byte { return binary.BigEndian.AppendUint32(nil, size) }
	for name, data := range map[string][]byte{
		"cut off in the picture":       heic[:len(heic)-500],
		"one byte short":               avif[:len(avif)-1],
		"cut off in the header":        heic[:200],
		"nothing but its type":         heic[:24],
		"a header of 4 GB":             with(t, heic, "meta", -4, meta(1<<32-1)...),
		"a header of 5 MB":             append(with(t, heic, "meta", -4, meta(5<<20)...), make([]byte, 5<<20)...),
		"a header without an end":      with(t, heic, "meta", -4, meta(1)...),
		"a box inside that is larger":  with(t, heic, "iprp", -4, meta(1<<31)...),
		"a box inside of 0 bytes":      with(t, heic, "ipco", -4, meta(4)...),
		"40,000 × 40,000 pixels":       with(t, heic, "ispe", 8, 0, 0, 0x9c, 0x40, 0, 0, 0x9c, 0x40),
		"4 billion pixels wide":        with(t, avif, "ispe", 8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
		"no width":                     with(t, heic, "ispe", 8, 0, 0, 0, 0),
		"another primary item":         with(t, heic, "pitm", 8, 0, 9),
		"a primary item that is EXIF":  with(t, heic, "pitm", 8, 0, 2),
		"a grid without tiles":         with(t, heic, "hvc1", 0, []byte("grid")...),
		"another coding":               with(t, heic, "hvc1", 0, []byte("av01")...),
		"an overlay":                   with(t, heic, "hvc1", 0, []byte("iovl")...),
		"4 billion associations":       with(t, heic, "ipma", 8, 0xff, 0xff, 0xff, 0xff),
		"65,535 places of items":       with(t, heic, "iloc", 10, 0xff, 0xff),
		"a picture outside of itself":  with(t, heic, "iloc", 18, 0x7f, 0xff, 0xff, 0xff),
		"animated":                     with(t, avif, "ftyp", 4, []byte("avis")...),
		"a script in its EXIF data":    with(t, heic, "Canon EOS R6", 0, []byte("<script>")...),
		"a zip behind":                 append(bytes.Clone(heic), "PK\x03\x04"...),
		"an mp4":                       with(t, heic, "ftyp", 4, []byte("mp42\x00\x00\x00\x00mp42mp42mp42")...),
		"boxes in boxes without a end": append(bytes.Clone(heic[:24]), bytes.Repeat([]byte("\x00\x00\x00\x08free"), 10_000)...),
	} {
		for _, file := range []string{"a.heic", "a.avif", ""} {
			if err := limits.Check(file, data); picture.Refusal(err) == nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestCostlyHEIF refuses headers that name the same bytes, or none, thousands of times, before they are read.
func TestCostlyHEIF(t *testing.T) {
	box := func(kind string, parts ...[]byte) []byte {
		body := bytes.Join(parts, nil)
		return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(body))), kind...), body...)
	}
	file := func(sizes uint16, locations []byte) []byte {
		iloc := box("iloc", []byte{2, 0, 0, 0}, binary.BigEndian.AppendUint16(nil, sizes), binary.BigEndian.AppendUint32(nil, 1<<31), locations)
		entry := box("infe", []byte("\x02\x00\x00\x00\x00\x01\x00\x00Exif"))
		return append(bytes.Join([][]byte{box("ftyp", []byte("heic\x00\x00\x00\x00heicmif1")), box("meta", make([]byte, 4), box("pitm", []byte("\x00\x00\x00\x00\x00\x01")), box("iinf", make([]byte, 6), entry), iloc)}, nil), make([]byte, 900_000)...)
	}
	item := []byte("\x00\x00\x00\x01\x00\x00\x00\x00\xff\xff") // with 65,535 extents
	all := bytes.Repeat([]byte("\x00\x00\x00\x00\x00\x0d\x00\x00"), 7000)
	for name, data := range map[string][]byte{
		"items without bytes":  file(0, bytes.Repeat(item, 10_000)),
		"the whole file often": file(0x4400, append([]byte("\x00\x00\x00\x01\x00\x00\x00\x00\x1b\x58"), all...)),
	} {
		if err := limits.Check("", data); picture.Refusal(err) == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestUndecodable refuses files whose header is right and whose picture is not.
func TestUndecodable(t *testing.T) {
	heic, avif := picturetest.Sample(t, "quarters.heic"), picturetest.Sample(t, "quarters.avif")
	noise := func(file []byte) []byte {
		file = bytes.Clone(file)
		for at := bytes.Index(file, []byte("mdat")) + 4; at < len(file); at++ {
			file[at] = byte(at * 167)
		}
		return file
	}
	for name, data := range map[string][]byte{
		"noise as a HEIC":               noise(heic),
		"noise as an AVIF":              noise(avif),
		"a HEIC without what to decode": with(t, heic, "hvcC", 8, slices.Repeat([]byte{0xff}, 60)...),
	} {
		if err := limits.Check("", data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := picture.Decode(data, 1, 16, 16); picture.Refusal(err) == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := picture.Decode(heic, 1, 240, 320); err != nil {
		t.Errorf("after them: %v", err)
	}
}

// TestLargeHEIF decodes pictures of 12 megapixels, as phones take them, in the memory that Check has counted.
func TestLargeHEIF(t *testing.T) {
	limits := picture.Limits{File: 1 << 20, Memory: 256 << 20}
	for _, name := range []string{"large.heic", "large.avif"} {
		data := picturetest.Sample(t, name)
		if err := limits.Check(name, data); err != nil {
			t.Fatal(err)
		}
		img, err := picture.Decode(data, 1, 480, 360)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		compareQuarters(t, img, []color.RGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}})
	}
}

// FuzzHEIF reads headers without decoding, which FuzzCheck does. A file that passes Check has a size and
// costs what its limits allow.
func FuzzHEIF(f *testing.F) {
	for _, name := range []string{"quarters.heic", "quarters.avif", "deep.avif"} {
		f.Add(picturetest.Sample(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		name := picture.Extension(data)
		picture.ReadEXIF(bytes.NewReader(data), name)
		memory, err := limits.Cost("", data)
		if err != nil {
			if picture.Refusal(err) == nil {
				t.Fatal(err)
			}
			return
		}
		if name != ".heic" && name != ".avif" {
			return
		}
		width, height, err := picture.Size(data, 1)
		if err != nil || width <= 0 || height <= 0 || int64(width)*int64(height) > limits.Pixels || memory > 2*limits.Memory {
			t.Errorf("%d × %d pixels, %d bytes, %v", width, height, memory, err)
		}
	})
}
