package main

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"
)

// usageWidth is the width of the help, in characters.
const usageWidth = 80

// writeUsage writes the help of a command or group.
func (n *node) writeUsage(w io.Writer) {
	fmt.Fprintf(w, "Usage: %s\n\n%s", n.usage(), wrap(n.help, usageWidth))
	if h, ok := n.target.Addr().Interface().(interface{ Help() string }); ok {
		for paragraph := range strings.SplitSeq(strings.Trim(h.Help(), "\n"), "\n\n") {
			fmt.Fprintf(w, "\n%s", wrapParagraph(paragraph))
		}
	}
	if len(n.args) > 0 {
		fmt.Fprint(w, "\nArguments:\n")
		writeRows(w, n.argRows())
	}
	fmt.Fprint(w, "\nFlags:\n")
	writeRows(w, n.flagRows())
	if len(n.commands) > 0 {
		fmt.Fprint(w, "\nCommands:\n")
		writeRows(w, n.commandRows())
	}
	if n.path == "" {
		fmt.Fprint(w, "\nRun \"secondlight <command> --help\" for more information on a command.\n")
	}
}

// argRows returns the arguments with what they are.
func (n *node) argRows() (rows [][2]string) {
	for i := range n.args {
		rows = append(rows, [2]string{n.args[i].shown(), n.args[i].tag.Get("help")})
	}
	return rows
}

// flagRows returns the flags with what they are, those of every command first.
func (n *node) flagRows() [][2]string {
	rows := [][2]string{{"-h, --help", "Show context-sensitive help."}, {"    --version", "Print the version."},
		{"    --env-file=STRING", "File with settings, in the format of systemd; that of the package for its program."}}
	if len(n.flags) > 0 {
		rows = append(rows, [2]string{})
	}
	for i := range n.flags {
		p := &n.flags[i]
		name := "    " + p.flag()
		if short := p.tag.Get("short"); short != "" {
			name = "-" + short + ", " + p.flag()
		}
		rows = append(rows, [2]string{name, p.tag.Get("help")})
	}
	return rows
}

// usage returns the line with the required flags and the arguments.
func (n *node) usage() string {
	words := strings.Fields("secondlight " + n.path)
	if len(n.commands) > 0 {
		words = append(words, "<command>")
	}
	for i := range n.args {
		words = append(words, n.args[i].shown())
	}
	for i := range n.flags {
		if n.flags[i].has("required") {
			words = append(words, n.flags[i].flag())
		}
	}
	return strings.Join(append(words, "[flags]"), " ")
}

// commandRows returns the commands with what they do.
func (n *node) commandRows() (rows [][2]string) {
	for _, sub := range n.commands {
		if len(sub.commands) > 0 {
			rows = append(rows, sub.commandRows()...)
		} else {
			rows = append(rows, [2]string{sub.path, sub.help})
		}
	}
	return rows
}

// shown returns an argument as in the help: <file>, or [<file>] if it is optional. That of a
// flag is its name.
func (p *parameter) shown() string {
	switch {
	case !p.has("arg"):
		return "--" + p.name
	case p.has("optional"):
		return "[<" + p.name + ">]"
	}
	return "<" + p.name + ">"
}

// flag returns a flag with the value that it takes.
func (p *parameter) flag() string {
	value := p.tag.Get("placeholder")
	kind := p.value.Kind()
	switch {
	case kind == reflect.Bool:
		return "--" + p.name
	case value == "" && p.has("default") && kind == reflect.String:
		value = fmt.Sprintf("%q", p.tag.Get("default"))
	case value == "" && p.has("default"):
		value = p.tag.Get("default")
	case value == "" && kind == reflect.Slice:
		value = strings.ToUpper(p.name)
	case value == "":
		value = strings.ToUpper(p.value.Type().Name())
	}
	if kind == reflect.Slice {
		value += ",..."
	}
	return "--" + p.name + "=" + value
}

// writeRows writes names and texts in two columns.
func writeRows(w io.Writer, rows [][2]string) {
	const maxColumn = 26
	column := 0
	for _, row := range rows {
		if n := utf8.RuneCountInString(row[0]); n <= maxColumn {
			column = max(column, n)
		}
	}
	for _, row := range rows {
		if row[0] == "" {
			fmt.Fprintln(w)
			continue
		}
		indent := strings.Repeat(" ", column+6)
		text := strings.TrimRight(strings.ReplaceAll(wrap(row[1], usageWidth-len(indent)), "\n", "\n"+indent), " ")
		if utf8.RuneCountInString(row[0]) > column {
			fmt.Fprintf(w, "  %s\n%s%s", row[0], indent, text)
		} else {
			fmt.Fprintf(w, "  %-*s    %s", column, row[0], text)
		}
	}
}

// wrapParagraph wraps a paragraph, unless it is indented.
func wrapParagraph(text string) string {
	if !strings.HasPrefix(text, " ") {
		return wrap(text, usageWidth)
	}
	return "    " + strings.ReplaceAll(strings.TrimLeft(text, " "), "\n  ", "\n    ") + "\n"
}

// wrap breaks a text into lines of a width in characters.
func wrap(text string, width int) string {
	var b strings.Builder
	length := 0
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case length == 0:
		case length+1+n > width:
			b.WriteByte('\n')
			length = 0
		default:
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += n
	}
	return b.String() + "\n"
}
