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
	"models":                  {"models/fuzzy", "models/pricing", "models/problem"},
	"models/catalog":          {"models", "models/fuzzy", "models/pricing", "models/problem"},
	"models/prices":           {"models", "models/cache", "models/catalog", "models/pricing"},
	"models/store":            {"migrations", "models", "models/catalog", "models/durable", "models/prices", "models/pricing", "models/problem"},
	"models/importer":         {"models", "models/catalog", "models/problem", "models/store"},
	"models/lensfun":          {"models", "models/catalog"},
	"models/search":           {"models", "models/cache", "models/catalog", "models/durable", "models/fuzzy", "models/prices", "models/problem", "models/store"},
	"models/pricing":          {},
	"models/demo":             {"models", "models/catalog", "models/store"},
	"models/picture":          {"models", "models/blob", "models/catalog", "models/durable", "models/picture/baseline", "models/problem"},
	"models/picture/baseline": {},
	"models/backup":           {"models", "models/blob", "models/durable", "models/picture", "models/store"},
	"models/portfolio":        {"models", "models/blob", "models/catalog", "models/durable", "models/picture", "models/problem"},
	"models/delivery":         {"models", "models/durable", "models/problem", "models/store"},
	"views":                   {},
	"views/ui":                {"content", "content/languages", "models", "models/cache", "models/catalog", "models/english", "models/portfolio", "models/prices", "models/problem", "models/search", "static"},
	"views/portfolio":         {"content", "content/languages", "models", "models/catalog", "models/portfolio", "models/prices", "static", "views/ui"},
	"views/price":             {"content/languages", "models", "models/catalog", "models/prices", "models/pricing", "models/search", "views/ui"},
	"views/gear":              {"content/languages", "models", "models/catalog", "models/portfolio", "models/prices", "models/search", "views/portfolio", "views/price", "views/ui"},
	"views/listing":           {"content/languages", "models", "models/catalog", "models/prices", "models/search", "static", "views/gear", "views/price", "views/ui"},
	"views/search":            {"content/languages", "models", "models/catalog", "models/prices", "models/search", "views/gear", "views/listing", "views/price", "views/ui"},
	"views/trade":             {"content/languages", "models", "models/catalog", "views/ui"},
	"views/watch":             {"content/languages", "models", "models/catalog", "models/prices", "views/listing", "views/price", "views/search", "views/ui"},
	"views/account":           {"content/languages", "models", "models/english", "models/search", "static", "views/listing", "views/search", "views/trade", "views/ui", "views/watch"},
	"views/oauth":             {"content/languages", "models", "views/account", "views/ui"},
	"views/text":              {"content", "content/languages", "models", "models/search", "static", "views/ui"},
	"views/admin":             {"content/languages", "models", "models/catalog", "static", "views/listing", "views/trade", "views/ui"},
	"views/home":              {"content/languages", "models", "models/prices", "models/search", "views/admin", "views/gear", "views/portfolio", "views/price", "views/search", "views/ui"},
	"views/drawing":           {"views/ui"},
	"views/apps":              {"content/languages", "models", "views/ui"},
	"handlers/web/bind":       {"models/fuzzy", "models/problem"},
	"handlers/web/limit":      {"models/problem"},
	"handlers/web":            {"handlers/web/bind", "handlers/web/limit", "models/english", "models/problem", "static"},
	"handlers/web/openapi":    {"handlers/web", "handlers/web/bind", "models/english", "models/problem"},
	"handlers/web/mcp":        {"handlers/web", "handlers/web/bind", "handlers/web/limit", "models/problem"},
	"handlers/web/serve":      {"handlers/web", "handlers/web/bind", "handlers/web/limit", "handlers/web/mcp", "handlers/web/openapi", "models/cache", "models/english", "models/problem", "static"},
	"handlers":                {"content", "content/languages", "handlers/web", "handlers/web/serve", "models", "models/backup", "models/blob", "models/cache", "models/catalog", "models/delivery", "models/demo", "models/durable", "models/fuzzy", "models/importer", "models/picture", "models/portfolio", "models/prices", "models/problem", "models/search", "models/store", "static", "views/account", "views/admin", "views/apps", "views/drawing", "views/gear", "views/home", "views/listing", "views/oauth", "views/portfolio", "views/price", "views/search", "views/text", "views/trade", "views/ui", "views/watch"},
	"cmd/secondlight":         {"content", "content/languages", "handlers", "handlers/web", "models", "models/backup", "models/blob", "models/catalog", "models/delivery", "models/demo", "models/durable", "models/fuzzy", "models/importer", "models/lensfun", "models/picture", "models/portfolio", "models/pricing", "models/problem", "models/search", "models/store", "views/ui"},
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
