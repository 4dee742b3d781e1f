package demo

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/secondlight/secondlight/content/packed"
)

// anchors.csv has prices of well-known gear. Its columns are the gear's slug, the month
// of its launch (empty: a month of the catalogue's year), a price in euros, its
// popularity (1 to 100), its course (falls, holds, rises or steady; empty means falls),
// and the slug of its successor. The price is for excellent condition: if the course is
// rises, the used price in November 2021 or, of digital gear, that at launch; if it is
// steady, the used price in November 2026. An empty price is the catalogue's launch price.
const anchorsCSV = "models/demo/anchors.csv"

type anchor struct {
	slug       string
	launch     time.Time // zero if the catalogue's year says it
	price      float64   // euros
	popularity float64
	course     string
	successor  string
}

// readAnchors parses anchors.csv. It panics on errors, because the file is embedded.
func readAnchors() []anchor {
	rows, err := csv.NewReader(strings.NewReader(packed.File(anchorsCSV))).ReadAll()
	if err != nil {
		panic(fmt.Sprintf("anchors.csv: %v", err))
	}
	anchors := make([]anchor, 0, len(rows)-1)
	for _, row := range rows[1:] {
		launch, err := parseMonth(row[1])
		price, err2 := 0.0, error(nil)
		if row[2] != "" {
			price, err2 = strconv.ParseFloat(row[2], 64)
		}
		popularity, err3 := strconv.ParseFloat(row[3], 64)
		if err != nil || err2 != nil || err3 != nil {
			panic(fmt.Sprintf("anchors.csv: bad row %q", row))
		}
		anchors = append(anchors, anchor{row[0], launch, price, popularity, row[4], row[5]})
	}
	return anchors
}

// parseMonth parses "2018-03". It returns the zero time for "".
func parseMonth(month string) (time.Time, error) {
	if month == "" {
		return time.Time{}, nil
	}
	return time.Parse("2006-01", month)
}
