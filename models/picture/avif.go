package picture

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"slices"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/picture/codec"
)

// ErrNoCodec is the error where AVIFs can't be made, because nothing runs compiled code.
var ErrNoCodec = codec.ErrUnavailable

// avifQuality is the AVIF quality of served pictures, 1 to 100, at which they differ as much from
// the photograph as their JPEGs do: see decision 29.
const avifQuality = 63

// EncodeAVIF returns a picture as an AVIF without metadata. It is made in another process, one at a
// time, of the lowest priority. It fails with ErrNoCodec where that can't run.
func EncodeAVIF(ctx context.Context, img *image.YCbCr) ([]byte, error) {
	rgba := image.NewRGBA(image.Rect(0, 0, img.Rect.Dx(), img.Rect.Dy()))
	draw.Draw(rgba, rgba.Rect, img, img.Rect.Min, draw.Src)
	return codec.Encode(ctx, rgba, avifQuality)
}

// widest is the largest of models.PhotoWidths.
func widest() int { return slices.Max(models.PhotoWidths) }

// HasAVIF reports whether photographs of a width of models.PhotoWidths are served as AVIF too: all but
// the largest. An AVIF is made of the pixels of the largest JPEG, because the uploaded file is not
// stored; made of a JPEG of its own size, it would differ more from the photograph or be larger.
func HasAVIF(width int) bool { return width < widest() }

// Narrow decodes the largest JPEG of a listing's photograph in a narrower width. It returns nil if
// that is hardly narrower, so that the losses of the JPEG would show in what is made of it.
func Narrow(largest []byte, width int) (*image.YCbCr, error) {
	w, h, err := Size(largest, 0)
	if err != nil {
		return nil, err
	}
	r := Rendered{Photo: models.Photo{Width: w, Height: h}}
	if w, h = r.size(width); 2*r.Width < 3*w {
		return nil, nil
	}
	img, err := Decode(largest, 0, w, h)
	if err != nil {
		return nil, err
	}
	return Scale(img, w, h), nil
}

// AVIFFile returns the name in a bucket of the AVIF of a photograph. The file is empty if the JPEG
// is smaller. It may be deleted at any time.
func AVIFFile(key string, width int) string { return fmt.Sprintf("%s%s-%d.avif", Folder, key, width) }

// Files returns the bucket of the photographs, nil if the Store is disabled.
func (s *Store) Files() blob.Bucket { return s.files }

// deleteAVIFs deletes the AVIFs of a photograph.
func (s *Store) deleteAVIFs(ctx context.Context, key string) error {
	for _, width := range models.PhotoWidths {
		if HasAVIF(width) {
			if err := s.files.Delete(ctx, AVIFFile(key, width)); err != nil {
				return err
			}
		}
	}
	return nil
}
