// Package codec decodes HEIC and AVIF files and encodes AVIF, with libheif, libde265, libavif and
// libaom, compiled to WebAssembly. They run in processes of their own, workers, which are the
// program itself under another name: what a file does to a decoder, such as an endless loop, ends
// with it, and the garbage collector of the server never waits for compiled code. One worker
// decodes and another encodes, at the lowest priority. Each starts with the first picture,
// processes one at a time, and ends when it has had nothing to do for a while.
//
// README.md has the origin and the licences of the modules.
package codec

import (
	"context"
	"errors"
	"image"
	"io"
	"time"
)

// Format is a format of files.
type Format uint32

// The formats.
const (
	HEIC   Format = iota // upright: turned and mirrored as the file says
	AVIF                 // as stored: its transformations are left to the caller
	toAVIF               // a picture to encode
)

// Errors of Decode and Encode.
var (
	ErrDamaged     = errors.New("the file is damaged, or takes too much memory or time")
	ErrUnavailable = errors.New("the codec can't run here")
)

// maxTime limits the time to decode a picture. One of 48 megapixels takes a quarter of it on an
// idle machine.
const maxTime = 45 * time.Second

// Request is a file to decode.
type Request struct {
	Format Format
	Memory int64 // bytes that decoding may take in the worker
	Pixels int64 // of the picture, at most
	Data   []byte
}

// Decode decodes a file: to an *image.YCbCr with the samples as they are in a HEIC, whatever
// their range, to an *image.Gray, or to an *image.RGBA or *image.NRGBA. It returns an error that
// wraps ErrDamaged or ErrUnavailable, or ctx.Err() if ctx ends. It waits while another file is decoded.
func Decode(ctx context.Context, r Request) (image.Image, error) {
	head := requestHead{Format: r.Format, Memory: uint64(r.Memory)}
	return process(ctx, decoder, maxTime, head, r.Data, func(out io.Reader) (image.Image, error) { return readImage(out, r.Pixels) })
}

// maxEncodeTime limits the time to encode a picture, in a worker that only gets the processor time
// that nobody else wants.
const maxEncodeTime = 5 * time.Minute

// encodeMemory is how much memory libaom takes for a pixel, beside its samples. It is measured by
// BenchmarkEncode.
const encodeMemory = 100

// Encode encodes a picture as an AVIF, with half of the resolution for colours, at a quality from 1 to 100. It
// returns an error as Decode does, and waits while another picture is encoded.
func Encode(ctx context.Context, img *image.RGBA, quality int) ([]byte, error) {
	size := img.Rect.Size()
	head := requestHead{Format: toAVIF, Memory: uint64(encodeMemory * size.X * size.Y), Width: uint32(size.X), Height: uint32(size.Y), Quality: uint32(quality)}
	return process(ctx, encoder, maxEncodeTime, head, rows(img), func(out io.Reader) ([]byte, error) { return readFile(out, len(img.Pix)) })
}

// rows returns the samples of a picture, one row right after the other.
func rows(img *image.RGBA) []byte {
	size := img.Rect.Size()
	if img.Stride == 4*size.X {
		return img.Pix[:4*size.X*size.Y]
	}
	samples := make([]byte, 0, 4*size.X*size.Y)
	for y := range size.Y {
		samples = append(samples, img.Pix[y*img.Stride:][:4*size.X]...)
	}
	return samples
}

// process has a worker answer a request, within a time.
func process[T any](ctx context.Context, workers *pool, limit time.Duration, head requestHead, data []byte, read func(io.Reader) (T, error)) (result T, err error) {
	w, err := workers.take(ctx)
	if err != nil {
		return result, err
	}
	working, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	stop, err := w.send(working, head, data)
	if err == nil {
		result, err = read(w.out)
	}
	stop()
	err = ended(working, err)
	workers.put(w, err == nil || errors.Is(err, errRefused))
	return result, err
}
