package store

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// SiteSettings returns what the owner has set, and its version: 0 if nothing is set.
func (s *Site) SiteSettings(ctx context.Context) (settings *models.SiteSettings, version int64, err error) {
	var row struct {
		Version  int64
		Document string
	}
	err = s.read.GetContext(ctx, &row, `SELECT version, document FROM site_settings WHERE id = 1`)
	if errors.Is(err, sql.ErrNoRows) {
		return &models.SiteSettings{}, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	settings, err = models.ParseSiteSettings(row.Document)
	return settings, row.Version, err
}

// EditSite replaces the settings if they are at a version, and returns the next one. It
// records what changed in the audit log. The caller has checked the settings. It returns
// a Changed error, site_changed, if they have changed since, and currency_in_use if
// the currency changes while there are listings or sales.
func (s *Site) EditSite(ctx context.Context, operatorID string, version int64, settings *models.SiteSettings) (next int64, err error) {
	before, _, err := s.SiteSettings(ctx)
	if err != nil {
		return 0, err
	}
	changed := settings.Changed(before)
	if len(changed) == 0 {
		return version, nil
	}
	return version + 1, s.update(ctx, func(t *tx) error {
		if settings.Currency != before.Currency {
			if err := requireUnpriced(ctx, t); err != nil {
				return err
			}
		}
		if err := setSite(ctx, t, version, settings); err != nil {
			return err
		}
		return audit(ctx, t, &models.AuditEntry{OperatorID: operatorID, Action: models.EditSite, Subject: siteSubject, Note: strings.Join(changed, ", "), At: t.db.now()})
	})
}

// siteSubject is the subject of changes and audit entries about the site.
const siteSubject = "site"

// FilesChanged records that files of the owner have changed, for the other servers.
func (s *Site) FilesChanged(ctx context.Context) error {
	return s.update(ctx, func(t *tx) error {
		t.changed(models.SiteChanged, siteSubject)
		return nil
	})
}

// setSite replaces the settings at a version.
func setSite(ctx context.Context, t *tx, version int64, settings *models.SiteSettings) error {
	document, err := json.Marshal(settings)
	if err != nil {
		return err
	}
	n, err := t.affected(ctx, `INSERT INTO site_settings (id, version, document) VALUES (1, $1, $2)
		ON CONFLICT (id) DO UPDATE SET version = excluded.version, document = excluded.document WHERE site_settings.version = $3`, version+1, string(document), version)
	if err != nil {
		return err
	}
	if n == 0 {
		return errSiteChanged
	}
	t.changed(models.SiteChanged, siteSubject)
	return nil
}

var errSiteChanged = &problem.Error{Kind: problem.Changed, Code: "site_changed", Message: problem.Textf("The settings have changed since you opened them."),
	Hint: problem.Programf("Read them again with GET /api/admin/site, and send your change with the new version.")}

// requireUnpriced returns a Conflict error, currency_in_use, if there are listings or
// sales: their prices are in the currency of the site.
func requireUnpriced(ctx context.Context, t *tx) error {
	var priced bool
	if err := t.GetContext(ctx, &priced, `SELECT EXISTS (SELECT 1 FROM listings) OR EXISTS (SELECT 1 FROM sales)`); err != nil || !priced {
		return err
	}
	return &problem.Error{Kind: problem.Conflict, Code: "currency_in_use", Message: problem.Textf("The currency can't be changed once there are listings or sales."),
		Hint: problem.Textf("Keep the current currency: changing it would change what prices mean.")}
}

// AddSitePicture stores a PNG under a name, its hash.
func (s *Site) AddSitePicture(ctx context.Context, name string, png []byte) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `INSERT INTO site_pictures (name, data) VALUES ($1, $2) ON CONFLICT DO NOTHING`, name, base64.StdEncoding.EncodeToString(png))
		return err
	})
}

// SitePicture returns the PNG with a name, nil if there is none.
func (s *Site) SitePicture(ctx context.Context, name string) ([]byte, error) {
	if !models.Storable(name) {
		return nil, nil
	}
	var data string
	err := s.read.GetContext(ctx, &data, `SELECT data FROM site_pictures WHERE name = $1`, name)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(data)
}

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

// secretSetting is Site.secretSetting in a transaction.
func secretSetting(ctx context.Context, t *tx, name string) (secret string, err error) {
	if _, err := t.ExecContext(ctx, `INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`, name, models.NewSecret()); err != nil {
		return "", err
	}
	err = t.GetContext(ctx, &secret, selectSetting, name)
	return secret, err
}

// OwnerSetting reads a setting of the owner into value, which stays as it is if nothing is set.
func (s *Site) OwnerSetting(ctx context.Context, name models.OwnerSetting, value any) error {
	document, err := s.setting(ctx, string(name))
	if err != nil || document == "" {
		return err
	}
	return json.Unmarshal([]byte(document), value)
}

// SetOwnerSetting replaces a setting of the owner, and records who did it in the audit log, if
// somebody did.
func (s *Site) SetOwnerSetting(ctx context.Context, operatorID string, name models.OwnerSetting, value any) error {
	document, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return s.update(ctx, func(t *tx) error {
		if err := t.setSetting(ctx, string(name), string(document)); err != nil || operatorID == "" {
			return err
		}
		return audit(ctx, t, &models.AuditEntry{OperatorID: operatorID, Action: models.EditSite, Subject: siteSubject, Note: string(name), At: t.db.now()})
	})
}

// writeFailureMemory is for how long a failed write is reported. A small write may
// succeed while the disk has no space for larger ones.
const writeFailureMemory = time.Minute

// CheckWritable writes to the database and returns an error if that fails, or if
// another write failed within the last minute.
func (s *Site) CheckWritable(ctx context.Context) error {
	if at := s.writeFailed.Load(); at != nil && time.Since(*at) < writeFailureMemory {
		return errors.New("writes have failed within the last minute")
	}
	return s.update(ctx, func(t *tx) error {
		return t.setSetting(ctx, "write_check", s.newID())
	})
}

// Settings that record when the program last succeeded at a task.
const (
	mailSetting   = "mail_at"
	backupSetting = "backup_at"
)

// hasListed is whether a member with an account has published a listing. It looks up the listings of
// one account after the other, because most sellers of a large site are imported.
const hasListed = `EXISTS (SELECT 1 FROM accounts a WHERE (SELECT 1 FROM listings l WHERE l.seller_id = a.member_id AND l.status <> 'draft' LIMIT 1) = 1)`

// SiteProgress returns what has been done. Members of demonstration data have no account.
func (s *Site) SiteProgress(ctx context.Context) (*models.SiteProgress, error) {
	var p models.SiteProgress
	err := s.read.QueryRowxContext(ctx, `SELECT
		`+hasListed+`,
		COALESCE((SELECT CAST(value AS BIGINT) FROM settings WHERE name = $1), 0),
		COALESCE((SELECT CAST(value AS BIGINT) FROM settings WHERE name = $2), 0),
		COALESCE((SELECT MAX(sales) FROM trend_summaries WHERE condition = ''), 0)`, mailSetting, backupSetting).Scan(&p.Listed, &p.MailAt, &p.BackupAt, &p.Sales)
	return &p, err
}

// Optimize updates the statistics that SQLite plans queries with, of tables that have grown.
// PostgreSQL does so by itself.
func (s *Site) Optimize(ctx context.Context) error {
	if s.link != nil {
		return nil
	}
	_, err := s.write.ExecContext(ctx, `PRAGMA analysis_limit = 1000; PRAGMA optimize = 0x10002`) // of all tables, not only those that the connection has read
	return err
}

// RecordMail records that a mail server took an email.
func (s *Site) RecordMail(ctx context.Context) error {
	return s.update(ctx, func(t *tx) error {
		return t.setSetting(ctx, mailSetting, strconv.FormatInt(int64(t.db.now()), 10))
	})
}

// GiveUpDemo records that the demonstration data that is wanted could not be made.
func (s *Store) GiveUpDemo(ctx context.Context) error {
	return s.update(ctx, func(t *tx) error {
		t.changed(models.SiteChanged, siteSubject)
		_, err := t.ExecContext(ctx, `UPDATE settings SET value = 'failed' WHERE name = $1 AND value = 'wanted'`, demoSetting)
		return err
	})
}

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
