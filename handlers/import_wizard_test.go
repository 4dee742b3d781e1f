package handlers

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"github.com/secondlight/secondlight/models"
)

// zipOf returns a ZIP file of files.
func zipOf(t testing.TB, files ...part) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		to, err := w.Create(f.file)
		must(err)
		_, err = to.Write([]byte(f.content))
		must(err)
	}
	must(w.Close())
	return b.String()
}

// TestMatchedImport imports a table as a German spreadsheet saves it, with photographs in a ZIP file:
// its columns are matched in the form, the photograph that is missing is added later, the next file with
// the same header is matched by itself, and what a server left when it stopped is completed.
func TestMatchedImport(t *testing.T) {
	t.Parallel()
	s, _ := photoMarket(t)
	op := s.join(t, "the-operator", models.RoleOperator)
	table, err := charmap.Windows1252.NewEncoder().String("Bezeichnung;Bemerkung;VK;Zustand;Foto;;\r\n" +
		"Canon EOS R6;Gehäuse, geprüft;1.249;sehr gut;Front.JPG, zurück.jpg;;\r\n" +
		"\"Nikon Z6 \"\"schwarz\"\"\";;899,50 €;;;;\r\n" +
		"Leica M6;;auf Anfrage;gut;;;\r\n")
	must(err)
	front, back := jpegPart(t, "front.jpg", 640, 480), jpegPart(t, "zurück.jpg", 480, 640)
	front.file = "photos/front.jpg"
	resp, page := op.postParts(t, "/admin/imports", part{name: "prepare", content: "true"}, part{name: "region", content: "DE"}, part{name: "condition", content: "good"},
		part{"file", "bestand.csv", table}, part{"photos", "photos.zip", zipOf(t, front)})
	location := resp.Header.Get("Location")
	if resp.StatusCode != 303 {
		t.Fatalf("answered %d: %s", resp.StatusCode, page)
	}
	id := filepath.Base(strings.SplitN(location, "?", 2)[0])
	must(s.RunImports(context.Background()))
	prepared := op.ask(t, "GET", "/api/admin/imports/"+id, "", 200)
	if prepared["status"] != "prepared" || prepared["rows"] != 0.0 {
		t.Fatalf("before the columns are matched it is %v", prepared)
	}
	var columns []string
	for _, c := range prepared["columns"].([]any) {
		columns = append(columns, c.(map[string]any)["column"].(string))
	}
	if got := strings.Join(columns, " "); got != "title ignore price condition photos" {
		t.Errorf("the columns seem to be %s", got)
	}
	page = op.read(t, "/admin/imports/"+id)
	for _, want := range []string{"Gehäuse, geprüft", `name="columns"`, "Bezeichnung", "1.249", `Nikon Z6 &#34;schwarz&#34;`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	_, run := op.post(t, "/admin/imports/"+id+"/run", "source=listings&columns=title&columns=description&columns=ignore&columns=condition&columns=photos")
	if !strings.Contains(run, "No column is") {
		t.Error("a table without prices is imported")
	}
	op.post(t, "/admin/imports/"+id+"/run", "source=listings&columns=title&columns=description&columns=price&columns=condition&columns=photos")
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	_ = s.RunImports(stopped) // the server stops before it began
	if running := op.ask(t, "GET", "/api/admin/imports/"+id, "", 200); running["status"] != "running" {
		t.Fatalf("after a stop it is %v", running)
	}
	must(s.RunImports(context.Background()))
	done := op.ask(t, "GET", "/api/admin/imports/"+id, "", 200)
	if got := fmt.Sprint(done["status"], done["inserted"], done["rejected_total"], done["photos_added"], done["photos_missing"]); got != "done2 1 1 1" {
		t.Errorf("the import is %s: %v", got, done)
	}
	find := func(title string) map[string]any {
		for _, l := range op.ask(t, "GET", "/api/me/listings?limit=100", "", 200)["listings"].([]any) {
			if row := l.(map[string]any); row["title"] == title {
				return op.ask(t, "GET", "/api/listings/"+row["id"].(string), "", 200)
			}
		}
		t.Fatalf("%s is not imported", title)
		return nil
	}
	r6, z6 := find("Canon EOS R6"), find(`Nikon Z6 "schwarz"`)
	if r6["condition"] != "excellent" && r6["condition"] != "good" || r6["description"] != "Gehäuse, geprüft" || fmt.Sprint(r6["price"]) != "map[amount:1249.00 currency:EUR]" || len(r6["photos"].([]any)) != 1 {
		t.Errorf("the first item is %v", r6)
	}
	if z6["condition"] != "good" || fmt.Sprint(z6["price"]) != "map[amount:899.50 currency:EUR]" {
		t.Errorf("the second item is %v", z6)
	}

	// The photograph that was missing.
	if page := op.read(t, "/admin/imports/"+id); !strings.Contains(page, "zurück.jpg") {
		t.Error("the page doesn't name the missing photo")
	}
	if resp, page := op.postParts(t, "/admin/imports/"+id+"/photos", part{"photos", "no.zip", "no ZIP file"}); resp.StatusCode == 303 || !strings.Contains(page, "ZIP file, or it") {
		t.Errorf("a file that is no ZIP file is answered with %d", resp.StatusCode)
	}
	op.postParts(t, "/admin/imports/"+id+"/photos", part{"photos", "more.zip", zipOf(t, back)})
	must(s.RunImports(context.Background()))
	if done := op.ask(t, "GET", "/api/admin/imports/"+id, "", 200); done["status"] != "done" || done["photos_missing"] != 0.0 || done["photos_added"] != 2.0 || done["inserted"] != 2.0 {
		t.Errorf("after the second ZIP file the import is %v", done)
	}
	if r6 := find("Canon EOS R6"); len(r6["photos"].([]any)) != 2 {
		t.Errorf("the photos are %v", r6["photos"])
	}
	if left, _ := filepath.Glob(filepath.Join(s.dataDir, "imports", "*.zip")); len(left) > 0 {
		t.Errorf("%v are left", left)
	}

	// The same table again.
	resp, _ = op.postParts(t, "/admin/imports", part{name: "prepare", content: "true"}, part{name: "region", content: "DE"}, part{name: "condition", content: "good"}, part{"file", "bestand.csv", table})
	id = filepath.Base(strings.SplitN(resp.Header.Get("Location"), "?", 2)[0])
	again := op.ask(t, "GET", "/api/admin/imports/"+id, "", 200)
	if again["columns_remembered"] != true || again["columns"].([]any)[1].(map[string]any)["column"] != "description" {
		t.Errorf("the columns are not remembered: %v", again["columns"])
	}
	op.ask(t, "POST", "/api/admin/imports/"+id+"/run", `{"columns":["title","description","price","condition","photos"]}`, 200)
	must(s.RunImports(context.Background()))
	if done := op.ask(t, "GET", "/api/admin/imports/"+id, "", 200); done["inserted"] != 0.0 || done["unchanged"] != 2.0 || done["photos_added"] != 0.0 || done["photos_missing"] != 0.0 {
		t.Errorf("the second import is %v", done)
	}
	if files, err := os.ReadDir(filepath.Join(s.dataDir, "imports")); err != nil || len(files) > 2 { // rejected rows
		t.Errorf("%d files are left: %v", len(files), err)
	}
}

// TestMatchedSales imports past sales with days and prices as Germans write them.
func TestMatchedSales(t *testing.T) {
	t.Parallel()
	s := newMarketServer(t)
	op := s.join(t, "the-operator", models.RoleOperator)
	table := "Artikel\tVerkauft am\tPreis\nCanon EOS R6\t1.11.2025\t1.100,-\nCanon EOS R6\t2025-11-02\t1100\n"
	prepared := op.ask(t, "POST", "/api/admin/imports", `{"prepare":true,"region":"DE","file":"`+base64.StdEncoding.EncodeToString([]byte(table))+`"}`, 201)
	id := prepared["id"].(string)
	op.ask(t, "POST", "/api/admin/imports/"+id+"/run", `{"source":"sales","columns":["title","sold_at","price"]}`, 200)
	must(s.RunImports(context.Background()))
	if done := op.ask(t, "GET", "/api/admin/imports/"+id, "", 200); done["inserted"] != 2.0 || done["source"] != "sales" {
		t.Errorf("the import is %v", done)
	}
	op.ask(t, "POST", "/api/admin/imports/"+id+"/run", `{"columns":["title","sold_at","price"]}`, 409)
}
