// Package drawing draws the images that show a page when it is shared.
package drawing

import (
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"math"
	"strings"
	"sync"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"github.com/secondlight/secondlight/content/packed"
	"github.com/secondlight/secondlight/views/ui"
)

// The site's typefaces as TrueType, which Go can draw: Fraunces 600 and Source Sans 3
// 400, Latin, both under the SIL Open Font License.
const previewFonts = "views/drawing/fonts/"

type typefaces struct{ heading, text *opentype.Font }

var loadTypefaces = sync.OnceValue(func() typefaces {
	load := func(name string) *opentype.Font {
		f, err := opentype.Parse([]byte(packed.File(previewFonts + name)))
		if err != nil {
			panic(err)
		}
		return f
	}
	return typefaces{load("heading.ttf"), load("text.ttf")}
})

// Colours of the light theme.
var (
	previewPaper  = color.RGBA{0xfb, 0xfa, 0xf7, 0xff}
	previewInk    = color.RGBA{0x1a, 0x16, 0x13, 0xff}
	previewPencil = color.RGBA{0x5f, 0x56, 0x4d, 0xff}
	previewLight  = color.RGBA{0xc0, 0x2f, 0x0c, 0xff}
)

// Layout of a preview in pixels.
const (
	previewMargin = 64
	previewPhoto  = 540 // width of the photo on the left
	previewFoot   = 578 // baseline of the last line
)

// previewQuality is the JPEG quality at which thin strokes have no visible
// artefacts.
const previewQuality = 88

// Preview writes the image as JPEG. photo is the image that Photo names, nil for none.
func Preview(p *ui.Preview, w io.Writer, photo image.Image) error {
	c := &previewCanvas{RGBA: image.NewRGBA(image.Rect(0, 0, ui.PreviewWidth, ui.PreviewHeight)), left: previewMargin}
	draw.Draw(c, c.Bounds(), image.NewUniform(previewPaper), image.Point{}, draw.Src)
	if photo != nil {
		c.photo(photo)
		c.left = previewPhoto + previewMargin*3/4
	}
	fonts := loadTypefaces()
	y := 104
	if p.Kind != "" {
		c.line(fonts.text, 28, y, previewLight, p.Kind)
	}
	y += 20
	size := 60.0
	lines := c.wrap(fonts.heading, size, p.Title, 4)
	if len(lines) > 2 {
		size = 46
		lines = c.wrap(fonts.heading, size, p.Title, 3)
	}
	for _, l := range lines {
		y += int(size * 1.14)
		c.line(fonts.heading, size, y, previewInk, l)
	}
	if p.Price != "" {
		y += 96
		c.line(fonts.heading, 76, y, previewLight, p.Price)
	}
	y += 12
	for _, text := range p.Lines {
		for _, l := range c.wrap(fonts.text, 30, text, 3) {
			if y += 40; y < previewFoot-50 {
				c.line(fonts.text, 30, y, previewPencil, l)
			}
		}
	}
	if top := max(y+24, 380); top < previewFoot-90 {
		c.trend(p.Trend, image.Rect(c.left, top, ui.PreviewWidth-previewMargin, previewFoot-56))
	}
	c.line(fonts.heading, 28, previewFoot, previewInk, p.Site)
	return jpeg.Encode(w, c.RGBA, &jpeg.Options{Quality: previewQuality})
}

// previewCanvas is an image being drawn; text begins at left.
type previewCanvas struct {
	*image.RGBA
	left int
}

// photo fills the left of the image with the centre of a photo.
func (c *previewCanvas) photo(src image.Image) {
	b := src.Bounds()
	width, height := b.Dx(), b.Dy()
	if width*ui.PreviewHeight > height*previewPhoto {
		width = height * previewPhoto / ui.PreviewHeight
	} else {
		height = width * ui.PreviewHeight / previewPhoto
	}
	from := image.Rect(0, 0, width, height).Add(b.Min).Add(image.Pt((b.Dx()-width)/2, (b.Dy()-height)/2))
	draw.CatmullRom.Scale(c, image.Rect(0, 0, previewPhoto, ui.PreviewHeight), src, from, draw.Src, nil)
}

// newFace returns a font at a size in pixels. It panics if size is not positive.
func newFace(f *opentype.Font, size float64) font.Face {
	sized, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic(err) // only a size that is not positive fails
	}
	return sized
}

// line draws text with its baseline at y.
func (c *previewCanvas) line(f *opentype.Font, size float64, y int, ink color.Color, text string) {
	d := font.Drawer{Dst: c, Src: image.NewUniform(ink), Face: newFace(f, size), Dot: fixed.P(c.left, y)}
	d.DrawString(text)
}

// wrap breaks text into at most n lines that fit the width. Text that does not fit
// ends in an ellipsis.
func (c *previewCanvas) wrap(f *opentype.Font, size float64, text string, n int) []string {
	sized := newFace(f, size)
	width := fixed.I(ui.PreviewWidth - previewMargin - c.left)
	fits := func(s string) bool { return font.MeasureString(sized, s) <= width }
	var lines []string
	words := strings.Fields(text)
	for len(words) > 0 {
		line, used := words[0], 1
		for used < len(words) && fits(line+" "+words[used]) {
			line += " " + words[used]
			used++
		}
		words = words[used:]
		if len(lines) == n-1 && len(words) > 0 || !fits(line) {
			return append(lines, shorten(line, fits))
		}
		lines = append(lines, line)
	}
	return lines
}

// shorten cuts a line until it fits with an ellipsis.
func shorten(line string, fits func(string) bool) string {
	runes := []rune(line)
	for len(runes) > 0 && !fits(string(runes)+"…") {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimRight(string(runes), " ") + "…"
}

// trend draws the medians as a line inside bounds. Months without a median are gaps.
func (c *previewCanvas) trend(medians []float64, bounds image.Rectangle) {
	low, high, known := math.Inf(1), 0.0, 0
	for _, m := range medians {
		if m > 0 {
			low, high = min(low, m), max(high, m)
			known++
		}
	}
	if known < 2 {
		return
	}
	if high == low {
		high = low + 1
	}
	at := func(i int) (x, y float32) {
		return float32(bounds.Min.X) + float32(bounds.Dx())*float32(i)/float32(len(medians)-1),
			float32(bounds.Max.Y) - float32(bounds.Dy())*float32((medians[i]-low)/(high-low))
	}
	pen := vector.NewRasterizer(ui.PreviewWidth, ui.PreviewHeight)
	for i := 1; i < len(medians); i++ {
		if medians[i-1] > 0 && medians[i] > 0 {
			x0, y0 := at(i - 1)
			x1, y1 := at(i)
			stroke(pen, x0, y0, x1, y1, 5)
		}
	}
	pen.Draw(c, c.Bounds(), image.NewUniform(previewLight), image.Point{})
}

// stroke adds a straight line with a width. It extends both ends by half the width,
// so that consecutive lines join.
func stroke(pen *vector.Rasterizer, x0, y0, x1, y1, width float32) {
	dx, dy := x1-x0, y1-y0
	length := float32(math.Hypot(float64(dx), float64(dy)))
	ux, uy := dx/length*width/2, dy/length*width/2
	x0, y0, x1, y1 = x0-ux/2, y0-uy/2, x1+ux/2, y1+uy/2
	pen.MoveTo(x0-uy, y0+ux)
	pen.LineTo(x1-uy, y1+ux)
	pen.LineTo(x1+uy, y1-ux)
	pen.LineTo(x0+uy, y0-ux)
	pen.ClosePath()
}
