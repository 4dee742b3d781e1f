package views

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/secondlight/secondlight/models/cache"
)

// cardCache caches the HTML of the cards of searches. Its keys are the addresses of
// their JSON, which is never modified: when a card changes, its JSON is rendered to new
// memory.
type cardCache struct{ *cache.Cache[*byte, []byte] }

// Limits of a cardCache: cardCacheBytes is enough for some 70,000 cards. cardOverhead is
// about how many bytes an entry takes besides the HTML. The JSON is usually that of the
// search index; an entry keeps the JSON of a changed card until it is evicted.
const (
	cardCacheBytes = 96 << 20
	cardOverhead   = 200
)

func newCardCache() cardCache { return cardCache{cache.New[*byte, []byte](cardCacheBytes)} }

// The attributes of a photo that loads when it is about to be visible, and of one that
// loads at once.
var lazyPhoto, eagerPhoto = []byte(` loading="lazy"`), []byte(` fetchpriority="high"`)

// write writes the HTML of a card, given its JSON, which must not be empty. first is set
// for cards whose photos load at once.
func (c cardCache) write(ctx context.Context, w io.Writer, site *Site, raw json.RawMessage, first bool) error {
	html, err := c.html(ctx, site, raw)
	if err != nil {
		return err
	}
	if before, after, ok := bytes.Cut(html, lazyPhoto); first && ok {
		_, err1 := w.Write(before)
		_, err2 := w.Write(eagerPhoto)
		_, err3 := w.Write(after)
		return errors.Join(err1, err2, err3)
	}
	_, err = w.Write(html)
	return err
}

// html returns the HTML of a card whose photo loads when it is about to be visible.
func (c cardCache) html(ctx context.Context, site *Site, raw json.RawMessage) ([]byte, error) {
	key := &raw[0]
	if html, ok := c.Get(key); ok {
		return html, nil
	}
	var decoded Card
	if err := json.Unmarshal(raw, &decoded); err != nil {
		return nil, err
	}
	var html bytes.Buffer
	if err := card(site, &decoded, false).Render(ctx, &html); err != nil {
		return nil, err
	}
	return c.Add(key, bytes.Clone(html.Bytes()), html.Len()+cardOverhead), nil
}
