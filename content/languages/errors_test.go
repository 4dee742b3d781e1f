package languages

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models/english"
	"github.com/secondlight/secondlight/models/problem"
)

// errorFiles are the files with errors that people see on pages, and programFiles those
// among them with errors for programs only.
var (
	errorFiles   = []string{"../../models/*.go", "../../models/picture/*.go", "../../models/problem/*.go", "../../models/search/*.go", "../../handlers/*.go", "../../handlers/web/*.go"}
	programFiles = regexp.MustCompile(`/(agent|bulk|catalog|complete|database|documents|dump|event\w*|fit|health\w*|idempotency\w*|headers|listener|mcp\w*|oauth_client|oauth_register|oauth_token|offers|op|portfolio|primitives|registry|openapi|postgres|prompts|respond|schema\w*|sqlite|stream\w*|tools|vocabulary)\.go$`)
)

// errorNames are the fields and variables that hold texts of errors, errorFuncs the
// indexes of such texts among the arguments of functions, and errorResults the functions
// that return them.
var (
	errorNames   = []string{"Message", "Hint", "Reason", "Meaning", "Repair", "Known", "message", "hint", "reason"}
	errorFuncs   = map[string][]int{"refuse": {1, 2}, "add": {1}, "Add": {1, 2}, "AddCode": {2, 3}, "invalidField": {2}, "InvalidField": {1, 2}, "Refuse": {0, 1}, "rejectf": {1, 2}, "Errorf": {0}, "New": {0}, "newNames": {1}, "require": {2}, "saleNotWaiting": {0}}
	errorResults = []string{"Error", "Hint", "suggestion"}
)

// errorTexts returns the sentences of errors that people see, and the formats they are
// made of.
func errorTexts(t *testing.T) map[text]string {
	t.Helper()
	found := map[text]string{}
	for _, pattern := range errorFiles {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		set := token.NewFileSet()
		consts := map[string]string{}
		var parsed []*ast.File
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(set, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			collectConstants(file, consts)
			if !programFiles.MatchString(name) {
				parsed = append(parsed, file)
			}
		}
		for _, file := range parsed {
			ast.Inspect(file, func(n ast.Node) bool {
				if title := titleOf(n); title != "" && !problem.Technical(title) {
					found[text{meaning: meaningError, one: title}] = set.Position(n.Pos()).String()
				}
				for _, part := range errorParts(n, consts) {
					found[text{meaning: meaningError, one: part}] = set.Position(n.Pos()).String()
				}
				for _, e := range errorExpressions(n) {
					format, _ := formatOf(e, consts)
					if parsers.MatchString(set.Position(n.Pos()).Filename) {
						format = english.Sentence(format)
					}
					for _, sentence := range problem.Sentences(format) {
						if isErrorText(sentence) {
							found[text{meaning: meaningError, one: sentence}] = set.Position(n.Pos()).String()
						}
					}
				}
				return true
			})
		}
	}
	return found
}

// parsers are the files with functions that parse values of fields; their errors become
// sentences.
var parsers = regexp.MustCompile(`/models/(amount|csv|money|optics|postage)\.go$|/handlers/tokens\.go$|/web/(bind|body)\.go$`)

var isSentence = regexp.MustCompile(`^(\p{Lu}|%|").* .*[.?!…]$`)

// developerText matches errors in the code of the site.
var developerText = regexp.MustCompile(`jsonschema|is not a struct|cannot be read from a request|idempotency key must|boundary|^Send an object`)

// isErrorText reports whether people see a sentence of an error.
func isErrorText(sentence string) bool {
	return isSentence.MatchString(sentence) && readable.MatchString(formatVerb.ReplaceAllString(sentence, "")) &&
		!problem.Technical(sentence) && !developerText.MatchString(sentence)
}

// titleOf returns the title of an error code, or "" for another node.
func titleOf(n ast.Node) (title string) {
	code, ok := n.(*ast.CompositeLit)
	if !ok {
		return ""
	}
	repair := false
	for _, e := range code.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && key.Name == "Title" {
				title, _ = constant(pair.Value)
			} else if ok && key.Name == "Repair" {
				repair = true
			}
		}
	}
	if !repair {
		return ""
	}
	return title
}

// collectConstants adds the string constants of a file.
func collectConstants(file *ast.File, consts map[string]string) {
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Names) == len(spec.Values) {
			for i, value := range spec.Values {
				if s, ok := constant(value); ok {
					consts[spec.Names[i].Name] = s
				}
			}
		}
		return true
	})
}

// errorExpressions returns the expressions in a node that may be texts of errors.
func errorExpressions(n ast.Node) (all []ast.Expr) {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && slices.Contains(errorNames, key.Name) {
			all = append(all, n.Value)
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if slices.Contains(errorNames, nameOf(left)) && i < len(n.Rhs) {
				all = append(all, n.Rhs[i])
			}
		}
	case *ast.FuncDecl:
		if slices.Contains(errorResults, n.Name.Name) {
			all = resultsOf(n)
		}
	case *ast.CallExpr:
		for _, i := range errorFuncs[nameOf(n.Fun)] {
			if i < len(n.Args) {
				all = append(all, n.Args[i])
			}
		}
	}
	return all
}

// errorParts returns the formats of parts of sentences that a function returns.
func errorParts(n ast.Node, consts map[string]string) (all []string) {
	if f, ok := n.(*ast.FuncDecl); ok && f.Name.Name == "secondsText" {
		for _, e := range resultsOf(f) {
			if format, ok := formatOf(e, consts); ok {
				all = append(all, format)
			}
		}
	}
	return all
}

// resultsOf returns what a function returns.
func resultsOf(f *ast.FuncDecl) (all []ast.Expr) {
	ast.Inspect(f, func(n ast.Node) bool {
		if result, ok := n.(*ast.ReturnStmt); ok {
			all = append(all, result.Results...)
		}
		return true
	})
	return all
}

// formatOf returns the format that a string expression is made of.
func formatOf(e ast.Expr, consts map[string]string) (format string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit, *ast.ParenExpr:
		return constant(e)
	case *ast.Ident:
		format, ok = consts[e.Name]
		return format, ok
	case *ast.BinaryExpr:
		x, ok1 := formatOf(e.X, consts)
		y, ok2 := formatOf(e.Y, consts)
		if !ok1 {
			x = "%s"
		}
		if !ok2 {
			y = "%s"
		}
		return x + y, ok1 || ok2
	case *ast.CallExpr:
		if fun, ok := e.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Sprintf", "TrimSpace", "Sentence"}, fun.Sel.Name) {
			return formatOf(e.Args[0], consts)
		}
	}
	return "", false
}
