package catalog

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestCompareExiftool compares a table of exiftool with the catalogue.
func TestCompareExiftool(t *testing.T) {
	t.Parallel()
	table := "%canonLensTypes = (\n    -1 => 'n/a',\n     1 => 'Canon EF 50mm f/1.8',\n    2.1 => 'Sigma 24mm f/2.8 Super Wide II', #Claude\n" +
		"   '01 58 50 50 14 14 02 00' => 'Canon EF 51mm f/0.7 USM',\n     4 => 'Canon EF 35-105mm f/3.5-4.5 or Sigma Lens', #28\n     5 => 'Canon EF 51mm f/0.7 USM',\n);\n"
	c := readCatalog(t)
	found, err := c.CompareExiftool(fstest.MapFS{"Canon.pm": {Data: []byte(table)}})
	var missing []string
	for _, d := range found {
		missing = append(missing, d.Column+" "+d.Theirs)
	}
	if want := "gear Canon EF 51mm f/0.7 USM"; err != nil || !strings.HasSuffix(strings.Join(missing, "\n"), want) || strings.Contains(strings.Join(missing, "\n"), "EF 50mm") {
		t.Errorf("got %q, %v, want %q", missing, err, want)
	}
	if _, err := c.CompareExiftool(fstest.MapFS{}); err == nil {
		t.Error("compared a folder without tables")
	}
}

// TestCompareWikidata compares answers of Wikidata, in both formats, with the catalogue.
func TestCompareWikidata(t *testing.T) {
	t.Parallel()
	const answer = `{"head": {}, "results": {"bindings": [
		{"itemLabel": {"type": "literal", "value": "Canon EOS R6"}, "makerLabel": {"value": "Canon"}, "mountLabel": {"value": "Canon RF mount"}, "inception": {"value": "2020-07-09T00:00:00Z"}},
		{"itemLabel": {"value": "Nikon D40x"}, "inception": {"value": "2006-01-01T00:00:00Z"}},
		{"itemLabel": {"value": "EF 50mm f/1.8 STM"}, "makerLabel": {"value": "Canon"}, "mountLabel": {"value": "Canon RF mount"}},
		{"itemLabel": {"value": "D9999"}, "makerLabel": {"value": "Nikon"}}]}}`
	const table = "item,itemLabel,makerLabel,mountLabel,inception\nQ1,Canon EOS R6,Canon,Canon RF mount,2020-07-09T00:00:00Z\nQ2,Nikon D40x,,,2006-01-01T00:00:00Z\n" +
		"Q3,EF 50mm f/1.8 STM,Canon,Canon RF mount,\nQ4,D9999,Nikon,,\n"
	c := readCatalog(t)
	for _, text := range []string{answer, table} {
		found, err := c.CompareWikidata(strings.NewReader(text))
		var got []string
		for _, d := range found {
			got = append(got, d.Gear+" "+d.Column+" "+d.Ours+" "+d.Theirs)
		}
		want := "Nikon D9999 gear  Nikon D9999|canon/ef-50mm-f1-8-stm mount Canon EF Canon RF|nikon/d40x year 2007 2006"
		if err != nil || strings.Join(got, "|") != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	for _, wrong := range []string{"", "a,b\n1,2\n", `{"results": 1}`} {
		if _, err := c.CompareWikidata(strings.NewReader(wrong)); err == nil {
			t.Errorf("read %q", wrong)
		}
	}
}
