package search

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
)

// Render renders the card of a listing as JSON. seller is the seller's handle; deal is
// nil if too little is known to compare with. The index owns the result. It is called by
// several goroutines.
type Render func(l *models.Listing, seller string, deal *prices.Deal) []byte

// Feed loads an index from a store and updates it when the database changes, whichever
// process writes to it. Call Load once, then Run; they must not run concurrently.
type Feed struct {
	index  *Index
	store  *store.Store
	render Render
	log    *slog.Logger

	mark     store.Mark      // of what the index shows
	replaced bool            // the database was replaced since the last Load
	saved    models.Position // that of the snapshot

	catalog  *catalog.Catalog // nil if its corrections are not followed
	currency *models.Currency // that estimates are stated in, nil if prices are not compared with them
	onUpdate func(*Update)
	backlog  backlog

	mu        sync.Mutex                // held while the index is updated
	sellers   map[string]seller         // by member id, of members who have or had a listing for sale
	trends    map[string]*prices.Trend  // by slug of the gear
	estimated map[string]*TypicalPrices // by slug of the gear, of the last fit
	typical   map[string]*TypicalPrices // by slug of the gear, as in the index and its cards
	rates     *models.Rates             // as in the index and its cards
}

// seller is what documents contain about the member who sells.
type seller struct {
	handle  string
	postage models.Postage // of listings that have none of their own
}

func newSeller(m *models.Member) seller { return seller{m.Handle, m.Postage} }

// Update describes what changed in the site's public data.
type Update struct {
	All      bool            // everything may have changed; the rest but Replaced and Position is not set
	Replaced bool            // the database was replaced, so that earlier positions mean nothing
	Listings []string        // ids of listings
	Gear     []*catalog.Gear // gear whose trend or whose listings for sale changed
	Trends   bool            // a trend changed
	Site     bool            // the settings of the site changed
	Catalog  bool            // the owner corrected the catalogue
	Members  []string        // handles of members who changed, or whose listings did; before and after
	Left     bool            // a member left whose previous handle isn't known, because they had no listings
	Entries  []models.Entry  // what happened, in order; private events included

	Position models.Position // the index shows the changes up to it; 0 if it is the same as before
}

// addTrend adds a gear whose trend, or whose deals, changed.
func (u *Update) addTrend(lookup *catalog.Lookup, slug string) {
	u.Trends = true
	if g, ok := lookup.Catalogued(slug); ok {
		u.Gear = append(u.Gear, lookup.At(g))
	}
}

// OnUpdate calls f after each update of the index, once it is visible to searches.
// Call OnUpdate before Run.
func (f *Feed) OnUpdate(call func(*Update)) { f.onUpdate = call }

// Correct makes the feed apply the owner's corrections to the catalogue of the index. Call
// Correct before Load.
func (f *Feed) Correct(catalog *catalog.Catalog) { f.catalog = catalog }

// Estimate makes the feed compare asking prices with the estimates of the last fit, stated
// in a currency, where there is one. Call Estimate before Load.
func (f *Feed) Estimate(currency models.Currency) { f.currency = &currency }

// LoadEstimates reads the estimates of the last fit, and updates what has changed in the
// index and its cards.
func (f *Feed) LoadEstimates(ctx context.Context) error {
	estimated, err := f.readEstimates(ctx)
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.estimated = estimated
	f.mu.Unlock()
	return f.refreshAll(ctx)
}

// readEstimates returns the estimates that asking prices are compared with.
func (f *Feed) readEstimates(ctx context.Context) (map[string]*TypicalPrices, error) {
	estimated := map[string]*TypicalPrices{}
	if f.currency == nil {
		return estimated, nil
	}
	fit, err := f.store.Prices.PriceFit(ctx)
	if err != nil || fit == nil {
		return estimated, err
	}
	list, err := f.store.Prices.PriceEstimates(ctx)
	lookup := f.lookup()
	for i := range list {
		e := &list[i]
		n, known := lookup.Catalogued(e.Gear)
		if !known || !e.Comparable() {
			continue
		}
		prices := estimated[e.Gear]
		if prices == nil {
			prices = &TypicalPrices{}
			estimated[e.Gear] = prices
		}
		for _, works := range models.Functionals {
			if item := e.For(works, lookup.At(n).Category, fit); item != nil {
				*prices.Of(e.Condition, works) = item.Stated(*f.currency).Typical()
			}
		}
	}
	return estimated, err
}

// lookup returns the catalogue that listings are numbered by, with the owner's corrections.
func (f *Feed) lookup() *catalog.Lookup {
	if f.catalog != nil {
		return f.catalog.Lookup()
	}
	return f.index.lookup()
}

// NewFeed returns a feed from a store to an index.
func NewFeed(index *Index, store *store.Store, render Render, log *slog.Logger) *Feed {
	return &Feed{index: index, store: store, render: render, log: log, onUpdate: func(*Update) {}, backlog: newBacklog()}
}

// Load replaces the index's listings by all that are for sale. If it fails the index
// is unchanged.
func (f *Feed) Load(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	mark, err := f.store.Mark(ctx) // before reading, so that concurrent changes are applied again
	if err != nil {
		return err
	}
	if f.catalog != nil {
		if err := f.store.Site.CorrectCatalog(ctx, f.catalog); err != nil {
			return err
		}
	}
	if f.estimated, err = f.readEstimates(ctx); err != nil {
		return err
	}
	if err := f.readRates(ctx); err != nil {
		return err
	}
	f.sellers, f.trends, f.typical = map[string]seller{}, map[string]*prices.Trend{}, map[string]*TypicalPrices{}
	err = f.store.Accounts.EachSeller(ctx, func(m *models.Member) error {
		f.sellers[m.ID] = newSeller(m)
		return nil
	})
	if err != nil {
		return err
	}
	err = f.store.Prices.EachTrend(ctx, func(t *prices.Trend) error {
		f.trends[t.Gear] = t
		return nil
	})
	if err != nil {
		return err
	}
	for _, gear := range f.priced() {
		f.typical[gear] = f.typicalOf(gear)
	}
	if err := f.loadIndex(ctx); err != nil {
		return err
	}
	f.onUpdate(&Update{All: true, Replaced: f.replaced, Position: mark.Position})
	f.backlog.show(mark.Position)
	f.mark, f.replaced = mark, false
	return nil
}

// readRates reads the exchange rates for new documents.
func (f *Feed) readRates(ctx context.Context) error {
	main, err := f.store.Prices.MainCurrency(ctx)
	if err != nil {
		return err
	}
	rates, err := f.store.Prices.LatestRates(ctx, main, true)
	if err != nil {
		return err
	}
	f.rates = rates
	f.index.SetRates(rates)
	return nil
}

// repriceBatch is the number of listings that reprice adds in one update.
const repriceBatch = 1000

// reprice makes the cards of all listings in other currencies than that of the site again,
// which compare their prices with typical ones.
func (f *Feed) reprice(ctx context.Context) error {
	for ids := range slices.Chunk(f.index.foreignIDs(), repriceBatch) {
		listings, err := f.store.Listings.ListingsByID(ctx, ids)
		if err != nil {
			return err
		}
		var puts []Doc
		for _, l := range listings {
			if l.Status != models.StatusActive {
				continue // handled by the listing's own change
			}
			doc, ok, err := f.doc(ctx, l)
			if err != nil {
				return err
			}
			if ok {
				puts = append(puts, doc)
			}
		}
		if err := f.index.Put(puts...); err != nil {
			return err
		}
	}
	return nil
}

// loadIndex replaces the listings of the index, and its catalogue if that was corrected.
func (f *Feed) loadIndex(ctx context.Context) error {
	if f.catalog != nil && f.catalog.Lookup() != f.index.lookup() {
		return f.index.LoadCatalog(f.catalog.Lookup(), f.listings(ctx))
	}
	return f.index.Load(f.listings(ctx))
}

// correct applies the owner's corrections to the catalogue, and numbers the listings of
// the index by it.
func (f *Feed) correct(ctx context.Context) error {
	if f.catalog == nil {
		return nil
	}
	if err := f.store.Site.CorrectCatalog(ctx, f.catalog); err != nil {
		return err
	}
	return f.loadIndex(ctx)
}

var errStopped = errors.New("stopped reading listings")

// Listings are read in batches while documents are made of earlier ones.
const (
	listingsInBatch   = 512
	maxListingBatches = 4
)

// listings yields every listing for sale as a document, except those that the index
// cannot hold.
func (f *Feed) listings(ctx context.Context) func(yield func(Doc, error) bool) {
	return func(yield func(Doc, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		batches := make(chan []*models.Listing, maxListingBatches)
		var reading errgroup.Group
		reading.Go(func() error { return f.readBatches(ctx, batches) })
		var err error
		for batch := range batches {
			if err = f.yieldDocs(ctx, batch, yield); err != nil {
				break
			}
		}
		stop()
		if failed := reading.Wait(); err == nil {
			err = failed
		}
		if err != nil && err != errStopped {
			yield(Doc{}, err)
		}
	}
}

// readBatches sends every listing for sale to batches, which it closes.
func (f *Feed) readBatches(ctx context.Context, batches chan<- []*models.Listing) error {
	defer close(batches)
	var batch []*models.Listing
	send := func() error {
		select {
		case batches <- batch:
			batch = make([]*models.Listing, 0, listingsInBatch)
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	err := f.store.Listings.EachActiveListing(ctx, func(l *models.Listing) error {
		if batch = append(batch, l); len(batch) < listingsInBatch {
			return nil
		}
		return send()
	})
	if err != nil {
		return err
	}
	return send()
}

// yieldDocs yields the documents of listings, which it makes on all processors. It returns
// errStopped when yield returns false.
func (f *Feed) yieldDocs(ctx context.Context, listings []*models.Listing, yield func(Doc, error) bool) error {
	sellers := make([]seller, len(listings))
	for i, l := range listings {
		var err error
		if sellers[i], err = f.seller(ctx, l.SellerID); err != nil {
			return err
		}
	}
	docs, valid := make([]Doc, len(listings)), make([]bool, len(listings))
	share(len(listings), func(from, to int) {
		for i := from; i < to; i++ {
			docs[i], valid[i] = f.docOf(ctx, listings[i], sellers[i])
		}
	})
	for i := range docs {
		if valid[i] && !yield(docs[i], nil) {
			return errStopped
		}
	}
	return nil
}

const (
	// reloadPause is how long Run waits before it loads all listings again.
	reloadPause = 250 * time.Millisecond
	// lapseInterval is how often Run looks for typical prices that have become too
	// old to compare with.
	lapseInterval = time.Minute
)

// Run applies the changes of the store until ctx ends, and returns its error. When it
// cannot continue (changes not yet applied were pruned, the database was replaced, or
// the store could not be read) it loads all listings again; until then the index returns its previous state.
func (f *Feed) Run(ctx context.Context) error {
	stop := f.store.OnCommit(f.backlog.commit)
	f.backlog.run(true)
	defer func() {
		stop()
		f.backlog.run(false)
	}()
	var work sync.WaitGroup
	defer work.Wait()
	work.Go(func() { f.watchLapses(ctx) })
	for {
		err := f.store.Follow(ctx, f.mark, f.apply)
		if errors.Is(err, store.ErrReplaced) {
			f.replaced = true
			f.backlog.reset()
		}
		for err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			f.log.WarnContext(ctx, "search index: loading everything again", "err", err)
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(reloadPause):
			}
			err = f.Load(ctx)
		}
	}
}

// watchLapses refreshes gear as its typical prices lapse, until ctx ends.
func (f *Feed) watchLapses(ctx context.Context) {
	tick := time.NewTicker(lapseInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := f.refreshAll(ctx); err != nil && ctx.Err() == nil {
				f.log.WarnContext(ctx, "search index: refresh old prices", "err", err)
			}
		}
	}
}

// refreshSize is the number of gear that refreshAll updates at once, so that changes don't
// wait long.
const refreshSize = 50

// refreshAll updates the typical prices that a new fit changed or that are too old to
// compare with.
func (f *Feed) refreshAll(ctx context.Context) error {
	f.mu.Lock()
	gear := f.priced()
	f.mu.Unlock()
	for part := range slices.Chunk(gear, refreshSize) {
		if err := f.refreshPart(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

func (f *Feed) refreshPart(ctx context.Context, gear []string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var u Update
	for _, slug := range gear {
		if err := f.refresh(ctx, slug, &u); err != nil {
			return err
		}
	}
	if u.Trends {
		f.onUpdate(&u)
	}
	return nil
}

// priced returns the gear that has or had a typical price, or may have one. f.mu must be
// locked.
func (f *Feed) priced() []string {
	gear := make(map[string]bool, len(f.trends))
	for slug := range f.trends {
		gear[slug] = true
	}
	for _, prices := range []map[string]*TypicalPrices{f.estimated, f.typical} {
		for slug := range prices {
			gear[slug] = true
		}
	}
	return slices.Collect(maps.Keys(gear))
}

// apply updates the index with a batch of changes. It reads the current state of each
// subject, which may be newer than the change.
func (f *Feed) apply(ctx context.Context, entries []models.Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	u := Update{Entries: entries, Position: entries[len(entries)-1].Position}
	changes := models.ChangesOf(entries)
	var listings, gear []string
	rates := false
	for _, c := range changes {
		switch c.Kind {
		case models.CatalogChanged:
			u.Catalog = true
		case models.ListingChanged:
			listings = append(listings, c.Subject)
		case models.GearChanged:
			gear = append(gear, c.Subject)
		case models.MemberChanged:
			stale, err := f.member(ctx, c.Subject, &u)
			if err != nil {
				return err
			}
			listings = append(listings, stale...)
		case models.SiteChanged:
			u.Site = true
			rates = rates || c.Subject == store.RatesSubject
		}
	}
	if u.Site {
		if err := f.readRates(ctx); err != nil {
			return err
		}
	}
	if u.Catalog {
		if err := f.correct(ctx); err != nil {
			return err
		}
	}
	if err := f.reloadTrends(ctx, gear); err != nil {
		return err
	}
	if rates {
		if err := f.reprice(ctx); err != nil {
			return err
		}
	}
	for _, slug := range gear {
		u.addTrend(f.index.lookup(), slug)
		if err := f.refresh(ctx, slug, &u); err != nil {
			return err
		}
	}
	if err := f.replace(ctx, listings, &u); err != nil {
		return err
	}
	f.mark.Advance(entries[len(entries)-1])
	f.onUpdate(&u)
	f.backlog.show(u.Position)
	return nil
}

// member updates a member's handle and postage, and returns the ids of the listings
// indexed with the old ones.
func (f *Feed) member(ctx context.Context, id string, u *Update) (stale []string, err error) {
	m, err := f.store.Accounts.MemberByID(ctx, id)
	if err != nil {
		var gone *problem.Error
		if errors.As(err, &gone) && gone.Kind == problem.NotFound {
			return nil, nil
		}
		return nil, err
	}
	u.Members = append(u.Members, m.Handle)
	was, known := f.sellers[id]
	now := newSeller(m)
	switch {
	case known && was.handle != now.handle:
		u.Members = append(u.Members, was.handle)
	case strings.HasPrefix(now.handle, models.FormerPrefix):
		u.Left = true
	}
	if !known { // has no listings: there may be millions of such members
		return nil, nil
	}
	if was != now {
		stale = f.index.OfSeller(was.handle)
	}
	f.sellers[id] = now
	return stale, nil
}

// reloadTrends reads the trends of gear again.
func (f *Feed) reloadTrends(ctx context.Context, gear []string) error {
	if len(gear) == 0 {
		return nil
	}
	trends, err := f.store.Prices.Trends(ctx, gear)
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

// refresh updates the typical prices of a gear, and the cards of the listings whose typical
// price has changed.
func (f *Feed) refresh(ctx context.Context, gear string, u *Update) error {
	before, now := f.typical[gear], f.typicalOf(gear)
	if before == nil {
		before = &TypicalPrices{}
	}
	if *before == *now {
		return nil
	}
	listings, err := f.store.Listings.ListingsByID(ctx, f.index.Repriced(gear, before, now))
	if err != nil {
		return err
	}
	f.typical[gear] = now
	cards := make(map[string][]byte, len(listings))
	for _, l := range listings {
		if l.Status != models.StatusActive || l.Gear != gear {
			continue // handled by the listing's own change
		}
		doc, ok, err := f.doc(ctx, l)
		if err != nil {
			f.typical[gear] = before
			return err
		}
		if ok {
			cards[l.ID] = doc.Card
			u.Members = append(u.Members, doc.Seller)
		}
	}
	f.index.Refresh(gear, now, cards)
	u.addTrend(f.index.lookup(), gear)
	return nil
}

// typicalOf returns the current typical prices of a gear. Medians are those of items that work
// fully, because most that sold did.
func (f *Feed) typicalOf(gear string) *TypicalPrices {
	prices := &TypicalPrices{}
	if trend := f.trends[gear]; trend != nil {
		now := f.store.Now()
		for c := range trend.ByCondition {
			if typical, ok := trend.TypicalOf(c, now); ok {
				*prices.Of(c, models.FullyWorking) = typical
			}
		}
	}
	if estimated := f.estimated[gear]; estimated != nil {
		for item, typical := range estimated {
			if typical.Price > 0 {
				prices[item] = typical
			}
		}
	}
	return prices
}

// replace reads listings again and, in one update, removes all and adds those for
// sale.
func (f *Feed) replace(ctx context.Context, ids []string, u *Update) error {
	if len(ids) == 0 {
		return nil
	}
	listings, err := f.store.Listings.AllListingsByID(ctx, ids)
	if err != nil {
		return err
	}
	u.Listings = ids
	u.Gear = append(u.Gear, f.index.gearOf(ids)...)
	var puts []Doc
	for _, l := range listings {
		by, err := f.seller(ctx, l.SellerID)
		if err != nil {
			return err
		}
		if l.Status != models.StatusDraft {
			u.Members = append(u.Members, by.handle)
		}
		if l.Status != models.StatusActive {
			continue
		}
		doc, ok, err := f.doc(ctx, l)
		if err != nil {
			return err
		}
		if ok {
			puts = append(puts, doc)
		}
	}
	if err := f.index.Apply(puts, ids); err != nil {
		return err
	}
	u.Gear = append(u.Gear, f.index.gearOf(ids)...)
	return nil
}

// doc returns the document of a listing, with its typical price and card. If the index
// cannot hold the listing, doc logs why and returns false.
func (f *Feed) doc(ctx context.Context, l *models.Listing) (doc Doc, ok bool, err error) {
	by, err := f.seller(ctx, l.SellerID)
	if err != nil {
		return Doc{}, false, err
	}
	doc, ok = f.docOf(ctx, l, by)
	return doc, ok, nil
}

// docOf is doc for a listing whose seller is known. It only reads the feed.
func (f *Feed) docOf(ctx context.Context, l *models.Listing, by seller) (doc Doc, ok bool) {
	doc = newDoc(l, by)
	if err := doc.validate(); err != nil {
		f.log.ErrorContext(ctx, "search index: listing omitted", "err", err)
		return Doc{}, false
	}
	var deal *prices.Deal
	if prices := f.typical[l.Gear]; prices != nil {
		doc.Typical = *prices.Of(l.Condition, l.Functional)
	}
	if doc.Typical.Price > 0 {
		if price, ok := f.rates.InMain(l.Price, l.Currency); ok {
			d := doc.Typical.Deal(price.Cents)
			deal = &d
		}
	}
	doc.Card = f.render(l, by.handle, deal)
	return doc, true
}

// seller returns what documents contain about a member.
func (f *Feed) seller(ctx context.Context, id string) (seller, error) {
	by, ok := f.sellers[id]
	if !ok { // no listing of theirs was for sale at the last Load
		m, err := f.store.Accounts.MemberByID(ctx, id)
		if err != nil {
			return seller{}, err
		}
		by = newSeller(m)
		f.sellers[id] = by
	}
	return by, nil
}

// newDoc returns the document of a listing, without its typical price and card.
func newDoc(l *models.Listing, by seller) Doc {
	return Doc{
		ID: l.ID, Gear: l.Gear, Category: l.Category, Condition: l.Condition, Functional: l.Functional, Region: l.Region, Seller: by.handle,
		Title: l.Title, Price: l.Price, Currency: l.Currency, Published: l.PublishedAt, Demo: l.Demo, Postage: l.PostageOr(by.postage), Rare: RareOf(l), Defects: l.Defects,
	}
}

// Cursor returns a cursor of the change feed: the index shows all changes up to it.
func (f *Feed) Cursor() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return models.Cursor(f.mark.Log, f.mark.Position)
}

// Settle waits until the index shows every change that this process has committed
// before, or ctx ends, and reports whether it does. While Run does not run it returns
// true at once.
func (f *Feed) Settle(ctx context.Context) bool {
	to := f.backlog.last()
	for {
		shown, progress := f.backlog.shows(to)
		if shown {
			return true
		}
		select {
		case <-progress:
		case <-ctx.Done():
			return false
		}
	}
}
