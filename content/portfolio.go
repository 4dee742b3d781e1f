package content

import (
	"embed"
	"io/fs"
)

//go:embed portfolio kit.md
var portfolio embed.FS

// Portfolio returns the demonstration portfolio, a file system with
// portfolio/<project>/index.md, the photographs beside it, and kit.md.
func Portfolio() fs.FS { return portfolio }

// HTML renders Markdown that is hostile, like that of Written.
func HTML(markdown string) string {
	html, _ := renderWritten(markdown)
	return html
}
