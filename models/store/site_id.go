package store

import (
	"context"

	"github.com/secondlight/secondlight/models"
)

// siteIDSetting identifies the site that the database is of, so that the files of another one
// are not taken for its own. A restored database gets another id.
const siteIDSetting = "site_id"

// SiteID returns the id of the site, which is made when it is first asked for.
func (db *database) SiteID(ctx context.Context) (string, error) {
	id, err := db.setting(ctx, siteIDSetting)
	if err != nil || id != "" {
		return id, err
	}
	err = db.update(ctx, func(t *tx) error {
		if _, err := t.ExecContext(ctx, `INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`, siteIDSetting, models.NewSecret()[:16]); err != nil {
			return err
		}
		return t.GetContext(ctx, &id, `SELECT value FROM settings WHERE name = $1`, siteIDSetting)
	})
	return id, err
}
