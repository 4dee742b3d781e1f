package importer

import (
	"encoding/csv"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"

	"github.com/secondlight/secondlight/models"
)

func readAllCSV(t *testing.T, text string) (good [][]string, bad int) {
	t.Helper()
	r := newCSVReader(strings.NewReader(text))
	r.separator = ','
	for {
		record, err := r.read()
		if err == io.EOF {
			if r.offset() != int64(len(text)) {
				t.Fatalf("%q: read %d of %d bytes", text, r.offset(), len(text))
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

// TestCSVDialects reads the header and a row as spreadsheets write them.
func TestCSVDialects(t *testing.T) {
	t.Parallel()
	utf16 := func(order unicode.Endianness, text string) string {
		encoded, err := unicode.UTF16(order, unicode.UseBOM).NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		return encoded
	}
	for name, c := range map[string]struct{ text, want string }{
		"commas":                        {"title,price\nKöln,5", "title|price;Köln|5"},
		"Excel in German":               {"title;price\r\nK\xf6ln \x8050;1.249,00\r\n", "title|price;Köln €50|1.249,00"},
		"semicolons in quotation marks": {"title;price\n\"a;b\";5,00", "title|price;a;b|5,00"},
		"tabs":                          {"title\tprice\na,b\t5,00", "title|price;a,b|5,00"},
		"vertical bars":                 {"title|price\na,b;c|5", "title|price;a,b;c|5"},
		"separator named":               {"sep=;\ntitle,text;price\na;5", "title,text|price;a|5"},
		"header in quotation marks":     {"\"a;b;c\",price\nx;y,5", "a;b;c|price;x;y|5"},
		"one column":                    {"title\na;b", "title;a;b"},
		"empty last columns":            {"title;price;;\na;5;;", "title|price;a|5||"},
		"little-endian UTF-16":          {utf16(unicode.LittleEndian, "title\tprice\r\nKöln\t5\r\n"), "title|price;Köln|5"},
		"big-endian UTF-16":             {utf16(unicode.BigEndian, "title;price\nKöln €;5"), "title|price;Köln €|5"},
		"damaged UTF-8":                 {"title,price\n\xf6,1\nKöln,5", "title|price;Köln|5"},
		"damaged UTF-8 later":           {"title,price\nKöln,5\n\xf6,1", "title|price;Köln|5"},
	} {
		r := newCSVReader(strings.NewReader(c.text))
		record, err := readHeader(r)
		rows := []string{strings.Join(record.fields, "|")}
		for err == nil {
			if record, err = r.read(); err == nil && record.err == nil {
				rows = append(rows, strings.Join(record.fields, "|"))
			}
		}
		if got := strings.Join(rows, ";"); got != c.want || err != io.EOF || r.offset() != int64(len(c.text)) {
			t.Errorf("%s: %q, want %q, %v", name, got, c.want, err)
		}
	}
}

// TestTranslatedWooCommerce recognises the export of a German shop, with and without the column of
// the GTIN, by the order of its columns.
func TestTranslatedWooCommerce(t *testing.T) {
	t.Parallel()
	const header = `ID,Typ,Artikelnummer,"GTIN, UPC, EAN oder ISBN",Name,Veröffentlicht,"Ist hervorgehoben?","Sichtbarkeit im Katalog",Kurzbeschreibung,Beschreibung,` +
		`"Datum, an dem Angebotspreis beginnt","Datum, an dem Angebotspreis endet",Steuerstatus,Steuerklasse,Vorrätig?,Lager,"Geringe Lagermenge","Lieferrückstand erlaubt?",` +
		`"Nur einzeln verkaufen?","Gewicht (kg)","Länge (cm)","Breite (cm)","Höhe (cm)","Kundenrezensionen erlauben?","Hinweis zum Kauf",Angebotspreis,"Regulärer Preis",Kategorien,Schlagwörter,Versandklasse,Bilder`
	const row = `7,simple,R6,,Canon EOS R6,1,0,visible,,Boxed,,,taxable,,1,1,,0,0,,,,,1,,"1.199,00","1.249,00",Kameras,boxed,,https://shop.example/r6.jpg`
	without := strings.NewReplacer(`"GTIN, UPC, EAN oder ISBN",`, "", "R6,,Canon", "R6,Canon")
	for _, file := range []string{header + "\n" + row, without.Replace(header + "\n" + row)} {
		r := newCSVReader(strings.NewReader(file))
		names, err := readHeader(r)
		if err != nil {
			t.Fatal(err)
		}
		shop := shopOf(names.fields)
		if shop == nil || shop.source != models.WooCommerceFile {
			t.Fatalf("%.60s is taken for %+v", file, shop)
		}
		record, err := r.read()
		if err != nil {
			t.Fatal(err)
		}
		item, skip, err := shop.translate(shop, shopRow{shop.columns, record.fields})
		if got := strings.Join([]string{item.id, item.title, item.price, item.html, item.words[0]}, "|"); skip || err != nil || got != "7|Canon EOS R6|1.199,00|Boxed|boxed" {
			t.Errorf("%s, skipped %v, %v", got, skip, err)
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
		if bad > 0 || !utf8.ValidString(text) || strings.HasPrefix(text, "\ufeff") {
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
