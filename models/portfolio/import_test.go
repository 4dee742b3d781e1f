package portfolio

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// testFolder holds three photographs, a GIF, a folder, a link and a hidden file.
func testFolder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"a.jpg": picturetest.JPEG(t, 60, 40), "b.JPG": picturetest.JPEG(t, 61, 40), "c.png": picturetest.PNG(t, picturetest.Image(30, 30)), "d.gif": []byte("GIF89a"), ".hidden": nil,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "more"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "zero.jpg")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestImport(t *testing.T) {
	data, folder, ctx := t.TempDir(), testFolder(t), context.Background()
	var refused []string
	last := 0
	im := &Importer{DataDir: data, Refused: func(name, reason, hint string) { refused = append(refused, name) }, Progress: func(done, total int) { last = total }}
	report, err := im.Folder(ctx, folder, "trip", "A \"trip\"")
	if err != nil || report != (ImportReport{6, 3, 0, 3}) || last != 6 {
		t.Errorf("%+v, %v", report, err)
	}
	if !slices.Equal(refused, []string{"d.gif", "more", "zero.jpg"}) {
		t.Errorf("refused %q", refused)
	}
	p, problems := Read(os.DirFS(data), testCatalog(t), time.Now())
	if trip := p.Project("trip"); trip == nil || trip.Title != `A "trip"` || len(trip.Photos) != 3 || len(problems) > 0 {
		t.Errorf("reads as %+v, %v", trip, problems)
	}

	// Again, with one changed file, a new one, and the temporary file of a killed import.
	project := filepath.Join(data, "portfolio", "trip")
	for name, body := range map[string][]byte{
		filepath.Join(folder, "a.jpg"):                   picturetest.JPEG(t, 80, 40),
		filepath.Join(folder, "new.jpg"):                 picturetest.JPEG(t, 90, 40),
		filepath.Join(project, durable.TempPrefix+"123"): []byte("half"),
		filepath.Join(project, "index.md"):               []byte("---\ntitle: Mine\n---\nMy text.\n"),
	} {
		if err := os.WriteFile(name, body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if report, err = im.Folder(ctx, folder, "trip", "Another"); err != nil || report != (ImportReport{7, 2, 2, 3}) {
		t.Errorf("again: %+v, %v", report, err)
	}
	if left, _ := filepath.Glob(filepath.Join(project, durable.TempPrefix+"*")); len(left) > 0 {
		t.Errorf("left %q", left)
	}
	if p, _ = Read(os.DirFS(data), testCatalog(t), time.Now()); p.Project("trip").Title != "Mine" || len(p.Project("trip").Photos) != 4 {
		t.Error("the owner's text was lost")
	}

	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := im.Folder(stopped, folder, "trip", ""); err != context.Canceled {
		t.Errorf("stopped: %v", err)
	}
	for _, slug := range []string{"", "..", "a/b", "Trip"} {
		if _, err := im.Folder(ctx, folder, slug, "x"); err == nil {
			t.Errorf("slug %q was accepted", slug)
		}
	}
}

// TestImportRefusesInvalidFiles imports a folder of invalid files and one
// photograph.
func TestImportRefusesInvalidFiles(t *testing.T) {
	folder, data := t.TempDir(), t.TempDir()
	bad := picturetest.Bad(t)
	n := 0
	for _, b := range bad {
		n++
		if err := os.WriteFile(filepath.Join(folder, string(rune('a'+n%26))+string(rune('a'+n/26))+filepath.Ext(b.Name)), b.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	photo := picturetest.JPEG(t, 60, 40)
	if err := os.WriteFile(filepath.Join(folder, "zz-good.jpg"), photo, 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := (&Importer{DataDir: data}).Folder(context.Background(), folder, "traps", "Traps")
	if err != nil || report != (ImportReport{len(bad) + 1, 1, 0, len(bad)}) {
		t.Errorf("%+v, %v", report, err)
	}
	files, _ := filepath.Glob(filepath.Join(data, "*", "*"))
	inProject, _ := filepath.Glob(filepath.Join(data, "portfolio", "traps", "*"))
	if len(inProject) != 2 || len(files) != 3 { // index.md and the photograph; the project, one size, one placeholder
		t.Errorf("there are %q and %q", files, inProject)
	}
	if kept, err := os.ReadFile(filepath.Join(data, "portfolio", "traps", "zz-good.jpg")); err != nil || !bytes.Equal(kept, photo) {
		t.Errorf("the photograph was changed: %v", err)
	}
}

// TestImportWritesEntries imports a folder as programs export it, twice: index.md names
// every photograph once, in the order taken, and keeps what the owner has written.
func TestImportWritesEntries(t *testing.T) {
	data, folder, ctx := t.TempDir(), t.TempDir(), context.Background()
	taken := func(day int) []byte {
		ifd0, exif := picturetest.Tags(picture.Exposure{Make: "Canon", Model: "Canon EOS R6", TakenAt: time.Date(2026, 6, day, 9, 0, 0, 0, time.UTC)})
		return picturetest.With(picturetest.JPEG(t, 60+day, 40), picturetest.EXIF(ifd0, exif, nil))
	}
	write := func(dir string, files map[string][]byte) {
		t.Helper()
		for name, body := range files {
			if err := os.WriteFile(filepath.Join(dir, name), body, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(folder, map[string][]byte{
		"IMG 0042.jpg": taken(2), "DSC_1234.jpg": taken(1), "DSC_1234.NEF": []byte("II*\x00"), "Thumbs.db": nil, "desktop.ini": nil, "broken.jpg": taken(3)[:400],
		"DSC_1234.xmp": []byte(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Description><dc:description><rdf:Alt><rdf:li>Low water</rdf:li></rdf:Alt></dc:description></rdf:Description></rdf:RDF></x:xmpmeta>`),
	})
	var refused []string
	im := &Importer{DataDir: data, Refused: func(name, reason, hint string) { refused = append(refused, name+": "+reason+" "+hint) }}
	if report, err := im.Folder(ctx, folder, "iceland", "Iceland"); err != nil || report != (ImportReport{5, 3, 0, 2}) {
		t.Errorf("%+v, %v", report, err)
	}
	slices.Sort(refused)
	if want := []string{"DSC_1234.NEF: This is a RAW file. Export it as JPEG and add that file.", "broken.jpg: The file is incomplete or damaged. Export it again as JPEG."}; !slices.Equal(refused, want) {
		t.Errorf("refused %q", refused)
	}
	index := filepath.Join(data, "portfolio", "iceland", "index.md")
	read := func() string {
		t.Helper()
		b, err := os.ReadFile(index)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	entry := func(file string) string {
		return "  - file: " + file + "\n    title: \"\"\n    caption: \"\"\n    alt: \"\"\n"
	}
	if want := "---\ntitle: \"Iceland\"\nphotos:\n" + entry("DSC_1234.jpg") + entry("IMG 0042.jpg") + "---\n"; read() != want {
		t.Errorf("index.md is\n%s\nwant\n%s", read(), want)
	}
	p, problems := Read(os.DirFS(data), testCatalog(t), time.Now())
	photos := p.Project("iceland").Photos
	if len(problems) > 0 || photos[0].Caption != "Low water" || photos[0].Title != "Iceland 1" || photos[1].Title != "Iceland 2" {
		t.Errorf("reads as %+v, %+v, %v", photos[0], photos[1], problems)
	}

	// The owner writes, and exports again: with another spelling, and one more.
	write(filepath.Dir(index), map[string][]byte{"index.md": []byte("---\n# Mine\ntitle: Iceland # or Ísland\nphotos:\n  - file: IMG 0042.jpg\n    title: The pier\n  - file: DSC_1234.jpg\n---\nTwo weeks.\n")})
	if err := os.Rename(filepath.Join(folder, "IMG 0042.jpg"), filepath.Join(folder, "img 0042.JPEG")); err != nil {
		t.Fatal(err)
	}
	write(folder, map[string][]byte{"img 0042.JPEG": taken(5), "DSC_1300.jpg": taken(4)})
	if report, err := im.Folder(ctx, folder, "iceland", ""); err != nil || report != (ImportReport{6, 2, 2, 2}) {
		t.Errorf("again: %+v, %v", report, err)
	}
	if want := "---\n# Mine\ntitle: Iceland # or Ísland\nphotos:\n  - file: IMG 0042.jpg\n    title: The pier\n  - file: DSC_1234.jpg\n" + entry("DSC_1300.jpg") + "---\nTwo weeks.\n"; read() != want {
		t.Errorf("index.md is\n%s\nwant\n%s", read(), want)
	}
	if p, _ := Read(os.DirFS(data), testCatalog(t), time.Now()); len(p.Project("iceland").Photos) != 3 || p.Project("iceland").Photos[0].Width != 65 {
		t.Errorf("%d photographs", len(p.Project("iceland").Photos))
	}
}
