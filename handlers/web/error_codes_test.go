package web

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestErrorCodesAreDocumented tests that every code of an error that this package and those
// in its folder return is among the common codes.
func TestErrorCodesAreDocumented(t *testing.T) {
	known := newErrorCatalogue(nil)
	checked := map[string]bool{}
	check := func(at token.Position, e ast.Expr) {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return
		}
		code, _ := strconv.Unquote(lit.Value)
		checked[filepath.Dir(at.Filename)] = true
		if _, ok := known.Lookup(code); !ok && code != "corrected" { // which warns
			t.Errorf("%s: the code %q is not documented", at, code)
		}
	}
	files := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Code" {
					check(files.Position(n.Pos()), n.Value)
				}
			case *ast.CallExpr:
				called, position := "", 0
				switch f := n.Fun.(type) {
				case *ast.Ident:
					called = f.Name
				case *ast.SelectorExpr:
					called = f.Sel.Name
				}
				if called == "AddCode" {
					position = 1
				}
				if (called == "AddCode" || called == "NewError") && len(n.Args) > position {
					check(files.Position(n.Pos()), n.Args[position])
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{".", "bind", "mcp", "serve"} {
		if !checked[dir] {
			t.Errorf("no code of package %s was checked", dir)
		}
	}
}
