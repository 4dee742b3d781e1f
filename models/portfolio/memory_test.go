//go:build !race

package portfolio

import (
	"bytes"
	"image"
	"image/jpeg"
	"runtime"
	"testing"
)

// TestRenderMemory renders a large photograph and checks how much memory that
// allocates. The race detector's own allocations would count too.
func TestRenderMemory(t *testing.T) {
	gray := image.NewGray(image.Rect(0, 0, 6000, 4000))
	var b bytes.Buffer
	if err := jpeg.Encode(&b, gray, &jpeg.Options{Quality: 50}); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, _, err := render(b.Bytes(), 1); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 320 {
		t.Errorf("allocated %d MB for 24 megapixels", used)
	} else {
		t.Logf("allocated %d MB for 24 megapixels", used)
	}
}
