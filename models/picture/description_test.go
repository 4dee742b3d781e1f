package picture_test

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

const sidecar = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:aux="http://ns.adobe.com/exif/1.0/aux/" xmp:Rating="4" aux:Lens="EF50mm f/1.8 STM">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Skógafoss</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">Before the
buses.</rdf:li></rdf:Alt></dc:description>
<dc:creator><rdf:Seq><rdf:li>Ann Example</rdf:li></rdf:Seq></dc:creator>
<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">© 2026 Ann Example</rdf:li></rdf:Alt></dc:rights>
<dc:subject><rdf:Bag><rdf:li>waterfall</rdf:li><rdf:li>summer</rdf:li></rdf:Bag></dc:subject>
</rdf:Description></rdf:RDF></x:xmpmeta>`

var described = picture.Description{Title: "Skógafoss", Caption: "Before the buses.", Creator: "Ann Example", Copyright: "© 2026 Ann Example",
	Keywords: []string{"waterfall", "summer"}, Rating: 4, Lens: "EF50mm f/1.8 STM"}

func TestReadSidecar(t *testing.T) {
	if got := picture.ReadSidecar([]byte(sidecar)); !reflect.DeepEqual(got, described) {
		t.Errorf("read %+v", got)
	}
	long := strings.Replace(sidecar, "waterfall", strings.Repeat("<rdf:x/>", 20_000)+"waterfall", 1)
	if got := picture.ReadSidecar([]byte(long)); got.Title != "Skógafoss" {
		t.Errorf("read %+v of a long one", got)
	}
	for n := 0; n < len(sidecar); n += 7 {
		picture.ReadSidecar([]byte(sidecar[:n]))
	}
}

// segment returns a segment of a JPEG.
func segment(marker byte, body string) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2)), body...)
}

// iim returns a data set of IPTC.
func iim(id byte, text string) string {
	return string(binary.BigEndian.AppendUint16([]byte{0x1c, 2, id}, uint16(len(text)))) + text
}

func TestReadDescription(t *testing.T) {
	data := "\x1c\x01\x5a\x00\x03\x1b%G" + iim(5, "A title") + iim(120, "A caption") + iim(25, "one") + iim(25, "two") + iim(80, "Ben") + iim(116, "© Ben")
	iptc := segment(0xed, "Photoshop 3.0\x008BIM\x04\x04\x00\x00"+string(binary.BigEndian.AppendUint32(nil, uint32(len(data))))+data)
	xmp := segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00"+sidecar)
	plain := picturetest.JPEG(t, 40, 30)
	want := picture.Description{Title: "A title", Caption: "A caption", Creator: "Ben", Copyright: "© Ben", Keywords: []string{"one", "two"}}
	if got := picture.ReadDescription(bytes.NewReader(picturetest.With(plain, iptc)), "a.jpg"); !reflect.DeepEqual(got, want) {
		t.Errorf("IPTC: read %+v", got)
	}
	if got := picture.ReadDescription(bytes.NewReader(picturetest.With(picturetest.With(plain, iptc), xmp)), "a.jpg"); !reflect.DeepEqual(got, described) {
		t.Errorf("XMP and IPTC: read %+v", got)
	}
	for name, text := range map[string]string{"undeclared UTF-8": "Česká Größe", "Latin-1": "Ch\xe2teau", "ASCII": "Castle"} {
		data := iim(5, text) + iim(120, text) + iim(25, text) + iim(25, "two")
		iptc := segment(0xed, "Photoshop 3.0\x008BIM\x04\x04\x00\x00"+string(binary.BigEndian.AppendUint32(nil, uint32(len(data))))+data)
		text = strings.Replace(text, "\xe2", "â", 1)
		want := picture.Description{Title: text, Caption: text, Keywords: []string{text, "two"}}
		if got := picture.ReadDescription(bytes.NewReader(picturetest.With(plain, iptc)), "a.jpg"); !reflect.DeepEqual(got, want) {
			t.Errorf("IPTC in %s: read %+v", name, got)
		}
		undeclared := strings.Replace(text, "â", "\xe2", 1)
		exif := picturetest.EXIF([]picturetest.Tag{{ID: 0x010e, Value: undeclared}, {ID: 0x013b, Value: undeclared}}, nil, nil)
		want = picture.Description{Caption: text, Creator: text}
		if got := picture.ReadDescription(bytes.NewReader(picturetest.With(plain, exif)), "a.jpg"); !reflect.DeepEqual(got, want) {
			t.Errorf("EXIF in %s: read %+v", name, got)
		}
	}
	if got := picture.ReadDescription(bytes.NewReader(plain), "a.jpg"); !reflect.DeepEqual(got, picture.Description{}) {
		t.Errorf("neither: read %+v", got)
	}
}
