package picture

import (
	"image"
	"image/color"

	"golang.org/x/image/draw"

	"github.com/secondlight/secondlight/models/picture/baseline"
)

// quality is the JPEG quality of served pictures, 1 to 100.
const quality = 82

// Encode returns a picture as it is served: as a JPEG without metadata, flattened onto
// white. Every picture that is made of an upload passes through it, so that another format
// takes a change here and in the names of the files.
func Encode(img image.Image) ([]byte, error) {
	photo, ok := img.(*image.YCbCr)
	if !ok {
		b := img.Bounds()
		flat := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
		draw.Draw(flat, flat.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
		draw.Draw(flat, flat.Rect, img, b.Min, draw.Over)
		photo = subsample(flat)
	}
	return baseline.Encode(photo, quality)
}
