package models

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// MaxAlt is how long the alternative text of a photograph may be, in characters.
const MaxAlt = 300

// HasPhoto reports whether a public listing shows the photograph of a key.
func (s *Store) HasPhoto(ctx context.Context, key string) (bool, error) {
	return s.hasPhoto(ctx, isPublic, key)
}

// HasOwnPhoto reports whether a listing of a member has the photograph of a key,
// whatever its status.
func (s *Store) HasOwnPhoto(ctx context.Context, key, member string) (bool, error) {
	return s.hasPhoto(ctx, `l.seller_id = $2`, key, member)
}

func (s *Store) hasPhoto(ctx context.Context, where string, args ...any) (bool, error) {
	var has bool
	err := s.read.GetContext(ctx, &has, `SELECT EXISTS (
		SELECT 1 FROM listing_photos p JOIN listings l ON l.id = p.listing_id
		WHERE p.key = $1 AND `+where+`)`, args...)
	return has, err
}

// UsedPhotos are those of some keys that a listing has, whatever its status.
func (s *Store) UsedPhotos(ctx context.Context, keys []string) (used []string, err error) {
	if len(keys) == 0 {
		return nil, nil
	}
	err = s.read.SelectContext(ctx, &used, `SELECT DISTINCT key FROM listing_photos WHERE key IN (`+parameters(1, len(keys))+`)`, anys(keys)...)
	return used, err
}

// EditableListing is an open listing as its seller may change it now.
func (s *Store) EditableListing(ctx context.Context, id, seller string) (*Listing, error) {
	return s.EditListing(ctx, id, seller, 0, func(*Listing) error { return nil })
}

// AddPhotos adds photographs to an open listing of a seller, behind those it has.
// One that it has already is not added again.
func (s *Store) AddPhotos(ctx context.Context, id, seller string, photos []Photo) (*Listing, error) {
	return s.editPhotos(ctx, id, seller, 0, func(now []Photo) ([]Photo, error) {
		for _, p := range photos {
			if photoAt(now, p.Key) < 0 {
				now = append(now, p)
			}
		}
		if len(now) > MaxPhotos {
			return nil, TooManyPhotos(len(now))
		}
		return now, nil
	})
}

// TooManyPhotos refuses more photographs than a listing has.
func TooManyPhotos(n int) error {
	return invalidFields([]FieldError{{"photo", "invalid_value", fmt.Sprintf("A listing has at most %d photographs; these would be %d.", MaxPhotos, n)}})
}

// Arrangement is how the photographs of a listing are put in order and described.
type Arrangement struct {
	Order          []string          // every key, the first first; nil leaves the order
	Alts           map[string]string // texts by key; "" gives the text back that is made of the title
	Earlier, Later string            // a key that changes places with its neighbour, "" for none
}

// ArrangePhotos puts the photographs of an open listing of a seller in order and
// describes them. With a version other than 0 it must be at that version still.
func (s *Store) ArrangePhotos(ctx context.Context, id, seller string, version int64, a Arrangement) (*Listing, error) {
	return s.editPhotos(ctx, id, seller, version, a.apply)
}

func (a Arrangement) apply(now []Photo) ([]Photo, error) {
	if a.Order != nil {
		ordered := make([]Photo, 0, len(now))
		for _, key := range a.Order {
			at := photoAt(now, key)
			if at < 0 {
				return nil, errPhotos("The listing has no photograph " + key + ".")
			}
			if photoAt(ordered, key) >= 0 {
				return nil, errPhotos("The photograph " + key + " is named twice.")
			}
			ordered = append(ordered, now[at])
		}
		for _, p := range now {
			if photoAt(ordered, p.Key) < 0 {
				return nil, errPhotos("The photograph " + p.Key + " is missing.")
			}
		}
		now = ordered
	}
	for key, alt := range a.Alts {
		at := photoAt(now, key)
		if at < 0 {
			return nil, errPhotos("The listing has no photograph " + key + ".")
		}
		now[at].Alt = alt
	}
	for _, move := range []struct {
		key string
		by  int
	}{{a.Earlier, -1}, {a.Later, 1}} {
		if move.key == "" {
			continue
		}
		at := photoAt(now, move.key)
		if at < 0 {
			return nil, errPhotos("The listing has no photograph " + move.key + ".")
		}
		if to := at + move.by; to >= 0 && to < len(now) {
			now[at], now[to] = now[to], now[at]
		}
	}
	return now, nil
}

func errPhotos(message string) error {
	e := &Error{Kind: Invalid, Code: "invalid_parameter", Message: message, Hint: "Name every key that the listing has now once, in the order they shall have.",
		Fields: []FieldError{{"photos", "invalid_value", message}}}
	return e
}

// RemovePhoto takes a photograph off an open listing of a seller.
func (s *Store) RemovePhoto(ctx context.Context, id, seller, key string) (*Listing, error) {
	return s.editPhotos(ctx, id, seller, 0, func(now []Photo) ([]Photo, error) {
		at := photoAt(now, key)
		if at < 0 {
			return nil, &Error{Kind: NotFound, Code: "photo_not_found", Message: "The listing has no such photograph.",
				Hint: "GET /api/listings/" + id + "/photos names those it has by their keys."}
		}
		return slices.Delete(now, at, at+1), nil
	})
}

func photoAt(photos []Photo, key string) int {
	return slices.IndexFunc(photos, func(p Photo) bool { return p.Key == key })
}

// editTries is how often an edit that minds no version is made again when
// another one came between.
const editTries = 20

func (s *Store) editPhotos(ctx context.Context, id, seller string, version int64, edit func([]Photo) ([]Photo, error)) (l *Listing, err error) {
	for range editTries {
		l, err = s.EditListing(ctx, id, seller, version, func(l *Listing) error {
			photos, err := edit(slices.Clone(l.Photos))
			if err == nil {
				l.Photos = photos
			}
			return err
		})
		if version != 0 || !errors.Is(err, errListingChanged) {
			break
		}
	}
	return l, err
}
