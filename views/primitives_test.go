package views

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unshown are the components that /ui can't show: the document has the sheet in it, a script is
// no sight, and a page has one form for comparisons, which is that of GearTable.
var unshown = []string{"Document", "ViewerScript", "CompareForm"}

// TestPrimitivesShowEveryComponent checks that /ui shows every component that pages share.
func TestPrimitivesShowEveryComponent(t *testing.T) {
	sheet, err := os.ReadFile("home/primitives.templ")
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("ui/*.templ")
	shown := string(sheet)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		shown += strings.ReplaceAll(string(source), "@", "ui.") // components are shown within others, too
	}
	for _, file := range files {
		source, _ := os.ReadFile(file)
		for _, component := range regexp.MustCompile(`(?m)^templ ([A-Z]\w*)\(`).FindAllStringSubmatch(string(source), -1) {
			if !strings.Contains(shown, "ui."+component[1]+"(") && !slices.Contains(unshown, component[1]) {
				t.Errorf("%s: /ui lacks %s", file, component[1])
			}
		}
	}
}
