package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestHelpOfEveryCommand checks that each command can be run and has help of 80 characters a
// line, except for examples, that names its arguments and flags.
func TestHelpOfEveryCommand(t *testing.T) {
	var check func(*node)
	check = func(n *node) {
		var out strings.Builder
		chosen, err := commandLine().parse(append(strings.Fields(n.path), "--help"))
		if !errors.Is(err, pflag.ErrHelp) || chosen.path != n.path {
			t.Fatalf("%s --help: %v", n.path, err)
		}
		chosen.writeUsage(&out)
		for line := range strings.Lines(out.String()) {
			if len([]rune(line)) > usageWidth+1 && !strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "Usage") {
				t.Errorf("%s --help: %q", n.path, line)
			}
		}
		for _, p := range slices.Concat(n.args, n.flags) {
			if p.tag.Get("help") == "" || !strings.Contains(out.String(), p.shown()) {
				t.Errorf("%s --help lacks %s:\n%s", n.path, p.name, &out)
			}
		}
		if _, ok := n.target.Addr().Interface().(runner); ok == (len(n.commands) > 0) {
			t.Errorf("%q has commands and Run, or neither", n.path)
		}
		for _, sub := range n.commands {
			check(sub)
		}
	}
	check(commandLine())
}

// updateCommands writes docs/reference/commands.md.
var updateCommands = flag.Bool("update", false, "write the reference of commands")

const commandsFile = "docs/reference/commands.md"

// TestCommandsAreDocumented compares the reference of commands with the help of the program.
func TestCommandsAreDocumented(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Commands

What every command of the program does, with its arguments and flags, as its help prints it.

**For:** people who run a site. **You need:** [the program](../../README.md#install-it). **Takes:** a minute to look one up.

Every command acts on the site of its [settings](settings.md): the same ` + "`DATA_DIR` or `DATABASE_URL`" + ` as the server. Only
` + "`serve` and `setup`" + ` make a new database. All commands take ` + "`--help`, `--version` and `--env-file=FILE`" + `, a file with settings; the exit status is 0, 1 if
the command failed, and 2 if it was called wrongly.
`)
	var add func(*node)
	add = func(n *node) {
		for _, sub := range n.commands {
			add(sub)
		}
		if len(n.commands) > 0 {
			return
		}
		var help strings.Builder
		n.writeUsage(&help)
		before, flags, _ := strings.Cut(help.String(), "\nFlags:\n")
		before, _, _ = strings.Cut(before, "\nSettings are environment variables") // of serve, on a page of their own
		if _, own, ok := strings.Cut(flags, "\n\n"); ok {                          // after those of every command
			before += "\nFlags:\n" + own
		}
		fmt.Fprintf(&b, "\n## %s\n\n```\n%s```\n", n.path, before)
	}
	add(commandLine())
	if *updateCommands {
		mustDo(t, os.WriteFile(root+commandsFile, []byte(b.String()), 0o644))
	}
	if readRoot(t, commandsFile) != b.String() {
		t.Errorf("%s differs from the help of the program: go test ./cmd/secondlight -run TestCommandsAreDocumented -update", commandsFile)
	}
}

// TestParse checks command lines and their errors.
func TestParse(t *testing.T) {
	for _, c := range []struct{ line, path, says string }{
		{"", "serve", ""},
		{"--version", "serve", errVersion.Error()},
		{"deliveries", "deliveries status", ""},
		{"deliveries --discard", "deliveries status", "--discard"},
		{"import", "import", `expected one of "listings", "sales", "photos"`},
		{"member creat", "member", `unexpected argument creat, did you mean "create"?`},
		{"member create --handle x", "member create", "missing flags: --email=STRING, --password-stdin"},
		{"member suspend jane --reason=spam --operator ada", "member suspend", ""},
		{"member suspend jane", "member suspend", "missing flags: --reason=STRING"},
		{"import listings", "import listings", `expected "<file>"`},
		{"version extra", "version", "unexpected argument extra"},
		{"backup --keep 3 a.zip --recipient a,b --recipient c", "backup", ""},
		{"backup -- -a.zip", "backup", ""},
		{"catalog check .", "catalog check", ""},
		{"catalog unclear", "catalog unclear", ""},
		{"catalog assign", "catalog assign", ""},
		{"catalog lensfun . -o -", "catalog lensfun", ""},
		{"prices fit --months x", "prices fit", "--months"},
		{"token create --handle a --scope", "token create", "--scope"},
	} {
		n, err := commandLine().parse(strings.Fields(c.line))
		if n.path != c.path || c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %s, %v", c.line, n.path, err)
		}
	}
	n, _ := commandLine().parse(strings.Fields("backup --keep 3 a.zip --recipient a,b --recipient c --every 5s"))
	got := n.target.Addr().Interface().(*backupCommand)
	if got.Target != "a.zip" || got.Keep != 3 || !slices.Equal(got.Recipient, []string{"a", "b", "c"}) || got.Every.String() != "5s" {
		t.Errorf("%+v", got)
	}
	if err := n.openPaths(); err != nil || !filepath.IsAbs(got.Target) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, line := range []string{"import listings /nowhere", "import listings .", "catalog lensfun main.go", "restore /nowhere", "restore . --identity ."} {
		n, err := commandLine().parse(strings.Fields(line))
		if err != nil || n.openPaths() == nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}
