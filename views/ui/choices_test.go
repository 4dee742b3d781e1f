package ui

import (
	"flag"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/content/languages"
)

var update = flag.Bool("update", false, "write the lists of countries")

// TestCountries checks the options of all countries in each language against their names.
func TestCountries(t *testing.T) {
	for _, l := range languages.All {
		var want strings.Builder
		for _, c := range RegionChoices(l, "", "")[1:] {
			want.WriteString(`<option value="` + c.Value + `">` + html.EscapeString(c.Label) + `</option>`)
		}
		file := filepath.Join("../../static", countriesFile(l))
		if *update {
			if err := os.WriteFile(file, []byte(want.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, _ := os.ReadFile(file); string(have) != want.String() {
			t.Errorf("%s is outdated: go test ./views/ui -run Countries -update", file)
		}
	}
}
