package content

import (
	"embed"
	"io/fs"
)

//go:embed themes
var themes embed.FS

// Themes returns the folders of the themes that every site has, by name.
func Themes() fs.FS {
	sub, err := fs.Sub(themes, "themes")
	if err != nil {
		panic(err) // the name is constant
	}
	return sub
}
