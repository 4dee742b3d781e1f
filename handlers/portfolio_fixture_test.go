package handlers

import (
	"bytes"
	"image/jpeg"
	"io/fs"
	"os"
	"path"
	"testing/fstest"
	"time"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// shots are the photographs with EXIF data that tests add to the demonstration portfolio,
// whose own are older than EXIF.
var shots = map[string]picture.Exposure{
	"ridges/first-light.jpg":     shot(15, 11, 1.0/60, 100, "RF15-35mm F2.8 L IS USM", "2026-09-18 06:41:10"),
	"ridges/haze.jpg":            shot(35, 8, 1.0/250, 100, "RF35mm F1.8 Macro IS STM", "2026-09-18 09:12:44"),
	"ridges/the-pass.jpg":        shot(24, 9, 1.0/320, 100, "RF15-35mm F2.8 L IS USM", "2026-09-18 11:03:02"),
	"ridges/compressed.jpg":      shot(400, 7.1, 1.0/800, 400, "Canon RF 100-500mm F4.5-7.1L IS USM", "2026-09-18 18:57:31"),
	"ridges/last-light.jpg":      shot(85, 5.6, 1.0/125, 200, "Canon RF 85mm F2 MACRO IS STM", "2026-09-18 19:20:05"),
	"after-dark/moonrise.jpg":    shot(56, 2, 1.0/15, 1600, "XF56mmF1.2 R", "2026-08-29 21:14:00"),
	"after-dark/stars.jpg":       shot(23, 2, 8, 3200, "XF23mmF2 R WR", "2026-08-29 22:48:00"),
	"after-dark/before-dawn.jpg": shot(23, 4, 0.5, 800, "XF23mmF2 R WR", "2026-08-30 04:55:00"),
}

// shot returns the exposure of a photograph. The camera follows from the lens.
func shot(focal, aperture, seconds float64, iso int, lens, at string) picture.Exposure {
	x := picture.Exposure{Make: "Canon", Model: "Canon EOS R6", LensModel: lens, Focal: focal, Aperture: aperture, Time: seconds, ISO: iso, Orientation: 1}
	if lens[:2] == "XF" {
		x.Make, x.Model, x.LensMake = "FUJIFILM", "X-T4", "FUJIFILM"
	}
	x.TakenAt, _ = time.Parse(time.DateTime, at)
	return x
}

// testPortfolio returns the demonstration portfolio with the projects of shots.
func testPortfolio() fs.FS {
	files := fstest.MapFS{}
	must(fs.WalkDir(content.Portfolio(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(content.Portfolio(), name)
		files[name] = &fstest.MapFile{Data: data}
		return err
	}))
	for _, project := range []string{"ridges", "after-dark"} {
		index, err := os.ReadFile("testdata/portfolio/" + project + ".md")
		must(err)
		files[path.Join("portfolio", project, "index.md")] = &fstest.MapFile{Data: index}
	}
	var b bytes.Buffer
	must(jpeg.Encode(&b, picturetest.Image(1800, 1200), nil))
	for name, x := range shots {
		ifd0, exif := picturetest.Tags(x)
		files[path.Join("portfolio", name)] = &fstest.MapFile{Data: picturetest.With(bytes.Clone(b.Bytes()), picturetest.EXIF(ifd0, exif, nil))}
	}
	return files
}
