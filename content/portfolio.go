package content

import (
	"bytes"
	"embed"
	"io/fs"
)

//go:embed portfolio kit.md
var portfolio embed.FS

// Portfolio returns the demonstration portfolio, a file system with
// portfolio/<project>/index.md, the photographs beside it, and kit.md.
func Portfolio() fs.FS { return portfolio }

// HTML renders Markdown. It omits raw HTML and unsafe links.
func HTML(markdown string) (string, error) {
	var html bytes.Buffer
	err := renderer.Convert([]byte(markdown), &html)
	return html.String(), err
}
