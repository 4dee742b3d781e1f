package handlers

import (
	"sync"

	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
	searchviews "github.com/secondlight/secondlight/views/search"
	"github.com/secondlight/secondlight/views/ui"
)

// searchDeps are the stores and services that the operations use.
type searchDeps struct {
	Site    *ui.Site
	Catalog *catalog.Catalog
	Index   *search.Index
	Words   *searchviews.Vocabulary
	Gear    *gearNames
	Cards   *cardMaker
	Queries *queryReader
	Buffers *sync.Pool
}
