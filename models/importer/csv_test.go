package importer

import (
	"encoding/csv"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

func readAllCSV(t *testing.T, text string) (good [][]string, bad int) {
	t.Helper()
	r := newCSVReader(strings.NewReader(text))
	for {
		record, err := r.read()
		if err == io.EOF {
			if r.offset != int64(len(text)) {
				t.Fatalf("%q: read %d of %d bytes", text, r.offset, len(text))
			}
			return good, bad
		}
		if err != nil {
			t.Fatal(err)
		}
		if record.err != nil {
			bad++
		} else {
			good = append(good, record.fields)
		}
	}
}

// TestCSVRecovers checks that a malformed record costs one row.
func TestCSVRecovers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		good string
		bad  int
	}{
		{"a,b\nc,d", "a|b;c|d", 0},
		{"a,\"b\"\"\r\nc\"\r\nd,", "a|b\"\nc;d|", 0},
		{"a\n\"b\nc\nd", "a;c;d", 1},
		{"a\n\"b\n\"c\nd", "a;d", 2},
		{"a\n" + strings.Repeat("x", maxRecord+1) + "\nb", "a;b", 1},
		{"a\n" + strings.Repeat("x", 3*maxRecord), "a", 1},
		{"\"" + strings.Repeat("\n", maxRecordLines+2) + "b", "b", 1},
		{"\ufeffa\n\ufeffb", "a;\ufeffb", 0},
		{"\n\n,\n\n", "|", 0},
	} {
		good, bad := readAllCSV(t, c.text)
		var rows []string
		for _, fields := range good {
			rows = append(rows, strings.Join(fields, "|"))
		}
		if got := strings.Join(rows, ";"); got != c.good || bad != c.bad {
			t.Errorf("%.40q: %.60q and %d bad, want %q and %d", c.text, got, bad, c.good, c.bad)
		}
	}
}

// FuzzCSV compares the reader with encoding/csv where both succeed.
func FuzzCSV(f *testing.F) {
	for _, text := range []string{"a,b\nc,d", "\"a\"\"\n\",\r\n", "\"", "a\"b", ",,\n\n,", "\"a\nb\nc"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, bad := readAllCSV(t, text)
		if bad > 0 || strings.HasPrefix(text, "\ufeff") {
			return
		}
		std := csv.NewReader(strings.NewReader(text))
		std.FieldsPerRecord = -1
		want, err := std.ReadAll()
		if err != nil {
			t.Fatalf("%q: read as %q, but encoding/csv says %v", text, got, err)
		}
		if !slices.EqualFunc(got, want, slices.Equal[[]string]) {
			t.Fatalf("%q: read as %q, want %q", text, got, want)
		}
	})
}

// TestCells checks that no cell is a formula in a spreadsheet, and that every text is
// read back.
func TestCells(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "Canon", "f/2", "a=b", "'50s lens", "=1+1", "+49", "-", "@sum", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠a", "'=1", "''=1", "''", "'-'"} {
		cell := models.CellOf(text)
		if cell != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(cell)[0]) {
			t.Errorf("%q is the formula %q", text, cell)
		}
		if got := models.TextOf(cell); got != text {
			t.Errorf("%q is read back from %q as %q", text, cell, got)
		}
	}
}
