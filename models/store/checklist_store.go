package store

import (
	"context"
	"strconv"

	"github.com/secondlight/secondlight/models"
)

// Settings that record the last success of what the program does.
const (
	mailSetting   = "mail_at"
	backupSetting = "backup_at"
)

// SiteProgress returns what has been done. Members of demonstration data have no account.
func (s *Site) SiteProgress(ctx context.Context) (*models.SiteProgress, error) {
	var p models.SiteProgress
	err := s.read.QueryRowxContext(ctx, `SELECT
		EXISTS (SELECT 1 FROM accounts JOIN listings ON listings.seller_id = accounts.member_id WHERE listings.status <> 'draft'),
		COALESCE((SELECT CAST(value AS BIGINT) FROM settings WHERE name = $1), 0),
		COALESCE((SELECT CAST(value AS BIGINT) FROM settings WHERE name = $2), 0)`, mailSetting, backupSetting).Scan(&p.Listed, &p.MailAt, &p.BackupAt)
	return &p, err
}

// RecordMail records that a mail server took an email.
func (s *Site) RecordMail(ctx context.Context) error { return s.record(ctx, mailSetting) }

// RecordBackup records that a backup was made.
func (s *Site) RecordBackup(ctx context.Context) error { return s.record(ctx, backupSetting) }

func (s *Site) record(ctx context.Context, setting string) error {
	return s.update(ctx, func(t *tx) error {
		return t.setSetting(ctx, setting, strconv.FormatInt(int64(t.db.now()), 10))
	})
}
