//go:build unix

package codec

import (
	"flag"
	"image"
	"image/draw"
	"image/jpeg"
	"os"
	"strings"
	"syscall"
	"testing"
)

var (
	file  = flag.String("file", "../../../e2e/heic/1.heic", "HEIC or AVIF file to decode")
	photo = flag.String("photo", "../../../content/portfolio/far-from-home/nagasaki-boats.jpg", "JPEG to encode")
	width = flag.Int("width", 640, "width of the picture to encode")
)

// BenchmarkDecode decodes a file in a worker, and reports the worker's processor time, with that for
// compiling the decoder, and the most memory that it has had.
func BenchmarkDecode(b *testing.B) {
	data, err := os.ReadFile(*file)
	if err != nil {
		b.Fatal(err)
	}
	r := Request{Memory: 1 << 30, Pixels: 1e8, Data: data}
	if strings.HasSuffix(*file, ".avif") {
		r.Format = AVIF
	}
	var pixels int
	for b.Loop() {
		img, err := Decode(b.Context(), r)
		if err != nil {
			b.Fatal(err)
		}
		pixels = img.Bounds().Dx() * img.Bounds().Dy()
	}
	reportUsage(b, decoder, pixels)
}

// BenchmarkEncode encodes a picture of -width pixels, the middle of a JPEG.
func BenchmarkEncode(b *testing.B) {
	LowPriority = false
	in, err := os.Open(*photo)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	img, err := jpeg.Decode(in)
	if err != nil {
		b.Fatal(err)
	}
	part := image.NewRGBA(image.Rect(0, 0, *width, *width*3/4))
	draw.Draw(part, part.Rect, img, img.Bounds().Min, draw.Src)
	for b.Loop() {
		if _, err := Encode(b.Context(), part, 60); err != nil {
			b.Fatal(err)
		}
	}
	reportUsage(b, encoder, part.Rect.Dx()*part.Rect.Dy())
}

// reportUsage ends a worker, and reports what it has used.
func reportUsage(b *testing.B, p *pool, pixels int) {
	w, err := p.take(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	w.stop()
	<-p.turn
	usage, ok := w.process.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		b.Fatal("no usage")
	}
	b.ReportMetric(float64(usage.Utime.Nano()+usage.Stime.Nano())/1e6/float64(b.N), "cpu-ms/op")
	b.ReportMetric(float64(usage.Maxrss)/1024, "MB")
	b.ReportMetric(float64(pixels)/1e6, "megapixels")
}
