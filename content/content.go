// Package content embeds the site's data and texts: the catalogue of gear, guides,
// journal, agent skills and the demonstration portfolio.
package content

import (
	"io/fs"

	"github.com/secondlight/secondlight/content/packed"
)

// files has the folders of this package that are packed: catalog, guides, journal, lexers, pages,
// skills and themes.
var files = packed.Folder("content")

// Catalog returns a file system with lensfun.csv, additions.csv and aliases.csv.
// catalog/README.md describes their columns, sources and licence.
func Catalog() fs.FS { return packed.Folder("content/catalog") }
