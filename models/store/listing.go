package store

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

const (
	photoColumns = `listing_id, place, key, alt, width, height, bytes`
	isPublic     = `l.status NOT IN ('draft', 'removed')`
)

// InsertListings inserts listings with their photos in one transaction. It sets
// ID, CreatedAt, UpdatedAt and, except for drafts, PublishedAt if they are
// zero.
func (s *Listings) InsertListings(ctx context.Context, listings []models.Listing) error {
	added := make([]*models.Listing, len(listings))
	for i := range listings {
		added[i] = &listings[i]
		s.stamp(added[i])
	}
	return s.update(ctx, func(t *tx) error { return insertListings(ctx, t, added) })
}

// stamp sets the id, times and version of a new listing.
func (s *Listings) stamp(l *models.Listing) {
	now := s.now()
	if l.ID == "" {
		l.ID = s.newID()
	}
	if l.CreatedAt == 0 {
		l.CreatedAt = now
	}
	if l.PublishedAt == 0 && l.Status != models.StatusDraft {
		l.PublishedAt = now
	}
	if l.UpdatedAt == 0 {
		l.UpdatedAt = now
	}
	l.Version = 1
}

func insertPhotos(ctx context.Context, t *tx, listings []*models.Listing) error {
	type photoIndex struct{ listing, photo int }
	var indexes []photoIndex
	for i, l := range listings {
		for j := range l.Photos {
			indexes = append(indexes, photoIndex{i, j})
		}
	}
	return t.insert(ctx, `listing_photos (`+photoColumns+`)`, "", len(indexes), func(i int) []any {
		l := listings[indexes[i].listing]
		p := &l.Photos[indexes[i].photo]
		return []any{l.ID, indexes[i].photo, p.Key, p.Alt, p.Width, p.Height, p.Bytes}
	})
}

// ImportListings inserts listings, or updates those the seller already has with
// the same ExternalID, in one transaction. ExternalID is required. An update
// keeps the id, dates and status, and the photos if none are given; listings that
// are sold, ended or agreed on are not changed. If several rows have the same ExternalID the
// last one wins. The ID and Status of each element are set to the stored
// values.
func (s *Listings) ImportListings(ctx context.Context, listings []models.Listing) (inserted, updated, unchanged int, err error) {
	result, err := s.ImportListingsOf(ctx, listings, "")
	return result.Inserted, result.Updated, result.Unchanged + len(result.Refused), err
}

// importResult counts the listings of an import.
type importResult struct {
	Inserted, Updated, Unchanged int
	Refused                      map[int]*problem.Error // why listings that would change don't, by index
}

// ImportListingsOf implements ImportListings. If seller is not "", it enforces
// MaxListings for that member.
func (s *Listings) ImportListingsOf(ctx context.Context, listings []models.Listing, seller string) (result importResult, err error) {
	err = s.update(ctx, func(t *tx) error {
		result = importResult{Refused: map[int]*problem.Error{}}
		known, err := listingsByExternal(ctx, t, listings)
		if err != nil {
			return err
		}
		accepted, err := acceptedOffers(ctx, t, reservedIDs(known)...)
		if err != nil {
			return err
		}
		var fresh []*models.Listing
		for i := range listings {
			l := &listings[i]
			key := externalKey{l.SellerID, l.ExternalID}
			old := known[key]
			switch {
			case old == nil:
				s.stamp(l)
				fresh = append(fresh, l)
				known[key] = l
				result.Inserted++
			case slices.Contains(fresh, old):
				mergeContent(old, l)
				result.Unchanged++
			default:
				before := *old
				switch changed := old.Status.Open() && mergeContent(old, l); {
				case changed && accepted[old.ID] != "":
					*old = before
					result.Refused[i] = errAgreed(accepted[before.ID])
				case changed && before.PublishedAt != 0 && before.Currency != old.Currency:
					*old = before
					result.Refused[i] = errCurrencyFixed
				case changed:
					if err := recordEdit(ctx, t, &before, old, s.now()); err != nil {
						return err
					}
					result.Updated++
				default:
					result.Unchanged++
				}
				l.ID, l.Status = old.ID, old.Status
			}
		}
		if seller != "" {
			if err := checkListingLimit(ctx, t, seller, len(fresh)); err != nil {
				return err
			}
		}
		return insertListings(ctx, t, fresh)
	})
	return result, err
}

// reservedIDs returns the ids of the reserved listings.
func reservedIDs(listings map[externalKey]*models.Listing) (ids []string) {
	for _, l := range listings {
		if l.Status == models.StatusReserved {
			ids = append(ids, l.ID)
		}
	}
	return ids
}

type externalKey struct{ seller, id string }

// listingsByExternal returns the stored listings with the external ids of rows.
func listingsByExternal(ctx context.Context, t *tx, rows []models.Listing) (map[externalKey]*models.Listing, error) {
	known := make(map[externalKey]*models.Listing, len(rows))
	for part := range chunks(rows) {
		args := make([]any, 0, 2*len(part))
		for i := range part {
			if part[i].ExternalID == "" {
				return nil, fmt.Errorf("import listings: %q has no external id", part[i].Title)
			}
			args = append(args, part[i].SellerID, part[i].ExternalID)
		}
		// Looked up one by one, because PostgreSQL would compare them with all listings.
		var ids []string
		err := t.SelectContext(ctx, &ids, `SELECT COALESCE((SELECT l.id FROM listings l
			WHERE l.seller_id = k.column1 AND l.external_id = k.column2 AND l.external_id IS NOT NULL), '')
			FROM (VALUES `+tuples(len(part), 2, t.db.engine.placeholder)+`) AS k`, args...)
		if err != nil {
			return nil, err
		}
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
		if len(ids) == 0 {
			continue
		}
		listings, err := selectListings(ctx, t, selectListing+`WHERE l.id IN (`+parameters(1, len(ids))+`)`, toAny(ids)...)
		if err != nil {
			return nil, err
		}
		if err := addPhotos(ctx, t, listings); err != nil {
			return nil, err
		}
		for _, l := range listings {
			known[externalKey{l.SellerID, l.ExternalID}] = l
		}
	}
	return known, nil
}

// mergeContent copies the content that an import may change from row to old,
// and reports whether anything changed.
func mergeContent(old, row *models.Listing) bool {
	next := *old
	copyContent(&next, row)
	if row.Serial == "" {
		next.Serial = old.Serial
	}
	if row.Postage == "" {
		next.Postage = old.Postage
	}
	if row.BuyNow == "" {
		next.BuyNow = old.BuyNow
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

// sameContent reports whether a and b have the same content and photos.
func sameContent(a, b *models.Listing) bool {
	for _, c := range contentColumns {
		if !c.sameStored(a, b) {
			return false
		}
	}
	return slices.Equal(a.Photos, b.Photos)
}

// updateContent writes the version, the content and the photos of a listing. It returns
// errListingChanged if it isn't as in old any more.
func updateContent(ctx context.Context, t *tx, old, l *models.Listing) error {
	n, err := t.affected(ctx, `UPDATE listings SET version = $2, updated_at = $3, `+assignments(contentColumns, 6)+` WHERE id = $1 AND version = $4 AND status = $5`,
		fieldsOf(l, contentColumns, []any{l.ID, l.Version, l.UpdatedAt, old.Version, old.Status})...)
	if err != nil {
		return err
	}
	if n == 0 {
		return errListingChanged
	}
	if slices.Equal(old.Photos, l.Photos) {
		return nil
	}
	if _, err := t.ExecContext(ctx, `DELETE FROM listing_photos WHERE listing_id = $1`, l.ID); err != nil {
		return err
	}
	return insertPhotos(ctx, t, []*models.Listing{l})
}

// Listing returns a public listing with its photos. For an unknown id, a draft
// or a removed listing it returns a NotFound error, listing_not_found.
func (s *Listings) Listing(ctx context.Context, id string) (*models.Listing, error) {
	return publicListing(ctx, s.read, id)
}

func publicListing(ctx context.Context, db *sqlx.DB, id string) (*models.Listing, error) {
	if !models.Storable(id) {
		return nil, listingNotFound(id)
	}
	l, err := listingByID(ctx, db, id)
	if err == nil && (l == nil || !l.Status.Public()) {
		return nil, listingNotFound(id)
	}
	return l, err
}

func listingNotFound(id string) *problem.Error {
	return &problem.Error{Kind: problem.NotFound, Code: "listing_not_found",
		Message: problem.Programf("There is no listing with the id %q.", id),
		Hint:    problem.Programf("Search with GET /api/listings/search?keyword=…")}
}

// ListingsByID returns the public listings with the given ids, in that order,
// with their photos. Unknown ids are omitted.
func (s *Listings) ListingsByID(ctx context.Context, ids []string) ([]*models.Listing, error) {
	byID, err := s.AllListingsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(byID, func(_ string, l *models.Listing) bool { return !l.Status.Public() })
	ordered := make([]*models.Listing, 0, len(byID))
	for _, id := range ids {
		if l := byID[id]; l != nil {
			ordered = append(ordered, l)
			delete(byID, id)
		}
	}
	return ordered, nil
}

// AllListingsByID returns listings in any state by id, with their photos.
// Unknown ids are omitted. Callers must check that the member may see them.
func (s *Listings) AllListingsByID(ctx context.Context, ids []string) (map[string]*models.Listing, error) {
	byID := make(map[string]*models.Listing, len(ids))
	for part := range chunks(models.KeepStorable(ids)) {
		listings, err := selectListings(ctx, s.read, selectListing+`WHERE l.id IN (`+parameters(1, len(part))+`)`, toAny(part)...)
		if err != nil {
			return nil, err
		}
		if err := addPhotos(ctx, s.read, listings); err != nil {
			return nil, err
		}
		for _, l := range listings {
			byID[l.ID] = l
		}
	}
	return byID, nil
}

// ListingKey is the sort key of a listing in a seller's list.
type ListingKey struct {
	PublishedAt models.Time
	ID          string
}

// ListingsBySeller returns up to limit listings of a seller in the given states
// after a key, newest first, with their photos. The zero key starts at the
// newest.
func (s *Listings) ListingsBySeller(ctx context.Context, sellerID string, statuses []models.Status, after ListingKey, limit int) ([]*models.Listing, error) {
	if len(statuses) == 0 {
		return nil, nil
	}
	if after == (ListingKey{}) {
		after.PublishedAt = math.MaxInt64
	}
	args := append([]any{sellerID, after.PublishedAt, after.ID, limit}, toAny(statuses)...)
	listings, err := selectListings(ctx, s.read, selectListing+`
		WHERE l.seller_id = $1 AND (l.published_at, l.id) < ($2, $3) AND l.status IN (`+parameters(5, len(statuses))+`)
		ORDER BY l.published_at DESC, l.id DESC LIMIT $4`, args...)
	if err != nil {
		return nil, err
	}
	return listings, addPhotos(ctx, s.read, listings)
}

// CountBySeller returns the number of a seller's listings by status. Statuses
// without listings are omitted.
func (s *Listings) CountBySeller(ctx context.Context, sellerID string) (map[models.Status]int, error) {
	rows, err := s.read.QueryxContext(ctx, `SELECT status, COUNT(*) FROM listings WHERE seller_id = $1 GROUP BY status`, sellerID)
	if err != nil {
		return nil, err
	}
	counts := map[models.Status]int{}
	err = eachRow(rows, func(r *sqlx.Rows) error {
		var status models.Status
		var n int
		err := r.Scan(&status, &n)
		counts[status] = n
		return err
	})
	return counts, err
}

// EachActiveListing calls each for every active listing, in no particular
// order, with only the columns needed for the index and the first photo. It logs
// and omits rows that cannot be read.
func (s *Listings) EachActiveListing(ctx context.Context, each func(*models.Listing) error) error {
	rows, err := s.scan.QueryxContext(ctx, `SELECT COALESCE(p.key, ''), COALESCE(p.alt, ''), COALESCE(p.width, 0), COALESCE(p.height, 0), COALESCE(e.price, 0), `+columnNames("l.", indexedColumns)+`
		FROM listings l LEFT JOIN listing_photos p ON p.listing_id = l.id AND p.place = 0
		LEFT JOIN (SELECT listing_id, MIN(price) AS price FROM listing_prices GROUP BY listing_id) e ON e.listing_id = l.id
		WHERE l.status = 'active'`)
	if err != nil {
		return err
	}
	var p models.Photo
	fields := append(make([]any, 0, 5+len(indexedColumns)), &p.Key, &p.Alt, &p.Width, &p.Height)
	return eachRow(rows, func(r *sqlx.Rows) error {
		l := &models.Listing{Status: models.StatusActive}
		if err := r.Scan(fieldsOf(l, indexedColumns, append(fields, &l.EarlierPrice))...); err != nil {
			return omitListing(ctx, r, l, err)
		}
		if p.Key != "" {
			l.Photos = []models.Photo{p}
		}
		return each(l)
	})
}

// omitListing logs that a row cannot be read. It returns err if the query has
// failed.
func omitListing(ctx context.Context, r *sqlx.Rows, l *models.Listing, err error) error {
	if ctx.Err() != nil || r.Err() != nil {
		return err
	}
	slog.ErrorContext(ctx, "listing omitted: it can't be read", "listing", l.ID, "err", err)
	return nil
}

// selectListings returns the listings of a query that starts with
// selectListing. It logs and omits rows that cannot be read.
func selectListings(ctx context.Context, db sqlx.QueryerContext, query string, args ...any) ([]*models.Listing, error) {
	rows, err := db.QueryxContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	var listings []*models.Listing
	fields := make([]any, 0, 1+len(listingColumns))
	err = eachRow(rows, func(r *sqlx.Rows) error {
		l := new(models.Listing)
		if err := r.Scan(fieldsOf(l, listingColumns, append(fields, &l.EarlierPrice))...); err != nil {
			return omitListing(ctx, r, l, err)
		}
		listings = append(listings, l)
		return nil
	})
	return listings, err
}

// addPhotos sets the photos of listings.
func addPhotos(ctx context.Context, db sqlx.QueryerContext, listings []*models.Listing) error {
	if len(listings) == 0 {
		return nil
	}
	byID := make(map[string]*models.Listing, len(listings))
	ids := make([]any, len(listings))
	for i, l := range listings {
		byID[l.ID], ids[i] = l, l.ID
	}
	rows, err := db.QueryxContext(ctx, `SELECT listing_id, key, alt, width, height, bytes FROM listing_photos
		WHERE listing_id IN (`+parameters(1, len(ids))+`) ORDER BY listing_id, place`, ids...)
	if err != nil {
		return err
	}
	return eachRow(rows, func(r *sqlx.Rows) error {
		var id string
		var p models.Photo
		if err := r.Scan(&id, &p.Key, &p.Alt, &p.Width, &p.Height, &p.Bytes); err != nil {
			return err
		}
		byID[id].Photos = append(byID[id].Photos, p)
		return nil
	})
}

// SetSellerKind sets whether a member sells as a dealer. Recorded sales keep what they have.
func (s *Listings) SetSellerKind(ctx context.Context, memberID string, kind models.SellerKind) error {
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `UPDATE members SET seller_kind = $2 WHERE id = $1`, memberID, kind)
		if err == nil && n == 0 {
			return memberNotFound("id", memberID)
		}
		t.sellerUpdated(memberID)
		return err
	})
}
