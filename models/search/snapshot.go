package search

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/store"
)

// Snapshot is a file with the listings of an index. It depends on the database and on the
// program, by which cards are rendered: a snapshot of another is not used.
type Snapshot struct {
	File    string
	Program string // identifies the program that renders the cards
}

// header says what a snapshot belongs to, and is compared as a whole.
type header struct {
	Program string
	Card    string     // a card of no listing, which depends on the site's settings
	Gear    uint64     // hash of the numbers of the catalogue
	Mark    store.Mark // of what the index shows
}

// SnapshotInterval is how often SaveEvery saves.
const SnapshotInterval = time.Hour

// Resume is like Load, but reads a snapshot and applies the changes since it was saved. It
// loads all listings if the snapshot does not match.
func (f *Feed) Resume(ctx context.Context, snapshot Snapshot) error {
	err := f.resume(ctx, snapshot)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if !errors.Is(err, fs.ErrNotExist) {
		f.log.InfoContext(ctx, "search index: snapshot not used", "err", err)
	}
	return f.Load(ctx)
}

func (f *Feed) resume(ctx context.Context, snapshot Snapshot) error {
	if f.catalog != nil {
		if err := f.store.Site.CorrectCatalog(ctx, f.catalog); err != nil {
			return err
		}
	}
	if err := f.readRates(ctx); err != nil {
		return err
	}
	if err := f.read(ctx, snapshot); err != nil {
		return err
	}
	if err := f.catchUp(ctx); err != nil {
		return err
	}
	if err := f.refreshAll(ctx); err != nil {
		return err
	}
	f.onUpdate(&Update{All: true, Position: f.mark.Position})
	f.backlog.show(f.mark.Position)
	return nil
}

// read sets the index and the feed to what a snapshot holds, and the trends to those of
// the store. On error the index is unchanged.
func (f *Feed) read(ctx context.Context, snapshot Snapshot) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	from, err := openSnapshot(snapshot.File)
	if err != nil {
		return err
	}
	var was header
	if err := from.Decode(&was); err != nil {
		return err
	}
	now, err := f.header(ctx, snapshot, was.Mark.Position)
	if err != nil {
		return err
	}
	if was != now {
		return errors.New("it is of another program, database or catalogue")
	}
	var sellers map[string][2]string
	var typical map[string]*TypicalPrices
	if err := errors.Join(from.Decode(&sellers), from.Decode(&typical)); err != nil {
		return err
	}
	estimated, err := f.readEstimates(ctx)
	if err != nil {
		return err
	}
	trends := map[string]*prices.Trend{}
	err = f.store.Prices.EachTrend(ctx, func(t *prices.Trend) error {
		trends[t.Gear] = t
		return nil
	})
	if err != nil {
		return err
	}
	lookup := f.lookup()
	if err := f.index.decode(lookup, from); err != nil {
		return err
	}
	f.sellers = make(map[string]seller, len(sellers))
	for id, s := range sellers {
		f.sellers[id] = seller{s[0], models.Postage(s[1])}
	}
	f.trends, f.estimated, f.typical, f.mark = trends, estimated, typical, was.Mark
	return nil
}

// header returns the header of a snapshot at a position.
func (f *Feed) header(ctx context.Context, snapshot Snapshot, at models.Position) (header, error) {
	mark, err := f.store.MarkAt(ctx, at)
	if err != nil {
		return header{}, err
	}
	lookup := f.lookup()
	gear := fnv.New64a()
	for i := range lookup.Size() {
		g := lookup.At(i)
		fmt.Fprintf(gear, "%s %s\n", g.Slug(), g.Category)
	}
	sample := models.Listing{ID: "00000000-0000-0000-0000-000000000000", Category: models.Categories[0], Item: models.Item{Condition: models.Conditions[0]}, Price: 10000, Photos: []models.Photo{{Key: "key"}}}
	card := f.render(&sample, "seller", &prices.Deal{Typical: prices.Typical{Price: 10000, Low: 9000, High: 11000, Sales: 10}})
	return header{snapshot.Program, string(card), gear.Sum64(), mark}, nil
}

// catchUp applies the changes after the position. It fails if a load of all listings takes
// less time.
func (f *Feed) catchUp(ctx context.Context) error {
	const batch = 1000
	now, err := f.store.Position(ctx)
	if err != nil {
		return err
	}
	if missed := int(now - f.mark.Position); missed > 10*batch+f.index.Len()/4 {
		return fmt.Errorf("there are %d changes since", missed)
	}
	for {
		entries, err := f.store.Entries(ctx, f.mark.Position, batch)
		if err != nil || len(entries) == 0 {
			return err
		}
		if err := f.apply(ctx, entries); err != nil {
			return err
		}
	}
}

// Save writes a snapshot, unless nothing has changed since it was called last. Changes wait
// meanwhile, searches don't.
func (f *Feed) Save(ctx context.Context, snapshot Snapshot) error {
	f.mu.Lock()
	at := f.mark.Position
	f.mu.Unlock()
	if at == 0 || at == f.saved {
		return nil
	}
	return durable.WriteFile(snapshot.File, func(w io.Writer) error {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.saved = f.mark.Position
		return f.write(ctx, w, snapshot)
	})
}

// SaveEvery saves a snapshot at an interval until ctx ends, and once more then.
func (f *Feed) SaveEvery(ctx context.Context, snapshot Snapshot, interval time.Duration) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			f.save(context.WithoutCancel(ctx), snapshot)
			return
		case <-tick.C:
			f.save(ctx, snapshot)
		}
	}
}

func (f *Feed) save(ctx context.Context, snapshot Snapshot) {
	if err := f.Save(ctx, snapshot); err != nil {
		f.log.WarnContext(ctx, "search index: save snapshot", "err", err)
	}
}

// write writes a snapshot. f.mu must be locked.
func (f *Feed) write(ctx context.Context, w io.Writer, snapshot Snapshot) error {
	now, err := f.header(ctx, snapshot, f.mark.Position)
	if err != nil {
		return err
	}
	sellers := make(map[string][2]string, len(f.sellers))
	for id, s := range f.sellers {
		sellers[id] = [2]string{s.handle, string(s.postage)}
	}
	to, err := newEncoder(w)
	if err != nil {
		return err
	}
	return errors.Join(to.Encode(now), to.Encode(sellers), to.Encode(f.typical), f.index.encode(to), to.end())
}
