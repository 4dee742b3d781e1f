package portfolio

import (
	"bytes"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bep/imagemeta"

	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// TestOrientation turns a picture every way a camera may have been held. The
// corners are named as they are in the file, from top left by row.
func TestOrientation(t *testing.T) {
	for orientation, want := range map[int]string{1: "rgbw", 2: "grwb", 3: "wbgr", 4: "bwrg", 5: "rbgw", 6: "brwg", 7: "wgbr", 8: "gwrb"} {
		sizes, _, err := render(picturetest.JPEG(t, 300, 200), orientation)
		if err != nil {
			t.Fatal(err)
		}
		img, err := jpeg.Decode(bytes.NewReader(sizes[len(sizes)-1].jpeg))
		if err != nil {
			t.Fatal(err)
		}
		w, h := picture.Upright(300, 200, orientation)
		if got := img.Bounds().Size(); got != image.Pt(w, h) {
			t.Errorf("orientation %d is %v", orientation, got)
		}
		got := ""
		for _, at := range []image.Point{{w / 4, h / 4}, {3 * w / 4, h / 4}, {w / 4, 3 * h / 4}, {3 * w / 4, 3 * h / 4}} {
			r, g, b, _ := img.At(at.X, at.Y).RGBA()
			switch {
			case r > 0xc000 && g > 0xc000:
				got += "w"
			case r > g && r > b:
				got += "r"
			case g > b:
				got += "g"
			default:
				got += "b"
			}
		}
		if got != want {
			t.Errorf("orientation %d has the corners %s, want %s", orientation, got, want)
		}
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want []int
	}{
		{6000, 4000, []int{480, 960, 1440, 2160}}, {4000, 6000, []int{480, 960, 1440, 2160}},
		{1024, 484, []int{480, 960, 1024}}, {480, 300, []int{480}}, {100, 90, []int{100}}, {1, 1, []int{1}},
	} {
		got := sizesOf(c.w, c.h)
		if !slices.Equal(got, c.want) {
			t.Errorf("%d × %d has %v, want %v", c.w, c.h, got, c.want)
		}
	}
	sizes, placeholder, err := render(picturetest.JPEG(t, 2600, 1300), 6)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range sizes {
		img, err := jpeg.DecodeConfig(bytes.NewReader(r.jpeg))
		w, h := fit(1300, 2600, r.size)
		if err != nil || img.Width != w || img.Height != h {
			t.Errorf("size %d is %d × %d, want %d × %d; %v", r.size, img.Width, img.Height, w, h, err)
		}
	}
	if uri := dataURI(placeholder); len(uri) > 200 {
		t.Errorf("the placeholder has %d bytes", len(uri))
	}
}

// TestSizesHaveNoMetadata looks in every size for the position and the serial
// numbers in the EXIF data of a photograph.
func TestSizesHaveNoMetadata(t *testing.T) {
	ifd0, exif := picturetest.Tags(picturetest.Exposure)
	photo := picturetest.With(picturetest.JPEG(t, 1200, 800), picturetest.EXIF(ifd0, exif, picturetest.Munich))
	tags := map[string]bool{}
	_, err := imagemeta.Decode(imagemeta.Options{R: bytes.NewReader(photo), ImageFormat: imagemeta.JPEG, Sources: imagemeta.EXIF,
		ShouldHandleTag: func(imagemeta.TagInfo) bool { return true },
		HandleTag:       func(tag imagemeta.TagInfo) error { tags[tag.Tag] = true; return nil }})
	if err != nil || !tags["GPSLatitude"] || !tags["SerialNumber"] && !tags["BodySerialNumber"] {
		t.Fatalf("the test's own photograph says too little: %v %v", tags, err)
	}
	dir := t.TempDir()
	if err := (renditionStore{dir}).render("a.jpg", "key", photo, 6); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 4 {
		t.Fatalf("kept %q", files)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, never := range []string{"Exif", "SERIAL", "Canon", "GPS", "http", "Photoshop"} {
			if bytes.Contains(data, []byte(never)) {
				t.Errorf("%s carries %s", file, never)
			}
		}
		if strings.HasSuffix(file, ".png") {
			continue
		}
		// Only the segments a picture is made of: tables, frame, scan.
		for at := 2; data[at+1] != 0xda; at += 2 + int(data[at+2])<<8 + int(data[at+3]) {
			if m := data[at+1]; m >= 0xe0 && m <= 0xef || m == 0xfe {
				t.Errorf("%s has a segment %x", file, m)
			}
		}
	}
}
