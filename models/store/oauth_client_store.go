package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/secondlight/secondlight/models"
)

// Limits of the registered clients that no member has connected, and of those that one
// has. Beyond them the oldest, or those connected least recently, are deleted.
const (
	MaxUnusedClients = 10_000
	maxUsedClients   = 100_000
)

// Registered clients are deleted when no member has connected them for this long.
const (
	unusedClientLifetime = 7 * 24 * time.Hour       // never connected
	idleClientLifetime   = 2 * models.GrantLifetime // connected before
)

// RegisterClient stores a client and sets its id. Callers must have checked its name
// and redirect URIs.
func (s *Tokens) RegisterClient(ctx context.Context, c *models.OAuthClient) error {
	addresses, err := json.Marshal(c.RedirectURIs)
	if err != nil {
		return err
	}
	c.ID, c.CreatedAt = s.newID(), s.now()
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM oauth_clients WHERE used_at = 0 AND created_at <=
			(SELECT created_at FROM oauth_clients WHERE used_at = 0 ORDER BY created_at DESC LIMIT 1 OFFSET $1)`, MaxUnusedClients-1)
		if err != nil {
			return err
		}
		_, err = t.ExecContext(ctx, `INSERT INTO oauth_clients (id, name, redirect_uris, created_at, used_at) VALUES ($1, $2, $3, $4, 0)`,
			c.ID, c.Name, string(addresses), c.CreatedAt)
		return err
	})
}

// Client returns a registered client, or nil if there is none with the id.
func (s *Tokens) Client(ctx context.Context, id string) (*models.OAuthClient, error) {
	if !models.Storable(id) {
		return nil, nil
	}
	c := &models.OAuthClient{ID: id}
	var addresses string
	err := s.read.QueryRowxContext(ctx, `SELECT name, redirect_uris, created_at FROM oauth_clients WHERE id = $1`, id).Scan(&c.Name, &addresses, &c.CreatedAt)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return c, json.Unmarshal([]byte(addresses), &c.RedirectURIs)
}

// deleteUnusedClients deletes registered clients that no member uses any longer.
func deleteUnusedClients(ctx context.Context, t *tx, now models.Time) error {
	_, err := t.ExecContext(ctx, `DELETE FROM oauth_clients WHERE used_at = 0 AND created_at < $1 OR used_at > 0 AND (used_at < $2 OR used_at <=
		(SELECT used_at FROM oauth_clients WHERE used_at > 0 ORDER BY used_at DESC LIMIT 1 OFFSET $3))`,
		now.Add(-unusedClientLifetime), now.Add(-idleClientLifetime), maxUsedClients)
	return err
}
