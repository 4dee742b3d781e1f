//go:build unix

package codec

import (
	"flag"
	"os"
	"strings"
	"syscall"
	"testing"
)

var file = flag.String("file", "../../../e2e/heic/1.heic", "HEIC or AVIF file to decode")

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
	w, err := decoder.take(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	w.stop()
	<-decoder.turn
	usage, ok := w.process.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		b.Fatal("no usage")
	}
	b.ReportMetric(float64(usage.Utime.Nano()+usage.Stime.Nano())/1e6/float64(b.N), "cpu-ms/op")
	b.ReportMetric(float64(usage.Maxrss)/1024, "MB")
	b.ReportMetric(float64(pixels)/1e6, "megapixels")
}
