package content

import (
	"fmt"
	"reflect"
	"strings"
	"text/template/parse"
)

// expand returns the text that a template makes of facts. Templates are written as for
// package text/template, with the fields of Facts, if, with, else, and, or, not, eq and ne.
// The package itself would make the linker keep every exported method in the program.
func expand(name, source string, facts Facts) (string, error) {
	trees, err := parse.Parse(name, source, "", "", templateFunctions)
	if err != nil {
		return "", err
	}
	tree := trees[name]
	if tree == nil { // the template is empty
		return "", nil
	}
	e := expansion{tree: tree, facts: reflect.ValueOf(facts)}
	err = e.node(facts, tree.Root)
	return e.text.String(), err
}

// templateFunctions are what templates may call. Their arguments and results are strings and
// bools.
var templateFunctions = map[string]any{
	"and": func(args []any) any { return args[until(args, false)] },
	"or":  func(args []any) any { return args[until(args, true)] },
	"not": func(args []any) any { return !truth(args[0]) },
	"eq":  func(args []any) any { return equal(args) },
	"ne":  func(args []any) any { return !equal(args) },
}

// until returns the index of the first argument with a truth, or else of the last.
func until(args []any, want bool) int {
	for i, arg := range args {
		if truth(arg) == want {
			return i
		}
	}
	return len(args) - 1
}

// equal reports whether the first argument is one of the others.
func equal(args []any) bool {
	for _, arg := range args[1:] {
		if arg == args[0] {
			return true
		}
	}
	return false
}

// truth reports whether a value is true or a string that isn't empty.
func truth(value any) bool { return value != "" && value != false }

// expansion writes the text of a template.
type expansion struct {
	tree  *parse.Tree
	facts reflect.Value
	text  strings.Builder
}

// node writes the text of a part of the template. dot is what {{.}} stands for.
func (e *expansion) node(dot any, node parse.Node) error {
	switch n := node.(type) {
	case *parse.ListNode:
		if n == nil { // there is no else
			return nil
		}
		for _, part := range n.Nodes {
			if err := e.node(dot, part); err != nil {
				return err
			}
		}
		return nil
	case *parse.TextNode:
		e.text.Write(n.Text)
		return nil
	case *parse.ActionNode:
		value, err := e.value(dot, n.Pipe)
		fmt.Fprint(&e.text, value)
		return err
	case *parse.IfNode:
		return e.branch(dot, &n.BranchNode, false)
	case *parse.WithNode:
		return e.branch(dot, &n.BranchNode, true)
	}
	return e.unsupported(node)
}

// branch writes one of the two texts of a condition. with makes {{.}} the value of the
// condition.
func (e *expansion) branch(dot any, n *parse.BranchNode, with bool) error {
	value, err := e.value(dot, n.Pipe)
	switch {
	case err != nil:
		return err
	case !truth(value):
		return e.node(dot, n.ElseList)
	case with:
		dot = value
	}
	return e.node(dot, n.List)
}

// value returns what an expression stands for.
func (e *expansion) value(dot any, node parse.Node) (any, error) {
	switch n := node.(type) {
	case *parse.PipeNode:
		if len(n.Decl) == 0 && len(n.Cmds) == 1 {
			return e.call(dot, n.Cmds[0])
		}
	case *parse.DotNode:
		if _, all := dot.(Facts); !all {
			return dot, nil
		}
	case *parse.FieldNode:
		if _, all := dot.(Facts); all && len(n.Ident) == 1 {
			return e.field(n, n.Ident[0])
		}
	case *parse.VariableNode:
		if len(n.Ident) == 2 && n.Ident[0] == "$" {
			return e.field(n, n.Ident[1])
		}
	case *parse.StringNode:
		return n.Text, nil
	case *parse.BoolNode:
		return n.True, nil
	}
	return nil, e.unsupported(node)
}

// call returns the value of a function, or of an expression without one.
func (e *expansion) call(dot any, command *parse.CommandNode) (any, error) {
	function, ok := command.Args[0].(*parse.IdentifierNode)
	if !ok && len(command.Args) == 1 {
		return e.value(dot, command.Args[0])
	}
	if !ok || len(command.Args) == 1 || (len(command.Args) > 2) == (function.Ident == "not") {
		return nil, e.unsupported(command)
	}
	args := make([]any, 0, len(command.Args)-1)
	for _, arg := range command.Args[1:] {
		value, err := e.value(dot, arg)
		if err != nil {
			return nil, err
		}
		args = append(args, value)
	}
	return templateFunctions[function.Ident].(func([]any) any)(args), nil
}

// field returns a field of the facts.
func (e *expansion) field(node parse.Node, name string) (any, error) {
	if field := e.facts.FieldByName(name); field.IsValid() {
		return field.Interface(), nil
	}
	return nil, e.unsupported(node)
}

// unsupported returns an error that names a part of the template.
func (e *expansion) unsupported(node parse.Node) error {
	location, context := e.tree.ErrorContext(node)
	return fmt.Errorf("template: %s: can't use {{%s}}", location, context)
}

// Facts are what pages about the site say of its owner. Pages are templates, whose
// fields these are: see expand.
type Facts struct {
	Site    string // name of the site
	Owner   string // who runs it
	Address string // postal address of the owner, "" if unknown
	Email   string // public email address of the owner, "" if unknown
	URL     string // of the site, without a trailing slash

	Fees, Shipping string // notes of the owner, "" for none

	Demo bool // the site shows demonstration data
}
