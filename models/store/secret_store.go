package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/secondlight/secondlight/models"
)

const selectSetting = `SELECT value FROM settings WHERE name = $1`

// secretSetting returns the secret in a setting. It creates the secret on the first use.
func (s *Site) secretSetting(ctx context.Context, name string) (secret string, err error) {
	err = s.read.GetContext(ctx, &secret, selectSetting, name)
	if errors.Is(err, sql.ErrNoRows) {
		err = s.update(ctx, func(t *tx) error {
			secret, err = secretSetting(ctx, t, name)
			return err
		})
	}
	return secret, err
}

// secretSetting is that of Store.
func secretSetting(ctx context.Context, t *tx, name string) (secret string, err error) {
	if _, err := t.ExecContext(ctx, `INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`, name, models.NewSecret()); err != nil {
		return "", err
	}
	err = t.GetContext(ctx, &secret, selectSetting, name)
	return secret, err
}
