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
	"path"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write packed.zip")

// TestArchive checks that packed.zip holds the files of the folders catalog and lexers.
func TestArchive(t *testing.T) {
	const remedy = "write it with: go test ./content -run Archive -update"
	var names []string
	for _, pattern := range []string{"catalog/*.csv", "lexers/*.xml"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		names = append(names, found...)
		if embedded, _ := fs.Glob(unpacked(path.Dir(pattern)), "*"); len(embedded) != len(found) && !*update {
			t.Errorf("the archive has %d files of %s, and the folder %d (%s)", len(embedded), pattern, len(found), remedy)
		}
	}
	if *update {
		if err := writeArchive(names); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, name := range names {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if stored, err := fs.ReadFile(unpacked(path.Dir(filepath.ToSlash(name))), filepath.Base(name)); err != nil || !bytes.Equal(stored, file) {
			t.Errorf("%s differs from the archive, %v (%s)", name, err, remedy)
		}
	}
}

// writeArchive writes packed.zip, without times, so that the same files make the same archive.
func writeArchive(names []string) error {
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, name := range names {
		file, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		w, err := archive.Create(filepath.ToSlash(name))
		if err != nil {
			return err
		}
		if _, err := w.Write(file); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), os.WriteFile("packed.zip", b.Bytes(), 0o644))
}
