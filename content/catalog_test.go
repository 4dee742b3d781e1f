package content

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write catalog.zip")

// TestCatalogArchive checks that catalog.zip holds the files of the folder catalog.
func TestCatalogArchive(t *testing.T) {
	names, err := filepath.Glob("catalog/*.csv")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	if *update {
		if err := writeCatalog(names); err != nil {
			t.Fatal(err)
		}
		return
	}
	embedded, err := fs.Glob(Catalog(), "*")
	if err != nil || len(embedded) != len(names) {
		t.Fatalf("the archive has %d files and the folder %d, %v (write it with: go test ./content -run CatalogArchive -update)", len(embedded), len(names), err)
	}
	for _, name := range names {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if stored, err := fs.ReadFile(Catalog(), filepath.Base(name)); err != nil || !bytes.Equal(stored, file) {
			t.Errorf("%s differs from the archive, %v (write it with: go test ./content -run CatalogArchive -update)", name, err)
		}
	}
}

// writeCatalog writes catalog.zip, without times, so that the same files make the same archive.
func writeCatalog(names []string) error {
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, name := range names {
		file, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		w, err := archive.Create(filepath.Base(name))
		if err != nil {
			return err
		}
		if _, err := w.Write(file); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), os.WriteFile("catalog.zip", b.Bytes(), 0o644))
}
