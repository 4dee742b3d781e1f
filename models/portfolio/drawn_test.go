package portfolio

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

var update = flag.Bool("update", false, "draw the demonstration photographs again")

// drawing is a generated photograph of the demonstration portfolio: a landscape with
// the EXIF data a camera would write, so that the demonstration shows the gear that
// photographs were taken with.
type drawing struct {
	file         string
	seed         uint64
	sky, near    color.RGBA // of the horizon, and of the nearest ridge
	sun          float64    // horizontal position, 0 to 1; below 0 for none
	ridges       int
	rough        float64
	night        bool
	x            picture.Exposure
	camera, lens string
}

// drawings lists the generated photographs. Wide lenses show many ridges, long lenses
// a few close ones.
var drawings = []drawing{
	{"ridges/first-light.jpg", 11, rgb(0xf2c9a0), rgb(0x2b2a3a), 0.68, 7, 0.9, false, shot(15, 11, 1.0/60, 100, "RF15-35mm F2.8 L IS USM", "2026-09-18 06:41:10"), "canon/eos-r6", "canon/rf-15-35mm-f2-8l-is-usm"},
	{"ridges/haze.jpg", 23, rgb(0xcfd8dc), rgb(0x24424a), -1, 6, 0.7, false, shot(35, 8, 1.0/250, 100, "RF35mm F1.8 Macro IS STM", "2026-09-18 09:12:44"), "canon/eos-r6", "canon/rf-35mm-f1-8-macro-is-stm"},
	{"ridges/the-pass.jpg", 37, rgb(0xbcd0e0), rgb(0x1f3326), 0.2, 5, 1.1, false, shot(24, 9, 1.0/320, 100, "RF15-35mm F2.8 L IS USM", "2026-09-18 11:03:02"), "canon/eos-r6", "canon/rf-15-35mm-f2-8l-is-usm"},
	{"ridges/compressed.jpg", 41, rgb(0xe8b98a), rgb(0x3a1f1c), 0.5, 4, 0.5, false, shot(400, 7.1, 1.0/800, 400, "Canon RF 100-500mm F4.5-7.1L IS USM", "2026-09-18 18:57:31"), "canon/eos-r6", "canon/rf-100-500mm-f4-5-7-1l-is-usm"},
	{"ridges/last-light.jpg", 53, rgb(0xe07a4e), rgb(0x1a1220), 0.35, 5, 0.8, false, shot(85, 5.6, 1.0/125, 200, "Canon RF 85mm F2 MACRO IS STM", "2026-09-18 19:20:05"), "canon/eos-r6", "canon/rf-85mm-f2-macro-is-stm"},
	{"after-dark/moonrise.jpg", 67, rgb(0x31456b), rgb(0x05070d), 0.75, 4, 0.6, true, shot(56, 2, 1.0/15, 1600, "XF56mmF1.2 R", "2026-08-29 21:14:00"), "fujifilm/x-t4", "fujifilm/xf-56mm-f1-2-r"},
	{"after-dark/stars.jpg", 79, rgb(0x24305a), rgb(0x04050a), -1, 3, 0.9, true, shot(23, 2, 8, 3200, "XF23mmF2 R WR", "2026-08-29 22:48:00"), "fujifilm/x-t4", "fujifilm/xf-23mm-f2-r-wr"},
	{"after-dark/before-dawn.jpg", 83, rgb(0x5a4a6e), rgb(0x0a0812), -1, 6, 0.7, true, shot(23, 4, 0.5, 800, "XF23mmF2 R WR", "2026-08-30 04:55:00"), "fujifilm/x-t4", "fujifilm/xf-23mm-f2-r-wr"},
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// shot returns the exposure of a photograph. The camera follows from the lens.
func shot(focal, aperture, seconds float64, iso int, lens, at string) Exposure {
	x := picture.Exposure{Make: "Canon", Model: "Canon EOS R6", LensModel: lens, Focal: focal, Aperture: aperture, Time: seconds, ISO: iso, Orientation: 1}
	if lens[:2] == "XF" {
		x.Make, x.Model, x.LensMake = "FUJIFILM", "X-T4", "FUJIFILM"
	}
	x.TakenAt, _ = time.Parse(time.DateTime, at)
	return x
}

// TestDrawnPhotographs compares the generated photographs of the demonstration with
// the files; -update writes the files. The gear they name is in the catalogue.
func TestDrawnPhotographs(t *testing.T) {
	catalog := testCatalog(t)
	for _, d := range drawings {
		file := filepath.Join("../../content/portfolio", d.file)
		if *update {
			ifd0, exif := picturetest.Tags(d.x)
			ifd0 = append([]picturetest.Tag{{ID: 0x010e, Value: "Drawn by a program for demonstration. No camera took this."}}, ifd0...)
			var b bytes.Buffer
			if err := jpeg.Encode(&b, d.draw(1800, 1200), &jpeg.Options{Quality: 80}); err != nil {
				t.Fatal(err)
			}
			drop := map[uint16]bool{0xa431: true, 0xa435: true, 0xa433: d.x.LensMake == ""}
			var kept []picturetest.Tag
			for _, e := range exif {
				if !drop[e.ID] {
					kept = append(kept, e)
				}
			}
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, picturetest.With(b.Bytes(), picturetest.EXIF(ifd0, kept, nil)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		x := picture.ReadEXIF(bytes.NewReader(data), file)
		want := d.x
		if math.Abs(x.Time-want.Time) < 1e-9 {
			want.Time = x.Time
		}
		if x != want {
			t.Errorf("%s carries %+v, want %+v", d.file, x, d.x)
		}
		if c, l := x.Camera(catalog), x.Lens(catalog); c == nil || c.Slug() != d.camera || l == nil || l.Slug() != d.lens {
			t.Errorf("%s leads to %v and %v", d.file, c, l)
		}
		img, err := jpeg.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := mean(img, 180), mean(d.draw(180, 120), 18); distance(got, want) > 24 {
			t.Errorf("%s is not what is drawn now: %v and %v", d.file, got, want)
		}
	}
}

// mean returns the mean colour of every step-th pixel.
func mean(img image.Image, step int) [3]float64 {
	var sum [3]float64
	n := 0.0
	b := img.Bounds()
	for y := b.Min.Y + step/2; y < b.Max.Y; y += step {
		for x := b.Min.X + step/2; x < b.Max.X; x += step {
			r, g, bl, _ := img.At(x, y).RGBA()
			sum[0], sum[1], sum[2], n = sum[0]+float64(r>>8), sum[1]+float64(g>>8), sum[2]+float64(bl>>8), n+1
		}
	}
	return [3]float64{sum[0] / n, sum[1] / n, sum[2] / n}
}

func distance(a, b [3]float64) (d float64) {
	for i := range a {
		d += math.Abs(a[i] - b[i])
	}
	return d
}

// draw draws a sky, a sun or moon, and ridges that pale with distance.
func (d drawing) draw(w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	random := rand.New(rand.NewPCG(d.seed, 1))
	lines := make([][]float64, d.ridges)
	for i := range lines {
		lines[i] = d.ridge(random, w, h, i)
	}
	zenith := mix(d.sky, d.near, 0.55)
	if !d.night {
		zenith = mix(d.sky, color.RGBA{90, 130, 170, 255}, 0.6)
	}
	stars := map[int]uint8{}
	if d.night {
		for range 500 {
			stars[random.IntN(w*h*6/10)] = uint8(60 + random.IntN(180))
		}
	}
	sx, sy, sr := d.sun*float64(w), 0.36*float64(h), 0.045*float64(h)
	for y := range h {
		for x := range w {
			height := float64(y) / float64(h)
			c := mix(zenith, d.sky, math.Min(1, height/0.6))
			if d.sun >= 0 {
				r := math.Hypot(float64(x)-sx, float64(y)-sy)
				c = mix(c, color.RGBA{255, 244, 220, 255}, 0.75*math.Exp(-r/(5*sr)))
				if r < sr {
					c = mix(c, color.RGBA{255, 250, 236, 255}, math.Min(1, sr-r))
				}
			}
			if s, ok := stars[y*w+x]; ok {
				c = mix(c, color.RGBA{255, 255, 255, 255}, float64(s)/255)
			}
			for i, line := range lines {
				if float64(y) > line[x] {
					near := math.Pow(float64(i+1)/float64(d.ridges), 1.4)
					depth := math.Min(1, (float64(y)-line[x])/(0.28*float64(h)))
					c = mix(mix(d.sky, d.near, 0.15+0.85*near), d.sky, 0.35*depth*(1-near)) // mist lies in the valleys
				}
			}
			n := float64(int(noise(uint64(x), uint64(y), d.seed)%9) - 4) // grain
			img.SetRGBA(x, y, color.RGBA{grain(c.R, n), grain(c.G, n), grain(c.B, n), 255})
		}
	}
	return img
}

// ridge returns the height of the ith ridge at every x, the farthest first.
func (d drawing) ridge(random *rand.Rand, w, h, i int) []float64 {
	near := float64(i+1) / float64(d.ridges)
	base := (0.46 + 0.42*near) * float64(h)
	line := make([]float64, w)
	for x := range line {
		line[x] = base
	}
	for octave := 1; octave <= 7; octave++ {
		phase, wave := random.Float64()*2*math.Pi, (0.7+0.6*random.Float64())*math.Pow(2, float64(octave))
		size := d.rough * 0.085 * float64(h) / math.Pow(float64(octave), 1.75)
		for x := range line {
			at := float64(x)/float64(w)*wave*math.Pi + phase
			line[x] -= size * (1 - 2*math.Abs(math.Sin(at/2))) * (0.5 + 0.5*near)
		}
	}
	return line
}

func mix(a, b color.RGBA, t float64) color.RGBA {
	t = math.Max(0, math.Min(1, t))
	m := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*t + 0.5) }
	return color.RGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), 255}
}

func noise(x, y, seed uint64) uint64 {
	n := x*0x9e3779b97f4a7c15 ^ y*0xbf58476d1ce4e5b9 ^ seed
	n ^= n >> 31
	n *= 0x94d049bb133111eb
	return n ^ n>>29
}

func grain(c uint8, n float64) uint8 { return uint8(math.Max(0, math.Min(255, float64(c)+n))) }
