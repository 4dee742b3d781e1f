package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/secondlight/secondlight/"

// Limits of a package: hand-written files of Go without tests, and methods of a type.
const maxFiles, maxMethods = 60, 60

// allowedImports lists what each package imports of the module. Data flows one
// way: models and content ← views ← handlers ← cmd. The framework, handlers/web,
// knows nothing of cameras.
var allowedImports = map[string][]string{
	"content":                  {"content/languages", "content/packed", "models/plain"},
	"content/packed":           {},
	"content/languages":        {},
	"docs":                     {"content", "content/packed"},
	"static":                   {"content/packed"},
	"migrations":               {},
	"models/english":           {},
	"models/storetest/cluster": {},
	"models/cache":             {},
	"models/sealed":            {"models/durable"},
	"models/durable":           {},
	"models/blob":              {"models/durable"},
	"models/fuzzy":             {},
	"models/number":            {},
	"models/plain":             {},
	"models/problem":           {},
	"models":                   {"content/packed", "models/fuzzy", "models/number", "models/pricing", "models/problem"},
	"models/catalog":           {"models", "models/cache", "models/fuzzy", "models/pricing", "models/problem"},
	"models/prices":            {"models", "models/cache", "models/catalog", "models/pricing"},
	"models/store":             {"migrations", "models", "models/catalog", "models/durable", "models/prices", "models/pricing", "models/problem"},
	"models/importer":          {"models", "models/catalog", "models/number", "models/plain", "models/problem", "models/store"},
	"models/lensfun":           {"content/packed", "models", "models/catalog"},
	"models/search":            {"models", "models/cache", "models/catalog", "models/durable", "models/fuzzy", "models/prices", "models/problem", "models/store"},
	"models/sentence":          {"models", "models/cache", "models/catalog", "models/number", "models/problem"},
	"models/pricing":           {},
	"models/demo":              {"content/packed", "models", "models/catalog", "models/demo/drawing", "models/store"},
	"models/demo/drawing":      {"models"},
	"models/picture":           {"models", "models/blob", "models/catalog", "models/durable", "models/picture/baseline", "models/picture/codec", "models/problem"},
	"models/picture/baseline":  {},
	"models/picture/codec":     {},
	"models/backup":            {"models", "models/blob", "models/durable", "models/picture", "models/store"},
	"models/portfolio":         {"models", "models/blob", "models/catalog", "models/durable", "models/picture", "models/plain", "models/problem"},
	"models/delivery":          {"models", "models/durable", "models/problem", "models/store"},
	"views":                    {},
	"views/ui":                 {"content", "content/languages", "models", "models/cache", "models/catalog", "models/english", "models/portfolio", "models/prices", "models/problem", "models/search", "static"},
	"views/portfolio":          {"content", "content/languages", "models", "models/catalog", "models/portfolio", "models/prices", "static", "views/ui"},
	"views/price":              {"content/languages", "models", "models/catalog", "models/prices", "models/pricing", "models/search", "views/ui"},
	"views/gear":               {"content/languages", "models", "models/catalog", "models/portfolio", "models/prices", "models/search", "views/portfolio", "views/price", "views/ui"},
	"views/listing":            {"content/languages", "models", "models/catalog", "models/prices", "models/search", "static", "views/gear", "views/price", "views/ui"},
	"views/search":             {"content/languages", "models", "models/catalog", "models/prices", "models/search", "views/gear", "views/listing", "views/price", "views/ui"},
	"views/trade":              {"content/languages", "models", "models/catalog", "views/ui"},
	"views/watch":              {"content/languages", "models", "models/catalog", "models/prices", "views/listing", "views/price", "views/search", "views/ui"},
	"views/account":            {"content/languages", "models", "models/english", "models/search", "static", "views/listing", "views/search", "views/trade", "views/ui", "views/watch"},
	"views/oauth":              {"content/languages", "models", "views/account", "views/ui"},
	"views/text":               {"content", "content/languages", "docs", "models", "models/search", "static", "views/ui"},
	"views/admin":              {"content/languages", "models", "models/catalog", "models/prices", "static", "views/gear", "views/listing", "views/price", "views/trade", "views/ui"},
	"views/home":               {"content", "content/languages", "models", "models/prices", "models/problem", "models/search", "views/admin", "views/gear", "views/portfolio", "views/price", "views/search", "views/trade", "views/ui"},
	"views/drawing":            {"content/packed", "views/ui"},
	"views/apps":               {"content/languages", "models", "views/ui"},
	"handlers/web/bind":        {"models/fuzzy", "models/number", "models/plain", "models/problem"},
	"handlers/web/limit":       {"models/problem"},
	"handlers/web":             {"handlers/web/bind", "handlers/web/limit", "models/english", "models/problem", "static"},
	"handlers/web/openapi":     {"handlers/web", "handlers/web/bind", "models/english", "models/problem"},
	"handlers/web/mcp":         {"handlers/web", "handlers/web/bind", "handlers/web/limit", "models/problem"},
	"handlers/web/serve":       {"handlers/web", "handlers/web/bind", "handlers/web/limit", "handlers/web/mcp", "handlers/web/openapi", "models/cache", "models/english", "models/problem", "static"},
	"handlers/caller":          {"handlers/web", "handlers/web/limit", "models"},
	"handlers/input":           {"content/languages", "handlers/web", "models", "models/problem", "views/ui"},
	"handlers/codes":           {"handlers/web", "models/problem"},
	"handlers/cachetag":        {},
	"handlers/sample":          {"models"},
	"handlers/job":             {"models", "models/store", "views/admin"},
	"handlers/mailer":          {"content/languages", "models", "models/delivery", "models/store", "views/ui"},
	"handlers/settings":        {"content", "content/languages", "handlers/web", "models", "models/catalog", "models/portfolio", "models/search", "models/store", "views/ui"},
	"handlers/market":          {"handlers/job", "handlers/sample", "handlers/settings", "handlers/web", "handlers/web/bind", "models", "models/catalog", "models/delivery", "models/picture", "models/prices", "models/problem", "models/search", "models/store", "views/price", "views/search", "views/ui"},
	"handlers/photo":           {"content/languages", "handlers/caller", "handlers/codes", "handlers/input", "handlers/web", "models", "models/blob", "models/demo/drawing", "models/picture", "models/problem", "models/store", "views/drawing", "views/ui"},
	"handlers/query":           {"handlers/input", "handlers/market", "handlers/web", "handlers/web/bind", "models", "models/catalog", "models/fuzzy", "models/number", "models/problem", "models/search", "models/sentence", "models/store", "views/search", "views/ui", "views/watch"},
	"handlers/bulk":            {"handlers/codes", "handlers/job", "handlers/market", "handlers/web", "models", "models/blob", "models/catalog", "models/durable", "models/prices", "models/search", "models/store", "views/ui"},
	"handlers/listing":         {"handlers/cachetag", "handlers/caller", "handlers/input", "handlers/market", "handlers/photo", "handlers/sample", "handlers/web", "handlers/web/bind", "models", "models/catalog", "models/importer", "models/picture", "models/problem", "models/search", "models/store", "views/listing", "views/ui"},
	"handlers/search":          {"handlers/cachetag", "handlers/caller", "handlers/input", "handlers/market", "handlers/query", "handlers/web", "models", "models/catalog", "models/problem", "models/search", "views/search", "views/ui"},
	"handlers/gear":            {"handlers/cachetag", "handlers/caller", "handlers/input", "handlers/market", "handlers/photo", "handlers/web", "models", "models/catalog", "models/picture", "models/portfolio", "models/problem", "models/search", "models/store", "views/gear", "views/portfolio", "views/ui"},
	"handlers/price":           {"handlers/cachetag", "handlers/caller", "handlers/input", "handlers/market", "handlers/sample", "handlers/web", "models", "models/catalog", "models/prices", "models/problem", "models/store", "views/listing", "views/price", "views/search", "views/ui"},
	"handlers/trade":           {"handlers/caller", "handlers/input", "handlers/market", "handlers/photo", "handlers/web", "models", "models/catalog", "models/picture", "models/problem", "models/store", "views/trade", "views/ui"},
	"handlers/watch":           {"content/languages", "handlers/caller", "handlers/input", "handlers/market", "handlers/query", "handlers/sample", "handlers/web", "models", "models/catalog", "models/delivery", "models/problem", "models/search", "models/store", "views/account", "views/listing", "views/price", "views/search", "views/ui", "views/watch"},
	"handlers/account":         {"content/languages", "handlers/cachetag", "handlers/caller", "handlers/codes", "handlers/input", "handlers/mailer", "handlers/market", "handlers/query", "handlers/sample", "handlers/settings", "handlers/web", "models", "models/catalog", "models/problem", "models/search", "models/store", "views/account", "views/admin", "views/trade", "views/ui", "views/watch"},
	"handlers/oauth":           {"handlers/account", "handlers/caller", "handlers/mailer", "handlers/web", "handlers/web/bind", "models", "models/cache", "models/delivery", "models/problem", "models/store", "views/oauth", "views/ui"},
	"handlers/portfolio":       {"handlers/cachetag", "handlers/caller", "handlers/codes", "handlers/input", "handlers/market", "handlers/photo", "handlers/web", "models", "models/blob", "models/catalog", "models/fuzzy", "models/picture", "models/portfolio", "models/problem", "models/store", "views/portfolio", "views/ui"},
	"handlers/text":            {"content", "content/languages", "docs", "handlers/caller", "handlers/input", "handlers/settings", "handlers/web", "models", "models/fuzzy", "models/picture", "models/problem", "models/store", "views/account", "views/text", "views/ui"},
	"handlers/admin":           {"content/languages", "handlers/caller", "handlers/codes", "handlers/input", "handlers/job", "handlers/mailer", "handlers/market", "handlers/photo", "handlers/sample", "handlers/settings", "handlers/web", "models", "models/backup", "models/blob", "models/catalog", "models/delivery", "models/durable", "models/importer", "models/picture", "models/portfolio", "models/problem", "models/sealed", "models/search", "models/store", "views/account", "views/admin", "views/ui"},
	"handlers/home":            {"content", "handlers/admin", "handlers/cachetag", "handlers/caller", "handlers/market", "handlers/web", "models", "models/catalog", "models/portfolio", "models/problem", "models/search", "views/gear", "views/home", "views/portfolio", "views/ui"},
	"handlers/ucp":             {"handlers/market", "handlers/query", "handlers/web", "handlers/web/serve", "models", "models/problem", "models/search", "models/store", "views/ui"},
	"handlers/document":        {"content", "content/languages", "docs", "handlers/bulk", "handlers/codes", "handlers/text", "handlers/ucp", "handlers/web", "handlers/web/bind", "handlers/web/serve", "models", "models/catalog", "models/fuzzy", "models/portfolio", "models/problem", "models/search", "models/store", "static", "views/account", "views/apps", "views/gear", "views/portfolio", "views/text", "views/ui"},
	"handlers":                 {"content", "content/languages", "handlers/account", "handlers/admin", "handlers/bulk", "handlers/cachetag", "handlers/caller", "handlers/codes", "handlers/document", "handlers/gear", "handlers/home", "handlers/job", "handlers/listing", "handlers/mailer", "handlers/market", "handlers/oauth", "handlers/photo", "handlers/portfolio", "handlers/price", "handlers/query", "handlers/search", "handlers/settings", "handlers/text", "handlers/trade", "handlers/ucp", "handlers/watch", "handlers/web", "handlers/web/bind", "handlers/web/limit", "handlers/web/serve", "models", "models/blob", "models/catalog", "models/delivery", "models/durable", "models/picture", "models/portfolio", "models/prices", "models/problem", "models/sealed", "models/search", "models/sentence", "models/store", "views/account", "views/admin", "views/gear", "views/home", "views/listing", "views/portfolio", "views/price", "views/search", "views/trade", "views/ui", "views/watch"},
	"cmd/secondlight":          {"content", "content/languages", "handlers", "handlers/account", "handlers/job", "handlers/mailer", "handlers/market", "handlers/web/limit", "models", "models/backup", "models/blob", "models/catalog", "models/delivery", "models/demo", "models/durable", "models/fuzzy", "models/importer", "models/lensfun", "models/picture", "models/portfolio", "models/pricing", "models/problem", "models/search", "models/store", "views/account", "views/ui"},
}

// TestImportsRunOneWay compares the imports of each package with those that are allowed.
func TestImportsRunOneWay(t *testing.T) {
	unknown := maps.Clone(allowedImports)
	for _, p := range ourPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if strings.HasSuffix(name, "test") || strings.HasPrefix(name, "bench") || strings.HasPrefix(name, "e2e") {
			continue // helpers of tests and benchmarks may import everything
		}
		allowed, known := allowedImports[name]
		delete(unknown, name)
		if !known {
			t.Errorf("%s is not listed: add it to allowedImports with what it may import, or put the code where it belongs", name)
		}
		for _, imported := range p.Imports {
			if ours, ok := strings.CutPrefix(imported, module); ok && !slices.Contains(allowed, ours) {
				t.Errorf("%s imports %s; it may import only %v", name, ours, allowed)
			}
		}
		for _, listed := range allowed {
			if !slices.Contains(p.Imports, module+listed) {
				t.Errorf("%s does not import %s: remove it from allowedImports", name, listed)
			}
		}
	}
	for name := range unknown {
		t.Errorf("there is no package %s", name)
	}
}

// TestPackagesAreSmall counts the files of each package, and the methods of its types.
func TestPackagesAreSmall(t *testing.T) {
	files, methods := map[string]int{}, map[string]int{}
	for _, name := range handWritten(t) {
		folder := filepath.Dir(name)
		files[folder]++
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				methods[folder+"."+receiverName(f.Recv.List[0].Type)]++
			}
		}
	}
	for folder, n := range files {
		if n > maxFiles {
			t.Errorf("%s has %d files, at most %d: split the package by what its files are about", folder, n, maxFiles)
		}
	}
	for name, n := range methods {
		if n > maxMethods {
			t.Errorf("%s has %d methods, at most %d: split the type", name, n, maxMethods)
		}
	}
	if len(files) < 50 {
		t.Errorf("only %d packages", len(files))
	}
}

// handWritten returns the files of Go without tests and those that templ generates.
func handWritten(t *testing.T) (files []string) {
	t.Helper()
	for _, top := range []string{"cmd", "content", "handlers", "migrations", "models", "static", "views"} {
		err := filepath.WalkDir(root+top, func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, "_templ.go") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// receiverName returns the name of the type of a receiver.
func receiverName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverName(e.X)
	case *ast.IndexExpr:
		return receiverName(e.X)
	case *ast.IndexListExpr:
		return receiverName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
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
