package static

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"
)

func TestFilesAreNamedByTheirContent(t *testing.T) {
	read := func(font string) map[string]*File {
		byName, byPath := load(fstest.MapFS{
			"site.css":       {Data: []byte(`@font-face{src:url(/static/fonts/a.woff2)}`)},
			"fonts/a.woff2":  {Data: []byte(font)},
			"src/site.css":   {Data: []byte("source")},
			"static.go":      {Data: []byte("package static")},
			"fonts/OFL.txt":  {Data: []byte("licence")},
			"fonts/ab.woff2": {Data: []byte("other")},
		})
		if len(byName) != 4 || len(byPath) != 4 {
			t.Fatalf("serves %d names at %d addresses, want 4: sources are not served", len(byName), len(byPath))
		}
		return byName
	}
	one, two := read("one"), read("two")
	if one["fonts/a.woff2"].Path == two["fonts/a.woff2"].Path {
		t.Error("different contents have the same path")
	}
	if one["site.css"].Path == two["site.css"].Path {
		t.Error("the path of the style sheet does not change with its font")
	}
	if !bytes.Contains(one["site.css"].Body, []byte(one["fonts/a.woff2"].Path)) {
		t.Errorf("the style sheet names its font by %s", one["site.css"].Body)
	}
	if got := one["fonts/a.woff2"].ContentType; got != "font/woff2" {
		t.Errorf("content type %s", got)
	}
}

func TestScriptsAreServedWithoutComments(t *testing.T) {
	byName, _ := load(fstest.MapFS{"a.js": {Data: []byte("// What it does.\nconst at = 'https://x' // kept\n\n  // why\n  go()\n")}})
	if got, want := string(byName["a.js"].Body), "const at = 'https://x' // kept\n\n  go()\n"; got != want {
		t.Errorf("the script is %q, want %q", got, want)
	}
}

func TestPath(t *testing.T) {
	p := Path("favicon.svg")
	f, ok := ByPath(p)
	if !ok || f.Name != "favicon.svg" || !strings.HasPrefix(p, "/static/favicon.") {
		t.Errorf("Path gives %s, which leads to %v", p, f)
	}
	defer func() {
		if recover() == nil {
			t.Error("Path of a missing file did not panic")
		}
	}()
	Path("missing.css")
}
