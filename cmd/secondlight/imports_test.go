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

// allowedImports lists what each package may import of the module. Data flows one
// way: models and content ← views ← handlers ← cmd. The framework, handlers/web,
// knows nothing of cameras.
var allowedImports = map[string][]string{
	"content":                 {"content/languages"},
	"content/languages":       {},
	"static":                  {},
	"migrations":              {},
	"models/english":          {},
	"models/cache":            {},
	"models/durable":          {},
	"models/blob":             {"models/durable"},
	"models/fuzzy":            {},
	"models/problem":          {},
	"models":                  {"migrations", "models/cache", "models/durable", "models/english", "models/fuzzy", "models/pricing", "models/problem"},
	"models/lensfun":          {"models", "models/problem"},
	"models/search":           {"models", "models/cache", "models/durable", "models/fuzzy", "models/problem"},
	"models/pricing":          {},
	"models/demo":             {"models", "models/problem"},
	"models/picture":          {"models", "models/blob", "models/durable", "models/problem", "models/picture/baseline"},
	"models/picture/baseline": {},
	"models/backup":           {"models", "models/blob", "models/durable", "models/picture"},
	"models/portfolio":        {"models", "models/blob", "models/durable", "models/problem", "models/picture"},
	"models/delivery":         {"models", "models/durable", "models/problem"},
	"views":                   {"models", "models/pricing", "models/problem", "models/english", "models/cache", "models/portfolio", "models/search", "content", "content/languages", "static"},
	"handlers/web":            {"models/cache", "models/english", "models/fuzzy", "models/problem", "static"},
	"handlers":                {"handlers/web", "models", "models/backup", "models/blob", "models/durable", "models/problem", "models/cache", "models/english", "models/fuzzy", "models/search", "models/delivery", "models/demo", "models/picture", "models/portfolio", "content", "content/languages", "static", "views"},
	"cmd/secondlight":         {"models", "models/backup", "models/blob", "models/durable", "models/problem", "models/fuzzy", "models/delivery", "models/search", "models/demo", "models/lensfun", "models/picture", "models/portfolio", "models/pricing", "content", "content/languages", "static", "views", "handlers", "handlers/web"},
}

func TestImportsRunOneWay(t *testing.T) {
	for _, p := range ourPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if strings.HasSuffix(name, "test") || strings.HasPrefix(name, "bench") || strings.HasPrefix(name, "e2e") {
			continue // helpers of tests and benchmarks may import everything
		}
		allowed, known := allowedImports[name]
		if !known {
			t.Errorf("%s is not listed: add it to allowedImports with what it may import, or put the code where it belongs", name)
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
