package store_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/secondlight/secondlight/models"
)

// TestThemes tests that every theme of the program is accepted, which includes the contrast
// of its text in both lights.
func TestThemes(t *testing.T) {
	t.Parallel()
	folders := os.DirFS("../../content/themes")
	for _, name := range []string{"paper", "gallery_white", "darkroom"} {
		theme, err := models.ReadTheme(folders, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !theme.Dark.IsDark() || theme.Light.IsDark() != (name == "darkroom") {
			t.Errorf("%s is light or dark where it should not be", name)
		}
	}
}

// TestThemeIsRefused tests that nothing but custom properties with valid values is taken,
// and that the error says why.
func TestThemeIsRefused(t *testing.T) {
	t.Parallel()
	paper, err := os.ReadFile("../../content/themes/paper/light.css")
	must(t, err)
	good := string(paper)
	for change, reason := range map[string]string{
		"":                               "",
		"color: red":                     "only custom properties",
		"--paper: url(//evil.example)":   "# and six digits",
		"--ink: red":                     "# and six digits",
		"--ink: #cccccc":                 "has a contrast of",
		"--corner: expression(alert(1))": "a length",
		"--corner: 9999px":               "a length",
		"--serif: \"Evil\"":              "choose source-sans",
		"--other: #ffffff":               "no such property",
		"} body { display: none":         "only custom properties",
		"}@import url(//evil.example)":   "only custom properties",
		"--corner: 4px</style><script>x": "a length",
	} {
		css := strings.Replace(good, "\n}", "\n"+change+";\n}", 1)
		_, err := models.ReadTheme(fstest.MapFS{"mine/light.css": {Data: []byte(css)}, "mine/dark.css": {Data: paper}}, "mine")
		if (err == nil) != (reason == "") || err != nil && !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: got %v, want %q", change, err, reason)
		}
	}
	for _, folder := range []fstest.MapFS{{"mine/light.css": {Data: paper}}, {"mine/light.css": {Data: paper}, "mine/dark.css": {Data: make([]byte, 5000)}},
		{"mine/light.css": {Data: paper}, "mine/dark.css": {Data: paper}, "mine/headline.txt": {Data: []byte(strings.Repeat("x", 200))}}} {
		if _, err := models.ReadTheme(folder, "mine"); err == nil {
			t.Errorf("%v is accepted", folder)
		}
	}
	if _, err := models.ReadTheme(fstest.MapFS{}, "../etc"); err == nil {
		t.Error("a path is accepted as a name")
	}
}
