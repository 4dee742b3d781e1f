package handlers

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/web"
)

// TestDemonstrationDataSaysSo tests that every format of a page with demonstration
// data says that the data is invented.
func TestDemonstrationDataSaysSo(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	for _, op := range s.Operations() {
		switch op.Name {
		case "search_listings", "get_listing", "find_gear", "get_brand", "get_trend", "get_seller", "get_home":
		default:
			continue
		}
		path, query, _ := strings.Cut(op.ExampleTarget(op.Page, op.Examples()), "?")
		for _, format := range op.AllFormats(false) {
			target := web.Address(path, format, query)
			resp, body := s.do(t, "GET", target)
			if resp.StatusCode != 200 {
				t.Errorf("%s is %d", target, resp.StatusCode)
			}
			if format == web.CSV {
				saysSoInEveryRow(t, target, body)
			} else if !strings.Contains(strings.ToLower(body), "demo data") {
				t.Errorf("%s does not say that it is demonstration data", target)
			}
		}
	}
	for _, target := range []string{"/openapi.json", "/openapi.yaml"} {
		if _, body := s.do(t, "GET", target); !strings.Contains(body, "Demo data") {
			t.Errorf("the examples of %s do not say that they are demonstration data", target)
		}
	}
}

func saysSoInEveryRow(t *testing.T, target, body string) {
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%s has %d rows: %v", target, len(rows), err)
	}
	last := len(rows[0]) - 1
	for _, row := range rows[1:] {
		if rows[0][last] != "demo" || row[last] != "true" {
			t.Errorf("%s has the row %v", target, row)
		}
	}
}
