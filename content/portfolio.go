package content

import (
	"bytes"
	"embed"
	"io/fs"
)

//go:embed portfolio kit.md
var portfolio embed.FS

// Portfolio holds the demonstration portfolio as a photographer's own folder
// would: portfolio/<project>/index.md with photographs beside it, and kit.md.
func Portfolio() fs.FS { return portfolio }

// HTML renders a text of the portfolio. HTML written in it is left out, and so
// are links that are not safe to follow.
func HTML(markdown string) (string, error) {
	var html bytes.Buffer
	err := renderer.Convert([]byte(markdown), &html)
	return html.String(), err
}
