package picturetest

import (
	"embed"
	"testing"
)

//go:embed testdata
var samples embed.FS

// Sample returns a file of testdata, which holds what Go doesn't encode. Those named quarters
// show Image(640, 480) and have the EXIF data Exposure, with a position. In those named
// transparent the white quarter is transparent.
func Sample(t testing.TB, name string) []byte {
	t.Helper()
	data, err := samples.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
