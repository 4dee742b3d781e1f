package packed

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
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write packed.zip")

// patterns match the files that are packed.
var patterns = []string{
	"content/catalog/*.csv", "content/lexers/*.xml",
	"content/guides/*.md", "content/guides/*/*.md", "content/journal/*.md", "content/pages/*.md", "content/pages/*/*.md",
	"content/skills/*/SKILL.md", "content/themes/*/*",
	"docs/prices.md", "docs/price-method.md", "docs/start/*", "docs/how-to/*/*", "docs/reference/*", "docs/explain/*", "docs/de/*.md", "docs/samples/*", "docs/recompute_*.py",
	"models/demo/anchors.csv", "models/lensfun/*.csv", "models/region_names.txt",
	"static/*.css", "static/*.html", "static/*.js", "static/*.svg", "static/fonts/*", "static/guides/*", "static/icons/*", "static/journal/*",
	"views/drawing/fonts/*.ttf",
}

// TestArchive checks that packed.zip holds the files of the module that match patterns.
func TestArchive(t *testing.T) {
	const remedy = "write it with: go test ./content/packed -update"
	module := os.DirFS("../..")
	var names []string
	for _, pattern := range patterns {
		found, err := fs.Glob(module, pattern)
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	if *update {
		if err := writeArchive(module, names); err != nil {
			t.Fatal(err)
		}
		return
	}
	var packed []string
	for _, file := range files().File {
		packed = append(packed, file.Name)
	}
	if !slices.Equal(packed, names) {
		t.Errorf("the archive has the files\n%q\nand the module\n%q (%s)", packed, names, remedy)
	}
	for _, name := range names {
		file, err := fs.ReadFile(module, name)
		if err != nil {
			t.Fatal(err)
		}
		if stored, err := fs.ReadFile(files(), name); err != nil || !bytes.Equal(stored, file) {
			t.Errorf("%s differs from the archive, %v (%s)", name, err, remedy)
		}
	}
}

// incompressible are the ends of names of files that are stored as they are.
var incompressible = []string{".png", ".webp", ".woff2"}

// writeArchive writes packed.zip, without times, so that the same files make the same archive.
func writeArchive(module fs.FS, names []string) error {
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, name := range names {
		file, err := fs.ReadFile(module, name)
		if err != nil {
			return err
		}
		method := zip.Deflate
		if slices.Contains(incompressible, filepath.Ext(name)) {
			method = zip.Store
		}
		w, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			return err
		}
		if _, err := w.Write(file); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), os.WriteFile("packed.zip", b.Bytes(), 0o644))
}
