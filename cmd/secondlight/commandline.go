package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/secondlight/secondlight/models/fuzzy"
)

// node is a command, which has a Run method, or a group of commands. Both are structs. Their
// fields have tags:
//
//	cmd:""           a command or group, named after the field
//	arg:""           an argument; optional:"" if it can be omitted
//	name, short      the name of a flag, of several letters and of one
//	help             what it is, on one line
//	required:""      the flag must be given
//	default          the value of a flag, or default:"1" of the command of a group without one
//	placeholder      what the help shows for a value
//	type             path, existingfile, existingdir or existingpath
//
// A command with a Help method says more about itself.
type node struct {
	path     string // "member create", "" for the program
	help     string
	target   reflect.Value // of a struct
	commands []*node
	initial  *node // of commands, or nil
	args     []parameter
	flags    []parameter
	envFile  string // that the command line names
}

// parameter is a flag or an argument.
type parameter struct {
	name  string
	tag   reflect.StructTag
	value reflect.Value
}

// runner is a command.
type runner interface{ Run(*console) error }

// newNode returns the node of a struct.
func newNode(path, help string, target reflect.Value) *node {
	n := &node{path: path, help: help, target: target}
	n.addFields(target)
	return n
}

// addFields adds the fields of a struct, and those of the structs embedded in it.
func (n *node) addFields(target reflect.Value) {
	for i := range target.NumField() {
		field := target.Type().Field(i)
		p := parameter{cmp.Or(field.Tag.Get("name"), kebab(field.Name)), field.Tag, target.Field(i)}
		switch {
		case field.Anonymous:
			n.addFields(p.value)
		case p.has("cmd"):
			n.addCommand(&p)
		case p.has("arg"):
			n.args = append(n.args, p)
		default:
			n.flags = append(n.flags, p)
		}
	}
}

// addCommand adds the command or group of a field.
func (n *node) addCommand(p *parameter) {
	sub := newNode(strings.TrimSpace(n.path+" "+p.name), p.tag.Get("help"), p.value)
	n.commands = append(n.commands, sub)
	if p.has("default") {
		n.initial = sub
	}
}

// kebab returns the name of a field as written on the command line: PasswordStdin is
// password-stdin.
func kebab(field string) string {
	var b strings.Builder
	for i, r := range field {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte('-')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

// has reports whether the parameter has a tag.
func (p *parameter) has(tag string) bool {
	_, ok := p.tag.Lookup(tag)
	return ok
}

// name returns the last word of the path.
func (n *node) name() string { return n.path[strings.LastIndexByte(n.path, ' ')+1:] }

// errVersion is the error of parse if the version was asked for.
var errVersion = errors.New("version requested")

// parse reads a command line into the struct of the command that it names, and returns that.
// The error is pflag.ErrHelp, with the command or group, errVersion, or a wrong usage.
func (n *node) parse(args []string) (*node, error) {
	if len(n.commands) == 0 {
		return n, n.parseFlags(args)
	}
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		for _, sub := range n.commands {
			if sub.name() == args[0] {
				return sub.parse(args[1:])
			}
		}
		return n, n.unexpected(args[0])
	}
	if n.initial != nil && !slices.ContainsFunc(args, func(arg string) bool { return arg == "-h" || arg == "--help" }) {
		return n.initial.parse(args)
	}
	if err := n.parseFlags(args); err != nil {
		return n, err
	}
	return n, fmt.Errorf("expected one of %s", strings.Join(n.names(strconv.Quote), ", "))
}

// names returns the names of the commands.
func (n *node) names(format func(string) string) (names []string) {
	for _, sub := range n.commands {
		names = append(names, format(sub.name()))
	}
	return names
}

// unexpected returns the error of an argument that is no command.
func (n *node) unexpected(arg string) error {
	near := fuzzy.NearestName(arg, n.names(strings.Clone))
	if near == "" {
		return fmt.Errorf("unexpected argument %s", arg)
	}
	return fmt.Errorf("unexpected argument %s, did you mean %q?", arg, near)
}

// parseFlags reads flags and arguments.
func (n *node) parseFlags(args []string) error {
	set := pflag.NewFlagSet(n.path, pflag.ContinueOnError)
	set.Usage = func() {}
	for i := range n.flags {
		n.flags[i].define(set)
	}
	version := set.Bool("version", false, "")
	set.StringVar(&n.envFile, "env-file", "", "")
	if err := set.Parse(args); err != nil {
		return err
	}
	if *version {
		return errVersion
	}
	if len(n.commands) > 0 {
		return nil
	}
	return errors.Join(n.takeArgs(set.Args()), n.checkRequired(set))
}

// define adds a flag to a set.
func (p *parameter) define(set *pflag.FlagSet) {
	short, value := p.tag.Get("short"), p.tag.Get("default")
	switch target := p.value.Addr().Interface().(type) {
	case *string:
		set.StringVarP(target, p.name, short, value, "")
	case *bool:
		set.BoolVarP(target, p.name, short, false, "")
	case *[]string:
		set.StringSliceVarP(target, p.name, short, nil, "")
	case *int:
		number, _ := strconv.Atoi(value)
		set.IntVarP(target, p.name, short, number, "")
	case *time.Duration:
		set.DurationVarP(target, p.name, short, 0, "")
	default:
		panic("the flag " + p.name + " has no type that can be read")
	}
}

// takeArgs sets the arguments, which are strings.
func (n *node) takeArgs(args []string) error {
	for i := range n.args {
		if i < len(args) {
			n.args[i].value.SetString(args[i])
		} else if !n.args[i].has("optional") {
			return fmt.Errorf("expected %q", n.args[i].shown())
		}
	}
	if len(args) > len(n.args) {
		return fmt.Errorf("unexpected argument %s", args[len(n.args)])
	}
	return nil
}

// checkRequired returns an error that names the required flags that were not given.
func (n *node) checkRequired(set *pflag.FlagSet) error {
	var missing []string
	for i := range n.flags {
		if p := &n.flags[i]; p.has("required") && !set.Changed(p.name) {
			missing = append(missing, p.flag())
		}
	}
	if missing != nil {
		return fmt.Errorf("missing flags: %s", strings.Join(missing, ", "))
	}
	return nil
}

// openPaths makes the paths among the parameters absolute, and checks those that must exist.
func (n *node) openPaths() error {
	for _, p := range slices.Concat(n.args, n.flags) {
		kind := p.tag.Get("type")
		if kind == "" || p.value.String() == "" || p.value.String() == "-" {
			continue
		}
		path, err := absolute(p.value.String())
		if err == nil && kind != "path" {
			err = checkPath(path, kind)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.shown(), err)
		}
		p.value.SetString(path)
	}
	return nil
}

// absolute returns an absolute path, in which ~ is the home directory.
func absolute(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		return filepath.Join(home, rest), nil
	}
	return filepath.Abs(path)
}

// checkPath checks that a path exists and is what a kind says.
func checkPath(path, kind string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case kind == "existingfile" && info.IsDir():
		return &fs.PathError{Op: "open", Path: path, Err: errors.New("is a directory")}
	case kind == "existingdir" && !info.IsDir():
		return &fs.PathError{Op: "open", Path: path, Err: errors.New("not a directory")}
	}
	return nil
}
