// Package search has the operations that search listings.
package search

import (
	"context"
	"sync"

	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/query"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
	views "github.com/secondlight/secondlight/views/search"
	"github.com/secondlight/secondlight/views/ui"
)

// Deps are the stores and services that the operations use.
type Deps struct {
	Site    *ui.Site
	Catalog *catalog.Catalog
	Index   *search.Index
	Words   *views.Vocabulary
	Gear    *market.Names
	Cards   *market.Cards
	Queries *query.Reader
	Buffers *sync.Pool

	// ReadPage returns the title and the Markdown of the public page at a path.
	ReadPage func(ctx context.Context, path string) (title, text string, err error)
}
