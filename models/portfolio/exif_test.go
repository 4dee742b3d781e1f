package portfolio

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
)

// tag is an entry of an EXIF directory: a string, a uint16, or a rational.
type tag struct {
	id    uint16
	value any
}

type rational struct{ num, den uint32 }

// exifSegment writes an APP1 segment of a JPEG with three directories: of the
// picture, of the exposure, and of the position.
func exifSegment(ifd0, exif, gps []tag) []byte {
	var b bytes.Buffer
	b.WriteString("MM\x00\x2a\x00\x00\x00\x08")
	const link = 0xffffffff
	size := func(tags []tag) int { return 2 + 12*len(tags) + 4 }
	// Directories first, one after another; what does not fit in an entry behind them.
	ifd0 = append(ifd0, tag{0x8769, uint32(link)}, tag{0x8825, uint32(link)})
	at0 := 8
	at1 := at0 + size(ifd0)
	at2 := at1 + size(exif)
	ifd0[len(ifd0)-2].value, ifd0[len(ifd0)-1].value = uint32(at1), uint32(at2)
	rest := at2 + size(gps)
	var more bytes.Buffer
	for _, tags := range [][]tag{ifd0, exif, gps} {
		binary.Write(&b, binary.BigEndian, uint16(len(tags)))
		for _, t := range tags {
			var kind uint16
			var count uint32 = 1
			var value []byte
			switch v := t.value.(type) {
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
			binary.Write(&b, binary.BigEndian, t.id)
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

// withSegment puts a segment behind the start of a JPEG.
func withSegment(jpeg, segment []byte) []byte {
	return append(append(append([]byte{}, jpeg[:2]...), segment...), jpeg[2:]...)
}

// exposureTags are an exposure as a camera writes it.
func exposureTags(x Exposure) (ifd0, exif []tag) {
	ifd0 = []tag{{0x010f, x.Make}, {0x0110, x.Model}, {0x0112, uint16(max(1, x.Orientation))}}
	time := rational{1, uint32(math.Round(1 / x.Time))}
	if x.Time >= 0.3 {
		time = rational{uint32(math.Round(x.Time * 10)), 10}
	}
	exif = []tag{
		{0x829a, time}, {0x829d, rational{uint32(math.Round(x.Aperture * 10)), 10}}, {0x8827, uint16(x.ISO)},
		{0x9003, x.TakenAt.Format("2006:01:02 15:04:05")}, {0x920a, rational{uint32(math.Round(x.Focal * 10)), 10}},
		{0xa431, "SERIAL-0123456789"}, {0xa433, x.LensMake}, {0xa434, x.LensModel}, {0xa435, "LENSERIAL-98765"},
	}
	return ifd0, exif
}

// munich is where test photographs say they were taken.
var munich = []tag{
	{0x0001, "N"}, {0x0002, []rational{{48, 1}, {8, 1}, {14, 1}}}, {0x0003, "E"}, {0x0004, []rational{{11, 1}, {34, 1}, {32, 1}}},
}

var testExposure = Exposure{
	Make: "Canon", Model: "Canon EOS R6", LensMake: "Canon", LensModel: "RF35mm F1.8 Macro IS STM",
	Aperture: 5.6, Time: 1.0 / 250, ISO: 400, Focal: 35, TakenAt: time.Date(2026, 5, 3, 18, 30, 0, 0, time.UTC), Orientation: 6,
}

func testCatalog(t testing.TB) *models.Catalog {
	t.Helper()
	c, err := models.ReadCatalog(os.DirFS("../../content/catalog"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestReadEXIF(t *testing.T) {
	ifd0, exif := exposureTags(testExposure)
	photo := withSegment(testJPEG(t, 30, 20), exifSegment(ifd0, exif, munich))
	if got := readEXIF(bytes.NewReader(photo), "a.jpg"); got != testExposure {
		t.Errorf("read %+v, want %+v", got, testExposure)
	}
	for name, data := range map[string][]byte{"none": testJPEG(t, 30, 20), "empty": nil, "cut off": photo[:60], "no picture": []byte("hello")} {
		if got := readEXIF(bytes.NewReader(data), "a.jpg"); got.Orientation != 1 || got.Aperture != 0 {
			t.Errorf("%s: read %+v", name, got)
		}
	}
}

// TestGearOfEXIF resolves what cameras really write.
func TestGearOfEXIF(t *testing.T) {
	catalog := testCatalog(t)
	slug := func(g *models.Gear) string {
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
		x := Exposure{Make: c.maker, Model: c.model, LensMake: c.lensMake, LensModel: c.lens}
		if got := slug(cameraOf(catalog, x)); got != c.wantCamera {
			t.Errorf("%q %q is %q, want %q", c.maker, c.model, got, c.wantCamera)
		}
		if got := slug(lensOf(catalog, x)); got != c.wantLens {
			t.Errorf("lens %q is %q, want %q", c.lens, got, c.wantLens)
		}
	}
}
