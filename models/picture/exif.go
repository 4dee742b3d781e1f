package picture

import (
	"cmp"
	"io"
	"math"
	"strings"
	"time"
	"unicode"

	"github.com/bep/imagemeta"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// Exposure holds the EXIF data of a photograph that concerns how it was taken.
// Missing values are zero. The position is not read; serial numbers are in Origin.
type Exposure struct {
	Make, Model         string
	LensMake, LensModel string
	Aperture            float64   // f-number
	Time                float64   // seconds
	ISO                 int       //
	Focal               float64   // millimetres, not converted to full frame
	TakenAt             time.Time // the camera's local time, as if it were UTC
	Orientation         int       // EXIF orientation, 1 to 8
}

// exifTags lists the tags that are read, by imagemeta's names.
var exifTags = map[string]bool{
	"Make": true, "Model": true, "LensMake": true, "LensModel": true, "FNumber": true, "ExposureTime": true,
	"ISO": true, "FocalLength": true, "DateTimeOriginal": true, "Orientation": true,
}

// ReadEXIF reads the EXIF data of a picture, in the format of its name's extension. It
// returns what could be read before any error.
func ReadEXIF(r io.ReadSeeker, name string) Exposure {
	x := readEXIF(r, name)
	switch metadataFormat(name) {
	case imagemeta.HEIF:
		x.Orientation = 1 // as decoded
	case imagemeta.AVIF:
		// The file itself says it, and what EXIF says is not to be applied again.
		x.Orientation = avifOrientation(r)
	}
	return x
}

// avifOrientation returns how an AVIF is to be turned and mirrored.
func avifOrientation(r io.ReadSeeker) int {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return 1
	}
	h, err := readHEIF(r)
	if err != nil {
		return 1
	}
	return h.orientation()
}

func readEXIF(r io.ReadSeeker, name string) Exposure {
	x := Exposure{Orientation: 1}
	// An error means that the EXIF data is damaged; the picture may be fine.
	_, _ = imagemeta.Decode(imagemeta.Options{
		R: r, ImageFormat: metadataFormat(name), Sources: imagemeta.EXIF, LimitNumTags: 1000, LimitTagSize: 2000, Timeout: 5 * time.Second,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool {
			return exifTags[tag.Tag] && (tag.Namespace == "IFD0" || tag.Namespace == "IFD0/ExifIFDP")
		},
		HandleTag: func(tag imagemeta.TagInfo) error {
			x.set(tag.Tag, tag.Value)
			return nil
		},
	})
	return x
}

// metadataFormat returns the format that the extension of a file's name stands for.
func metadataFormat(name string) imagemeta.ImageFormat {
	switch extension(name) {
	case ".png":
		return imagemeta.PNG
	case ".webp":
		return imagemeta.WebP
	case ".heic", ".heif", ".hif":
		return imagemeta.HEIF
	case ".avif":
		return imagemeta.AVIF
	}
	return imagemeta.JPEG
}

// Extension returns the extension of the format of a file's content, such as ".jpeg", or "" if
// it is none of those that are accepted.
func Extension(data []byte) string {
	if kind := sniff(data); checks[kind] != nil {
		return "." + strings.TrimPrefix(kind, "image/")
	}
	return ""
}

func (x *Exposure) set(tag string, value any) {
	switch tag {
	case "Make":
		x.Make = exifText(value)
	case "Model":
		x.Model = exifText(value)
	case "LensMake":
		x.LensMake = exifText(value)
	case "LensModel":
		x.LensModel = exifText(value)
	case "FNumber":
		x.Aperture = exifNumber(value, 0.5, 256)
	case "ExposureTime":
		x.Time = exifNumber(value, 1e-6, 1e6)
	case "ISO":
		x.ISO = int(exifNumber(value, 1, 1e8))
	case "FocalLength":
		x.Focal = math.Round(exifNumber(value, 0.5, 10_000)*10) / 10
	case "Orientation":
		x.Orientation = max(1, int(exifNumber(value, 1, 8)))
	case "DateTimeOriginal":
		if t, err := time.Parse("2006:01:02 15:04:05", exifText(value)); err == nil && t.Year() > 1825 && t.Year() < 2200 {
			x.TakenAt = t
		}
	}
}

// exifText returns a string value on one line, at most 100 characters long.
func exifText(value any) string {
	s, _ := value.(string)
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > 100 {
		s = string(runes[:100])
	}
	return s
}

// exifNumber returns a numeric value if it lies in [low, high], and otherwise 0.
func exifNumber(value any, low, high float64) float64 {
	var n float64
	switch v := value.(type) {
	case interface{ Float64() float64 }:
		n = v.Float64()
	case float64:
		n = v
	case float32:
		n = float64(v)
	case uint8:
		n = float64(v)
	case uint16:
		n = float64(v)
	case uint32:
		n = float64(v)
	case int:
		n = float64(v)
	case []any:
		if len(v) > 0 {
			return exifNumber(v[0], low, high)
		}
	}
	if !(n >= low && n <= high) {
		return 0
	}
	return n
}

// Camera returns the camera the photograph was taken with, or nil if the catalogue
// does not have it.
func (x *Exposure) Camera(c *catalog.Catalog) *catalog.Gear {
	return ofFamily(c.ByEXIF(x.Make, x.Model), models.FamilyCamera)
}

// Lens returns the lens the photograph was taken with, or nil if the catalogue does
// not have it. Cameras write the lens with its own maker, with the camera's maker,
// or as one text that begins with the maker ("Sigma 35mm F1.4"). Other spellings are read as
// titles are.
func (x *Exposure) Lens(c *catalog.Catalog) *catalog.Gear {
	if x.LensModel == "" {
		return nil
	}
	first, rest, _ := strings.Cut(x.LensModel, " ")
	return cmp.Or(
		ofFamily(c.ByEXIF(x.LensMake, x.LensModel), models.FamilyLens),
		ofFamily(c.ByEXIF(x.Make, x.LensModel), models.FamilyLens),
		ofFamily(c.ByEXIF(first, rest), models.FamilyLens),
		c.LensNamed(cmp.Or(x.LensMake, x.Make), x.LensModel),
	)
}

func ofFamily(g *catalog.Gear, family string) *catalog.Gear {
	if g == nil || g.Category.Family() != family {
		return nil
	}
	return g
}
