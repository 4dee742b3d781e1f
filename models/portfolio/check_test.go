package portfolio

import (
	"bytes"
	"image"
	"image/jpeg"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

func TestInvalidFilesAreRefused(t *testing.T) {
	for what, bad := range picturetest.Bad(t) {
		err := renditionStore{t.TempDir()}.render(bad.Name, "key", bad.Data, 1)
		if why := picture.Refusal(err); why == nil || !strings.Contains(why.Reason.String(), bad.Want) || why.Hint == nil {
			t.Errorf("%s: %v, want a refusal that says %q", what, err, bad.Want)
		}
	}
}

func TestValidFilesAreAccepted(t *testing.T) {
	photo := picturetest.JPEG(t, 60, 40)
	grey, deep, sheer := image.NewGray(image.Rect(0, 0, 9, 7)), image.NewNRGBA64(image.Rect(0, 0, 9, 7)), image.NewNRGBA(image.Rect(0, 0, 9, 7))
	var greyJPEG bytes.Buffer
	if err := jpeg.Encode(&greyJPEG, grey, nil); err != nil {
		t.Fatal(err)
	}
	for what, good := range map[string]struct {
		name string
		data []byte
	}{
		"jpeg": {"a.jpg", photo}, "upper case": {"A.JPEG", photo}, "grey jpeg": {"a.jpg", greyJPEG.Bytes()}, "one pixel": {"a.jpg", picturetest.JPEG(t, 1, 1)},
		"a preview behind it": {"a.jpg", bytes.Join([][]byte{photo, {0, 0}, picturetest.JPEG(t, 9, 9)}, nil)}, "padded": {"a.jpg", append(bytes.Clone(photo), 0, 0, 0)},
		"png": {"a.png", picturetest.PNG(t, picturetest.Image(60, 40))}, "grey png": {"a.png", picturetest.PNG(t, grey)}, "16 bits": {"a.png", picturetest.PNG(t, deep)}, "see-through": {"a.png", picturetest.PNG(t, sheer)},
		"webp": {"a.webp", picturetest.Sample(t, "quarters.webp")}, "see-through webp": {"A.WEBP", picturetest.Sample(t, "transparent-lossy.webp")},
		"panorama": {"a.png", picturetest.PNG(t, image.NewGray(image.Rect(0, 0, 9000, 3)))},
	} {
		k := renditionStore{t.TempDir()}
		if err := k.render(good.name, "key", good.data, 1); err != nil || !k.complete("key") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// FuzzPicture feeds arbitrary files to ReadEXIF and to the rendering of sizes. Nothing
// panics, and the results are valid pictures.
func FuzzPicture(f *testing.F) {
	for _, bad := range picturetest.Bad(f) {
		if len(bad.Data) < 4000 {
			f.Add(bad.Data, strings.HasSuffix(bad.Name, ".png"))
		}
	}
	ifd0, exif := picturetest.Tags(picturetest.Exposure)
	f.Add(picturetest.With(picturetest.JPEG(f, 30, 20), picturetest.EXIF(ifd0, exif, picturetest.Munich)), false)
	f.Add(picturetest.PNG(f, picturetest.Image(20, 10)), true)
	f.Fuzz(func(t *testing.T, data []byte, isPNG bool) {
		name := "a.jpg"
		if isPNG {
			name = "a.png"
		}
		x := picture.ReadEXIF(bytes.NewReader(data), name)
		if x.Orientation < 1 || x.Orientation > 8 || strings.ContainsFunc(x.LensModel, func(r rune) bool { return r < ' ' }) {
			t.Errorf("read %+v", x)
		}
		config, _, err := image.DecodeConfig(bytes.NewReader(data))
		if limits.Check(name, data) != nil || err != nil || config.Width*config.Height > 1<<20 {
			return
		}
		sizes, placeholder, err := render(data, x.Orientation)
		if err != nil {
			if picture.Refusal(err) == nil {
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
