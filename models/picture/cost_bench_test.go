//go:build unix && !race

package picture_test

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/picture"
)

// noise returns a JPEG of noise, whose size is about that of the most detailed photographs
// at quality 80.
func noise(b *testing.B, w, h, quality int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = byte(i>>7) + byte(rand.IntN(40))
	}
	var buf bytes.Buffer
	if err := jpeg.Encode(&buf, img, &jpeg.Options{Quality: quality}); err != nil {
		b.Fatal(err)
	}
	return buf.Bytes()
}

// BenchmarkCost renders the most expensive pictures of each kind that are accepted. It
// reports processor time: none may take a second.
func BenchmarkCost(b *testing.B) {
	for _, c := range []struct {
		name string
		make func(w, h int) []byte
	}{
		{"jpeg/flat", func(w, h int) []byte { return noise(b, w, h, 1) }},
		{"jpeg/photo", func(w, h int) []byte { return noise(b, w, h, 60) }},
		{"jpeg/detailed", func(w, h int) []byte { return noise(b, w, h, 100) }},
		{"jpeg/progressive", func(w, h int) []byte { return progressiveJPEG(uint16(w), uint16(h), 10) }},
		{"jpeg/64 scans", func(w, h int) []byte { return progressiveJPEG(uint16(w), uint16(h), 62) }},
		{"png/grey", func(w, h int) []byte { return flatPNG(w, h, 8, grey, false) }},
		{"png/palette", func(w, h int) []byte { return flatPNG(w, h, 1, palette, false) }},
		{"png/rgb", func(w, h int) []byte { return flatPNG(w, h, 8, rgb, false) }},
		{"png/rgba", func(w, h int) []byte { return flatPNG(w, h, 8, rgba, false) }},
		{"png/rgba of 16 bits", func(w, h int) []byte { return flatPNG(w, h, 16, rgba, false) }},
		{"png/interlaced rgba", func(w, h int) []byte { return flatPNG(w, h, 8, rgba, interlaced) }},
		{"png/interlaced palette", func(w, h int) []byte { return flatPNG(w, h, 1, palette, interlaced) }},
		{"png/strip", func(int, int) []byte { return flatPNG(1420, 7000, 8, rgba, false) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := picture.NewStore(blob.Folder(b.TempDir()))
			w, h, data := largest(b, c.make)
			before := processorTime(b)
			for b.Loop() {
				if _, err := s.Render(b.Context(), "anna", "", data); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((processorTime(b)-before).Milliseconds())/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(w*h)/1e6, "megapixels")
			b.ReportMetric(float64(len(data))/1e6, "MB")
		})
	}
}

// largest returns about the largest picture that is accepted, 3 to 2.
func largest(b *testing.B, file func(w, h int) []byte) (w, h int, data []byte) {
	gone, cancel := context.WithCancel(b.Context())
	cancel() // an accepted picture is not decoded
	for h = 5160; h > 500; h -= h / 14 {
		w = h * 3 / 2
		data = file(w, h)
		if _, err := picture.NewStore(blob.Folder(b.TempDir())).Render(gone, "anna", "", data); picture.Refusal(err) == nil {
			return w, h, data
		}
	}
	b.Fatal("no size is accepted")
	return 0, 0, nil
}

// processorTime returns the processor time of the process.
func processorTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
