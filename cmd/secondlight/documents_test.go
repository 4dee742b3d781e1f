package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pathInDocument matches a file or folder of the repository, which may be a pattern.
var pathInDocument = regexp.MustCompile("`((?:cmd|handlers|views|models|content|static|migrations|e2e|deploy|bench|clients|docs|\\.ci)/[^`\\s<{…:]*)`")

// markdown returns the Markdown files below a folder of the repository, by their paths in it.
func markdown(t *testing.T, folder string) (files []string) {
	t.Helper()
	mustDo(t, filepath.WalkDir(root+folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			files = append(files, strings.TrimPrefix(filepath.ToSlash(path), root))
		}
		return err
	}))
	if len(files) == 0 {
		t.Fatalf("no documents in %s", folder)
	}
	return files
}

// documents returns all documents but the records of decisions and the changelog, which name
// what was there at their time.
func documents(t *testing.T) (all []string) {
	t.Helper()
	for _, name := range markdown(t, "docs") {
		if !strings.HasPrefix(name, "docs/decisions/0") {
			all = append(all, name)
		}
	}
	return append(all, "README.md", "CONTRIBUTING.md", "SECURITY.md", "SUPPORT.md", "UPGRADING.md", "CODE_OF_CONDUCT.md")
}

// TestDocumentsNameFiles checks that files exist that documents name.
func TestDocumentsNameFiles(t *testing.T) {
	for _, name := range documents(t) {
		for _, m := range pathInDocument.FindAllStringSubmatch(readRoot(t, name), -1) {
			if found, err := filepath.Glob(root + m[1]); err != nil || len(found) == 0 {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
	}
}

var (
	codeBlock      = regexp.MustCompile("(?ms)^```.*?^```$")
	linkInDocument = regexp.MustCompile(`\]\(([^)\s#]*)(?:#([^)\s]*))?\)`)
	heading        = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notInAnchor    = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestDocumentsLink checks that files and headings exist to which documents link.
func TestDocumentsLink(t *testing.T) {
	anchors := func(name string) (all []string) {
		for _, m := range heading.FindAllStringSubmatch(codeBlock.ReplaceAllString(readRoot(t, name), ""), -1) {
			all = append(all, strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
		}
		return all
	}
	for _, name := range append(documents(t), markdown(t, "docs/decisions")...) {
		for _, m := range linkInDocument.FindAllStringSubmatch(codeBlock.ReplaceAllString(readRoot(t, name), ""), -1) {
			folder := filepath.Dir(name)
			if folder == "docs/de" { // links are those of the English document
				folder = filepath.Dir(englishOf(t, name))
			}
			target := filepath.ToSlash(filepath.Join(folder, m[1]))
			switch {
			case strings.Contains(m[1], ":"), strings.HasPrefix(m[1], "/"):
				continue
			case m[1] == "":
				target = name
			}
			if _, err := os.Stat(root + target); err != nil {
				t.Errorf("%s: link to %s: %v", name, m[1], err)
			} else if m[2] != "" && !slices.Contains(anchors(target), m[2]) {
				t.Errorf("%s: %s has no heading %s", name, target, m[2])
			}
		}
	}
}

// englishOf returns the document of which another is the German version.
func englishOf(t *testing.T, german string) string {
	for _, folder := range []string{"docs/start/", "docs/how-to/own/"} {
		if _, err := os.Stat(root + folder + filepath.Base(german)); err == nil {
			return folder + filepath.Base(german)
		}
	}
	t.Fatalf("%s is the German of no document", german)
	return ""
}

// notSettings are names in capitals that are variables of other programs or of an example.
var notSettings = []string{"SIGNING_KEY", "POSTGRES_PASSWORD", "S3_SECRET", "ALLOW_CONNECTIONS", "ROLLING_PAUSE", "TEST_DATABASE_URL", "SITE_URL", "SEARCH_ID", "CODE_OF_CONDUCT"}

// TestDocumentsNameSettings checks that documents name only settings and commands that exist.
func TestDocumentsNameSettings(t *testing.T) {
	var commands strings.Builder
	for _, name := range documents(t) {
		text := readRoot(t, name)
		for _, setting := range regexp.MustCompile(`\b[A-Z][A-Z0-9]*(?:_[A-Z]+)+\b`).FindAllString(text, -1) {
			if !slices.Contains(settingNames(), setting) && !slices.Contains(notSettings, setting) && !strings.HasPrefix(setting, "OTEL_") && !strings.HasPrefix(setting, "AWS_") {
				t.Errorf("%s: %s is not a setting", name, setting)
			}
		}
		if name != "CONTRIBUTING.md" {
			commands.WriteString(text)
		}
	}
	checkCommands(t, commands.String())
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
