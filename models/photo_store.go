package models

import "context"

// HasPhoto reports whether a public listing shows the photograph of a key.
func (s *Store) HasPhoto(ctx context.Context, key string) (bool, error) {
	var has bool
	err := s.read.GetContext(ctx, &has, `SELECT EXISTS (
		SELECT 1 FROM listing_photos p JOIN listings l ON l.id = p.listing_id
		WHERE p.key = $1 AND `+publicListing+`)`, key)
	return has, err
}
