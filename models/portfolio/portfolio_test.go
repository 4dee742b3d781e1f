package portfolio

import (
	"context"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

func textFile(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s), Mode: 0o644} }

func photograph(data []byte) *fstest.MapFile { return &fstest.MapFile{Data: data, Mode: 0o644} }

// shotFile is a photograph with the EXIF of picturetest.Exposure, changed.
func shotFile(t testing.TB, w, h int, change func(*Exposure)) []byte {
	t.Helper()
	x := picturetest.Exposure
	change(&x)
	ifd0, exif := picturetest.Tags(x)
	return picturetest.With(picturetest.JPEG(t, w, h), picturetest.EXIF(ifd0, exif, picturetest.Munich))
}

func testFiles(t testing.TB) fstest.MapFS {
	return fstest.MapFS{
		"portfolio/walks/index.md":   textFile("---\ntitle: Walks\ndescription: On foot.\ndate: 2026-05-01\nphotos:\n  - file: b.jpg\n    title: Second file, first photograph\n    caption: A caption.\n    credit: Somebody\n  - file: wrong.jpg\n---\nText with [a link](/gear).\n"),
		"portfolio/walks/a.jpg":      photograph(shotFile(t, 60, 40, func(x *Exposure) { x.TakenAt = x.TakenAt.Add(time.Hour) })),
		"portfolio/walks/A 1.jpg":    photograph(shotFile(t, 62, 40, func(x *Exposure) { x.Focal = 85; x.LensModel = "Canon RF 85mm F2 MACRO IS STM" })),
		"portfolio/walks/a-1.png":    photograph(picturetest.PNG(t, picturetest.Image(30, 20))),
		"portfolio/walks/b.jpg":      photograph(picturetest.JPEG(t, 50, 50)),
		"portfolio/walks/svg.jpg":    textFile("<svg></svg>"),
		"portfolio/walks/.b.jpg":     textFile("hidden"),
		"portfolio/older/index.md":   textFile("\ufeff---\r\ntitle: Older\ndate: 2020-01-01\nnotice: A demonstration.\nlabel: Demo\nphotos:\n  - file: c.jpg\n    camera: leica/q2\n    lens: canon/eos-r6\r\n---\r\n"),
		"portfolio/older/c.jpg":      photograph(picturetest.JPEG(t, 40, 40)),
		"portfolio/bad/index.md":     textFile("---\ntitle: Bad\nfotos: []\n---\n"),
		"portfolio/bare/index.md":    textFile("no title here"),
		"portfolio/No Slug/index.md": textFile("---\ntitle: X\n---\n"),
		"portfolio/empty/readme.txt": textFile("not a project"),
		"kit.md":                     textFile("---\ngear:\n  - gear: canon/eos-r6\n    condition: excellent\n    note: Since 2021.\n  - gear: canon/eos-r66\n  - gear: leica/q2\n    condition: mint\n---\n"),
	}
}

// Read reads a portfolio, with the problems of files that it leaves out.
func Read(fsys fs.FS, catalog *catalog.Catalog, now time.Time) (*Portfolio, []Problem) {
	r := &reader{fsys: fsys, catalog: catalog}
	return r.portfolio(now), r.problems
}

// TestProblemsAreExplained reads an index.md with each mistake: its owner reads what is wrong, and
// how to repair it.
func TestProblemsAreExplained(t *testing.T) {
	for text, want := range map[string]string{
		"---\ntitle: A\ntags: nature\n---\n":                                   "The value in line 3 can't be read. Write each entry of a list",
		"no title here":                                                        "It doesn't begin with a title between two lines of ---. Begin it with",
		"---\ntitle: A\n":                                                      "It doesn't begin with a title between two lines of ---.",
		"---\ndate: 2026-05-01\n---\n":                                         "It has no title. Add a line such as title: Iceland.",
		"---\ntitle: A\nfotos: []\n---\n":                                      `Line 3 begins with "fotos", which isn't known. Correct its spelling, or remove the line.`,
		"\ufeff---\r\ntitle: A: B\r\n---\r\n":                                  "Line 2 can't be read. Put texts with a colon in quotation marks",
		"---\ntitle: A\ndate: May\n---\n":                                      "The date can't be read. Write it like 2026-05-01.",
		"---\ntitle: A\n\tdate: 2026-05-01\n---\n":                             "can't be read. Put texts with a colon in quotation marks, and indent with spaces.",
		"---\ntitle: A\nvisibility: none\n---\n":                               `There's no visibility "none". Write unlisted or private`,
		"---\ntitle: A\nvisibility: unlisted\n---\n":                           "needs a secret of at least 16 letters and digits",
		"---\ntitle: A\nphotos: [{file: x.jpg}]\n---\n":                        "This file is missing. Put it back, or remove its entry from the text of the project.",
		"---\ntitle: A\nphotos: [{file: a.jpg, layout: quartet}]\n---\n":       `There's no layout "quartet". Write full, pair or triptych.`,
		"---\ntitle: A\nphotos: [{file: a.jpg, camera: canon/eos-r66}]\n---\n": `The catalogue doesn't have "canon/eos-r66". Did you mean canon/eos-r6?`,
		"---\ntitle: A\nphotos: [{file: b.jpg}]\n---\n":                        "This isn't an image.",
	} {
		_, problems := Read(fstest.MapFS{"portfolio/a/index.md": textFile(text), "portfolio/a/a.jpg": photograph(picturetest.JPEG(t, 40, 40)), "portfolio/a/b.jpg": textFile("b")}, testCatalog(t), time.Now())
		if !slices.ContainsFunc(problems, func(p Problem) bool { return strings.Contains(p.Reason.And(p.Hint).String(), want) }) {
			t.Errorf("%q has the problems %v, want %q", text, problems, want)
		}
	}
}

func TestRead(t *testing.T) {
	p, problems := Read(testFiles(t), testCatalog(t), time.Now())
	var files []string
	for _, problem := range problems {
		files = append(files, problem.File)
	}
	slices.Sort(files)
	want := []string{"kit.md", "kit.md", "portfolio/No Slug/index.md", "portfolio/bad/index.md", "portfolio/bare/index.md", "portfolio/older/c.jpg", "portfolio/walks/svg.jpg", "portfolio/walks/wrong.jpg"}
	if !slices.Equal(files, want) {
		t.Errorf("problems with %q, want %q: %v", files, want, problems)
	}
	if len(p.Projects) != 2 || p.Projects[0].Slug != "walks" || p.Project("older").Notice != "A demonstration." || p.Project("none") != nil {
		t.Fatalf("read %+v", p.Projects)
	}
	walks := p.Project("walks")
	if walks.Markdown != "Text with [a link](/gear).\n" || walks.Description != "On foot." {
		t.Errorf("read %+v", walks)
	}
	var slugs []string
	for _, photo := range walks.Photos {
		slugs = append(slugs, photo.Slug)
		if photo.Project != walks || p.ByKey(photo.Key) != photo || walks.Photo(photo.Slug) != photo || photo.Alt == "" || photo.Title == "" {
			t.Errorf("read %+v", photo)
		}
	}
	// Named ones first, then by the time they were taken; one that does not say is oldest.
	if !slices.Equal(slugs, []string{"b", "a-1", "a-1-2", "a"}) {
		t.Errorf("in the order %q", slugs)
	}
	a := walks.Photo("a")
	if a.Width != 40 || a.Height != 60 || a.Camera.Slug() != "canon/eos-r6" || a.Lens.Slug() != "canon/rf-35mm-f1-8-macro-is-stm" {
		t.Errorf("a.jpg is %+v", a)
	}
	if c := p.Project("older").Photo("c"); c.Camera.Slug() != "leica/q2" || c.Lens != nil {
		t.Errorf("c.jpg was taken with %v and %v", c.Camera, c.Lens)
	}
	if kit := p.Bag(); len(kit.Items) != 2 || kit.Items[0].Condition != "excellent" || kit.Items[1].Condition != "" || kit.Title == "" {
		t.Errorf("Bag() = %+v", kit)
	}
	if nothing, problems := Read(fstest.MapFS{}, testCatalog(t), time.Now()); len(problems) > 0 || len(nothing.Photos()) > 0 || len(nothing.Bag().Items) > 0 {
		t.Errorf("an empty folder is %+v with %v", nothing, problems)
	}
}

func TestFind(t *testing.T) {
	p, _ := Read(testFiles(t), testCatalog(t), time.Now())
	focal := func(s string) (f Focal) {
		if err := f.UnmarshalText([]byte(s)); err != nil || s != "35" && f.String() != s {
			t.Errorf("%q is %v, %v", s, f, err)
		}
		return f
	}
	for _, c := range []struct {
		filter Filter
		want   int
	}{
		{Filter{}, 5}, {Filter{Camera: "canon/eos-r6"}, 2}, {Filter{Camera: "leica/q2"}, 1}, {Filter{Lens: "canon/rf-85mm-f2-macro-is-stm"}, 1},
		{Filter{Camera: "leica/q2", Lens: "canon/rf-85mm-f2-macro-is-stm"}, 0}, {Filter{Focal: focal("35")}, 1}, {Filter{Focal: focal("21-35")}, 1},
		{Filter{Focal: focal("36-")}, 1}, {Filter{Focal: focal("-20")}, 0}, {Filter{Focal: focal("-85")}, 2},
	} {
		if got := p.Find(c.filter); len(got) != c.want {
			t.Errorf("%+v finds %d, want %d", c.filter, len(got), c.want)
		}
	}
	for _, bad := range []string{"", "-", "a", "35mm", "85-35", "0", "-0", "1e9", "NaN", "1-2-3"} {
		var f Focal
		if err := f.UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q is read as %v", bad, f)
		}
	}
	// Every facet counts the photographs it leads to.
	for _, f := range []Filter{{}, {Camera: "canon/eos-r6"}, {Focal: focal("21-35")}} {
		facets := p.Facets(f)
		for _, c := range facets.Cameras {
			if g := (Filter{Camera: c.Gear.Slug(), Lens: f.Lens, Focal: f.Focal}); len(p.Find(g)) != c.Photos {
				t.Errorf("%+v: %+v finds %d", f, c, len(p.Find(g)))
			}
		}
		for _, c := range facets.Focals {
			if g := (Filter{Camera: f.Camera, Lens: f.Lens, Focal: c.Focal}); len(p.Find(g)) != c.Photos {
				t.Errorf("%+v: %+v finds %d", f, c, len(p.Find(g)))
			}
		}
	}
	if with := p.With("canon/eos-r6"); len(with) != 2 {
		t.Errorf("%d photographs with the R6", len(with))
	}
}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func TestLibrary(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	files := testFiles(t)
	whole := files["portfolio/walks/a.jpg"].Data
	files["portfolio/walks/cut.jpg"] = photograph(whole[:len(whole)-30])
	l := Open(files, testCatalog(t), dir, quiet)
	if got := l.Portfolio().Project("walks").Photo("cut"); got == nil {
		t.Fatal("the truncated file is missing before Prepare")
	}
	before := l.Version()
	l.Prepare(ctx)
	if l.Version() == before || l.Portfolio().Project("walks").Photo("cut") != nil {
		t.Error("the truncated file is still shown")
	}
	for _, p := range l.Portfolio().Photos() {
		if !strings.HasPrefix(p.Placeholder, "data:image/png;base64,") {
			t.Errorf("%s has no placeholder", p.File)
		}
		for _, size := range p.Sizes() {
			if body, err := l.Picture(ctx, p.Key, size); err != nil || len(body) == 0 {
				t.Errorf("%s in %d: %v", p.File, size, err)
			}
		}
		if _, err := l.Picture(ctx, p.Key, 7); err != fs.ErrNotExist {
			t.Errorf("unknown size: %v", err)
		}
	}
	if _, err := l.Picture(ctx, "../../secret", 480); err != fs.ErrNotExist {
		t.Errorf("unknown key: %v", err)
	}
	// The cached files may be deleted.
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	photo := l.Portfolio().Photos()[0]
	if _, err := l.Picture(ctx, photo.Key, photo.Sizes()[0]); err != nil {
		t.Error(err)
	}
}

func TestLibraryReloads(t *testing.T) {
	dir := t.TempDir()
	l := Open(os.DirFS(dir), testCatalog(t), filepath.Join(dir, "photos"), quiet)
	first := l.stamp()
	im := &Importer{DataDir: dir}
	if _, err := im.Folder(context.Background(), testFolder(t), "trip", "A trip"); err != nil {
		t.Fatal(err)
	}
	if l.stamp() == first {
		t.Error("a new project is not shown")
	}
	l.load(nil)
	if p := l.Portfolio().Project("trip"); p == nil || p.Title != "A trip" || len(p.Photos) != 3 || p.Photos[0].Placeholder == "" {
		t.Errorf("shows %+v", p)
	}
}

// TestDemonstration checks the embedded demonstration portfolio: no file is left
// out, and every photograph has a credit and, if it names gear, says that this is an
// illustration.
func TestDemonstration(t *testing.T) {
	p, problems := Read(os.DirFS("../../content"), testCatalog(t), time.Now())
	if len(problems) > 0 {
		t.Error(problems)
	}
	if len(p.Projects) != 2 || len(p.Photos()) != 7 || len(p.Kit.Items) == 0 || p.Kit.Notice == "" {
		t.Errorf("%d projects, %d photographs", len(p.Projects), len(p.Photos()))
	}
	for _, photo := range p.Photos() {
		if !strings.HasPrefix(photo.Project.Notice, "Demonstration: ") || photo.Project.Label == "" || photo.Caption == "" || photo.Alt == photo.Caption {
			t.Errorf("%s does not say what it is", photo.File)
		}
		illustrated := strings.Contains(photo.Project.Notice, "did not take them")
		if illustrated != (photo.Camera != nil) || illustrated != (photo.Lens != nil) || photo.Credit == "" {
			t.Errorf("%s: by %q, taken with %v and %v", photo.File, photo.Credit, photo.Camera, photo.Lens)
		}
	}
}
