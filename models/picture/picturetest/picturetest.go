// Package picturetest makes picture files for tests, valid and malicious ones.
package picturetest

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/picture"
)

// Image returns a picture whose quarters are red, green, blue and white, from top left
// by row.
func Image(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{255, 0, 0, 255}
			switch {
			case x >= w/2 && y < h/2:
				c = color.RGBA{0, 255, 0, 255}
			case x < w/2 && y >= h/2:
				c = color.RGBA{0, 0, 255, 255}
			case x >= w/2:
				c = color.RGBA{255, 255, 255, 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

// JPEG returns Image(w, h) as a JPEG.
func JPEG(t testing.TB, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, Image(w, h), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// PNG returns img as a PNG.
func PNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Chunk returns a PNG chunk with its checksum.
func Chunk(kind string, data []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, kind...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// Bomb returns a small PNG that declares the given size in pixels.
func Bomb(width, height uint32) []byte {
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(make([]byte, 1<<20))
	_ = w.Close()
	b := append([]byte("\x89PNG\r\n\x1a\n"), Chunk("IHDR", append(header, 8, 2, 0, 0, 0))...)
	return append(append(b, Chunk("IDAT", packed.Bytes())...), Chunk("IEND", nil)...)
}

// WithSize returns a copy of the JPEG data whose frame header declares another size.
func WithSize(data []byte, width, height uint16) []byte {
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

// manyScans returns the JPEG data with its last scan repeated n times.
func manyScans(data []byte, n int) []byte {
	at := bytes.LastIndex(data, []byte{0xff, 0xda})
	end := len(data) - 2
	b := bytes.Clone(data[:end])
	for range n {
		b = append(b, data[at:end]...)
	}
	return append(b, 0xff, 0xd9)
}

// File is a file that must be refused, and a part of the refusal's text.
type File struct {
	Name string
	Data []byte
	Want string
}

// Bad returns files that must be refused, by what is wrong with them.
func Bad(t testing.TB) map[string]File {
	photo, flat := JPEG(t, 60, 40), PNG(t, Image(60, 40))
	var moving bytes.Buffer
	if err := gif.Encode(&moving, Image(20, 20), nil); err != nil {
		t.Fatal(err)
	}
	svg := []byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)
	comment := func(text string) []byte {
		return append([]byte{0xff, 0xfe, 0, byte(len(text) + 2)}, text...)
	}
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	return map[string]File{
		"empty":                  {"a.jpg", nil, "empty"},
		"cut off in the head":    {"a.jpg", photo[:30], "damaged"},
		"cut off in the scan":    {"a.jpg", photo[:len(photo)-40], "damaged"},
		"one byte short":         {"a.jpg", photo[:len(photo)-1], "damaged"},
		"no end":                 {"a.jpg", photo[:len(photo)-2], "damaged"},
		"png cut off":            {"a.png", flat[:len(flat)-20], "damaged"},
		"png without end":        {"a.png", flat[:len(flat)-12], "damaged"},
		"png with a wrong sum":   {"a.png", bytes.Replace(flat, []byte("IDAT"), []byte("IDAT\xff"), 1), "damaged"},
		"30,000 × 30,000 png":    {"a.png", Bomb(30_000, 30_000), "limit is"},
		"4 billion px wide png":  {"a.png", Bomb(1<<32-1, 1<<32-1), "limit is"},
		"30,000 × 30,000 jpeg":   {"a.jpg", WithSize(photo, 30_000, 30_000), "limit is"},
		"65,535 × 65,535 jpeg":   {"a.jpg", WithSize(photo, 65_535, 65_535), "limit is"},
		"no size":                {"a.jpg", WithSize(photo, 0, 0), "no dimensions"},
		"declares more than has": {"a.jpg", WithSize(photo, 900, 900), "couldn't read the photo"},
		"png named jpg":          {"a.jpg", flat, "image/png"},
		"jpeg named png":         {"a.png", photo, "image/jpeg"},
		"gif named jpg":          {"a.jpg", moving.Bytes(), "image/gif"},
		"gif":                    {"a.gif", moving.Bytes(), "Only JPEG, PNG, WebP, HEIC and AVIF"},
		"svg named jpg":          {"a.jpg", svg, "image/svg+xml"},
		"svg":                    {"a.svg", svg, "Only JPEG, PNG, WebP, HEIC and AVIF"},
		"html named jpg":         {"a.jpg", []byte("<!doctype html><script>alert(1)</script>"), "text/html"},
		"text named jpg":         {"a.jpg", []byte("hello"), "text/plain"},
		"zip named jpg":          {"a.jpg", zipOf(t), "application/zip"},
		"zip behind jpeg":        {"a.jpg", join(photo, zipOf(t)), "doesn't belong"},
		"zip behind png":         {"a.png", join(flat, zipOf(t)), "doesn't belong"},
		"html behind jpeg":       {"a.jpg", join(photo, []byte("<script>alert(1)</script>")), "doesn't belong"},
		"pdf in a comment":       {"a.jpg", With(photo, comment("%PDF-1.7 trap")), "doesn't belong"},
		"php in a comment":       {"a.jpg", With(photo, comment("<?PHP system($_GET[0]); ?>")), "doesn't belong"},
		"script in png text":     {"a.png", join(flat[:33], Chunk("tEXt", []byte("Comment\x00<ScRipt>alert(1)</script>")), flat[33:]), "doesn't belong"},
		"script as jpeg":         {"a.js", photo, "Only JPEG, PNG, WebP, HEIC and AVIF"},
		"broken segment":         {"a.jpg", With(photo, []byte{0xff, 0xe5, 0xff, 0xff}), "damaged"},
		"segment without length": {"a.jpg", With(photo, []byte{0xff, 0xe5, 0, 0}), "damaged"},
		"two frames":             {"a.jpg", With(photo, photo[bytes.Index(photo, []byte{0xff, 0xc0}):][:19]), "damaged"},
		"lossless jpeg":          {"a.jpg", bytes.Replace(photo, []byte{0xff, 0xc0, 0, 17}, []byte{0xff, 0xc3, 0, 17}, 1), "display this type"},
		"a thousand scans":       {"a.jpg", manyScans(photo, 1000), "scans"},
		"animated png":           {"a.png", join(flat[:33], Chunk("acTL", make([]byte, 8)), flat[33:]), "animated"},
	}
}

// Tag is an entry of an EXIF directory: a string, a uint16, a uint32 or a rational.
type Tag struct {
	ID    uint16
	Value any
}

type rational struct{ num, den uint32 }

// EXIF returns a JPEG APP1 segment with three directories: IFD0, Exif and GPS.
func EXIF(ifd0, exif, gps []Tag) []byte {
	var b bytes.Buffer
	b.WriteString("MM\x00\x2a\x00\x00\x00\x08")
	const link = 0xffffffff
	size := func(tags []Tag) int { return 2 + 12*len(tags) + 4 }
	// The directories come first, then the values that do not fit into an entry.
	ifd0 = append(ifd0, Tag{0x8769, uint32(link)}, Tag{0x8825, uint32(link)})
	at0 := 8
	at1 := at0 + size(ifd0)
	at2 := at1 + size(exif)
	ifd0[len(ifd0)-2].Value, ifd0[len(ifd0)-1].Value = uint32(at1), uint32(at2)
	rest := at2 + size(gps)
	var more bytes.Buffer
	for _, tags := range [][]Tag{ifd0, exif, gps} {
		binary.Write(&b, binary.BigEndian, uint16(len(tags)))
		for _, t := range tags {
			var kind uint16
			var count uint32 = 1
			var value []byte
			switch v := t.Value.(type) {
			case string:
				kind, value = 2, append([]byte(v), 0)
				count = uint32(len(value))
			case uint16:
				kind, value = 3, binary.BigEndian.AppendUint16(nil, v)
			case uint32:
				kind, value = 4, binary.BigEndian.AppendUint32(nil, v)
			case rational:
				kind, value = 5, binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, v.num), v.den)
			case []rational:
				kind, count = 5, uint32(len(v))
				for _, r := range v {
					value = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(value, r.num), r.den)
				}
			}
			binary.Write(&b, binary.BigEndian, t.ID)
			binary.Write(&b, binary.BigEndian, kind)
			binary.Write(&b, binary.BigEndian, count)
			if len(value) <= 4 {
				b.Write(append(value, 0, 0, 0, 0)[:4])
				continue
			}
			binary.Write(&b, binary.BigEndian, uint32(rest+more.Len()))
			more.Write(value)
		}
		b.Write([]byte{0, 0, 0, 0})
	}
	b.Write(more.Bytes())
	segment := append([]byte{0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(b.Len()+8))...)
	return append(append(segment, "Exif\x00\x00"...), b.Bytes()...)
}

// With inserts a segment after the start of a JPEG.
func With(jpeg, segment []byte) []byte {
	return append(append(append([]byte{}, jpeg[:2]...), segment...), jpeg[2:]...)
}

// Tags returns the EXIF tags that a camera writes for an exposure.
func Tags(x picture.Exposure) (ifd0, exif []Tag) {
	ifd0 = []Tag{{0x010f, x.Make}, {0x0110, x.Model}, {0x0112, uint16(max(1, x.Orientation))}}
	time := rational{1, uint32(math.Round(1 / x.Time))}
	if x.Time >= 0.3 {
		time = rational{uint32(math.Round(x.Time * 10)), 10}
	}
	exif = []Tag{
		{0x829a, time}, {0x829d, rational{uint32(math.Round(x.Aperture * 10)), 10}}, {0x8827, uint16(x.ISO)},
		{0x9003, x.TakenAt.Format("2006:01:02 15:04:05")}, {0x920a, rational{uint32(math.Round(x.Focal * 10)), 10}},
		{0xa431, "SERIAL-0123456789"}, {0xa433, x.LensMake}, {0xa434, x.LensModel}, {0xa435, "LENSERIAL-98765"},
	}
	return ifd0, exif
}

// Munich is the GPS directory of test photographs.
var Munich = []Tag{
	{0x0001, "N"}, {0x0002, []rational{{48, 1}, {8, 1}, {14, 1}}}, {0x0003, "E"}, {0x0004, []rational{{11, 1}, {34, 1}, {32, 1}}},
}

// Exposure is the EXIF data of test photographs.
var Exposure = picture.Exposure{
	Make: "Canon", Model: "Canon EOS R6", LensMake: "Canon", LensModel: "RF35mm F1.8 Macro IS STM",
	Aperture: 5.6, Time: 1.0 / 250, ISO: 400, Focal: 35, TakenAt: time.Date(2026, 5, 3, 18, 30, 0, 0, time.UTC), Orientation: 6,
}
