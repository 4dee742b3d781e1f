package models

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
)

const searchColumns = `id, member_id, name, query, every, email, webhook, webhook_secret, created_at, looked_at, due_at`

// AddSearch keeps a search for a member; ID and times are filled in, and the
// webhook's secret, of which that of the feed is made.
func (s *AlertStore) AddSearch(ctx context.Context, search *SavedSearch) (feedSecret string, err error) {
	if err := search.check(); err != nil {
		return "", err
	}
	now := s.now()
	search.ID, search.CreatedAt, search.LookedAt, search.DueAt = s.newID(), now, now, now+Time(search.Every.pause().Milliseconds())
	search.WebhookSecret = "whsec_" + NewSecret()
	feedSecret = search.FeedSecret()
	err = s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `INSERT INTO searches (`+searchColumns+`, feed_hash)
			SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 WHERE (SELECT COUNT(*) FROM searches WHERE member_id = $2) < $13`,
			search.ID, search.MemberID, search.Name, search.Query, search.Every, search.Email, search.Webhook, search.WebhookSecret,
			search.CreatedAt, search.LookedAt, search.DueAt, secretHash(feedSecret), MaxSearches)
		if err == nil && n == 0 {
			return &Error{Kind: Conflict, Code: "too_many_searches", Message: "You keep 100 searches.", Hint: "Delete one first."}
		}
		return err
	})
	return feedSecret, err
}

// EditSearch changes the name, query, frequency and channels of a member's search.
// With a version other than 0 it must be at that version still, else it is
// search_changed; of two who change the same at once one is told so too.
func (s *AlertStore) EditSearch(ctx context.Context, id, memberID string, version int64, edit func(*SavedSearch) error) (*SavedSearch, error) {
	search, err := s.Search(ctx, id, memberID)
	if err != nil {
		return nil, err
	}
	old := *search
	if version != 0 && version != old.Version() {
		return nil, errSearchChanged
	}
	if err := edit(search); err != nil {
		return nil, err
	}
	if err := search.check(); err != nil {
		return nil, err
	}
	if search.Every != old.Every {
		search.DueAt = s.now() + Time(search.Every.pause().Milliseconds())
	}
	return search, s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `UPDATE searches SET name = $3, query = $4, every = $5, email = $6, webhook = $7, due_at = CASE WHEN $5 = $10 THEN due_at ELSE $8 END
			WHERE id = $1 AND member_id = $2 AND name = $9 AND every = $10 AND query = $11 AND email = $12 AND webhook = $13`,
			id, memberID, search.Name, search.Query, search.Every, search.Email, search.Webhook, search.DueAt,
			old.Name, old.Every, old.Query, old.Email, old.Webhook)
		if err == nil && n == 0 {
			err = errSearchChanged
		}
		return err
	})
}

var errSearchChanged = &Error{Kind: Changed, Code: "search_changed", Message: "The saved search was changed meanwhile.",
	Hint: "Read it again, and send your change with the new ETag in If-Match."}

// NewSecrets gives a member's search another webhook secret, and with it another
// address of its feed. The old ones are good no more.
func (s *AlertStore) NewSecrets(ctx context.Context, id, memberID string) (*SavedSearch, error) {
	search, err := s.Search(ctx, id, memberID)
	if err != nil {
		return nil, err
	}
	search.WebhookSecret = "whsec_" + NewSecret()
	return search, s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `UPDATE searches SET webhook_secret = $3, feed_hash = $4 WHERE id = $1 AND member_id = $2`,
			id, memberID, search.WebhookSecret, secretHash(search.FeedSecret()))
		if err == nil && n == 0 {
			err = searchNotFound(id)
		}
		return err
	})
}

// StopMail ends the mail of a search, for who has the key out of one.
func (s *AlertStore) StopMail(ctx context.Context, id, key string) (*SavedSearch, error) {
	search, err := s.SearchByKey(ctx, id, key)
	if err != nil {
		return nil, err
	}
	search.Email = false
	return search, s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `UPDATE searches SET email = $2 WHERE id = $1`, id, false)
		return err
	})
}

// SearchByKey is a search for who has the key out of a mail of it.
func (s *AlertStore) SearchByKey(ctx context.Context, id, key string) (*SavedSearch, error) {
	search, err := s.searchBy(ctx, id, `id = $1`, id)
	if err == nil && subtle.ConstantTimeCompare([]byte(search.StopKey()), []byte(key)) != 1 {
		return nil, searchNotFound(id)
	}
	return search, err
}

// DeleteSearch drops a member's search, and its alerts.
func (s *AlertStore) DeleteSearch(ctx context.Context, id, memberID string) error {
	if !storable(id) {
		return searchNotFound(id)
	}
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `DELETE FROM searches WHERE id = $1 AND member_id = $2`, id, memberID)
		if err == nil && n == 0 {
			err = searchNotFound(id)
		}
		return err
	})
}

func searchNotFound(id string) *Error {
	return &Error{Kind: NotFound, Code: "search_not_found", Message: fmt.Sprintf("You keep no search with the id %q.", id),
		Hint: "List yours with GET /api/searches."}
}

// Search is a member's search.
func (s *AlertStore) Search(ctx context.Context, id, memberID string) (*SavedSearch, error) {
	return s.searchBy(ctx, id, `id = $1 AND member_id = $2`, id, memberID)
}

// SearchByFeed is the search whose feed has a secret address.
func (s *AlertStore) SearchByFeed(ctx context.Context, secret string) (*SavedSearch, error) {
	return s.searchBy(ctx, "", `feed_hash = $1`, secretHash(secret))
}

func (s *AlertStore) searchBy(ctx context.Context, id, where string, args ...any) (*SavedSearch, error) {
	if !storable(id) {
		return nil, searchNotFound(id)
	}
	var search SavedSearch
	err := s.read.GetContext(ctx, &search, `SELECT `+searchColumns+` FROM searches WHERE `+where, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, searchNotFound(id)
	}
	return &search, err
}

// Searches are the searches a member keeps, newest first.
func (s *AlertStore) Searches(ctx context.Context, memberID string) ([]SavedSearch, error) {
	var list []SavedSearch
	err := s.read.SelectContext(ctx, &list, `SELECT `+searchColumns+` FROM searches WHERE member_id = $1 ORDER BY id DESC`, memberID)
	return list, err
}

// DueSearches are daily and weekly searches whose time to be looked at has come,
// the longest overdue first, at most limit.
func (s *AlertStore) DueSearches(ctx context.Context, limit int) ([]SavedSearch, error) {
	var list []SavedSearch
	err := s.read.SelectContext(ctx, &list, `SELECT `+searchColumns+` FROM searches WHERE due_at <= $1 AND every <> $2 ORDER BY due_at, id LIMIT $3`, s.now(), Instant, limit)
	return list, err
}

// InstantSearches are those that are looked at whenever something is published,
// in the order of their ids, after one and at most limit.
func (s *AlertStore) InstantSearches(ctx context.Context, after string, limit int) ([]SavedSearch, error) {
	var list []SavedSearch
	err := s.read.SelectContext(ctx, &list, `SELECT `+searchColumns+` FROM searches WHERE every = $1 AND id > $2 ORDER BY id LIMIT $3`, Instant, after, limit)
	return list, err
}

// Untold are those of the listings that a search was not told of, in their order.
func (s *AlertStore) Untold(ctx context.Context, searchID string, listings []string) (untold []string, err error) {
	told := map[string]bool{}
	for part := range chunks(listings) {
		var ids []string
		err := s.read.SelectContext(ctx, &ids, `SELECT listing_id FROM alerts WHERE search_id = $1 AND listing_id IN (`+parameters(2, len(part))+`)`,
			append([]any{searchID}, anys(part)...)...)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			told[id] = true
		}
	}
	for _, id := range listings {
		if !told[id] {
			untold = append(untold, id)
		}
	}
	return untold, nil
}

// TakeAlerts notes that a search found listings, sets when it is due again, and
// tells which of them are news: each listing is news to a search once, whoever
// looks, on however many replicas. What tell makes of the news is queued for
// delivery in the same transaction.
func (s *AlertStore) TakeAlerts(ctx context.Context, search *SavedSearch, found []string, tell func(news []string) []Delivery) error {
	now := s.now()
	return s.update(ctx, func(t *tx) error {
		var news []string
		for _, id := range found {
			n, err := t.affected(ctx, `INSERT INTO alerts (search_id, listing_id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, search.ID, id, now)
			if err != nil {
				return err
			}
			if n == 1 {
				news = append(news, id)
			}
		}
		_, err := t.ExecContext(ctx, `UPDATE searches SET looked_at = $2, due_at = $3 WHERE id = $1 AND looked_at <= $2`,
			search.ID, now, now+Time(search.Every.pause().Milliseconds()))
		if err != nil || len(news) == 0 {
			return err
		}
		return t.queue(ctx, tell(news))
	})
}

// Alerts are the listings a search was told of, the last first, at most limit.
func (s *AlertStore) Alerts(ctx context.Context, searchID string, limit int) (ids []string, err error) {
	err = s.read.SelectContext(ctx, &ids, `SELECT listing_id FROM alerts WHERE search_id = $1 ORDER BY at DESC, listing_id DESC LIMIT $2`, searchID, limit)
	return ids, err
}
