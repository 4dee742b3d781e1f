package languages

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// meaningError is the meaning of the formats of errors.
const meaningError = "error"

// errorFile is a file of the packages that make errors.
type errorFile struct {
	folder    string
	parsed    *ast.File
	local     map[string][]int // function literals by name, with the indexes of formats
	forwarded map[string]bool  // parameters of type problem.Format
}

// errorCode finds the texts of errors: the formats that functions with a parameter of
// type problem.Format are called with.
type errorCode struct {
	set       *token.FileSet
	files     []errorFile
	functions map[string][]int  // by package or folder and name; the indexes of formats
	constants map[string]string // by name
}

// readErrorCode parses the packages below models and handlers.
func readErrorCode(t *testing.T) *errorCode {
	t.Helper()
	code := &errorCode{set: token.NewFileSet(), functions: map[string][]int{}, constants: map[string]string{}}
	for _, root := range []string{"../../models", "../../handlers"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			parsed, err := parser.ParseFile(code.set, path, nil, 0)
			if err == nil {
				code.add(path, parsed)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return code
}

// add adds a file, with its constants and its functions that take a format.
func (code *errorCode) add(path string, parsed *ast.File) {
	f := errorFile{filepath.Dir(path), parsed, map[string][]int{}, map[string]bool{}}
	own := parsed.Name.Name == "problem"
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if found := formatsOf(n.Type, own); len(found) > 0 {
				code.functions[scope(&f, n.Name.Name)] = slices.Sorted(maps.Keys(found))
				if n.Recv != nil && n.Name.IsExported() {
					code.functions[anyReceiver+n.Name.Name] = slices.Sorted(maps.Keys(found))
				}
			}
		case *ast.AssignStmt:
			if function, ok := n.Rhs[0].(*ast.FuncLit); ok {
				if found := formatsOf(function.Type, own); len(found) > 0 {
					f.local[nameOf(n.Lhs[0])] = slices.Sorted(maps.Keys(found))
				}
			}
		case *ast.FuncType:
			for _, name := range formatsOf(n, own) {
				f.forwarded[name] = true
			}
		case *ast.ValueSpec:
			for i := range min(len(n.Names), len(n.Values)) {
				if s, ok := constant(n.Values[i]); ok {
					code.constants[n.Names[i].Name] = s
				}
			}
		}
		return true
	})
	code.files = append(code.files, f)
}

// anyReceiver stands for the package of exported methods, which may be called in others.
const anyReceiver = "."

// scope returns the name of a function among those of all packages.
func scope(f *errorFile, name string) string {
	if ast.IsExported(name) {
		return f.parsed.Name.Name + "." + name
	}
	return f.folder + "." + name
}

// formatsOf returns the parameters of type problem.Format by index, with their names.
func formatsOf(f *ast.FuncType, own bool) map[int]string {
	found := map[int]string{}
	index := 0
	for _, p := range f.Params.List {
		for _, name := range p.Names {
			if isFormat(p.Type, own) {
				found[index] = name.Name
			}
			index++
		}
	}
	return found
}

// isFormat reports whether a type is problem.Format. Own is whether it stands in package
// problem.
func isFormat(e ast.Expr, own bool) bool {
	if selector, ok := e.(*ast.SelectorExpr); ok {
		return nameOf(selector.X) == "problem" && selector.Sel.Name == "Format"
	}
	return own && nameOf(e) == "Format"
}

// errorText is a text of an error, with the call that it is an argument of.
type errorText struct {
	format string
	call   *ast.CallExpr
	index  int  // of the format among the arguments
	last   bool // it is the last format, which the rest are the arguments of
}

// texts returns the formats of errors. It fails the test for those that aren't constants.
func (code *errorCode) texts(t *testing.T) (all []errorText) {
	t.Helper()
	for i := range code.files {
		f := &code.files[i]
		ast.Inspect(f.parsed, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				indexes := code.formatsAt(f, call)
				for i, index := range indexes {
					if format, known := code.constant(call.Args[index]); known {
						all = append(all, errorText{format, call, index, i == len(indexes)-1})
					} else if !f.forwarded[nameOf(call.Args[index])] {
						t.Errorf("%s: the format of an error is not a constant", code.set.Position(call.Pos()))
					}
				}
			}
			return true
		})
	}
	return all
}

// formatsAt returns the indexes of formats among the arguments of a call.
func (code *errorCode) formatsAt(f *errorFile, call *ast.CallExpr) []int {
	var indexes []int
	switch function := call.Fun.(type) {
	case *ast.Ident:
		if indexes = f.local[function.Name]; indexes == nil {
			indexes = code.functions[scope(f, function.Name)]
		}
	case *ast.SelectorExpr:
		if indexes = code.functions[nameOf(function.X)+"."+function.Sel.Name]; indexes == nil {
			indexes = code.functions[scope(f, function.Sel.Name)]
		}
		if indexes == nil {
			indexes = code.functions[anyReceiver+function.Sel.Name]
		}
	}
	if len(indexes) > 0 && indexes[len(indexes)-1] >= len(call.Args) {
		return nil // another function of the name
	}
	return indexes
}

// constant returns the value of a string constant.
func (code *errorCode) constant(e ast.Expr) (string, bool) {
	if s, ok := constant(e); ok {
		return s, true
	}
	s, ok := code.constants[nameOf(e)]
	return s, ok
}

// errorTexts returns the texts of errors that people see, with where they are.
func errorTexts(t *testing.T) map[text]string {
	t.Helper()
	code := readErrorCode(t)
	found := map[text]string{}
	for _, e := range code.texts(t) {
		if readable.MatchString(verb.ReplaceAllString(e.format, "")) {
			found[text{meaning: meaningError, one: e.format}] = code.set.Position(e.call.Pos()).String()
		}
	}
	return found
}

func TestErrorsTakeTheirArguments(t *testing.T) {
	code := readErrorCode(t)
	all := code.texts(t)
	if len(all) < 500 {
		t.Errorf("found %d texts", len(all))
	}
	for _, e := range all {
		given, want := len(e.call.Args)-e.index-1, len(arguments(e.format))
		if !e.last {
			given = 0
		}
		if given != want && !e.call.Ellipsis.IsValid() {
			t.Errorf("%s: %q takes %d arguments, not %d", code.set.Position(e.call.Pos()), e.format, want, given)
		}
	}
}
