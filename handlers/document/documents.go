package document

import (
	"fmt"
	"strings"
)

// Documents serves the documents that describe the site to programs.
type Documents struct{ Deps }

// plain builds a plain-text document.
type plain struct {
	strings.Builder
	base string
}

// line writes a formatted line.
func (p *plain) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// section writes a heading.
func (p *plain) section(name string) { p.line("\n## %s\n", name) }

// address writes a name and the absolute URL of a path.
func (p *plain) address(name, path string) { p.line("%s: %s%s", name, p.base, path) }
