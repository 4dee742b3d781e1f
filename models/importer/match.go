package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// Beginning is the header and the first rows of a file.
type Beginning struct {
	Header []string
	Rows   [][]string // without those that can't be read
	Source models.ImportSource
}

// ReadBeginning reads the header and at most n rows of a file. It returns a *problem.Error if
// the header can't be read.
func ReadBeginning(in io.ReadSeeker, n int) (*Beginning, error) {
	source := ImportSourceOf(in)
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	r := newCSVReader(in)
	header, err := readHeader(r)
	if err == io.EOF {
		return nil, badFile("empty_file", problem.Textf("The file is empty."), problem.Textf("Choose a CSV file."))
	}
	if err == nil {
		err = header.err
	}
	if err != nil {
		return nil, badFile("unreadable_header", problem.Textf("The first line can't be read.").And(problem.TextOf(err)), problem.Programf("It must name the columns, separated by commas, semicolons or tabs."))
	}
	b := &Beginning{Header: header.fields, Source: source}
	for len(b.Rows) < n {
		record, err := r.read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if record.err == nil {
			b.Rows = append(b.Rows, record.fields)
		}
	}
	return b, nil
}

// ColumnNames returns our names of the columns of a source that an owner may import.
func ColumnNames(source models.ImportSource) []string {
	if source == models.SalesFile {
		return saleColumnNames
	}
	return append(slices.Clone(listingColumnNames), photosColumn)
}

// otherNames are names of columns in English and German, beside our own, as models.NameKey
// writes them.
var otherNames = map[string]string{
	"external_id":   "id sku nr no number artikelnummer artikelnr artnr itemnumber bestellnummer inventarnummer lagernummer",
	"title":         "titel name bezeichnung artikel artikelname produkt produktname item product",
	"brand":         "marke hersteller maker manufacturer",
	"model":         "modell",
	"condition":     "zustand grade erhaltung",
	"price":         "preis vk vkpreis verkaufspreis brutto eur euro preisineur preiseur",
	"currency":      "waehrung wahrung",
	"region":        "land country location standort",
	"postage":       "versand versandkosten porto shipping",
	"description":   "beschreibung text details",
	"category":      "kategorie",
	"seller":        "verkaeufer verkaufer",
	"shutter_count": "ausloesungen auslosungen shuttercount shutter",
	"defects":       "maengel mangel defekte flaws",
	"included":      "zubehoer zubehor lieferumfang accessories",
	"sold_at":       "verkauftam verkauft datum date sold solddate",
	"source":        "quelle",
	"seller_kind":   "verkaeuferart verkauferart haendler handler dealer",
	photosColumn:    "foto fotos bild bilder bildurl photo image images picture pictures imageurl",
}

// MatchColumns returns our names of the columns of a header by the words that people use, ""
// for a column that has none of them.
func MatchColumns(header []string, source models.ImportSource) []string {
	names := map[string]string{}
	for _, name := range ColumnNames(source) {
		names[models.NameKey(name)] = name
		for other := range strings.FieldsSeq(otherNames[name]) {
			names[other] = name
		}
	}
	columns := make([]string, len(header))
	for i, title := range header {
		if name := names[models.NameKey(title)]; !slices.Contains(columns, name) {
			columns[i] = name
		}
	}
	return columns
}

// matchedFile translates the rows of a file whose columns were matched.
type matchedFile struct {
	*Importer
	at     []int          // index of the column in the file, -1 for one that it lacks
	names  []string       // our names
	titles map[string]int // how often a title was read
}

// matchHeader reads the columns of a file by Importer.Columns.
func (run *importRun[T]) matchHeader(header []string) error {
	if len(header) != len(run.Columns) {
		return badFile("unknown_column", problem.Textf("The file has %d columns, and %d were matched.", len(header), len(run.Columns)), problem.Textf("Match the columns of this file."))
	}
	m := &matchedFile{Importer: run.Importer, titles: map[string]int{}}
	for i, name := range run.Columns {
		switch {
		case name == "":
			continue
		case !slices.Contains(run.known, name):
			return badFile("unknown_column", problem.Textf("Unknown column %q.", name), suggestion(name, run.known))
		case slices.Contains(m.names, name):
			return badFile("duplicate_column", problem.Textf("The column %q occurs twice.", name), problem.Textf("Remove one of them."))
		}
		m.at, m.names = append(m.at, i), append(m.names, name)
	}
	for _, name := range run.needed {
		if slices.Contains(m.names, name) {
			continue
		}
		if !slices.Contains([]string{"external_id", "condition", "region"}, name) {
			return badFile("missing_column", problem.Textf("The column %q is missing.", name), problem.Textf("Choose the column that has it."))
		}
		m.at, m.names = append(m.at, -1), append(m.names, name)
	}
	run.matched, run.header, run.columns = m, m.names, map[string]int{}
	for i, name := range m.names {
		run.columns[name] = i
	}
	return nil
}

// fields returns the fields of a record by our names, with values as we write them. It returns a
// *reject if the record has more fields than the header.
func (m *matchedFile) fields(record []string) ([]string, error) {
	for len(record) > len(m.Columns) && strings.TrimSpace(record[len(record)-1]) == "" {
		record = record[:len(record)-1]
	}
	fields := make([]string, len(m.names))
	for i, at := range m.at {
		if at >= 0 && at < len(record) {
			fields[i] = m.written(m.names[i], record[at])
		} else if at < 0 {
			fields[i] = m.otherwise(m.names[i], record)
		}
	}
	if len(record) > len(m.Columns) {
		return fields, rejectf("wrong_number_of_fields", problem.Programf("Enclose fields that contain a comma or a quotation mark in quotation marks, and double the marks inside."),
			"The row has %d fields, but the header has %d.", len(record), len(m.Columns))
	}
	return fields, nil
}

// written returns a value as we write it: "DE" for "Deutschland", "excellent" for "sehr gut".
func (m *matchedFile) written(name, text string) string {
	text = strings.TrimSpace(text)
	switch name {
	case "condition":
		if text == "" {
			return string(m.Condition)
		}
		if grade, ok := models.ConditionNames().Find(text); ok {
			return grade
		}
	case "category":
		if category, ok := models.CategoryNames().Find(text); ok {
			return category
		}
	case "region":
		if text == "" {
			return string(m.Region)
		}
		if region, ok := models.FindRegion(text); ok {
			return string(region)
		}
	}
	return text
}

// otherwise returns the value of a column that the file lacks. The id is made of the title, and
// of how often that was read before, so that importing the file again repeats nothing.
func (m *matchedFile) otherwise(name string, record []string) string {
	if name != "external_id" {
		return m.written(name, "")
	}
	title := ""
	for i, at := range m.at {
		if slices.Contains([]string{"title", "brand", "model", "sold_at"}, m.names[i]) && at >= 0 && at < len(record) {
			title += " " + strings.ToLower(strings.TrimSpace(record[at]))
		}
	}
	sum := sha256.Sum256([]byte(title))
	m.titles[title]++
	return "row-" + hex.EncodeToString(sum[:6]) + "-" + strconv.Itoa(m.titles[title])
}
