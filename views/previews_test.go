package views

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/views/drawing"
	"github.com/secondlight/secondlight/views/ui"
	"github.com/secondlight/secondlight/views/viewstest"
)

func drawn(t *testing.T, p *ui.Preview, photo image.Image) image.Image {
	t.Helper()
	var b bytes.Buffer
	if err := drawing.Preview(p, &b, photo); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 300<<10 {
		t.Errorf("a preview has %d bytes", b.Len())
	}
	img, err := jpeg.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if img.Bounds() != image.Rect(0, 0, ui.PreviewWidth, ui.PreviewHeight) {
		t.Errorf("a preview is %v", img.Bounds())
	}
	return img
}

// dark counts the pixels in a part of an image that are not background.
func dark(img image.Image, r image.Rectangle) (n int) {
	luma := img.(*image.YCbCr)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if luma.Y[luma.YOffset(x, y)] < 170 {
				n++
			}
		}
	}
	return n
}

func TestPreviews(t *testing.T) {
	site := viewstest.Site()
	seen := map[string]string{}
	for name, page := range testPages() {
		p := ui.PreviewOf(t.Context(), site, page)
		img := drawn(t, &p, nil)
		if p.Title == "" || !p.Demo || dark(img, image.Rect(64, 100, 1136, 500)) < 500 {
			t.Errorf("the preview of %s says too little: %+v", name, p)
		}
		if edge := dark(img, image.Rect(ui.PreviewWidth-30, 0, ui.PreviewWidth, ui.PreviewHeight)) + dark(img, image.Rect(0, ui.PreviewHeight-30, ui.PreviewWidth, ui.PreviewHeight)); edge > 0 {
			t.Errorf("the preview of %s runs over its edge", name)
		}
		if other, ok := seen[p.Version()]; ok && other != p.Title {
			t.Errorf("%s and %s have one version", p.Title, other)
		}
		seen[p.Version()] = p.Title
	}
}

func TestPreviewShowsPhotoAndTrend(t *testing.T) {
	red := image.NewRGBA(image.Rect(0, 0, 320, 240))
	draw.Draw(red, red.Bounds(), image.NewUniform(color.RGBA{0xff, 0, 0, 0xff}), image.Point{}, draw.Src)
	p := ui.Preview{Site: "S", Title: "A camera", Price: "€1,249"}
	plain := drawn(t, &p, red)
	if r, g, _, _ := plain.At(200, 300).RGBA(); r>>8 < 200 || g>>8 > 60 {
		t.Error("the photograph is not on the left")
	}
	p.Trend = []float64{100, 120, 0, 90, 95}
	lower := image.Rect(580, 380, ui.PreviewWidth, 530)
	if with, without := dark(drawn(t, &p, red), lower), dark(plain, lower); with < without+200 {
		t.Error("the trend is not drawn")
	}
	p.Trend = []float64{0, 0, 100}
	if with, without := dark(drawn(t, &p, red), lower), dark(plain, lower); with != without {
		t.Error("one month is drawn as a line")
	}
}

func TestPreviewTakesAnyText(t *testing.T) {
	for _, text := range []string{"", viewstest.Nasty, strings.Repeat("word ", 300), strings.Repeat("long", 300), "日本語 \x00 \u202e"} {
		drawn(t, &ui.Preview{Site: text, Kind: text, Title: text, Price: text, Lines: []string{text, text}}, nil)
	}
}

func TestPreviewPath(t *testing.T) {
	for path, want := range map[string]string{"/": "/previews/index.v.jpg", "/gear/canon/eos-r6": "/previews/gear/canon/eos-r6.v.jpg", "/listings?keyword=r6": "/previews/listings.v.jpg"} {
		if got := ui.PreviewPath(t.Context(), path, "v"); got != want {
			t.Errorf("the preview of %s is at %s, want %s", path, got, want)
		}
	}
}
