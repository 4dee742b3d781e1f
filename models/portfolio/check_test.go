package portfolio

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
)

func testPNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// pngChunk is a chunk of a PNG with its checksum.
func pngChunk(kind string, data []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, kind...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// bomb is a PNG of 30,000 by 30,000 black pixels in a few hundred kilobytes.
func bomb(width, height uint32) []byte {
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(make([]byte, 1<<20))
	_ = w.Close()
	b := append([]byte("\x89PNG\r\n\x1a\n"), pngChunk("IHDR", append(header, 8, 2, 0, 0, 0))...)
	return append(append(b, pngChunk("IDAT", packed.Bytes())...), pngChunk("IEND", nil)...)
}

// withSize is a JPEG whose frame declares another size.
func withSize(data []byte, width, height uint16) []byte {
	data = bytes.Clone(data)
	at := bytes.Index(data, []byte{0xff, 0xc0, 0, 17})
	binary.BigEndian.PutUint16(data[at+5:], height)
	binary.BigEndian.PutUint16(data[at+7:], width)
	return data
}

func zipOf(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("run.sh")
	if err == nil {
		_, err = f.Write([]byte("rm -rf /"))
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// manyScans repeats the scan of a JPEG.
func manyScans(data []byte, n int) []byte {
	at := bytes.LastIndex(data, []byte{0xff, 0xda})
	end := len(data) - 2
	b := bytes.Clone(data[:end])
	for range n {
		b = append(b, data[at:end]...)
	}
	return append(b, 0xff, 0xd9)
}

// badFiles are files that must be refused, by what is wrong with them.
func badFiles(t testing.TB) map[string]struct {
	name string
	data []byte
	want string
} {
	photo, flat := testJPEG(t, 60, 40), testPNG(t, testImage(60, 40))
	var moving bytes.Buffer
	if err := gif.Encode(&moving, testImage(20, 20), nil); err != nil {
		t.Fatal(err)
	}
	svg := []byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)
	comment := func(text string) []byte {
		return append([]byte{0xff, 0xfe, 0, byte(len(text) + 2)}, text...)
	}
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	type bad = struct {
		name string
		data []byte
		want string
	}
	return map[string]bad{
		"empty":                  {"a.jpg", nil, "empty"},
		"cut off in the head":    {"a.jpg", photo[:30], "cut off"},
		"cut off in the scan":    {"a.jpg", photo[:len(photo)-40], "cut off"},
		"one byte short":         {"a.jpg", photo[:len(photo)-1], "cut off"},
		"no end":                 {"a.jpg", photo[:len(photo)-2], "cut off"},
		"png cut off":            {"a.png", flat[:len(flat)-20], "cut off"},
		"png without end":        {"a.png", flat[:len(flat)-12], "cut off"},
		"png with a wrong sum":   {"a.png", bytes.Replace(flat, []byte("IDAT"), []byte("IDAT\xff"), 1), "cut off"},
		"30,000 × 30,000 png":    {"a.png", bomb(30_000, 30_000), "MB allowed"},
		"4 billion px wide png":  {"a.png", bomb(1<<32-1, 1<<32-1), "MB allowed"},
		"30,000 × 30,000 jpeg":   {"a.jpg", withSize(photo, 30_000, 30_000), "MB allowed"},
		"65,535 × 65,535 jpeg":   {"a.jpg", withSize(photo, 65_535, 65_535), "MB allowed"},
		"no size":                {"a.jpg", withSize(photo, 0, 0), "no size"},
		"declares more than has": {"a.jpg", withSize(photo, 900, 900), "cannot be decoded"},
		"png named jpg":          {"a.jpg", flat, "image/png"},
		"jpeg named png":         {"a.png", photo, "image/jpeg"},
		"gif named jpg":          {"a.jpg", moving.Bytes(), "image/gif"},
		"gif":                    {"a.gif", moving.Bytes(), "Only JPEG and PNG"},
		"svg named jpg":          {"a.jpg", svg, "image/svg+xml"},
		"svg":                    {"a.svg", svg, "Only JPEG and PNG"},
		"html named jpg":         {"a.jpg", []byte("<!doctype html><script>alert(1)</script>"), "text/html"},
		"text named jpg":         {"a.jpg", []byte("hello"), "text/plain"},
		"zip named jpg":          {"a.jpg", zipOf(t), "application/zip"},
		"zip behind jpeg":        {"a.jpg", join(photo, zipOf(t)), "behind its end"},
		"zip behind png":         {"a.png", join(flat, zipOf(t)), "behind its end"},
		"html behind jpeg":       {"a.jpg", join(photo, []byte("<script>alert(1)</script>")), "behind its end"},
		"pdf in a comment":       {"a.jpg", withSegment(photo, comment("%PDF-1.7 trap")), "no part of a picture"},
		"php in a comment":       {"a.jpg", withSegment(photo, comment("<?PHP system($_GET[0]); ?>")), "no part of a picture"},
		"script in png text":     {"a.png", join(flat[:33], pngChunk("tEXt", []byte("Comment\x00<ScRipt>alert(1)</script>")), flat[33:]), "no part of a picture"},
		"script as jpeg":         {"a.js", photo, "Only JPEG and PNG"},
		"broken segment":         {"a.jpg", withSegment(photo, []byte{0xff, 0xe5, 0xff, 0xff}), "cut off"},
		"segment without length": {"a.jpg", withSegment(photo, []byte{0xff, 0xe5, 0, 0}), "cut off"},
		"two frames":             {"a.jpg", withSegment(photo, photo[bytes.Index(photo, []byte{0xff, 0xc0}):][:19]), "cut off"},
		"lossless jpeg":          {"a.jpg", bytes.Replace(photo, []byte{0xff, 0xc0, 0, 17}, []byte{0xff, 0xc3, 0, 17}, 1), "browsers do not show"},
		"a thousand scans":       {"a.jpg", manyScans(photo, 1000), "scans"},
		"animated png":           {"a.png", join(flat[:33], pngChunk("acTL", make([]byte, 8)), flat[33:]), "moves"},
		"pictures without end":   {"a.jpg", bytes.Repeat(photo, maxMore+3), "behind its end"},
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	for what, bad := range badFiles(t) {
		err := kept{t.TempDir()}.make(bad.name, "key", bad.data, 1)
		if why := refusal(err); why == nil || !strings.Contains(why.Reason, bad.want) || why.Hint == "" {
			t.Errorf("%s: %v, want a refusal that says %q", what, err, bad.want)
		}
	}
}

func TestGoodFilesAreTaken(t *testing.T) {
	photo := testJPEG(t, 60, 40)
	grey, deep, sheer := image.NewGray(image.Rect(0, 0, 9, 7)), image.NewNRGBA64(image.Rect(0, 0, 9, 7)), image.NewNRGBA(image.Rect(0, 0, 9, 7))
	var greyJPEG bytes.Buffer
	if err := jpeg.Encode(&greyJPEG, grey, nil); err != nil {
		t.Fatal(err)
	}
	for what, good := range map[string]struct {
		name string
		data []byte
	}{
		"jpeg": {"a.jpg", photo}, "upper case": {"A.JPEG", photo}, "grey jpeg": {"a.jpg", greyJPEG.Bytes()}, "one pixel": {"a.jpg", testJPEG(t, 1, 1)},
		"a preview behind it": {"a.jpg", bytes.Join([][]byte{photo, {0, 0}, testJPEG(t, 9, 9)}, nil)}, "padded": {"a.jpg", append(bytes.Clone(photo), 0, 0, 0)},
		"png": {"a.png", testPNG(t, testImage(60, 40))}, "grey png": {"a.png", testPNG(t, grey)}, "16 bits": {"a.png", testPNG(t, deep)}, "see-through": {"a.png", testPNG(t, sheer)},
		"panorama": {"a.png", testPNG(t, image.NewGray(image.Rect(0, 0, 9000, 3)))},
	} {
		k := kept{t.TempDir()}
		if err := k.make(good.name, "key", good.data, 1); err != nil || !k.whole("key") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// FuzzPicture feeds the whole way of a file from its bytes to its sizes.
// Whatever comes in, nothing panics, and what comes out are pictures.
func FuzzPicture(f *testing.F) {
	for _, bad := range badFiles(f) {
		if len(bad.data) < 4000 {
			f.Add(bad.data, strings.HasSuffix(bad.name, ".png"))
		}
	}
	ifd0, exif := exposureTags(testExposure)
	f.Add(withSegment(testJPEG(f, 30, 20), exifSegment(ifd0, exif, munich)), false)
	f.Add(testPNG(f, testImage(20, 10)), true)
	f.Fuzz(func(t *testing.T, data []byte, isPNG bool) {
		name := "a.jpg"
		if isPNG {
			name = "a.png"
		}
		x := readEXIF(bytes.NewReader(data), name)
		if x.Orientation < 1 || x.Orientation > 8 || strings.ContainsFunc(x.LensModel, func(r rune) bool { return r < ' ' }) {
			t.Errorf("read %+v", x)
		}
		config, _, err := image.DecodeConfig(bytes.NewReader(data))
		if check(name, data) != nil || err != nil || config.Width*config.Height > 1<<20 {
			return
		}
		sizes, placeholder, err := render(data, x.Orientation)
		if err != nil {
			if refusal(err) == nil {
				t.Errorf("not a refusal: %v", err)
			}
			return
		}
		for _, r := range sizes {
			if got, err := jpeg.DecodeConfig(bytes.NewReader(r.jpeg)); err != nil || max(got.Width, got.Height) != r.size {
				t.Errorf("size %d is %+v, %v", r.size, got, err)
			}
		}
		if len(dataURI(placeholder)) > 200 {
			t.Errorf("the placeholder has %d bytes", len(dataURI(placeholder)))
		}
	})
}
