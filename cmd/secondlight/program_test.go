//go:build !race

package main

import (
	"database/sql"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// buildProgram builds the program and returns its path.
func buildProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "secondlight")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// rawDatabase opens the database at a URL of the site.
func rawDatabase(t *testing.T, url string) *sql.DB {
	t.Helper()
	driver, source := "postgres", url
	if file, ok := strings.CutPrefix(url, "sqlite:"); ok {
		driver, source = "sqlite", file
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}
