package content

import (
	"io/fs"

	"github.com/secondlight/secondlight/content/packed"
)

// Themes returns the folders of the themes that every site has, by name.
func Themes() fs.FS { return packed.Folder("content/themes") }
