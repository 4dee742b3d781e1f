package models

import (
	"os"
	"testing"
)

func TestReadCatalog(t *testing.T) {
	if _, err := ReadCatalog(os.DirFS("../content/catalog")); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkReadCatalog(b *testing.B) {
	for b.Loop() {
		ReadCatalog(os.DirFS("../content/catalog"))
	}
}
func BenchmarkNearest(b *testing.B) {
	c, _ := ReadCatalog(os.DirFS("../content/catalog"))
	for b.Loop() {
		c.Nearest("sony/a7-iii", 5)
	}
}
