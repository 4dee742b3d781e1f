package portfolio

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

func newEditor(t *testing.T) (*Editor, *Library, string) {
	data := t.TempDir()
	l := Open(os.DirFS(data), testCatalog(t), filepath.Join(data, "photos"), slog.New(slog.NewTextHandler(io.Discard, nil)))
	return NewEditor(blob.NewMirror(nil, blob.Folder(data)), l), l, data
}

// TestEditor edits a project like an operator in a browser, and reads its files.
func TestEditor(t *testing.T) {
	e, l, data := newEditor(t)
	folder, err := e.Create("Ísland im Juni")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := e.Create("Ísland im Juni"); err != nil || again == folder {
		t.Errorf("a second project is in %q, %v", again, err)
	}
	if !l.Portfolio().InFolder(folder).Hidden() {
		t.Error("a new project is visible")
	}
	for i, name := range []string{"one.jpg", "two.jpg", "three.jpg"} {
		file := picturetest.JPEG(t, 50+i, 40)
		if n, err := e.Upload(folder, name, int64(len(file)), 0, file); err != nil || n != int64(len(file)) {
			t.Fatalf("%s: %d, %v", name, n, err)
		}
	}
	if err := e.Update(folder, ProjectEdit{Title: "Iceland", Markdown: "Two weeks.\r\n\r\n![](two.jpg)", Visibility: Unlisted, License: "CC BY 4.0", Downloads: true}); err != nil {
		t.Fatal(err)
	}
	p := l.Portfolio().InFolder(folder)
	if p.Title != "Iceland" || len(p.Slug) < minSecret || l.Portfolio().Project(p.Slug) != p || len(l.Portfolio().Projects) != 0 || !p.Downloads || p.Markdown != "Two weeks.\n\n![](two.jpg)\n" {
		t.Errorf("updated to %+v", p)
	}
	secret := p.Slug
	if err := e.UpdatePhoto(folder, "three.jpg", PhotoEdit{Texts: Texts{Caption: "A: \"quote\" # no comment"}, Focus: Focus{30, 70}, Cover: true, Move: -1}); err != nil {
		t.Fatal(err)
	}
	if err := e.UpdatePhoto(folder, "one.jpg", PhotoEdit{Focus: Center, Remove: true}); err != nil {
		t.Fatal(err)
	}
	if err := e.Update(folder, ProjectEdit{Title: "Iceland", Visibility: Unlisted, NewSecret: true}); err != nil {
		t.Fatal(err)
	}
	p = l.Portfolio().InFolder(folder)
	if len(p.Photos) != 2 || p.Slug == secret || l.Portfolio().Project(secret) != nil || p.Cover().Slug != "three" || p.Cover().Focus != (Focus{30, 70}) || p.Cover().Caption != "A: \"quote\" # no comment" {
		t.Errorf("photographs: %+v", p)
	}
	if _, err := os.Stat(filepath.Join(data, "portfolio", folder, ".removed-one.jpg")); err != nil {
		t.Error(err)
	}
	for _, wrong := range []error{e.Update("none", ProjectEdit{}), e.Update("../x", ProjectEdit{}), e.UpdatePhoto(folder, "../index.md", PhotoEdit{}), e.UpdatePhoto(folder, "one.jpg", PhotoEdit{})} {
		if !errors.Is(wrong, fs.ErrNotExist) {
			t.Errorf("the error is %v", wrong)
		}
	}
}

// TestUploadResumes breaks an upload off, asks where to go on, and replaces the file.
func TestUploadResumes(t *testing.T) {
	e, l, data := newEditor(t)
	folder, err := e.Create("Trip")
	if err != nil {
		t.Fatal(err)
	}
	file := picturetest.JPEG(t, 400, 300)
	size := int64(len(file))
	send := func(offset int64, part []byte) int64 {
		n, err := e.Upload(folder, "a.jpg", size, offset, part)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := send(0, file[:100]); n != 100 {
		t.Errorf("%d bytes have arrived", n)
	}
	if n := send(50, file[50:]); n != 100 {
		t.Errorf("a part that overlaps: %d", n)
	}
	if n := send(0, nil); n != 100 || len(l.Portfolio().InFolder(folder).Photos) != 0 {
		t.Errorf("to go on at %d", n)
	}
	if n := send(100, file[100:]); n != size {
		t.Errorf("%d bytes have arrived", n)
	}
	if stored, err := os.ReadFile(filepath.Join(data, "portfolio", folder, "a.jpg")); err != nil || !bytes.Equal(stored, file) {
		t.Errorf("the original has changed: %v", err)
	}
	if parts, _ := filepath.Glob(filepath.Join(data, "uploads", "*")); len(parts) != 0 {
		t.Errorf("left %q", parts)
	}
	again := picturetest.JPEG(t, 300, 300)
	if _, err := e.Upload(folder, "a.jpg", int64(len(again)), 0, again); err != nil {
		t.Fatal(err)
	}
	if photos := l.Portfolio().InFolder(folder).Photos; len(photos) != 1 || photos[0].Width != 300 || photos[0].Slug != "a" {
		t.Errorf("a new export is %+v", photos)
	}
	for name, body := range map[string]string{"x.jpg": "<svg></svg>", "../x.jpg": "x", ".x.jpg": "x", "x.gif": "GIF89a", "x.php": "<?php", "index.md": "---", "": "x", "x.png": strings.Repeat("x", 10)} {
		if _, err := e.Upload(folder, name, int64(len(body)), 0, []byte(body)); picture.Refusal(err) == nil {
			t.Errorf("%q is accepted: %v", name, err)
		}
	}
	if _, err := e.Upload(folder, "big.jpg", MaxFile+1, 0, []byte("x")); picture.Refusal(err) == nil {
		t.Errorf("a large file: %v", err)
	}
}

// TestEditorWritesOnlyOwnTexts saves a photograph with texts in its file, as a form does
// that was not filled in: index.md inherits them still.
func TestEditorWritesOnlyOwnTexts(t *testing.T) {
	e, l, data := newEditor(t)
	folder, err := e.Create("Trip")
	if err != nil {
		t.Fatal(err)
	}
	photo, sidecar := picturetest.JPEG(t, 60, 40), []byte(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Description><dc:title><rdf:Alt><rdf:li>Low water</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`)
	for name, file := range map[string][]byte{"dsc_0042.jpg": photo, "dsc_0042.xmp": sidecar} {
		if _, err := e.Upload(folder, name, int64(len(file)), 0, file); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Update(folder, ProjectEdit{Title: "Trip", License: "CC BY 4.0"}); err != nil {
		t.Fatal(err)
	}
	shown := func() *Photo { return l.Portfolio().InFolder(folder).Photos[0] }
	if p := shown(); p.Title != "Low water" || p.Alt != "Low water" || p.License != "CC BY 4.0" || p.Own != (Texts{}) {
		t.Errorf("before: %+v", p)
	}
	if err := e.UpdatePhoto(folder, "dsc_0042.jpg", PhotoEdit{Texts: shown().Own, Focus: Center}); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(data, "portfolio", folder, "index.md"))
	if err != nil || strings.Contains(string(index), "Low water") || strings.Count(string(index), "CC BY") != 1 || !strings.Contains(string(index), `caption: ""`) {
		t.Errorf("wrote %s, %v", index, err)
	}
	if err := e.Update(folder, ProjectEdit{Title: "Trip", License: "CC0"}); err != nil {
		t.Fatal(err)
	}
	if p := shown(); p.Title != "Low water" || p.License != "CC0" {
		t.Errorf("after: %+v", p)
	}
}

// TestReplacedUnderAnotherSpelling uploads a file again with another extension for JPEG.
func TestReplacedUnderAnotherSpelling(t *testing.T) {
	e, l, _ := newEditor(t)
	folder, err := e.Create("Trip")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"DSC_0042.JPG", "dsc_0042.jpeg", "dsc_0042.jpg", "dsc_0042.png"} {
		file := picturetest.JPEG(t, 60+i, 40)
		if strings.HasSuffix(name, ".png") {
			file = picturetest.PNG(t, picturetest.Image(30, 30))
		}
		if _, err := e.Upload(folder, name, int64(len(file)), 0, file); err != nil {
			t.Fatal(err)
		}
	}
	photos := l.Portfolio().InFolder(folder).Photos
	if len(photos) != 2 || filepath.Base(photos[0].File) != "DSC_0042.JPG" || photos[0].Width != 62 {
		t.Errorf("%d photographs: %+v", len(photos), photos[0])
	}
}

// TestPosition moves photographs to a place.
func TestPosition(t *testing.T) {
	e, l, _ := newEditor(t)
	folder, err := e.Create("Trip")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"a.jpg", "b.jpg", "c.jpg"} {
		file := picturetest.JPEG(t, 60+i, 40)
		if _, err := e.Upload(folder, name, int64(len(file)), 0, file); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		file     string
		position int
		want     string
	}{{"a.jpg", 3, "bca"}, {"c.jpg", 1, "cba"}, {"a.jpg", 99, "cba"}, {"b.jpg", 0, "cba"}, {"a.jpg", 2, "cab"}} {
		if err := e.UpdatePhoto(folder, step.file, PhotoEdit{Focus: Center, Position: step.position}); err != nil {
			t.Fatal(err)
		}
		order := ""
		for _, p := range l.Portfolio().InFolder(folder).Photos {
			order += p.Slug
		}
		if order != step.want {
			t.Errorf("%s to %d: %s, want %s", step.file, step.position, order, step.want)
		}
	}
}
