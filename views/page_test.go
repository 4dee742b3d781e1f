package views

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
)

func render(t testing.TB, page Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := Document(testSite(), page).Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func markdownOf(t testing.TB, page Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.Markdown(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDump(t *testing.T) {
	dir := os.Getenv("DUMP")
	if dir == "" {
		t.Skip()
	}
	for name, page := range testPages() {
		os.WriteFile(filepath.Join(dir, name+".html"), []byte(render(t, page)), 0o644)
		os.WriteFile(filepath.Join(dir, name+".md"), []byte(markdownOf(t, page)), 0o644)
		os.WriteFile(filepath.Join(dir, name+".json"), mustJSON(page), 0o644)
		if p, ok := page.(*Trend); ok {
			var b bytes.Buffer
			p.SVG(&b)
			os.WriteFile(filepath.Join(dir, name+".svg"), b.Bytes(), 0o644)
		}
	}
}
