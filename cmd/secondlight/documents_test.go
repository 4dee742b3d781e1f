package main

import (
	"path/filepath"
	"regexp"
	"testing"
)

// pathInDocument matches a file or folder of the repository, which may be a pattern.
var pathInDocument = regexp.MustCompile("`((?:cmd|handlers|views|models|content|static|migrations|e2e|deploy|bench|clients|docs|\\.ci)/[^`\\s<{…:]*)`")

// TestDocumentsNameFiles checks that files exist that documents name. Records of decisions
// name those of their time.
func TestDocumentsNameFiles(t *testing.T) {
	documents, err := filepath.Glob(root + "docs/*.md")
	if err != nil || len(documents) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	for _, document := range append(documents, root+"README.md", root+"CONTRIBUTING.md") {
		name, err := filepath.Rel(root, document)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pathInDocument.FindAllStringSubmatch(readRoot(t, name), -1) {
			if found, err := filepath.Glob(root + m[1]); err != nil || len(found) == 0 {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
	}
}

// TestDecisionsAreListed compares the index of decisions with the records.
func TestDecisionsAreListed(t *testing.T) {
	index := readRoot(t, "docs/decisions/README.md")
	records, err := filepath.Glob(root + "docs/decisions/[0-9]*.md")
	if err != nil || len(records) == 0 {
		t.Fatalf("no records: %v", err)
	}
	listed := regexp.MustCompile(`(?m)^\| \d+ \| \[.+\]\((\d+-.+\.md)\) \| .+ \|$`).FindAllStringSubmatch(index, -1)
	for i, record := range records {
		if i >= len(listed) || listed[i][1] != filepath.Base(record) {
			t.Fatalf("docs/decisions/README.md does not list %s in its place", filepath.Base(record))
		}
	}
	if len(listed) != len(records) {
		t.Errorf("docs/decisions/README.md lists %d records of %d", len(listed), len(records))
	}
}
