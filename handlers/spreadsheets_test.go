package handlers

import (
	"encoding/base64"
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/bind"
	"github.com/secondlight/secondlight/models"
)

// TestSpreadsheets reads the CSV of every operation in English and German. Files for people have
// their headings, grades, decimals and separator in the reader's language; those for programs are the same
// in both, and docs/reference/csv-columns.md has their columns.
func TestSpreadsheets(t *testing.T) {
	t.Parallel()
	s, clock := newClockedMarket(t)
	olga := s.join(t, "olga", models.RoleOperator)
	s.sold(t, clock, "canon/eos-r6", 100050, 8)
	olga.ask(t, "POST", "/api/me/kit", `{"name":"R6; boxed","gear":"canon/eos-r6","condition":"like_new","bought_on":"2024-05-17","paid":"1890.50","serial":"SN-4711","insured":true}`, 201)
	olga.listed(t, "Canon EOS R6")
	file := base64.StdEncoding.EncodeToString([]byte("external_id,title,condition,price,region\n1,Canon EOS R6,mint,900,DE\n"))
	imported := olga.ask(t, "POST", "/api/admin/imports", `{"region":"DE","file":"`+file+`"}`, 201)["id"].(string)
	must(s.RunImports(t.Context()))
	values := map[string]args{
		"export_kit": {}, "list_my_listings": {}, "show_prices": {}, "export_catalog": {}, "get_price_chart": {"chart": "kinds"}, "get_import": {"id": imported},
		"get_trend": {"brand": "canon", "model": "eos-r6"}, "explain_estimate": (&scene{T: t, s: s}).estimated(),
	}
	people := map[string]string{
		"export_kit": "Artikel;Modell;Seriennummer;Zustand;Gekauft;Bezahlt;Wert;Wert von;Wert bis;Währung;Versichert;Hinweis\r\n\"R6; boxed\";Canon EOS R6;SN-4711;Wie neu;2024-05-17;1890,50;",
	}
	text, err := os.ReadFile("../docs/reference/csv-columns.md")
	must(err)
	document := string(text)
	for _, op := range s.Operations() {
		if !slices.Contains(op.AllFormats(false), web.CSV) || strings.HasPrefix(op.Name, "probe") {
			continue
		}
		given, ok := values[op.Name]
		if !ok {
			t.Errorf("%s has a CSV that this test doesn't read", op.Name)
			continue
		}
		path := bind.PathName.ReplaceAllStringFunc(op.Page, func(name string) string { return given[strings.Trim(name, "{}")].(string) }) + ".csv"
		read := func(language string) string {
			resp, body := s.do(t, "GET", path, "Cookie", olga.cookie, "Accept-Language", language)
			if resp.StatusCode != 200 {
				t.Fatalf("%s is %d: %s", path, resp.StatusCode, body)
			}
			return body
		}
		english, german := read("en"), read("de")
		if !strings.Contains(document, "`"+op.Page+".csv`") {
			t.Errorf("docs/reference/csv-columns.md lacks %s.csv", op.Page)
		}
		if want := people[op.Name]; want != "" {
			if !strings.HasPrefix(german, "\ufeff"+want) || !strings.Contains(german, ";Ja;") || !strings.HasPrefix(english, "\ufeffItem,Model,Serial number,") {
				t.Errorf("%s is\n%s\n%s", path, english, german)
			}
			continue
		}
		if english != german {
			t.Errorf("%s is for programs, and depends on the language:\n%s\n%s", path, english, german)
		}
		columns, err := csv.NewReader(strings.NewReader(english)).Read()
		must(err)
		for _, column := range columns {
			if !models.Condition(column).Valid() && !strings.Contains(document, "`"+column+"`") {
				t.Errorf("docs/reference/csv-columns.md lacks the column %s of %s", column, path)
			}
		}
	}
	for _, l := range languages.All {
		if got := l.Separator(); strings.ContainsRune(l.Decimal("1.5"), got) {
			t.Errorf("%s: %q separates cells and decimals", l.Code(), got)
		}
	}
}
