// Package codec decodes HEIC and AVIF files with libheif, libde265, libavif and libaom, compiled
// to WebAssembly. They run in a process of their own, the worker, which is the program itself
// under another name: what a file does to a decoder, such as an endless loop, ends with it, and
// the garbage collector of the server never waits for compiled code. The worker starts with the
// first file, decodes one at a time, and ends when it has had nothing to do for a while.
//
// README.md has the origin and the licences of the modules.
package codec

import (
	"context"
	"errors"
	"image"
	"time"
)

// Format is a format of files.
type Format uint32

// The formats.
const (
	HEIC Format = iota // upright: turned and mirrored as the file says
	AVIF               // as stored: its transformations are left to the caller
)

// Errors of Decode.
var (
	ErrDamaged     = errors.New("the file is damaged, or takes too much memory or time")
	ErrUnavailable = errors.New("the decoder can't run here")
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
	w, err := workers.take(ctx)
	if err != nil {
		return nil, err
	}
	working, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	img, err := w.decode(working, r)
	workers.put(w, err == nil || errors.Is(err, errRefused))
	return img, err
}
