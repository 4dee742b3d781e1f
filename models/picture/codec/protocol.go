package codec

import (
	"encoding/binary"
	"fmt"
	"image"
	"io"
)

// requestHead is sent to the worker before the file, or before the samples of a picture.
type requestHead struct {
	Format Format
	Memory uint64 // bytes
	Length uint64 // of the file, or of the samples of a picture to encode

	Width, Height, Quality uint32 // of a picture to encode
}

// answerHead is sent by the worker before the samples of a picture, or before a file.
type answerHead struct {
	Kind          kind
	Width, Height uint32
	Length        uint64 // of what follows; of why a codec is unavailable
}

// kind is what the samples of an answer are.
type kind uint32

const (
	refused     kind = iota // the file, or the picture
	unavailable             // the codec
	yCbCr420
	yCbCr422
	yCbCr444
	gray
	rgba
	nrgba
	encoded // a file
)

var subsampling = map[kind]image.YCbCrSubsampleRatio{yCbCr420: image.YCbCrSubsampleRatio420, yCbCr422: image.YCbCrSubsampleRatio422, yCbCr444: image.YCbCrSubsampleRatio444}

// layout is where the samples of a picture are in memory. Rows of HEIC pictures begin at
// multiples of 16 bytes.
type layout struct {
	stride, chromaStride int
	luma, chroma         int // bytes of a plane
}

// layoutOf returns the layout of a picture.
func layoutOf(k kind, width, height int) layout {
	const align = 16
	aligned := func(n int) int { return (n + align - 1) / align * align }
	half := func(n int) int { return (n + 1) / 2 }
	var l layout
	switch k {
	case yCbCr420:
		l.stride, l.chromaStride = aligned(width), aligned(half(width))
		l.chroma = l.chromaStride * half(height)
	case yCbCr422:
		l.stride, l.chromaStride = aligned(width), aligned(half(width))
		l.chroma = l.chromaStride * height
	case yCbCr444:
		l.stride, l.chromaStride = aligned(width), aligned(width)
		l.chroma = l.chromaStride * height
	case gray:
		l.stride = aligned(width)
	case nrgba:
		l.stride = aligned(4 * width)
	case rgba:
		l.stride = 4 * width
	}
	l.luma = l.stride * height
	return l
}

// size returns the bytes of all planes.
func (l layout) size() int { return l.luma + 2*l.chroma }

// readHead reads the head of an answer. It fails if nothing was decoded or encoded.
func readHead(in io.Reader) (head answerHead, err error) {
	if err := binary.Read(in, binary.LittleEndian, &head); err != nil {
		return head, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	switch head.Kind {
	case refused:
		return head, errRefused
	case unavailable:
		return head, fmt.Errorf("%w: %s", ErrUnavailable, readReason(in, head.Length))
	}
	return head, nil
}

// readFile reads the file of an answer, of at most max bytes.
func readFile(in io.Reader, max int) ([]byte, error) {
	head, err := readHead(in)
	if err != nil {
		return nil, err
	}
	if head.Kind != encoded || head.Length > uint64(max) {
		return nil, fmt.Errorf("%w: %d bytes", ErrDamaged, head.Length)
	}
	file := make([]byte, head.Length)
	if _, err := io.ReadFull(in, file); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return file, nil
}

// readImage reads the picture of an answer.
func readImage(in io.Reader, maxPixels int64) (image.Image, error) {
	head, err := readHead(in)
	if err != nil {
		return nil, err
	}
	if head.Kind > nrgba || head.Width == 0 || head.Height == 0 || int64(head.Width)*int64(head.Height) > maxPixels {
		return nil, fmt.Errorf("%w: %d × %d pixels", ErrDamaged, head.Width, head.Height)
	}
	l := layoutOf(head.Kind, int(head.Width), int(head.Height))
	if head.Length != uint64(l.size()) {
		return nil, fmt.Errorf("%w: %d bytes", ErrDamaged, head.Length)
	}
	samples := make([]byte, l.size())
	if _, err := io.ReadFull(in, samples); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return newImage(head.Kind, image.Rect(0, 0, int(head.Width), int(head.Height)), l, samples), nil
}

// readReason reads why a decoder is unavailable.
func readReason(in io.Reader, length uint64) []byte {
	const maxLength = 1000
	reason, _ := io.ReadAll(io.LimitReader(in, int64(min(length, maxLength))))
	return reason
}

func newImage(k kind, size image.Rectangle, l layout, samples []byte) image.Image {
	switch k {
	case gray:
		return &image.Gray{Pix: samples, Stride: l.stride, Rect: size}
	case rgba:
		return &image.RGBA{Pix: samples, Stride: l.stride, Rect: size}
	case nrgba:
		return &image.NRGBA{Pix: samples, Stride: l.stride, Rect: size}
	}
	cb := l.luma + l.chroma
	return &image.YCbCr{Y: samples[:l.luma], Cb: samples[l.luma:cb], Cr: samples[cb:], YStride: l.stride, CStride: l.chromaStride, SubsampleRatio: subsampling[k], Rect: size}
}
