package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jmoiron/sqlx"
)

const (
	insertListingColumns = `id, external_id, seller_id, gear, category, title, text, condition, functional, defects, included,
		shutter, serial, price, region, status, demo, created_at, published_at, updated_at, closed_at, sold_price`
	listingColumns = `l.id, COALESCE(l.external_id, ''), l.seller_id, l.gear, l.category, l.title, l.text, l.condition, l.functional, l.defects, l.included,
		l.shutter, l.serial, l.price, l.region, l.status, l.demo, l.created_at, l.published_at, l.updated_at, l.closed_at, l.sold_price,
		l.expires_at, l.end_reason, l.version, l.removed_from`
	photoColumns  = `listing_id, place, key, alt, width, height`
	publicListing = `l.status NOT IN ('draft', 'removed')`
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
		l.ID = NewID(s.clock())
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
	err := t.insert(ctx, `listings (`+insertListingColumns+`)`, "", len(listings), func(i int) []any {
		l := listings[i]
		t.changed(ListingChanged, l.ID)
		return []any{l.ID, nullable(l.ExternalID), l.SellerID, l.Gear, l.Category, l.Title, l.Text, l.Condition, l.Functional,
			writeList(l.Defects), writeList(l.Included), l.Shutter, l.Serial, l.Price, l.Region, l.Status, l.Demo,
			l.CreatedAt, l.PublishedAt, l.UpdatedAt, l.ClosedAt, l.SoldPrice}
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
		found, err := selectListings(ctx, t, `SELECT `+listingColumns+` FROM listings l
			WHERE (l.seller_id, l.external_id) IN (VALUES `+tuples(len(part), 2, t.engine.place)+`) AND l.external_id IS NOT NULL`, args...)
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
	next.Gear, next.Category, next.Title, next.Text = row.Gear, row.Category, row.Title, row.Text
	next.Condition, next.Functional, next.Defects, next.Included = row.Condition, row.Functional, row.Defects, row.Included
	next.Shutter, next.Price, next.Region = row.Shutter, row.Price, row.Region
	if row.Serial != "" {
		next.Serial = row.Serial
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

func sameContent(a, b *Listing) bool {
	return a.Gear == b.Gear && a.Category == b.Category && a.Title == b.Title && a.Text == b.Text &&
		a.Condition == b.Condition && a.Functional == b.Functional && slices.Equal(a.Defects, b.Defects) && slices.Equal(a.Included, b.Included) &&
		a.Shutter == b.Shutter && a.Serial == b.Serial && a.Price == b.Price && a.Region == b.Region && slices.Equal(a.Photos, b.Photos)
}

func (t *tx) rewriteListing(ctx context.Context, l *Listing) error {
	t.changed(ListingChanged, l.ID)
	_, err := t.ExecContext(ctx, `UPDATE listings SET gear = $2, category = $3, title = $4, text = $5, condition = $6, functional = $7,
		defects = $8, included = $9, shutter = $10, serial = $11, price = $12, region = $13, updated_at = $14 WHERE id = $1`,
		l.ID, l.Gear, l.Category, l.Title, l.Text, l.Condition, l.Functional,
		writeList(l.Defects), writeList(l.Included), l.Shutter, l.Serial, l.Price, l.Region, l.UpdatedAt)
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
	found, err := s.ListingsByID(ctx, []string{id})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, listingNotFound(id)
	}
	return found[0], nil
}

func listingNotFound(id string) *Error {
	return &Error{Kind: NotFound, Code: "listing_not_found",
		Message: fmt.Sprintf("No listing has the id %q.", id),
		Hint:    "Search with GET /api/listings/search?keyword=…"}
}

// ListingsByID are the public listings of ids in the order of the ids, with
// their photos; ids without one are left out.
func (s *Store) ListingsByID(ctx context.Context, ids []string) ([]*Listing, error) {
	byID := make(map[string]*Listing, len(ids))
	for part := range chunks(storables(ids)) {
		found, err := selectListings(ctx, s.read, `SELECT `+listingColumns+` FROM listings l
			WHERE l.id IN (`+parameters(1, len(part))+`) AND `+publicListing, anys(part)...)
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
	ordered := make([]*Listing, 0, len(byID))
	for _, id := range ids {
		if l := byID[id]; l != nil {
			ordered = append(ordered, l)
			delete(byID, id)
		}
	}
	return ordered, nil
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
	found, err := selectListings(ctx, s.read, `SELECT `+listingColumns+` FROM listings l
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

// EachActiveListing hands over every listing for sale, in no order, with what
// an index and its cards need: not Text, Defects, Included, Shutter, Serial,
// ExternalID, Version and the other dates than PublishedAt, and the first photo only.
//
// The short columns come packed into one: on both engines a column costs more
// than what is in it.
func (s *Store) EachActiveListing(ctx context.Context, each func(*Listing) error) error {
	rows, err := s.read.QueryxContext(ctx, `SELECT concat_ws($1, l.id, l.seller_id, l.gear, l.category, l.condition, l.functional,
			l.region, l.price, l.published_at, CASE WHEN l.demo THEN 1 ELSE 0 END, p.width, p.height, p.key), l.title, COALESCE(p.alt, '')
		FROM listings l LEFT JOIN listing_photos p ON p.listing_id = l.id AND p.place = 0
		WHERE l.status = 'active'`, packedBy)
	if err != nil {
		return err
	}
	var packed, title, alt string
	return eachRow(rows, func(r *sqlx.Rows) error {
		if err := r.Scan(&packed, &title, &alt); err != nil {
			return err
		}
		l, err := unpackListing(packed)
		if err != nil {
			return err
		}
		l.Title = title
		if len(l.Photos) > 0 {
			l.Photos[0].Alt = alt
		}
		return each(l)
	})
}

// packedBy is between packed columns: the unit separator, which no code holds.
const packedBy = "\x1f"

// unpackListing reads the packed columns of EachActiveListing; those of the
// photo are missing when there is none.
func unpackListing(packed string) (*Listing, error) {
	f := strings.Split(packed, packedBy)
	if len(f) != 10 && len(f) != 13 {
		return nil, fmt.Errorf("listing %s: a control character among its codes", f[0])
	}
	l := &Listing{ID: f[0], SellerID: f[1], Gear: f[2], Category: Category(f[3]), Condition: Condition(f[4]), Functional: Functional(f[5]),
		Region: Region(f[6]), Status: StatusActive, Demo: f[9] == "1"}
	price, err1 := strconv.ParseInt(f[7], 10, 64)
	published, err2 := strconv.ParseInt(f[8], 10, 64)
	l.Price, l.PublishedAt = Cents(price), Time(published)
	if len(f) == 10 {
		return l, errors.Join(err1, err2)
	}
	width, err3 := strconv.Atoi(f[10])
	height, err4 := strconv.Atoi(f[11])
	l.Photos = []Photo{{Key: f[12], Width: width, Height: height}}
	return l, errors.Join(err1, err2, err3, err4)
}

// listingRow is where a row of listingColumns is scanned into: plain types,
// which database/sql fills without reflection.
type listingRow struct {
	dest []any

	id, externalID, sellerID, gear, category, title, text, condition, functional, defects, included, serial, region, status, endReason, removedFrom string
	shutter, price, createdAt, publishedAt, updatedAt, closedAt, soldPrice, expiresAt, version                                                      int64
	demo                                                                                                                                            bool
}

func newListingRow() *listingRow {
	r := new(listingRow)
	r.dest = []any{&r.id, &r.externalID, &r.sellerID, &r.gear, &r.category, &r.title, &r.text, &r.condition, &r.functional, &r.defects, &r.included,
		&r.shutter, &r.serial, &r.price, &r.region, &r.status, &r.demo, &r.createdAt, &r.publishedAt, &r.updatedAt, &r.closedAt, &r.soldPrice,
		&r.expiresAt, &r.endReason, &r.version, &r.removedFrom}
	return r
}

func (r *listingRow) listing() (*Listing, error) {
	defects, err := readList[Defect](r.defects)
	if err != nil {
		return nil, err
	}
	included, err := readList[string](r.included)
	if err != nil {
		return nil, err
	}
	return &Listing{
		ID: r.id, ExternalID: r.externalID, SellerID: r.sellerID, Gear: r.gear, Category: Category(r.category), Title: r.title, Text: r.text,
		Condition: Condition(r.condition), Functional: Functional(r.functional), Defects: defects, Included: included,
		Shutter: int(r.shutter), Serial: r.serial, Price: Cents(r.price), Region: Region(r.region), Status: Status(r.status), Demo: r.demo,
		CreatedAt: Time(r.createdAt), PublishedAt: Time(r.publishedAt), UpdatedAt: Time(r.updatedAt), ClosedAt: Time(r.closedAt), SoldPrice: Cents(r.soldPrice),
		ExpiresAt: Time(r.expiresAt), EndReason: r.endReason, Version: r.version, removedFrom: Status(r.removedFrom),
	}, nil
}

// selectListings reads listings by a query of listingColumns.
func selectListings(ctx context.Context, db sqlx.QueryerContext, query string, args ...any) ([]*Listing, error) {
	rows, err := db.QueryxContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	var found []*Listing
	row := newListingRow()
	err = eachRow(rows, func(r *sqlx.Rows) error {
		if err := r.Scan(row.dest...); err != nil {
			return err
		}
		l, err := row.listing()
		found = append(found, l)
		return err
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

// writeList puts a list into a text column.
func writeList[T ~string](list []T) string {
	if len(list) == 0 {
		return "[]"
	}
	text, _ := json.Marshal(list) // strings always marshal
	return string(text)
}

func readList[T ~string](text string) (list []T, err error) {
	if text == "[]" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("read list %q: %w", text, err)
	}
	return list, nil
}

// chunks cuts values into parts that one statement can name.
func chunks[T any](values []T) func(yield func([]T) bool) {
	return slices.Chunk(values, maxRows)
}
