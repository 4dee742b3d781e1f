package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/secondlight/secondlight/"

// rooms lists what each package may import of ours; a room of a path covers the
// rooms under it. Data flows one way: models and content ← views ← handlers ← cmd.
var rooms = map[string][]string{
	"content":          {},
	"static":           {},
	"migrations":       {},
	"models/english":   {},
	"models/fuzzy":     {},
	"models":           {"migrations", "models/english", "models/fuzzy"},
	"models/lensfun":   {"models"},
	"models/search":    {"models"},
	"models/demo":      {"models"},
	"models/picture":   {"models"},
	"models/portfolio": {"models", "models/picture"},
	"models/delivery":  {"models"},
	"views":            {"models", "models/english", "models/portfolio", "models/search", "content", "static"},
	"handlers":         {"models", "models/english", "models/fuzzy", "models/search", "models/delivery", "models/demo", "models/picture", "models/portfolio", "content", "static", "views"},
	"cmd/secondlight":  {"models", "models/delivery", "models/search", "models/demo", "models/lensfun", "models/picture", "models/portfolio", "content", "static", "views", "handlers"},
}

func TestImportsRunOneWay(t *testing.T) {
	for _, p := range ourPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if strings.HasSuffix(name, "test") || strings.HasPrefix(name, "bench") || strings.HasPrefix(name, "e2e") {
			continue // helpers of tests and benchmarks may use every room
		}
		allowed, known := rooms[name]
		if !known {
			t.Errorf("%s is not a room of the house: add it to rooms with what it may import, or put the code where it belongs", name)
		}
		for _, imported := range p.Imports {
			if ours, ok := strings.CutPrefix(imported, module); ok && !slices.Contains(allowed, ours) {
				t.Errorf("%s imports %s; it may import only %v", name, ours, allowed)
			}
		}
	}
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

func ourPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var packages []goPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
