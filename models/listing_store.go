package models

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/jmoiron/sqlx"
)

const (
	photoColumns = `listing_id, place, key, alt, width, height`
	isPublic     = `l.status NOT IN ('draft', 'removed')`
)

// InsertListings adds listings with their photos in one transaction. A listing
// without ID, CreatedAt, PublishedAt (unless it is a draft) or UpdatedAt is
// given them, in the slice too.
func (s *Store) InsertListings(ctx context.Context, listings []Listing) error {
	added := make([]*Listing, len(listings))
	for i := range listings {
		added[i] = &listings[i]
		s.stamp(added[i])
	}
	return s.update(ctx, func(t *tx) error { return t.insertListings(ctx, added) })
}

// stamp completes a new listing.
func (s *Store) stamp(l *Listing) {
	now := s.now()
	if l.ID == "" {
		l.ID = s.newID()
	}
	if l.CreatedAt == 0 {
		l.CreatedAt = now
	}
	if l.PublishedAt == 0 && l.Status != StatusDraft {
		l.PublishedAt = now
	}
	if l.UpdatedAt == 0 {
		l.UpdatedAt = now
	}
	l.Version = 1
}

func (t *tx) insertListings(ctx context.Context, listings []*Listing) error {
	err := t.insert(ctx, listingsTable, "", len(listings), func(i int) []any {
		t.changed(ListingChanged, listings[i].ID)
		return fieldsOf(listings[i], listingColumns, nil)
	})
	if err != nil {
		return err
	}
	return t.insertPhotos(ctx, listings)
}

func (t *tx) insertPhotos(ctx context.Context, listings []*Listing) error {
	type place struct{ listing, photo int }
	var places []place
	for i, l := range listings {
		for j := range l.Photos {
			places = append(places, place{i, j})
		}
	}
	return t.insert(ctx, `listing_photos (`+photoColumns+`)`, "", len(places), func(i int) []any {
		l := listings[places[i].listing]
		p := &l.Photos[places[i].photo]
		return []any{l.ID, places[i].photo, p.Key, p.Alt, p.Width, p.Height}
	})
}

// ImportListings adds listings, or brings those up to date that the same seller
// has under the same ExternalID, in one transaction; each needs an ExternalID.
// A listing that is known keeps its id, its dates and its status, and its
// photos too when none are given; once sold or ended it is left as it was. Of
// several rows with one ExternalID the last counts. Each listing is given the id
// and the status it is kept with.
func (s *Store) ImportListings(ctx context.Context, listings []Listing) (inserted, updated, unchanged int, err error) {
	return s.importListings(ctx, listings, "")
}

// importListings is ImportListings; what one seller brings keeps to MaxListings.
func (s *Store) importListings(ctx context.Context, listings []Listing, seller string) (inserted, updated, unchanged int, err error) {
	err = s.update(ctx, func(t *tx) error {
		inserted, updated, unchanged = 0, 0, 0
		known, err := t.listingsByExternal(ctx, listings)
		if err != nil {
			return err
		}
		var fresh []*Listing
		for i := range listings {
			l := &listings[i]
			key := externalKey{l.SellerID, l.ExternalID}
			old := known[key]
			switch {
			case old == nil:
				s.stamp(l)
				fresh = append(fresh, l)
				known[key] = l
				inserted++
			case slices.Contains(fresh, old):
				takeContent(old, l)
				unchanged++
			default:
				before := *old
				if old.Status.open() && takeContent(old, l) {
					if err := t.edited(ctx, &before, old, s.now()); err != nil {
						return err
					}
					updated++
				} else {
					unchanged++
				}
				l.ID, l.Status = old.ID, old.Status
			}
		}
		if seller != "" {
			if err := t.mayList(ctx, seller, len(fresh)); err != nil {
				return err
			}
		}
		return t.insertListings(ctx, fresh)
	})
	return inserted, updated, unchanged, err
}

// open reports whether a listing in this status may still change.
func (s Status) open() bool {
	return s == StatusDraft || s == StatusActive || s == StatusReserved
}

type externalKey struct{ seller, id string }

// listingsByExternal finds the listings that rows to import are already known as.
func (t *tx) listingsByExternal(ctx context.Context, rows []Listing) (map[externalKey]*Listing, error) {
	known := make(map[externalKey]*Listing, len(rows))
	for part := range chunks(rows) {
		args := make([]any, 0, 2*len(part))
		for i := range part {
			if part[i].ExternalID == "" {
				return nil, fmt.Errorf("import listings: %q has no external id", part[i].Title)
			}
			args = append(args, part[i].SellerID, part[i].ExternalID)
		}
		found, err := selectListings(ctx, t, selectListing+`
			WHERE (l.seller_id, l.external_id) IN (VALUES `+tuples(len(part), 2, t.db.engine.place)+`) AND l.external_id IS NOT NULL`, args...)
		if err != nil {
			return nil, err
		}
		if err := addPhotos(ctx, t, found); err != nil {
			return nil, err
		}
		for _, l := range found {
			known[externalKey{l.SellerID, l.ExternalID}] = l
		}
	}
	return known, nil
}

// takeContent gives old what an import may change, and reports whether it did.
func takeContent(old, row *Listing) bool {
	next := *old
	copyContent(&next, row)
	if row.Serial == "" {
		next.Serial = old.Serial
	}
	if len(row.Photos) > 0 {
		next.Photos = row.Photos
	}
	if sameContent(old, &next) {
		return false
	}
	*old = next
	return true
}

// sameContent reports whether a and b agree in all that an edit may change.
func sameContent(a, b *Listing) bool {
	for _, c := range contentColumns {
		if !c.sameStored(a, b) {
			return false
		}
	}
	return slices.Equal(a.Photos, b.Photos)
}

// updateContent writes what an edit may change.
func (t *tx) updateContent(ctx context.Context, l *Listing) error {
	t.changed(ListingChanged, l.ID)
	_, err := t.ExecContext(ctx, `UPDATE listings SET updated_at = $2, `+assignments(contentColumns, 3)+` WHERE id = $1`,
		fieldsOf(l, contentColumns, []any{l.ID, l.UpdatedAt})...)
	if err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `DELETE FROM listing_photos WHERE listing_id = $1`, l.ID); err != nil {
		return err
	}
	return t.insertPhotos(ctx, []*Listing{l})
}

// Listing is the public listing of an id, with its photos. Drafts and removed
// listings are NotFound listing_not_found, as are ids nobody has.
func (s *Store) Listing(ctx context.Context, id string) (*Listing, error) {
	return publicListing(ctx, s.read, id)
}

func publicListing(ctx context.Context, db *sqlx.DB, id string) (*Listing, error) {
	if !storable(id) {
		return nil, listingNotFound(id)
	}
	l, err := listingByID(ctx, db, id)
	if err == nil && (l == nil || !l.Status.Public()) {
		return nil, listingNotFound(id)
	}
	return l, err
}

func listingNotFound(id string) *Error {
	return &Error{Kind: NotFound, Code: "listing_not_found",
		Message: fmt.Sprintf("No listing has the id %q.", id),
		Hint:    "Search with GET /api/listings/search?keyword=…"}
}

// ListingsByID are the public listings of ids in the order of the ids, with
// their photos; ids without one are left out.
func (s *Store) ListingsByID(ctx context.Context, ids []string) ([]*Listing, error) {
	byID, err := s.AllListingsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(byID, func(_ string, l *Listing) bool { return !l.Status.Public() })
	ordered := make([]*Listing, 0, len(byID))
	for _, id := range ids {
		if l := byID[id]; l != nil {
			ordered = append(ordered, l)
			delete(byID, id)
		}
	}
	return ordered, nil
}

// AllListingsByID returns the listings of ids in any status by id, with their
// photos, for members who may see them whatever their status; ids without a
// listing are absent.
func (s *Store) AllListingsByID(ctx context.Context, ids []string) (map[string]*Listing, error) {
	byID := make(map[string]*Listing, len(ids))
	for part := range chunks(storables(ids)) {
		found, err := selectListings(ctx, s.read, selectListing+`WHERE l.id IN (`+parameters(1, len(part))+`)`, anys(part)...)
		if err != nil {
			return nil, err
		}
		if err := addPhotos(ctx, s.read, found); err != nil {
			return nil, err
		}
		for _, l := range found {
			byID[l.ID] = l
		}
	}
	return byID, nil
}

// ListingKey is the place of a listing in a seller's list.
type ListingKey struct {
	PublishedAt Time
	ID          string
}

// ListingsBySeller are a seller's listings in any of the statuses, newest
// first, with their photos: at most limit after a key, from the newest for the
// zero key. Ask for one more than shown to learn whether there are more.
func (s *Store) ListingsBySeller(ctx context.Context, sellerID string, statuses []Status, after ListingKey, limit int) ([]*Listing, error) {
	if len(statuses) == 0 {
		return nil, nil
	}
	if after == (ListingKey{}) {
		after.PublishedAt = math.MaxInt64
	}
	args := append([]any{sellerID, after.PublishedAt, after.ID, limit}, anys(statuses)...)
	found, err := selectListings(ctx, s.read, selectListing+`
		WHERE l.seller_id = $1 AND (l.published_at, l.id) < ($2, $3) AND l.status IN (`+parameters(5, len(statuses))+`)
		ORDER BY l.published_at DESC, l.id DESC LIMIT $4`, args...)
	if err != nil {
		return nil, err
	}
	return found, addPhotos(ctx, s.read, found)
}

// CountBySeller counts a seller's listings by status; a status without any is absent.
func (s *Store) CountBySeller(ctx context.Context, sellerID string) (map[Status]int, error) {
	rows, err := s.read.QueryxContext(ctx, `SELECT status, COUNT(*) FROM listings WHERE seller_id = $1 GROUP BY status`, sellerID)
	if err != nil {
		return nil, err
	}
	counts := map[Status]int{}
	err = eachRow(rows, func(r *sqlx.Rows) error {
		var status Status
		var n int
		err := r.Scan(&status, &n)
		counts[status] = n
		return err
	})
	return counts, err
}

// EachActiveListing calls each for every listing for sale, in no order, with what
// an index and its cards need: the indexed columns and the first photo.
func (s *Store) EachActiveListing(ctx context.Context, each func(*Listing) error) error {
	rows, err := s.read.QueryxContext(ctx, `SELECT COALESCE(p.key, ''), COALESCE(p.alt, ''), COALESCE(p.width, 0), COALESCE(p.height, 0), `+columnNames("l.", indexedColumns)+`
		FROM listings l LEFT JOIN listing_photos p ON p.listing_id = l.id AND p.place = 0
		WHERE l.status = 'active'`)
	if err != nil {
		return err
	}
	var p Photo
	fields := append(make([]any, 0, 4+len(indexedColumns)), &p.Key, &p.Alt, &p.Width, &p.Height)
	return eachRow(rows, func(r *sqlx.Rows) error {
		l := &Listing{Status: StatusActive}
		if err := r.Scan(fieldsOf(l, indexedColumns, fields)...); err != nil {
			return err
		}
		if p.Key != "" {
			l.Photos = []Photo{p}
		}
		return each(l)
	})
}

// selectListings reads listings by a query that begins with selectListing.
func selectListings(ctx context.Context, db sqlx.QueryerContext, query string, args ...any) ([]*Listing, error) {
	rows, err := db.QueryxContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	var found []*Listing
	fields := make([]any, 0, len(listingColumns))
	err = eachRow(rows, func(r *sqlx.Rows) error {
		l := new(Listing)
		found = append(found, l)
		return r.Scan(fieldsOf(l, listingColumns, fields)...)
	})
	return found, err
}

// addPhotos reads the photos of listings, in their order.
func addPhotos(ctx context.Context, db sqlx.QueryerContext, listings []*Listing) error {
	if len(listings) == 0 {
		return nil
	}
	byID := make(map[string]*Listing, len(listings))
	ids := make([]any, len(listings))
	for i, l := range listings {
		byID[l.ID], ids[i] = l, l.ID
	}
	rows, err := db.QueryxContext(ctx, `SELECT listing_id, key, alt, width, height FROM listing_photos
		WHERE listing_id IN (`+parameters(1, len(ids))+`) ORDER BY listing_id, place`, ids...)
	if err != nil {
		return err
	}
	return eachRow(rows, func(r *sqlx.Rows) error {
		var id string
		var p Photo
		if err := r.Scan(&id, &p.Key, &p.Alt, &p.Width, &p.Height); err != nil {
			return err
		}
		byID[id].Photos = append(byID[id].Photos, p)
		return nil
	})
}

// chunks cuts values into parts that one statement can name.
func chunks[T any](values []T) func(yield func([]T) bool) {
	return slices.Chunk(values, maxRows)
}
