package search

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// Render renders the card of a listing as JSON. seller is the seller's handle; deal is
// nil if there are too few sales to compare with. The index owns the result.
type Render func(l *models.Listing, seller string, deal *models.Deal) []byte

// Feed loads an index from a store and updates it when the database changes, whichever
// process writes to it. Call Load once, then Run; they must not run concurrently.
type Feed struct {
	index  *Index
	store  *models.Store
	render Render
	log    *slog.Logger

	position models.Position
	handles  map[string]string        // by member id
	trends   map[string]*models.Trend // by slug of the gear
}

// NewFeed returns a feed from a store to an index.
func NewFeed(index *Index, store *models.Store, render Render, log *slog.Logger) *Feed {
	return &Feed{index: index, store: store, render: render, log: log}
}

// Load replaces the index's listings by all that are for sale. If it fails the index
// is unchanged.
func (f *Feed) Load(ctx context.Context) error {
	position, err := f.store.Position(ctx) // before reading, so that concurrent changes are applied again
	if err != nil {
		return err
	}
	f.handles, f.trends = map[string]string{}, map[string]*models.Trend{}
	err = f.store.EachMember(ctx, func(m *models.Member) error {
		f.handles[m.ID] = m.Handle
		return nil
	})
	if err != nil {
		return err
	}
	err = f.store.EachTrend(ctx, func(t *models.Trend) error {
		f.trends[t.Gear] = t
		return nil
	})
	if err != nil {
		return err
	}
	if err := f.index.Load(f.listings(ctx)); err != nil {
		return err
	}
	f.position = position
	return nil
}

var errStopped = errors.New("stopped reading listings")

// listings yields every listing for sale as a document.
func (f *Feed) listings(ctx context.Context) func(yield func(Doc, error) bool) {
	return func(yield func(Doc, error) bool) {
		err := f.store.EachActiveListing(ctx, func(l *models.Listing) error {
			doc, err := f.doc(ctx, l)
			if err != nil {
				return err
			}
			if !yield(doc, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && err != errStopped {
			yield(Doc{}, err)
		}
	}
}

// reloadPause is how long Run waits before it loads all listings again.
const reloadPause = time.Second

// Run applies the changes of the store until ctx ends, and returns its error. When it
// cannot continue (changes not yet applied were pruned, or a listing could not be
// read) it loads all listings again; until then the index returns its previous state.
func (f *Feed) Run(ctx context.Context) error {
	for {
		err := f.store.Follow(ctx, f.position, f.apply)
		for err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			f.log.WarnContext(ctx, "search index: loading everything again", "error", err)
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(reloadPause):
			}
			err = f.Load(ctx)
		}
	}
}

// apply updates the index with a batch of changes. It reads the current state of each
// subject, which may be newer than the change.
func (f *Feed) apply(ctx context.Context, changes []models.Change) error {
	var listings, gear []string
	for _, c := range changes {
		switch c.Kind {
		case models.ListingChanged:
			listings = append(listings, c.Subject)
		case models.GearChanged:
			gear = append(gear, c.Subject)
		case models.MemberChanged:
			stale, err := f.member(ctx, c.Subject)
			if err != nil {
				return err
			}
			listings = append(listings, stale...)
		}
	}
	if err := f.reloadTrends(ctx, gear); err != nil {
		return err
	}
	for _, slug := range gear {
		if err := f.refresh(ctx, slug); err != nil {
			return err
		}
	}
	return f.replace(ctx, listings)
}

// member updates a member's handle, and returns the ids of the listings indexed under
// the old one.
func (f *Feed) member(ctx context.Context, id string) (stale []string, err error) {
	m, err := f.store.MemberByID(ctx, id)
	if err != nil {
		var gone *problem.Error
		if errors.As(err, &gone) && gone.Kind == problem.NotFound {
			return nil, nil
		}
		return nil, err
	}
	if was := f.handles[id]; was != m.Handle && was != "" {
		stale = f.index.OfSeller(was)
	}
	f.handles[id] = m.Handle
	return stale, nil
}

// reloadTrends reads the trends of gear again.
func (f *Feed) reloadTrends(ctx context.Context, gear []string) error {
	if len(gear) == 0 {
		return nil
	}
	trends, err := f.store.Trends(ctx, gear)
	if err != nil {
		return err
	}
	for _, slug := range gear {
		if t := trends[slug]; t != nil {
			f.trends[slug] = t
		} else {
			delete(f.trends, slug)
		}
	}
	return nil
}

// refresh updates the typical prices and the cards of a gear's listings.
func (f *Feed) refresh(ctx context.Context, gear string) error {
	listings, err := f.store.ListingsByID(ctx, f.index.OfGear(gear))
	if err != nil {
		return err
	}
	typical := map[models.Condition]models.Cents{}
	for _, c := range models.Conditions {
		if deal := f.deal(gear, c, 0); deal != nil {
			typical[c] = deal.Typical
		}
	}
	cards := make(map[string][]byte, len(listings))
	for _, l := range listings {
		if l.Status != models.StatusActive || l.Gear != gear {
			continue // handled by the listing's own change
		}
		doc, err := f.doc(ctx, l)
		if err != nil {
			return err
		}
		cards[l.ID] = doc.Card
	}
	f.index.Refresh(gear, typical, cards)
	return nil
}

// replace reads listings again and, in one update, removes all and adds those for
// sale.
func (f *Feed) replace(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	listings, err := f.store.ListingsByID(ctx, ids)
	if err != nil {
		return err
	}
	var puts []Doc
	for _, l := range listings {
		if l.Status != models.StatusActive {
			continue
		}
		doc, err := f.doc(ctx, l)
		if err != nil {
			return err
		}
		puts = append(puts, doc)
	}
	return f.index.Apply(puts, ids)
}

// doc returns the document of a listing, with its typical price and card.
func (f *Feed) doc(ctx context.Context, l *models.Listing) (Doc, error) {
	handle, ok := f.handles[l.SellerID]
	if !ok { // a member created after Load
		m, err := f.store.MemberByID(ctx, l.SellerID)
		if err != nil {
			return Doc{}, err
		}
		handle = m.Handle
		f.handles[l.SellerID] = handle
	}
	doc := newDoc(l, handle)
	deal := f.deal(l.Gear, l.Condition, l.Price)
	if deal != nil {
		doc.Typical = deal.Typical
	}
	doc.Card = f.render(l, handle, deal)
	return doc, nil
}

// deal compares a price with the trend. It returns nil if there are too few sales.
func (f *Feed) deal(gear string, c models.Condition, price models.Cents) *models.Deal {
	t := f.trends[gear]
	if t == nil {
		return nil
	}
	if deal, ok := t.DealOf(price, c); ok {
		return &deal
	}
	return nil
}
