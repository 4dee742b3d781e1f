// Package content carries the data and texts that are part of the site: the
// catalogue of gear.
package content

import (
	"embed"
	"io/fs"
)

//go:embed catalog/*.csv
var catalog embed.FS

// Catalog holds lensfun.csv, additions.csv and aliases.csv; their columns,
// credit and licence are described in catalog/README.md.
func Catalog() fs.FS {
	sub, err := fs.Sub(catalog, "catalog")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return sub
}
