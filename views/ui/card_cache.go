package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"hash/maphash"
	"io"
	"time"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models/cache"
)

// CardCache caches the HTML of the cards of searches.
type CardCache struct {
	*cache.Cache[cardKey, *cachedCard]
}

// jsonKey identifies JSON by two hashes with different seeds, so that other JSON with the
// same key can be ruled out.
type jsonKey [2]uint64

var jsonSeeds = [...]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func newJSONKey(json []byte) jsonKey {
	return jsonKey{maphash.Bytes(jsonSeeds[0], json), maphash.Bytes(jsonSeeds[1], json)}
}

// cardKey identifies a card in a language.
type cardKey struct {
	json     jsonKey
	language *languages.Language
}

// cachedCard is the HTML of a card without what the listing costs delivered and how long
// it has been published, which depend on the request: the parts before, between and
// after the two.
type cachedCard struct {
	before, between, after []byte
	published              time.Time
	forSale                bool
}

// Placeholder stands in a card for each part that is left out.
const Placeholder = "\x00"

// Limits of a CardCache: cardCacheBytes is enough for some 70,000 cards. cardOverhead is
// about how many bytes an entry takes besides the HTML.
const (
	cardCacheBytes = 96 << 20
	cardOverhead   = 300
)

func NewCardCache() CardCache { return CardCache{cache.New[cardKey, *cachedCard](cardCacheBytes)} }

// The attributes of a photo that loads when it is about to be visible, and of one that
// loads at once.
var lazyPhoto, eagerPhoto = []byte(` loading="lazy"`), []byte(` fetchpriority="high"`)

// Write writes the HTML of a card, given its JSON, which must not be empty. first is set
// for cards whose photos load at once.
func (c CardCache) Write(ctx context.Context, w io.Writer, site *Site, raw json.RawMessage, first bool, d *Delivery) error {
	card, err := c.card(ctx, site, raw)
	if err != nil {
		return err
	}
	before := card.before
	if first {
		before = bytes.Replace(before, lazyPhoto, eagerPhoto, 1)
	}
	_, err1 := w.Write(before)
	if d != nil {
		err1 = errors.Join(err1, delivered(d).Render(ctx, w))
	}
	_, err2 := w.Write(card.between)
	if len(card.after) == 0 { // never published
		return errors.Join(err1, err2)
	}
	err3 := since(card.published, site.Now(), card.forSale).Render(ctx, w)
	_, err4 := w.Write(card.after)
	return errors.Join(err1, err2, err3, err4)
}

// card returns a card whose photo loads when it is about to be visible.
func (c CardCache) card(ctx context.Context, site *Site, raw json.RawMessage) (*cachedCard, error) {
	key := cardKey{newJSONKey(raw), languages.Of(ctx)}
	if cached, ok := c.Get(key); ok {
		return cached, nil
	}
	var decoded Card
	if err := json.Unmarshal(raw, &decoded); err != nil {
		return nil, err
	}
	var html bytes.Buffer
	if err := card(site, &decoded, false, templ.Raw(Placeholder), templ.Raw(Placeholder), true).Render(ctx, &html); err != nil {
		return nil, err
	}
	text := bytes.Clone(html.Bytes())
	before, rest, _ := bytes.Cut(text, []byte(Placeholder))
	between, after, _ := bytes.Cut(rest, []byte(Placeholder))
	return c.Add(key, &cachedCard{before, between, after, decoded.published(), decoded.ForSale()}, len(text)+cardOverhead), nil
}
